//===- Families.cpp - Members, collections and calls of models ------------===//
//
// Lowers families inside the bodies of ticks. Small families unroll, so that their reads become
// windows; larger ones become loops between bounds derived from their sets. A collection becomes a
// tensor of its members in order, an evaluation a call of the model's function.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/MemberBounds.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/Ways.h"
#include "TickBody.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::lci;

// Families up to `kUnrollLimit` index tuples unroll; larger ones become loops. Those whose reads
// become windows, which cells read in parallel, a vector or a word of bits at a time, unroll up to
// `kWindowLimit`: a loop would read one by one, at each cell (radius 6: 55 times slower). Those
// whose many tuples need membership tests at each cell unroll up to `kMaxMembershipTests` tests:
// each test is repeated in the code for every candidate.

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// Lowers the body for one member; the last entry of the state is the running rank.
FailureOr<SmallVector<Value>> TickBody::visitMember(Operation *op, Block &body, ArrayAttr where,
                                                    ValueRange outer, ArrayRef<Value> free,
                                                    ValueRange state, Visitor visit) {
  SmallVector<Value> at(outer);
  llvm::append_range(at, free);
  Value isMember = contains(where, at);
  if (isMember && matchPattern(isMember, m_Zero()))
    return SmallVector<Value>(state);
  Value rank = state.back();
  for (auto [argument, index] : llvm::zip(body.getArguments(), free))
    map(argument, index);
  map(body.getArguments().back(),
      b.createOrFold<arith::IndexCastOp>(location, b.getIndexType(), rank));
  {
    llvm::SaveAndRestore<Value> within(this->isMember, both(this->isMember, isMember));
    if (failed(lower(body)))
      return failure();
  }
  auto yield = cast<YieldOp>(body.getTerminator());
  Value present = lookupOrNull(yield.getPresent());
  if (present && matchPattern(present, m_One()))
    present = Value();
  Member member{isMember, rank, {lookup(yield.getValue()), both(isMember, present)}};
  SmallVector<Value> next = visit(member, state.drop_back());
  Value step =
      isMember ? Value(arith::ExtUIOp::create(b, location, b.getI64Type(), isMember)) : integer(1);
  next.push_back(b.createOrFold<arith::AddIOp>(location, rank, step));
  return next;
}

int64_t TickBody::getFamilySize(ArrayAttr where, ValueRange outer, Block &body) {
  SmallVector<IndexRange> outerBox =
      llvm::map_to_vector(outer, [&](Value v) { return rangeOf(lookup(v)); });
  std::optional<SmallVector<IndexRange>> box =
      computeFreeBox(where, outerBox, body.getNumArguments() - 1);
  int64_t size = 1; // of the box
  for (IndexRange range : box.value_or(SmallVector<IndexRange>()))
    size *= range.size();
  return size;
}

/// The first value of a limited index, and the one after its last.
std::pair<Value, Value> TickBody::getLoopEnds(const FreeLimits &limit) {
  auto toIndex = [&](Value end) -> Value {
    return arith::IndexCastOp::create(b, location, b.getIndexType(), end);
  };
  Value end = arith::AddIOp::create(b, location, lookup(limit.high), integer(1));
  return {toIndex(lookup(limit.low)), toIndex(end)};
}

/// Excludes tuples that cannot be members, given the previous indices.
void TickBody::narrowLoop(ArrayAttr where, ArrayRef<Value> known, Value &lower, Value &upper) {
  MemberBounds bounds = getMemberBounds(where, known.size());
  for (AffineExpr first : bounds.first)
    lower = arith::MaxSIOp::create(b, location, lower,
                                   affine::expandAffineExpr(b, location, first, known, {}));
  for (AffineExpr last : bounds.last)
    upper = arith::MinSIOp::create(b, location, upper,
                                   affine::expandAffineExpr(b, location, last + 1, known, {}));
}

