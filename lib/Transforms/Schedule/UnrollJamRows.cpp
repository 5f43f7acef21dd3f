//===- UnrollJamRows.cpp - Unroll and jam rows of linalg operations -------===//
//
// The stencils of a cell and of the cell below it overlap: what depends on common rows only is
// computed once per iteration with both. Upstream jams loops (`loopUnrollJamByFactor`), but there
// stores between the copies prevent CSE of equal loads; in a linalg operation all loads come first.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/ConcatParallelLoops.h"
#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/NestFacts.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/RowViews.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include <map>
#include <set>

namespace mlir::lci {
#define GEN_PASS_DEF_UNROLLJAMROWSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// A value as a function of rows: equal numbers mean equal functions, shifted to begin at `row`.
struct Shape {
  int64_t number;
  std::optional<int64_t> row; ///< none for values that are equal in all rows
};

/// The cost of several rows: computed separately, and jammed.
struct Work {
  int64_t alone = 0, together = 0; ///< operations, with loads at their cost
  int64_t saved = 0;               ///< loads and operations
  int64_t accesses = 0;            ///< loads and stores, together
};

/// The operands of the jammed operation, and the index of each row's operands among them.
struct Operands {
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> inputMaps, outputMaps;
  SmallVector<SmallVector<unsigned>> places;
};

class RowJam {
public:
  RowJam(linalg::GenericOp op, int64_t numRows, int64_t minRows, bool threads)
      : op(op), body(op.getBody()), numRows(numRows), minRows(minRows), threads(threads) {}

  /// Whether jamming is legal; the gain is not considered.
  bool isPossible() {
    if (!op.hasPureBufferSemantics() || op.getNumLoops() < 2)
      return false;
    rowAxis = op.getNumLoops() - 2;
    return findViews() && hasManyRows() && isElementwise(op) && hasSingleResults() &&
           areCounters() && areIndependent();
  }

  /// The cost of `numRows` rows.
  Work countWork(int64_t loadCost);

  void jam(RewriterBase &rewriter);

private:
  bool findViews();
  bool hasManyRows();
  bool hasSingleResults();
  bool areCounters();
  bool areIndependent();
  bool isDisjoint(unsigned written, unsigned other);
  Shape shapeOf(Value value, llvm::DenseMap<Value, Shape> &known);
  Shape shapeOf(Operation &inner, llvm::DenseMap<Value, Shape> &known);
  int64_t numberOf(SmallVector<const void *> key) {
    return numbers.try_emplace(std::move(key), numbers.size()).first->second;
  }

  /// The view of every `step`th row from `first` on.
  Value viewFrom(OpBuilder &builder, unsigned operand, OpFoldResult first, int64_t step,
                 OpFoldResult count);
  Operands collectOperands(OpBuilder &builder, OpFoldResult count);
  void emitBodies(OpBuilder &builder, SmallVector<Value> arguments, const Operands &all);
  linalg::GenericOp emitTogether(RewriterBase &rewriter, OpFoldResult count);
  linalg::GenericOp emitRest(OpBuilder &builder, OpFoldResult first, OpFoldResult count);
  void appendRest(RewriterBase &rewriter, linalg::GenericOp together, linalg::GenericOp rest);
  void jamComputed(RewriterBase &rewriter, Value numAll);

