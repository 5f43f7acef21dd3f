//===- TableBuilder.cpp - Build the table of an expression ----------------===//
//
// Folds all entries of a table to constants if possible. Otherwise it clones
// the expression into a `tensor.generate` as far outside of the tick as its
// operands allow. The table becomes an input of the tick, and the body indexes
// it by the deciders' offsets.
//
//===----------------------------------------------------------------------===//

#include "TableBuilder.h"
#include "LCI/Transforms/Support/MathFunctions.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lci;

static bool decides(ArrayRef<FewInteger> deciders, Value value) {
  return llvm::any_of(deciders, [&](const FewInteger &mine) { return mine.value == value; });
}

Expression::Expression(Operation *root, Deciders mine) : deciders(std::move(mine)) {
  llvm::SetVector<Operation *> ordered;
  std::function<void(Operation *)> visit = [&](Operation *op) {
    if (ordered.contains(op))
      return;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp(); source && !decides(deciders, operand))
        visit(source);
    ordered.insert(op);
  };
  visit(root);
  ops = ordered.takeVector();
}

TableBuilder::TableBuilder(TickOp tick, DataFlowSolver &solver, Expression expression)
    : tick(tick), expression(std::move(expression)), loc(this->expression.root()->getLoc()) {
  chooseStorage(solver);
  chooseHome();
  evaluateAll();
}

/// Integers are stored in the smallest type for their range, which range analysis then knows.
void TableBuilder::chooseStorage(DataFlowSolver &solver) {
  Value result = expression.result();
  Type type = result.getType();
  bool isIndex = type.isIndex();
  stored = isIndex ? IntegerType::get(type.getContext(), 64) : type;
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(result);
  if (!stored.isInteger() || stored.isInteger(1) || !lattice ||
      lattice->getValue().isUninitialized())
    return;
  const ConstantIntRanges &range = lattice->getValue().getValue();
  isSigned = range.smin().isNegative();
  unsigned bits =
      isSigned ? std::max(range.smin().getSignificantBits(), range.smax().getSignificantBits())
               : range.umax().getActiveBits();
  for (unsigned width : {8u, 16u, 32u})
    if (bits <= width && width < stored.getIntOrFloatBitWidth()) {
      stored = IntegerType::get(type.getContext(), width);
      return;
    }
}

//===----------------------------------------------------------------------===//
// Placement of the table
//===----------------------------------------------------------------------===//

/// The operand of the tick for an argument of the body that is no index.
Value TableBuilder::getOutside(BlockArgument argument) {
  unsigned number = argument.getArgNumber() - tick.getRank();
  Value clock[] = {tick.getEpoch(), tick.getPhase(), tick.getSeed()};
  return number < 3 ? clock[number] : tick.getInputs()[number - 3];
}

static unsigned getDepth(Block *block) {
  unsigned depth = 0;
  for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
    ++depth;
  return depth;
}

/// As far out as possible: right after the last operand of the entries.
void TableBuilder::chooseHome() {
  home = &tick->getParentOfType<func::FuncOp>().getBody().front();
  for (Operation *op : expression.ops)
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || decides(expression.deciders, operand))
        continue;
      Value outside = getOutside(argument);
      if (matchPattern(outside, m_Constant()))
        continue; // cloned
      Block *block = outside.getParentBlock();
      if (block != home && getDepth(block) > getDepth(home)) {
        home = block;
        behind = nullptr;
      }
      Operation *source = outside.getDefiningOp();
      if (source && block == home && (!behind || behind->isBeforeInBlock(source)))
        behind = source;
    }
}

int64_t TableBuilder::countCells() const {
  TickOp op = tick;
  int64_t cells = 1;
  for (auto [extent, all] : llvm::zip_equal(
           op.getMixedExtents(),
           cast<ShapedType>(op.getTarget().getType()).getShape().take_front(op.getRank())))
    cells *= getConstantIntValue(extent).value_or(all);
  for (Operation *around = tick->getParentOp(); around != home->getParentOp();
       around = around->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(around))
      if (std::optional<APInt> trips = loop.getStaticTripCount())
        cells *= trips->getSExtValue();
  return cells;
}

//===----------------------------------------------------------------------===//
// Constant entries
//===----------------------------------------------------------------------===//

/// Folding more operations would take longer than running them.
static constexpr int64_t kMaxFolds = 20000;

void TableBuilder::evaluateAll() {
  int64_t count = countEntries();
  if (count * static_cast<int64_t>(expression.ops.size()) > kMaxFolds)
    return;
  for (int64_t entry = 0; entry < count; ++entry) {
    Attribute value = evaluate(entry);
    if (!isa_and_nonnull<IntegerAttr, FloatAttr>(value))
      return entries.clear();
    if (auto integer = dyn_cast<IntegerAttr>(value); integer && stored.isInteger())
      value =
          IntegerAttr::get(stored, integer.getValue().sextOrTrunc(stored.getIntOrFloatBitWidth()));
    entries.push_back(value);
  }
}

/// Folds an operation on constants; null if that is not possible.
static Attribute foldCopy(Operation *op, llvm::DenseMap<Value, Attribute> &known) {
  // Upstream folds these functions by the host's library.
  if (getElementary(op) || getElementaryBinary(op))
    return nullptr;
  SmallVector<Attribute> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value value) { return known.lookup(value); });
  SmallVector<OpFoldResult> results;
  Operation *copy = op->clone(); // folding may modify the operation in place
  bool folds = succeeded(copy->fold(operands, results)) && results.size() == 1;
  copy->destroy();
  if (!folds)
    return nullptr;
  auto value = dyn_cast<Value>(results.front());
  return value ? known.lookup(value) : cast<Attribute>(results.front());
}