/// The number of constraints that involve the cell too, and so are tested at each.
static int64_t countTests(ArrayAttr where, unsigned numOuter) {
  int64_t tests = 0;
  for (IntegerSet set : where.getAsValueRange<IntegerSetAttr>())
    tests += llvm::count_if(set.getConstraints(), [&](AffineExpr constraint) {
      return llvm::any_of(llvm::seq(numOuter),
                          [&](unsigned dim) { return constraint.isFunctionOfDim(dim); });
    });
  return tests;
}

/// Whether each member reads a cell at a fixed distance: every index is one of the cell's indices,
/// a different one on each axis, plus a number that the member determines.
static bool readsWindow(ReadOp read, Block &body) {
  AffineMap map = read.getMap();
  unsigned numDims = map.getNumDims();
  auto isOuter = [&](unsigned dim) {
    return !llvm::is_contained(body.getArguments(), read.getIndices()[dim]);
  };
  llvm::SmallDenseSet<unsigned> followed;
  return llvm::all_of(map.getResults(), [&](AffineExpr index) {
    for (unsigned axis : llvm::make_filter_range(llvm::seq(numDims), isOuter)) {
      AffineExpr move = simplifyAffineExpr(index - getAffineDimExpr(axis, map.getContext()),
                                           numDims, map.getNumSymbols());
      auto varies = [&](unsigned dim) { return isOuter(dim) && move.isFunctionOfDim(dim); };
      if (llvm::none_of(llvm::seq(numDims), varies))
        return followed.insert(axis).second;
    }
    return false;
  });
}

static bool readsWindows(Block &body) {
  auto reads = body.getOps<ReadOp>();
  return !reads.empty() &&
         llvm::all_of(reads, [&](ReadOp read) { return readsWindow(read, body); });
}

/// Whether the members of a family without limits are unrolled.
static bool unrolls(int64_t tuples, ArrayAttr where, ValueRange outer, Block &body) {
  return tuples <= (readsWindows(body) ? kWindowLimit : kUnrollLimit) &&
         tuples * countTests(where, outer.size()) <= kMaxMembershipTests;
}

/// The bounds of the loop of a free index.
std::pair<Value, Value> TickBody::getLoopEnds(IndexRange range, ArrayRef<FreeLimits> limits,
                                              unsigned number, ArrayAttr where,
                                              ArrayRef<Value> known) {
  Value lower = arith::ConstantIndexOp::create(b, location, range.lower);
  Value upper = arith::ConstantIndexOp::create(b, location, range.upper + 1);
  for (const FreeLimits &limit : limits) {
    if (limit.free != number)
      continue;
    auto [low, end] = getLoopEnds(limit);
    lower = arith::MaxSIOp::create(b, location, lower, low);
    upper = arith::MinSIOp::create(b, location, upper, end);
  }
  narrowLoop(where, known, lower, upper);
  return {lower, upper};
}

static void noteFamily(Operation *op, bool isUnrolled, ArrayRef<FreeLimits> limits) {
  took(op, isUnrolled       ? Way::FamilyWrittenOut
           : limits.empty() ? Way::FamilyLoop
                            : Way::FamilyByLimits);
}