  linalg::GenericOp op;
  Block *body;
  int64_t numRows, minRows; ///< rows of an iteration, and required rows
  bool threads;             ///< whether iterations become threads
  unsigned rowAxis = 0;
  SmallVector<std::optional<RowView>> views; ///< of each operand; none if it has no rows
  OpFoldResult numAll;                       ///< number of rows of the views
  std::map<SmallVector<const void *>, int64_t> numbers;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// The result of a map that is the loop's dimension: nothing if it is unused, -1 if used otherwise.
static std::optional<int64_t> findAxis(AffineMap map, unsigned loop) {
  std::optional<int64_t> found;
  for (auto [place, result] : llvm::enumerate(map.getResults())) {
    if (!result.isFunctionOfDim(loop))
      continue;
    found = found || !isa<AffineDimExpr>(result) ? -1 : static_cast<int64_t>(place);
  }
  return found;
}

bool RowJam::findViews() {
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    std::optional<int64_t> axis = findAxis(map, rowAxis);
    views.push_back(std::nullopt);
    if (!axis)
      continue;
    auto view = operand.getDefiningOp<memref::SubViewOp>();
    if (*axis < 0 || !view || view.getSourceType().getRank() != view.getType().getRank() ||
        ShapedType::isDynamic(view.getStaticStrides()[*axis]))
      return false;
    views.back() = RowView{view, static_cast<unsigned>(*axis)};
  }
  return true;
}

bool RowJam::hasManyRows() {
  for (std::optional<RowView> view : views)
    if (view && view->countMostRows().value_or(minRows) < minRows)
      return false;
    else if (view)
      numAll = view->view.getMixedSizes()[view->axis];
  return static_cast<bool>(numAll);
}

bool RowJam::hasSingleResults() {
  auto hasOne = [](Operation &inner) { return getCount(inner) || inner.getNumResults() == 1; };
  return llvm::all_of(body->without_terminator(), hasOne);
}

/// Whether outputs without rows are only added to.
bool RowJam::areCounters() {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (views[init.getOperandNumber()])
      continue;
    if (!getAdditions(op.getMatchingBlockArgument(&init), op.getMatchingYieldValue(&init)->get()))
      return false;
  }
  return true;
}

/// Whether no row accesses what another one of the same operation writes.
bool RowJam::areIndependent() {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    unsigned written = init.getOperandNumber();
    for (unsigned other = 0; other < op->getNumOperands(); ++other)
      if (other != written && !isDisjoint(written, other))
        return false;
  }
  return true;
}

bool RowJam::isDisjoint(unsigned written, unsigned other) {
  if (areDisjoint(op->getOperand(written), op->getOperand(other)))
    return true;
  if (!views[written] || !views[other])
    return false;
  memref::SubViewOp a = views[written]->view, b = views[other]->view;
  // the same cell
  return a == b && op.getIndexingMapsArray()[written] == op.getIndexingMapsArray()[other];
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// The key of an input: everything but the row at which its view begins.
static SmallVector<const void *> keyOf(RowView view, AffineMap map) {
  memref::SubViewOp op = view.view;
  SmallVector<const void *> key = {op.getSource().getAsOpaquePointer(), map.getAsOpaquePointer()};
  auto add = [&](OpFoldResult side) { key.push_back(side.getOpaqueValue()); };
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  Offset offset = view.offset();
  int64_t phase = offset.distance - view.row() * view.stride();
  key.push_back(offset.base.getAsOpaquePointer());
  offsets[view.axis] = IntegerAttr::get(IndexType::get(op.getContext()), phase);
  llvm::for_each(offsets, add);
  llvm::for_each(op.getMixedSizes(), add);
  llvm::for_each(op.getMixedStrides(), add);
  return key;
}

Shape RowJam::shapeOf(Value value, llvm::DenseMap<Value, Shape> &known) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  auto argument = dyn_cast<BlockArgument>(value);
  Shape shape{numberOf({value.getAsOpaquePointer()}), std::nullopt};
  if (argument && argument.getOwner() == body)
    if (auto view = views[argument.getArgNumber()]) {
      AffineMap map = op.getIndexingMapsArray()[argument.getArgNumber()];
      shape = {numberOf(keyOf(*view, map)), view->row()};
    }
  return known[value] = shape;
}

Shape RowJam::shapeOf(Operation &inner, llvm::DenseMap<Value, Shape> &known) {
  SmallVector<const void *> key = {inner.getName().getAsOpaquePointer(),
                                   inner.getAttrDictionary().getAsOpaquePointer()};
  auto index = dyn_cast<linalg::IndexOp>(inner);
  std::optional<int64_t> row = index && index.getDim() == rowAxis ? std::optional(0) : std::nullopt;
  for (Value operand : inner.getOperands())
    if (std::optional<int64_t> its = shapeOf(operand, known).row)
      row = std::min(row.value_or(*its), *its);
  for (Value operand : inner.getOperands()) {
    Shape shape = shapeOf(operand, known);
    key.push_back(reinterpret_cast<const void *>(shape.number));
    key.push_back(reinterpret_cast<const void *>(shape.row ? *shape.row - *row + 1 : 0));
  }
  return known[inner.getResult(0)] = {numberOf(std::move(key)), row};
}

