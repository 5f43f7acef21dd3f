//===- TorusHalo.cpp - Interpret copies that fill a torus's halo ----------===//
//
// Runs `linalg` operations and `scf.parallel` loops that only copy elements of
// one buffer, index by index, to know which elements of a halo hold their
// images on the torus. This recognizes halos however they are written.
//
//===----------------------------------------------------------------------===//

#include "TorusHalo.h"
#include "LCI/Dialect/IndexRange.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

/// The most elements that are interpreted.
static constexpr int64_t kMaxPlaces = int64_t(1) << 20;

bool Box::contains(Place place) const {
  return llvm::all_of(llvm::seq<unsigned>(0, 2), [&](unsigned axis) {
    return place[axis] >= first[axis] && place[axis] < first[axis] + sides[axis];
  });
}

std::optional<Box> mlir::lci::boxOf(memref::SubViewOp view) {
  Box box;
  if (view.getSourceType().getRank() != 2 || view.getType().getRank() != 2)
    return std::nullopt;
  for (unsigned axis = 0; axis < 2; ++axis) {
    box.first[axis] = view.getStaticOffsets()[axis];
    box.sides[axis] = view.getStaticSizes()[axis];
    if (ShapedType::isDynamic(box.first[axis]) || ShapedType::isDynamic(box.sides[axis]) ||
        view.getStaticStrides()[axis] != 1)
      return std::nullopt;
  }
  return box;
}

/// The box of a buffer, or of a view of it, that an operand of two axes covers.
static std::optional<Box> boxOfOperand(Value operand, Value buffer) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (operand == buffer && type && type.hasStaticShape() && type.getRank() == 2)
    return Box{{0, 0}, {type.getDimSize(0), type.getDimSize(1)}};
  auto view = operand.getDefiningOp<memref::SubViewOp>();
  return view && view.getSource() == buffer ? boxOf(view) : std::nullopt;
}

static bool areFew(ArrayRef<int64_t> bounds) {
  int64_t number = 1;
  for (int64_t bound : bounds) {
    if (bound <= 0 || bound > kMaxPlaces / number)
      return false;
    number *= bound;
  }
  return true;
}

bool TorusHalo::isRight(Place from, Place to) const {
  return isKnown(from) && llvm::all_of(llvm::seq<unsigned>(0, 2), [&](unsigned axis) {
           return (to[axis] - from[axis]) % cells.sides[axis] == 0;
         });
}

bool TorusHalo::fill(Operation *op, Value buffer) {
  Copies copies;
  bool isCopy = false;
  if (auto nest = dyn_cast<linalg::LinalgOp>(op))
    isCopy = fill(nest, buffer, copies);
  else if (auto loop = dyn_cast<scf::ParallelOp>(op))
    isCopy = fill(loop, buffer, copies);
  if (!isCopy)
    return false;
  llvm::DenseSet<Place> right, wrong;
  for (auto [from, to] : copies)
    (isRight(from, to) ? right : wrong).insert(to);
  for (auto [from, to] : copies)
    if (cells.contains(to) || wrong.contains(from))
      return false;
  filled.insert(right.begin(), right.end());
  for (Place place : wrong)
    filled.erase(place);
  return true;
}

bool TorusHalo::fill(linalg::LinalgOp op, Value buffer, Copies &copies) {
  if (!op.hasPureBufferSemantics() || !op.isAllParallelLoops() || op.hasDynamicShape())
    return false;
  SmallVector<Box> boxes;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps)) {
    std::optional<Box> box = boxOfOperand(operand, buffer);
    if (!box || !map.isProjectedPermutation())
      return false;
    boxes.push_back(*box);
  }
  SmallVector<std::pair<unsigned, unsigned>> pairs; // source and target operands
  for (OpOperand &init : op.getDpsInitsMutable()) {
    auto source = dyn_cast<BlockArgument>(op.getMatchingYieldValue(&init)->get());
    if (!source || source.getOwner() != op.getBlock())
      return false;
    pairs.push_back({source.getArgNumber(), init.getOperandNumber()});
  }
  SmallVector<int64_t> bounds = op.getStaticLoopRanges();
  if (!areFew(bounds))
    return false;
  forEachPoint(bounds, [&](ArrayRef<int64_t> index) {
    auto placeOf = [&](unsigned operand) {
      Place place = boxes[operand].first;
      for (auto [axis, result] : llvm::enumerate(maps[operand].getResults()))
        place[axis] += index[cast<AffineDimExpr>(result).getPosition()];
      return place;
    };
    for (auto [from, to] : pairs)
      copies.push_back({placeOf(from), placeOf(to)});
  });
  return true;
}