FailureOr<SmallVector<Value>> TickBody::visitFamily(Operation *op, Block &body, ArrayAttr where,
                                                    ValueRange outer, ValueRange initial,
                                                    Visitor visit) {
  unsigned numFree = body.getNumArguments() - 1;
  SmallVector<Value> at = llvm::map_to_vector(outer, [&](Value v) { return lookup(v); });
  SmallVector<IndexRange> outerBox = llvm::map_to_vector(at, [&](Value v) { return rangeOf(v); });
  std::optional<SmallVector<IndexRange>> box = computeFreeBox(where, outerBox, numFree);
  if (!box)
    return op->emitOpError("ranges over infinitely many members, or more than 2^36")
           << ErrorId::NotLowered;
  SmallVector<FreeLimits> limits = getLimits(op);
  bool isUnrolled =
      limits.empty() && unrolls(getFamilySize(where, outer, body), where, outer, body);
  noteFamily(op, isUnrolled, limits);
  SmallVector<Value> state(initial), free;
  state.push_back(integer(0)); // the running rank
  bool notesStamps = static_cast<bool>(latestStamp);
  if (notesStamps) // the latest stamp is carried along
    state.push_back(latestStamp);
  bool failedInside = false;
  std::function<SmallVector<Value>(SmallVector<Value>)> walk = [&](SmallVector<Value> now) {
    if (free.size() == numFree) {
      if (notesStamps)
        latestStamp = now.pop_back_val();
      FailureOr<SmallVector<Value>> next = visitMember(op, body, where, at, free, now, visit);
      failedInside |= failed(next);
      now = failed(next) ? now : *next;
      if (notesStamps)
        now.push_back(latestStamp);
      return now;
    }
    IndexRange range = (*box)[free.size()];
    if (isUnrolled) {
      for (int64_t i = range.lower; i <= range.upper; ++i) {
        free.push_back(arith::ConstantIndexOp::create(b, location, i));
        now = walk(now);
        free.pop_back();
      }
      return now;
    }
    SmallVector<Value> known(at);
    llvm::append_range(known, free);
    auto [lower, upper] = getLoopEnds(range, limits, free.size(), where, known);
    Value one = arith::ConstantIndexOp::create(b, location, 1);
    auto loop = scf::ForOp::create(b, location, lower, upper, one, now);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ranges[loop.getInductionVar()] = range;
    free.push_back(loop.getInductionVar());
    SmallVector<Value> next = walk(llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
    free.pop_back();
    scf::YieldOp::create(b, location, next);
    return llvm::to_vector_of<Value>(loop.getResults());
  };
  state = walk(state);
  if (failedInside)
    return failure();
  if (notesStamps)
    latestStamp = state.pop_back_val();
  state.pop_back();
  return state;
}

//===----------------------------------------------------------------------===//
// Collections and models
//===----------------------------------------------------------------------===//

LogicalResult TickBody::lowerCollect(CollectOp op) {
  auto type = cast<RankedTensorType>(op.getMembers().getType());
  auto presentType = cast<RankedTensorType>(op.getPresent().getType());
  if (!type.hasStaticShape())
    return op.emitOpError("has an unknown length; expected a bound program") << ErrorId::PassOrder;
  // Members are inserted one after the other; unrolled, this folds to `tensor.from_elements`.
  Block &body = op.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  Value absent = type.getElementType().isF32()        ? number(0.0f)
                 : type.getElementType().isInteger(1) ? truthValue(false)
                                                      : integer(0);
  if (auto read = yield.getValue().getDefiningOp<ReadOp>())
    if (auto source = programOp.lookupValue(read.getValue()); source.getKind() == Kind::Token)
      absent = integer(*source.getVocabularySize());
  auto orAbsent = [&](const Maybe &held) -> Value {
    if (!held.present)
      return held.value;
    return arith::SelectOp::create(b, location, held.present, held.value, absent);
  };
  // Where every tuple is a member or surely none, the members form one `tensor.from_elements`.
  SmallVector<Value> members, presences;
  bool regular = true;
  auto list = [&](const Member &member, ValueRange) -> SmallVector<Value> {
    regular &= !member.isMember && matchPattern(member.rank, m_Constant());
    members.push_back(orAbsent(member.held));
    presences.push_back(orTrue(member.held.present));
    return {};
  };
  int64_t tuples = getFamilySize(op.getWhere(), op.getOuter(), body);
  if (getLimits(op).empty() && unrolls(tuples, op.getWhere(), op.getOuter(), body)) {
    if (failed(visitFamily(op, body, op.getWhere(), op.getOuter(), {}, list)))
      return failure();
    members.resize(type.getNumElements(), absent);
    presences.resize(type.getNumElements(), truthValue(false));
    if (regular) {
      map(op.getMembers(), tensor::FromElementsOp::create(b, location, type, members));
      map(op.getPresent(), tensor::FromElementsOp::create(b, location, presentType, presences));
      return success();
    }
  }
  return collectInOrder(op, absent);
}

/// Inserts each member at its rank, which is known only at run time.
LogicalResult TickBody::collectInOrder(CollectOp op, Value absent) {
  took(op, Way::MembersInOrder);
  auto type = cast<RankedTensorType>(op.getMembers().getType());
  auto presentType = cast<RankedTensorType>(op.getPresent().getType());
  SmallVector<Value> fill(type.getNumElements(), absent);
  SmallVector<Value> none(type.getNumElements(), truthValue(false));
  SmallVector<Value> initial{tensor::FromElementsOp::create(b, location, type, fill),
                             tensor::FromElementsOp::create(b, location, presentType, none)};
  auto visit = [&](const Member &member, ValueRange state) -> SmallVector<Value> {
    // A tuple that is no member may come after the last one: it must neither leave the tensor nor
    // change it.
    Value last = integer(type.getNumElements() - 1);
    Value rank = arith::MinSIOp::create(b, location, member.rank, last);
    Value at = arith::IndexCastOp::create(b, location, b.getIndexType(), rank);
    Value value = member.held.value, present = orTrue(member.held.present);
    if (member.held.present)
      value = arith::SelectOp::create(b, location, present, value, absent);
    if (member.isMember) {
      Value oldValue = tensor::ExtractOp::create(b, location, state[0], at);
      Value oldPresent = tensor::ExtractOp::create(b, location, state[1], at);
      value = arith::SelectOp::create(b, location, member.isMember, value, oldValue);
      present = arith::SelectOp::create(b, location, member.isMember, present, oldPresent);
    }
    return {tensor::InsertOp::create(b, location, value, state[0], at),
            tensor::InsertOp::create(b, location, present, state[1], at)};
  };
  FailureOr<SmallVector<Value>> state =
      visitFamily(op, op.getBody().front(), op.getWhere(), op.getOuter(), initial, visit);
  if (failed(state))
    return failure();
  map(op.getMembers(), (*state)[0]);
  map(op.getPresent(), (*state)[1]);
  return success();
}

FailureOr<func::FuncOp> TickBody::getModel(EvaluateOp op) {
  auto model = programOp.lookupNamed<ModelOp>(op.getModel());
  if (!model.getFunction())
    return op.emitOpError("asks '")
           << ErrorId::UnboundName << op.getModel() << "', which is not bound to a function";
  auto module = programOp->getParentOfType<ModuleOp>();
  return module.lookupSymbol<func::FuncOp>(*model.getFunction());
}

func::CallOp TickBody::callModel(EvaluateOp op, func::FuncOp function) {
  SmallVector<Value> arguments;
  for (auto [argument, type] : llvm::zip(op.getArguments(), function.getArgumentTypes())) {
    Value value = lookup(argument);
    if (value.getType() != type) // tokens are i64 here and narrower in a model
      value = arith::TruncIOp::create(b, location, type, value);
    arguments.push_back(value);
  }
  for (Value weight : bindings.weights.lookup(op.getModel()))
    arguments.push_back(import(weight));
  return func::CallOp::create(b, location, function, arguments);
}

LogicalResult TickBody::lowerEvaluate(EvaluateOp op) {
  FailureOr<func::FuncOp> function = getModel(op);
  if (failed(function))
    return failure();
  func::CallOp call = callModel(op, *function);
  for (auto [answer, result] : llvm::zip(op.getAnswers(), call.getResults())) {
    Value value = result;
    if (value.getType() != answer.getType() && isa<IntegerType>(value.getType()))
      value = arith::ExtSIOp::create(b, location, answer.getType(), value);
    map(answer, value);
  }
  return success();
}