Work RowJam::countWork(int64_t loadCost) {
  llvm::DenseMap<Value, Shape> known;
  std::set<std::pair<int64_t, int64_t>> loads, operations;
  auto count = [&](auto &together, Shape shape) {
    for (int64_t i = 0; i < numRows; ++i)
      together.insert({shape.number, shape.row ? *shape.row + i : 0});
  };
  for (BlockArgument loaded : body->getArguments().take_front(op.getNumDpsInputs()))
    count(loads, shapeOf(loaded, known));
  int64_t numOperations = 0;
  for (Operation &inner : body->without_terminator()) {
    if (matchPattern(&inner, m_Constant()))
      continue;
    ++numOperations;
    if (getCount(inner))
      operations.insert({numberOf({&inner}), 0});
    else
      count(operations, shapeOf(inner, known));
  }
  Work work;
  int64_t numLoads = loads.size(), numTogether = operations.size();
  work.alone = numRows * (loadCost * op.getNumDpsInputs() + numOperations);
  work.together = loadCost * numLoads + numTogether;
  work.saved = numRows * (op.getNumDpsInputs() + numOperations) - numLoads - numTogether;
  work.accesses = numLoads + numRows * op.getNumDpsInits();
  return work;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static OpFoldResult times(OpBuilder &builder, Location loc, OpFoldResult number, int64_t factor) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return builder.getIndexAttr(*constant * factor);
  if (factor == 1)
    return number;
  Value by = arith::ConstantIndexOp::create(builder, loc, factor);
  return arith::MulIOp::create(builder, loc, cast<Value>(number), by).getResult();
}

Value RowJam::viewFrom(OpBuilder &builder, unsigned operand, OpFoldResult first, int64_t step,
                       OpFoldResult count) {
  if (!views[operand])
    return op->getOperand(operand);
  auto [view, axis] = *views[operand];
  SmallVector<OpFoldResult> offsets = view.getMixedOffsets(), sizes = view.getMixedSizes(),
                            strides = view.getMixedStrides();
  int64_t stride = views[operand]->stride();
  offsets[axis] = views[operand]->offset().plus(builder, op.getLoc(),
                                                times(builder, op.getLoc(), first, stride));
  sizes[axis] = count;
  strides[axis] = builder.getIndexAttr(step * stride);
  return memref::SubViewOp::create(builder, op.getLoc(), view.getSource(), offsets, sizes, strides);
}

/// Replaces the index of the loop by that of the row.
static void shiftIndex(OpBuilder &builder, linalg::IndexOp index, int64_t step,
                       OpFoldResult first) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(index);
  Location loc = index.getLoc();
  Value by = arith::ConstantIndexOp::create(builder, loc, step);
  Value scaled = arith::MulIOp::create(builder, loc, index, by);
  Value from = getValueOrCreateConstantIndexOp(builder, loc, first);
  Value row = arith::AddIOp::create(builder, loc, scaled, from);
  index.getResult().replaceAllUsesExcept(row, scaled.getDefiningOp());
}

/// Combines all additions to one number.
static void emitCounts(OpBuilder &builder, ArrayRef<std::pair<memref::AtomicRMWOp, Value>> counts) {
  llvm::MapVector<std::pair<Value, SmallVector<Value>>, Value> sums;
  for (auto [count, number] : counts) {
    Value &sum = sums[{count.getMemref(), SmallVector<Value>(count.getIndices())}];
    sum = sum ? arith::AddIOp::create(builder, count.getLoc(), sum, number) : number;
  }
  for (const auto &[place, sum] : sums)
    memref::AtomicRMWOp::create(builder, sum.getLoc(), arith::AtomicRMWKind::addi, sum, place.first,
                                place.second);
}

