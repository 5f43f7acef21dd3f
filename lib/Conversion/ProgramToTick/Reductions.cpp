//===- Reductions.cpp - Reductions over the members of a family -----------===//
//
// Reductions visit their members in order. In rules each is combined with the result so far; in
// observers they are combined as a fixed tree, so that a large sum keeps its digits (semantics.md,
// S-TREE).
//
//===----------------------------------------------------------------------===//

#include "TickBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <limits>

using namespace mlir;
using namespace mlir::lci;

namespace {
/// One kind of reduction: its identity and its combination with a member.
struct Reducer {
  TickBody &body;
  Reduction kind;
  bool isFloat;

  Value constant(Type type, double number, int64_t integer) {
    return isFloat ? body.numberLike(getStored(type), number) : body.integer(integer);
  }
  /// The type in a tick: a vector of a program is an upstream vector.
  static Type getStored(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? VectorType::get(tensor.getShape(), tensor.getElementType()) : type;
  }
  Value identity(Type member) {
    constexpr auto lowest = std::numeric_limits<int64_t>::min();
    constexpr auto highest = std::numeric_limits<int64_t>::max();
    switch (kind) {
    case Reduction::Sum:
    case Reduction::Mean: // -0 is the number that leaves every other unchanged
      return constant(member, -0.0, 0);
    case Reduction::Product:
      return constant(member, 1.0, 1);
    case Reduction::Min:
    case Reduction::ArgMin:
      return constant(member, INFINITY, highest);
    case Reduction::Max:
    case Reduction::ArgMax:
      return constant(member, -INFINITY, lowest);
    case Reduction::Count:
      return body.integer(0);
    case Reduction::Any:
      return body.spreadLike(body.truthValue(false), getStored(member));
    case Reduction::All:
      return body.spreadLike(body.truthValue(true), getStored(member));
    }
    llvm_unreachable("a reduction without identity");
  }
  /// A member, or the identity if it is absent: sums of these are plain sums, which may be
  /// reassociated, unlike a select after each addition.
  Value hold(Value present, Value member) {
    if (kind == Reduction::Count || kind == Reduction::Any)
      return body.both(body.spreadLike(present, member.getType()), member);
    return arith::SelectOp::create(body.builder(), body.loc(), present, member,
                                   identity(member.getType()));
  }
  Value combine(Value acc, Value member) {
    OpBuilder &b = body.builder();
    Location loc = body.loc();
    switch (kind) {
    case Reduction::Sum:
    case Reduction::Mean:
      return isFloat ? Value(arith::AddFOp::create(b, loc, acc, member))
                     : Value(arith::AddIOp::create(b, loc, acc, member));
    case Reduction::Product:
      return isFloat ? Value(arith::MulFOp::create(b, loc, acc, member))
                     : Value(arith::MulIOp::create(b, loc, acc, member));
    case Reduction::Min:
      return isFloat ? Value(arith::MinimumFOp::create(b, loc, acc, member))
                     : Value(arith::MinSIOp::create(b, loc, acc, member));
    case Reduction::Max:
      return isFloat ? Value(arith::MaximumFOp::create(b, loc, acc, member))
                     : Value(arith::MaxSIOp::create(b, loc, acc, member));
    case Reduction::Count: {
      Value step = arith::ExtUIOp::create(b, loc, b.getI64Type(), member);
      return arith::AddIOp::create(b, loc, acc, step);
    }
    case Reduction::Any:
      return arith::OrIOp::create(b, loc, acc, member);
    case Reduction::All:
      return arith::AndIOp::create(b, loc, acc, member);
    default:
      llvm_unreachable("arg-reductions compare");
    }
  }
  /// Whether the member is better than the best so far; a NaN is better than nothing only.
  Value isBetter(Value best, Value member, Value some) {
    OpBuilder &b = body.builder();
    Location loc = body.loc();
    bool min = kind == Reduction::ArgMin;
    Value better;
    if (isFloat) {
      auto ordered = min ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT;
      better = arith::CmpFOp::create(b, loc, ordered, member, best);
      Value bestIsNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, best, best);
      Value isNumber = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, member, member);
      better = body.either(better, body.both(bestIsNaN, isNumber));
    } else {
      auto signedOrder = min ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt;
      better = arith::CmpIOp::create(b, loc, signedOrder, member, best);
    }
    return body.either(better, body.spreadLike(body.negate(some), better.getType()));
  }
};