namespace {
/// Interprets one iteration of a loop that copies.
class CopyInterpreter {
public:
  explicit CopyInterpreter(Value buffer) : buffer(buffer) {}

  bool run(Block &body, SmallVector<std::pair<Place, Place>> &copies) {
    return llvm::all_of(body.without_terminator(), [&](Operation &op) {
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        std::optional<Place> place = placeOf(load.getMemref(), load.getIndices());
        if (place)
          loaded[load] = *place;
        return place.has_value();
      }
      if (auto store = dyn_cast<memref::StoreOp>(op)) {
        std::optional<Place> place = placeOf(store.getMemref(), store.getIndices());
        auto source = loaded.find(store.getValue());
        if (!place || source == loaded.end())
          return false;
        copies.push_back({source->second, *place});
        return true;
      }
      return compute(op);
    });
  }

  void set(Value value, Attribute constant) { constants[value] = constant; }

private:
  std::optional<Place> placeOf(Value memory, ValueRange indices) {
    if (memory != buffer || indices.size() != 2)
      return std::nullopt;
    Place place;
    for (auto [axis, index] : llvm::enumerate(indices)) {
      auto constant = dyn_cast_or_null<IntegerAttr>(valueOf(index));
      if (!constant)
        return std::nullopt;
      place[axis] = constant.getInt();
    }
    return place;
  }

  Attribute valueOf(Value value) {
    Attribute known = constants.lookup(value);
    if (!known)
      matchPattern(value, m_Constant(&known));
    return known;
  }

  bool compute(Operation &op) {
    if (!isPure(&op) || op.getNumRegions() > 0 || op.getNumResults() != 1)
      return false;
    SmallVector<Attribute> operands =
        llvm::map_to_vector(op.getOperands(), [&](Value operand) { return valueOf(operand); });
    SmallVector<OpFoldResult> results;
    if (llvm::is_contained(operands, Attribute()) || failed(op.fold(operands, results)) ||
        results.size() != 1)
      return false;
    Attribute result = dyn_cast<Attribute>(results.front());
    if (!result)
      result = valueOf(cast<Value>(results.front()));
    constants[op.getResult(0)] = result;
    return bool(result);
  }

  Value buffer;
  llvm::DenseMap<Value, Attribute> constants;
  llvm::DenseMap<Value, Place> loaded;
};
} // namespace

bool TorusHalo::fill(scf::ParallelOp op, Value buffer, Copies &copies) {
  SmallVector<int64_t> bounds;
  for (auto [low, high, step] :
       llvm::zip_equal(op.getLowerBound(), op.getUpperBound(), op.getStep())) {
    std::optional<int64_t> from = getConstantIntValue(low), to = getConstantIntValue(high);
    if (from != 0 || !to || getConstantIntValue(step) != 1)
      return false;
    bounds.push_back(*to);
  }
  if (op.getNumResults() > 0 || !areFew(bounds))
    return false;
  bool isCopy = true;
  Builder b(op.getContext());
  forEachPoint(bounds, [&](ArrayRef<int64_t> index) {
    CopyInterpreter interpreter(buffer);
    for (auto [variable, value] : llvm::zip_equal(op.getInductionVars(), index))
      interpreter.set(variable, b.getIndexAttr(value));
    isCopy = isCopy && interpreter.run(*op.getBody(), copies);
  });
  return isCopy;
}

bool TorusHalo::covers(Box box) const {
  for (int64_t row = box.first[0]; row < box.first[0] + box.sides[0]; ++row) {
    bool isInside = row >= cells.first[0] && row < cells.first[0] + cells.sides[0];
    int64_t column = box.first[1];
    while (column < box.first[1] + box.sides[1]) {
      if (isInside && column == cells.first[1]) {
        column += cells.sides[1]; // skip the row's cells
        continue;
      }
      if (!isKnown({row, column++}))
        return false;
    }
  }
  return true;
}