/// Emits the bodies of all rows. The values that a row yields replace its output arguments.
void RowJam::emitBodies(OpBuilder &builder, SmallVector<Value> arguments, const Operands &all) {
  SmallVector<std::pair<memref::AtomicRMWOp, Value>> counts;
  for (auto [row, places] : llvm::enumerate(all.places)) {
    IRMapping mapping;
    for (auto [argument, place] : llvm::zip_equal(body->getArguments(), places))
      mapping.map(argument, arguments[place]);
    for (Operation &inner : body->without_terminator())
      if (std::optional<Count> count = getCount(inner))
        counts.push_back({count->addition, count->emitAdded(builder, mapping)});
      else
        builder.clone(inner, mapping);
    for (Operation &inner : body->without_terminator())
      if (auto index = dyn_cast<linalg::IndexOp>(inner); index && index.getDim() == rowAxis)
        shiftIndex(builder, mapping.lookup(index.getResult()).getDefiningOp<linalg::IndexOp>(),
                   numRows, builder.getIndexAttr(row));
    for (OpOperand &init : op.getDpsInitsMutable())
      arguments[places[init.getOperandNumber()]] =
          mapping.lookupOrDefault(op.getMatchingYieldValue(&init)->get());
  }
  emitCounts(builder, counts);
  linalg::YieldOp::create(builder, op.getLoc(), ArrayRef(arguments).drop_front(all.inputs.size()));
}

/// Merges equal inputs of several rows.
Operands RowJam::collectOperands(OpBuilder &builder, OpFoldResult count) {
  Operands all;
  std::map<std::pair<int64_t, int64_t>, unsigned> known;
  llvm::DenseMap<Value, Shape> shapes;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto add = [&](SmallVector<Value> &group, unsigned operand, int64_t row) {
    group.push_back(viewFrom(builder, operand, builder.getIndexAttr(row), numRows, count));
    (&group == &all.inputs ? all.inputMaps : all.outputMaps).push_back(maps[operand]);
    return static_cast<unsigned>(group.size() - 1);
  };
  unsigned numInputs = op.getNumDpsInputs();
  for (int64_t row = 0; row < numRows; ++row) {
    SmallVector<unsigned> places;
    for (unsigned operand = 0; operand < numInputs; ++operand) {
      Shape shape = shapeOf(body->getArgument(operand), shapes);
      auto [entry, isNew] = known.try_emplace({shape.number, shape.row ? *shape.row + row : 0});
      if (isNew)
        entry->second = add(all.inputs, operand, row);
      places.push_back(entry->second);
    }
    all.places.push_back(std::move(places));
  }
  for (int64_t row = 0; row < numRows; ++row)
    for (unsigned operand = numInputs; operand < op->getNumOperands(); ++operand) {
      bool isCounter = row > 0 && !views[operand];
      all.places[row].push_back(isCounter ? all.places[0][operand]
                                          : all.inputs.size() + add(all.outputs, operand, row));
    }
  return all;
}

linalg::GenericOp RowJam::emitTogether(RewriterBase &rewriter, OpFoldResult count) {
  Operands all = collectOperands(rewriter, count);
  SmallVector<AffineMap> maps = all.inputMaps;
  llvm::append_range(maps, all.outputMaps);
  auto generic = linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(), all.inputs,
                                           all.outputs, maps, op.getIteratorTypesArray(),
                                           [&](OpBuilder &inner, Location, ValueRange arguments) {
                                             emitBodies(inner, SmallVector<Value>(arguments), all);
                                           });
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  DominanceInfo dominance(generic);
  eliminateCommonSubExpressions(rewriter, dominance, generic);
  return generic;
}

/// Emits the remaining rows, one by one.
linalg::GenericOp RowJam::emitRest(OpBuilder &builder, OpFoldResult first, OpFoldResult count) {
  SmallVector<Value> operands;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    operands.push_back(viewFrom(builder, operand, first, /*step=*/1, count));
  auto rest = cast<linalg::GenericOp>(builder.clone(*op));
  rest->setOperands(operands);
  rest.getBody()->walk([&](linalg::IndexOp index) {
    if (index.getDim() == rowAxis)
      shiftIndex(builder, index, /*step=*/1, first);
  });
  return rest;
}