/// A reduction as the tree of S-TREE over members that come in order. It keeps the results of
/// complete subtrees, one for each power of two: a member is a tree of size one, and two trees of a
/// size combine to one of the next, as a binary counter carries.
struct Tree {
  Reducer &reducer;
  Value identity;
  /// The number of possible sizes.
  unsigned levels;

  Tree(Reducer &reducer, Type member, int64_t maxMembers)
      : reducer(reducer), identity(reducer.identity(member)),
        levels(llvm::Log2_64(std::max<int64_t>(maxMembers, 1)) + 1) {}

  SmallVector<Value> start() { return SmallVector<Value>(levels, identity); }
  SmallVector<Value> add(ValueRange trees, Value member, Value rank, unsigned level = 0);
  Value finish(ValueRange trees, Value numMembers);

private:
  /// Whether there is a tree of that size after so many members.
  Value holds(Value numMembers, unsigned level) {
    OpBuilder &b = reducer.body.builder();
    Location loc = reducer.body.loc();
    Value bit = reducer.body.integer(int64_t(1) << level);
    Value masked = b.createOrFold<arith::AndIOp>(loc, numMembers, bit);
    auto differs = arith::CmpIPredicate::ne;
    return b.createOrFold<arith::CmpIOp>(loc, differs, masked, reducer.body.integer(0));
  }
};
} // namespace

/// The trees after one more member, before which there were `rank`.
SmallVector<Value> Tree::add(ValueRange trees, Value member, Value rank, unsigned level) {
  SmallVector<Value> placed(trees);
  placed[level] = member;
  if (level + 1 == levels)
    return placed;
  auto join = [&] { return add(trees, reducer.combine(trees[level], member), rank, level + 1); };
  Value isTaken = holds(rank, level);
  if (matchPattern(isTaken, m_Zero()))
    return placed;
  if (matchPattern(isTaken, m_One()))
    return join();
  OpBuilder &b = reducer.body.builder();
  Location loc = reducer.body.loc();
  auto branch = scf::IfOp::create(b, loc, trees.getTypes(), isTaken, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, join());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, placed);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// The combination of all trees: the smaller ones are the right operands of the larger.
Value Tree::finish(ValueRange trees, Value numMembers) {
  OpBuilder &b = reducer.body.builder();
  Value whole = identity;
  for (auto [level, tree] : llvm::enumerate(trees))
    whole = b.createOrFold<arith::SelectOp>(reducer.body.loc(), holds(numMembers, level),
                                            reducer.combine(tree, whole), whole);
  return whole;
}

static bool isArg(Reduction kind) { return kind == Reduction::ArgMin || kind == Reduction::ArgMax; }

//===----------------------------------------------------------------------===//
// Reductions in order
//===----------------------------------------------------------------------===//

Value TickBody::choose(Value condition, Value yes, Value no) {
  return condition ? Value(arith::SelectOp::create(b, location, condition, yes, no)) : yes;
}

/// The number of present members so far, for every kind of reduction.
Value TickBody::countPresent(const Member &member, Value count) {
  Value present = member.held.present;
  Value one =
      present ? Value(arith::ExtUIOp::create(b, location, b.getI64Type(), present)) : integer(1);
  return b.createOrFold<arith::AddIOp>(location, count, one);
}

/// S-REDUCE: begins with the first member and combines one at a time.
FailureOr<TickBody::Reduced> TickBody::reduceInOrder(ReduceOp op) {
  Block &body = op.getBody().front();
  Type type = cast<YieldOp>(body.getTerminator()).getValue().getType();
  Reducer reducer{*this, op.getKind(), getElementTypeOrSelf(type).isF32()};
  Value first = reducer.identity(type);
  bool isVector = isa<VectorType>(first.getType());
  Value rank = isVector ? zeroOf(first.getType()) : integer(0); // that of a component is a number
  SmallVector<Value> initial{first, truthValue(false), rank, integer(0)};
  // State: accumulator, whether some member was present, rank of the best, number of present ones.
  auto visit = [&](const Member &member, ValueRange state) -> SmallVector<Value> {
    Value acc = state[0], some = state[1], best = state[2];
    Value present = member.held.present, taken = present, next;
    if (isArg(op.getKind())) {
      Value better = reducer.isBetter(acc, member.held.value, some);
      taken = both(taken ? spreadLike(taken, better.getType()) : taken, better);
      next = member.held.value;
      Value rank = member.rank;
      if (isVector)
        rank =
            spreadLike(arith::SIToFPOp::create(b, location, b.getF32Type(), rank), best.getType());
      best = choose(taken, rank, best);
    } else if (present && !reducer.isFloat) {
      next = reducer.combine(acc, reducer.hold(present, member.held.value));
      taken = nullptr;
    } else {
      next = reducer.combine(acc, member.held.value);
    }
    Value nowSome = present ? either(some, present) : truthValue(true);
    return {choose(taken, next, acc), nowSome, best, countPresent(member, state[3])};
  };
  FailureOr<SmallVector<Value>> state =
      visitFamily(op, body, op.getWhere(), op.getOuter(), initial, visit);
  if (failed(state))
    return failure();
  return Reduced{(*state)[0], (*state)[1], (*state)[2], (*state)[3]};
}