/// The lowest bits of a number, as many as the type has.
static IntegerAttr getInteger(Type type, int64_t value) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, APInt(64, static_cast<uint64_t>(value)).trunc(width));
}

/// An entry by its number in row-major order; null if it does not depend on constants alone.
Attribute TableBuilder::evaluate(int64_t entry) {
  llvm::DenseMap<Value, Attribute> known;
  for (const FewInteger &decider : llvm::reverse(expression.deciders)) {
    known[decider.value] = getInteger(decider.value.getType(), decider.low + entry % decider.count);
    entry /= decider.count;
  }
  for (Operation *op : expression.ops) {
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      Attribute constant;
      if (argument && !known.contains(operand) &&
          matchPattern(getOutside(argument), m_Constant(&constant)))
        known[operand] = constant;
    }
    Attribute value = foldCopy(op, known);
    if (!value)
      return nullptr;
    known[op->getResult(0)] = value;
  }
  return known.lookup(expression.result());
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Clones the operations outside of the tick; `mapping` contains the deciders.
Value TableBuilder::copyOps(OpBuilder &b, IRMapping &mapping) {
  for (Operation *op : expression.ops) {
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || mapping.contains(operand))
        continue;
      Value outside = getOutside(argument);
      if (matchPattern(outside, m_Constant()))
        outside = b.clone(*outside.getDefiningOp())->getResult(0);
      mapping.map(operand, outside);
    }
    b.clone(*op, mapping);
  }
  return mapping.lookup(expression.result());
}

Value TableBuilder::toStored(OpBuilder &b, Value value) {
  if (value.getType() == stored)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, stored, value);
  return arith::TruncIOp::create(b, loc, stored, value);
}

Value TableBuilder::fromStored(OpBuilder &b, Value entry) {
  Type type = expression.result().getType();
  if (type == stored)
    return entry;
  if (type.isIndex())
    return isSigned ? Value(arith::IndexCastOp::create(b, loc, type, entry))
                    : Value(arith::IndexCastUIOp::create(b, loc, type, entry));
  return isSigned ? Value(arith::ExtSIOp::create(b, loc, type, entry))
                  : Value(arith::ExtUIOp::create(b, loc, type, entry));
}

static Value buildConstant(OpBuilder &b, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, getInteger(type, value));
}

Value TableBuilder::buildTable(OpBuilder &b) {
  SmallVector<int64_t> shape = llvm::map_to_vector(
      expression.deciders, [](const FewInteger &decider) { return decider.count; });
  auto type = RankedTensorType::get(shape, stored);
  if (isConstant())
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, entries));
  auto computeEntry = [&](OpBuilder &inner, Location, ValueRange indices) {
    IRMapping mapping;
    for (auto [index, decider] : llvm::zip_equal(indices, expression.deciders)) {
      Type integer = decider.value.getType();
      Value value = index;
      if (!integer.isIndex())
        value = arith::IndexCastOp::create(inner, loc, integer, value);
      if (decider.low != 0)
        value = arith::AddIOp::create(inner, loc, value,
                                      buildConstant(inner, loc, integer, decider.low));
      mapping.map(decider.value, value);
    }
    tensor::YieldOp::create(inner, loc, toStored(inner, copyOps(inner, mapping)));
  };
  return tensor::GenerateOp::create(b, loc, type, ValueRange(), computeEntry);
}

Value TableBuilder::addInput(Value outside) {
  tick.getInputsMutable().append(outside);
  return tick.getBody().front().addArgument(outside.getType(), loc);
}

/// The distance of a number from `low`. If the number subtracts a loop invariant, such as the
/// winner's score from each candidate's, `low` is added to the invariant, once.
static Value buildDistance(OpBuilder &b, Location loc, Value number, int64_t low) {
  if (low == 0)
    return number;
  Value least = buildConstant(b, loc, number.getType(), low);
  auto difference = number.getDefiningOp<arith::SubIOp>();
  if (!difference || difference.getRhs().getParentBlock() == difference->getBlock())
    return arith::SubIOp::create(b, loc, number, least);
  Value from = arith::AddIOp::create(b, loc, difference.getRhs(), least);
  return arith::SubIOp::create(b, loc, difference.getLhs(), from);
}

/// Indices count from the least value of each decider.
Value TableBuilder::buildLookUp(OpBuilder &b, Value table) {
  SmallVector<Value> indices;
  for (const FewInteger &decider : expression.deciders)
    indices.push_back(buildDistance(b, loc, decider.value, decider.low));
  return fromStored(b, TableOp::create(b, loc, stored, table, indices));
}

void TableBuilder::replaceRoot() {
  OpBuilder outside(tick.getContext()), inside(expression.root());
  behind ? outside.setInsertionPointAfter(behind) : outside.setInsertionPointToStart(home);
  Value result = expression.result(), found;
  if (!expression.isScalar()) {
    found = buildLookUp(inside, addInput(buildTable(outside)));
  } else if (isConstant()) {
    found = fromStored(inside, arith::ConstantOp::create(inside, loc, cast<TypedAttr>(entries[0])));
  } else {
    IRMapping mapping;
    found = addInput(copyOps(outside, mapping));
  }
  result.replaceAllUsesWith(found);
}