/// Appends the remainder to the parallel loop: a second kernel would be a launch of few threads.
void RowJam::appendRest(RewriterBase &rewriter, linalg::GenericOp together,
                        linalg::GenericOp rest) {
  auto makeLoop = [&](linalg::GenericOp op) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::LinalgLoops> loops = linalg::linalgOpToParallelLoops(rewriter, op);
    assert(succeeded(loops) && loops->size() == 1 && "all loops are parallel");
    rewriter.eraseOp(op);
    return cast<scf::ParallelOp>(loops->front());
  };
  scf::ParallelOp first = makeLoop(together), second = makeLoop(rest);
  concatParallelLoops(rewriter, first, second, rowAxis);
}

/// Handles windows, whose number of rows is computed: either part may be empty.
void RowJam::jamComputed(RewriterBase &rewriter, Value numAll) {
  Location loc = op.getLoc();
  Value many = arith::ConstantIndexOp::create(rewriter, loc, numRows);
  Value count = arith::DivUIOp::create(rewriter, loc, numAll, many);
  Value first = arith::MulIOp::create(rewriter, loc, count, many);
  Value rest = arith::SubIOp::create(rewriter, loc, numAll, first);
  emitTogether(rewriter, count);
  emitRest(rewriter, first, rest);
}

void RowJam::jam(RewriterBase &rewriter) {
  took(op, numRows < 8 ? Way::JammedRows : Way::EightRows);
  rewriter.setInsertionPoint(op);
  if (std::optional<int64_t> all = getConstantIntValue(numAll)) {
    bool isOneLoop = threads && op.isAllParallelLoops();
    auto together = emitTogether(rewriter, rewriter.getIndexAttr(*all / numRows));
    if (int64_t rest = *all % numRows) {
      took(op, isOneLoop ? Way::JammedThreads : Way::JammedRemainder);
      auto alone =
          emitRest(rewriter, rewriter.getIndexAttr(*all - rest), rewriter.getIndexAttr(rest));
      if (isOneLoop)
        appendRest(rewriter, together, alone);
    }
  } else {
    took(op, Way::JammedWindow);
    jamComputed(rewriter, cast<Value>(numAll));
  }
  rewriter.eraseOp(op);
}

namespace {
struct UnrollJamRows : mlir::lci::impl::UnrollJamRowsPassBase<UnrollJamRows> {
  using UnrollJamRowsPassBase::UnrollJamRowsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"rows", rows, 1, 1024},
                                  {"min-saved", minSaved, 0, 100},
                                  {"min-more", minMore, 0, 100},
                                  {"min-groups", minGroups, 0},
                                  {"load-cost", loadCost, 0},
                                  {"max-accesses", maxAccesses, 0},
                                  {"max-operations", maxOperations, 0}});
  }

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops)
      if (std::optional<Choice> choice = choose(op)) {
        choice->jam.jam(rewriter);
        ++numJammed;
        numSaved += choice->work.saved;
      }
  }

private:
  struct Choice {
    RowJam jam;
    Work work;
  };

  /// The largest profitable number of rows; half as many where the others would save little.
  std::optional<Choice> choose(linalg::GenericOp op) {
    std::optional<Choice> chosen;
    for (int64_t number = rows; number >= 2; number /= 2) {
      RowJam jam(op, number, number * minGroups, isForGPU(op));
      if (!jam.isPossible())
        continue;
      Work work = jam.countWork(loadCost);
      if (100 * (work.alone - work.together) < minSaved * work.alone ||
          work.accesses > maxAccesses || work.together > maxOperations)
        continue;
      int64_t twice = 2 * work.together; // cost of as many rows as were chosen
      if (chosen && 100 * (twice - chosen->work.together) >= minMore * twice)
        break;
      chosen.emplace(Choice{std::move(jam), work});
    }
    return chosen;
  }
};
} // namespace