/// S-TREE: absent members have a leaf in the tree, the identity.
FailureOr<TickBody::Reduced> TickBody::reduceAsTree(ReduceOp op) {
  Block &body = op.getBody().front();
  Type type = cast<YieldOp>(body.getTerminator()).getValue().getType();
  Reducer reducer{*this, op.getKind(), getElementTypeOrSelf(type).isF32()};
  Tree tree(reducer, type, getFamilySize(op.getWhere(), op.getOuter(), body));
  // State: number of members, number of present ones, the trees.
  SmallVector<Value> initial{integer(0), integer(0)};
  llvm::append_range(initial, tree.start());
  auto visit = [&](const Member &member, ValueRange state) -> SmallVector<Value> {
    Value held = choose(member.held.present, member.held.value, tree.identity);
    Value number = b.createOrFold<arith::AddIOp>(location, member.rank, integer(1));
    SmallVector<Value> next{choose(member.isMember, number, state[0]),
                            countPresent(member, state[1])};
    if (!member.isMember) {
      llvm::append_range(next, tree.add(state.drop_front(2), held, member.rank));
      return next;
    }
    auto branch = scf::IfOp::create(b, location, state.drop_front(2).getTypes(), member.isMember,
                                    /*withElseRegion=*/true);
    llvm::append_range(next, branch.getResults());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, location, tree.add(state.drop_front(2), held, member.rank));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, location, state.drop_front(2));
    return next;
  };
  FailureOr<SmallVector<Value>> state =
      visitFamily(op, body, op.getWhere(), op.getOuter(), initial, visit);
  if (failed(state))
    return failure();
  Value acc = tree.finish(ValueRange(*state).drop_front(2), (*state)[0]);
  Value some =
      arith::CmpIOp::create(b, location, arith::CmpIPredicate::ne, (*state)[1], integer(0));
  return Reduced{acc, some, Value(), (*state)[1]};
}

/// Whether the result depends on the order of combination.
static bool dependsOnOrder(ReduceOp op) {
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  bool adds = op.getKind() == Reduction::Sum || op.getKind() == Reduction::Product ||
              op.getKind() == Reduction::Mean;
  return adds && getElementTypeOrSelf(yield.getValue().getType()).isF32();
}

LogicalResult TickBody::lowerReduce(ReduceOp op) {
  Type member = cast<YieldOp>(op.getBody().front().getTerminator()).getValue().getType();
  bool isTree = usesTrees && dependsOnOrder(op);
  llvm::SaveAndRestore<bool> inside(usesTrees, false);
  FailureOr<Reduced> reduced = isTree ? reduceAsTree(op) : reduceInOrder(op);
  if (failed(reduced))
    return failure();
  Value result = reduced->acc, some = reduced->some, present = some;
  switch (op.getKind()) {
  case Reduction::Sum:
    if (getElementTypeOrSelf(member).isF32())
      result = choose(some, result, zeroOf(result.getType()));
    present = truthValue(true);
    break;
  case Reduction::Mean: {
    Type f32 = b.getF32Type();
    bool isFloat = getElementTypeOrSelf(member).isF32();
    Value sum = isFloat ? result : Value(arith::SIToFPOp::create(b, location, f32, result));
    Value count = arith::SIToFPOp::create(b, location, f32, reduced->count);
    Value mean = arith::DivFOp::create(b, location, sum, spreadLike(count, sum.getType()));
    result = choose(some, mean, zeroOf(mean.getType()));
    break;
  }
  case Reduction::Min:
  case Reduction::Max:
    result = choose(some, result, zeroOf(result.getType()));
    break;
  case Reduction::ArgMin:
  case Reduction::ArgMax:
    result = reduced->best;
    break;
  default:
    present = truthValue(true);
  }
  map(op.getResult(), result);
  map(op.getPresent(), present);
  return success();
}
