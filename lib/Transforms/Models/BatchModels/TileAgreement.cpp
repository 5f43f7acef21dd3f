//===- TileAgreement.cpp - Agreements vectorized over cells ---------------===//
//
// An agreement on a model's result reads as many numbers for a cell as there are tokens. In a tile
// these are contiguous over the cells, so the loop over the tokens compares them in vectors, one
// lane per cell. Uniform values are computed once; per-cell values are gathered before.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/CandidateOrder.h"
#include "LCI/Transforms/Support/Ways.h"
#include "TickBatcher.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Clones a cell's operations for a vector of cells.
class Widener {
public:
  Widener(OpBuilder &b, int64_t lanes) : b(b), lanes(lanes) {}

  IRMapping same;                       ///< uniform values
  llvm::DenseMap<Value, Value> vectors; ///< per-cell values

  Value getVector(Value value) {
    if (Value known = vectors.lookup(value))
      return known;
    Value &vector = spread[value];
    if (!vector)
      vector =
          vector::BroadcastOp::create(b, value.getLoc(), VectorType::get({lanes}, value.getType()),
                                      same.lookupOrDefault(value));
    return vector;
  }

  void widen(Operation &op) {
    if (llvm::none_of(op.getOperands(), [&](Value v) { return vectors.contains(v); })) {
      b.clone(op, same);
      return;
    }
    OperationState state(op.getLoc(), op.getName());
    for (Value operand : op.getOperands())
      state.addOperands(getVector(operand));
    for (Type type : op.getResultTypes())
      state.addTypes(VectorType::get({lanes}, type));
    state.addAttributes(op.getAttrs());
    Operation *wide = b.create(state);
    for (auto [result, vector] : llvm::zip_equal(op.getResults(), wide->getResults()))
      vectors[result] = vector;
  }

private:
  OpBuilder &b;
  int64_t lanes;
  llvm::DenseMap<Value, Value> spread; ///< uniform values as vectors
};

} // namespace

Type mlir::lci::getStoredType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return type;
  unsigned bits = std::max<unsigned>(8, llvm::PowerOf2Ceil(integer.getWidth()));
  return IntegerType::get(type.getContext(), bits);
}

/// Whether a value is a tensor result of a model.
static bool isAnswer(Value value) {
  return value.getDefiningOp<func::CallOp>() && isa<RankedTensorType>(value.getType());
}

/// Whether a value that an agreement uses differs between cells.
bool TickBatcher::isPerCell(Value value) {
  Operation *op = value.getDefiningOp();
  if (op)
    return op->getParentRegion() == &tick.getBody() && !op->hasTrait<OpTrait::ConstantLike>() &&
           !isAnswer(value);
  return llvm::is_contained(tick.getIndexArguments(), value);
}

/// Whether an agreement is on a model's result and consists of operations that have a vector form.
/// Indices of look-ups must be uniform, or in a result.
bool TickBatcher::agreesAcross(AgreeOp agree) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(agree.getBody(), captured);
  if (tile < 2 || isPerCell(agree.getLower()) || isPerCell(agree.getUpper()) ||
      llvm::none_of(captured, isAnswer))
    return false;
  llvm::DenseSet<Value> wide;
  for (Value value : captured)
    if (isPerCell(value)) {
      if (!value.getType().isIntOrIndexOrFloat())
        return false;
      wide.insert(value);
    }
  for (Operation &op : agree.getBody().front().without_terminator()) {
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    bool isLookUp = extract && isAnswer(extract.getTensor());
    bool isWide = llvm::any_of(op.getOperands(), [&](Value v) { return wide.contains(v); });
    bool hasVectors = op.hasTrait<OpTrait::Elementwise>();
    bool isPlain = op.getNumRegions() == 0 && (isPure(&op) || isa<memref::LoadOp>(op));
    if (!isPlain || (isWide && (isLookUp || !hasVectors)))
      return false;
    if (isWide || isLookUp)
      wide.insert(op.result_begin(), op.result_end());
  }
  return tile % lanes == 0;
}

/// Allocates the buffers of the per-cell values of an agreement.
CellValues TickBatcher::makeCellValues(AgreeOp agree) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(agree.getBody(), captured);
  CellValues cellValues;
  for (Value value : captured)
    if (isPerCell(value))
      cellValues[value] = makeBuffer({tile}, getStoredType(value.getType()));
  return cellValues;
}

/// Stores the per-cell values of a cell.
void TickBatcher::storeCellValues(const CellValues &cellValues, Value row) {
  for (auto [value, buffer] : cellValues) {
    Value mine = compute(value);
    if (Type stored = getStoredType(value.getType()); stored != value.getType())
      mine = arith::ExtUIOp::create(b, loc, stored, mine);
    memref::StoreOp::create(b, loc, mine, buffer, row);
  }
}

/// Gathers the per-cell values of an agreement, when all models are evaluated.
void TickBatcher::gatherCellValues(const CellValues &cellValues, Value first, Value count) {
  if (!cellValues.empty())
    emitCells(first, count, [&](Value row) {
      takeAnswers(modelCalls, row, [&] { storeCellValues(cellValues, row); });
    });
}

Value TickBatcher::loadLanes(Value buffer, ValueRange at, Type type) {
  Type stored = cast<MemRefType>(buffer.getType()).getElementType();
  Value vector = vector::LoadOp::create(b, loc, VectorType::get({lanes}, stored), buffer, at);
  if (stored == type)
    return vector;
  return arith::TruncIOp::create(b, loc, VectorType::get({lanes}, type), vector);
}

/// A token with its rank, for a block of cells.
SmallVector<Value> TickBatcher::rankAcross(AgreeOp agree, Value token, Value place,
                                           const CellValues &cellValues) {
  Widener widener(b, lanes);
  enterCell({});
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(agree.getBody(), captured);
  for (Value value : captured)
    if (!isPerCell(value) && !isAnswer(value))
      widener.same.map(value, compute(value));
  widener.same.map(agree.getBody().getArgument(0), token);
  for (auto [value, buffer] : cellValues)
    widener.vectors[value] = loadLanes(buffer, place, value.getType());
  for (Operation &op : agree.getBody().front().without_terminator()) {
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    if (!extract || !isAnswer(extract.getTensor())) {
      widener.widen(op);
      continue;
    }
    SmallVector<Value> at = llvm::map_to_vector(
        extract.getIndices(), [&](Value index) { return widener.same.lookupOrDefault(index); });
    at.push_back(place);
    widener.vectors[extract.getResult()] =
        loadLanes(answerOf(extract.getTensor()), at, extract.getType());
  }
  SmallVector<Value> ranked{widener.getVector(agree.getBody().getArgument(0))};
  for (Value fact : flattenRank(agree.getCandidate()))
    ranked.push_back(widener.getVector(fact));
  return ranked;
}

/// Which facts about the best token must be carried by the loop: not those that are the same
/// constant for all tokens, if the first one surely is a candidate, so that there is always a best.
SmallVector<bool> TickBatcher::getCarried(AgreeOp agree) {
  CandidateOp candidate = agree.getCandidate();
  bool isSure = matchPattern(candidate.getAdmissible(), m_One());
  SmallVector<bool> isCarried{true};
  for (Value fact : flattenRank(candidate))
    isCarried.push_back(!isSure || !matchPattern(fact, m_Constant()));
  return isCarried;
}

/// The initial token with its rank for a block of cells: the first one, if it surely is a
/// candidate, else none.
SmallVector<Value> TickBatcher::beginAcross(AgreeOp agree, Value lower, Value place,
                                            const CellValues &cellValues) {
  CandidateOp candidate = agree.getCandidate();
  if (matchPattern(candidate.getAdmissible(), m_One()))
    return rankAcross(agree, lower, place, cellValues);
  return llvm::map_to_vector(buildWorst(b, loc, lower, candidate), [&](Value value) -> Value {
    return vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, value.getType()), value);
  });
}

/// The best token with its rank, for a block of cells.
SmallVector<Value> TickBatcher::findBestAcross(AgreeOp agree, Value place,
                                               const CellValues &cellValues) {
  enterCell({});
  Value lower = compute(agree.getLower()), upper = compute(agree.getUpper());
  Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
  CandidateOp candidate = agree.getCandidate();
  SmallVector<Value> best = beginAcross(agree, lower, place, cellValues);
  if (matchPattern(candidate.getAdmissible(), m_One()))
    lower = arith::AddIOp::create(b, loc, lower, one);
  SmallVector<bool> isCarried = getCarried(agree);
  SmallVector<Value> carried;
  for (auto [value, isNeeded] : llvm::zip_equal(best, isCarried))
    if (isNeeded)
      carried.push_back(value);
  auto tokens = scf::ForOp::create(b, loc, lower, upper, one, carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(tokens.getBody());
  auto bestWith = [&](ValueRange now) {
    SmallVector<Value> all(best);
    for (auto [value, isNeeded] : llvm::zip_equal(all, isCarried))
      if (isNeeded) {
        value = now.front();
        now = now.drop_front();
      }
    return all;
  };
  SmallVector<Value> mine = rankAcross(agree, tokens.getInductionVar(), place, cellValues);
  SmallVector<Value> better =
      buildBetter(b, loc, mine, bestWith(tokens.getRegionIterArgs()), candidate.getLevels().size());
  SmallVector<Value> next;
  for (auto [value, isNeeded] : llvm::zip_equal(better, isCarried))
    if (isNeeded)
      next.push_back(value);
  scf::YieldOp::create(b, loc, next);
  return bestWith(tokens.getResults());
}

/// The winners of all cells of the tile, whether there are any, and their scores, in buffers.
void TickBatcher::agreeAcross(AgreeOp agree, Value first, Value count) {
  took(agree, Way::AgreedAcross);
  CellValues cellValues = makeCellValues(agree);
  gatherCellValues(cellValues, first, count);
  Agreed result{agree,
                makeBuffer({tile}, b.getI64Type()),
                makeBuffer({tile}, b.getI8Type()),
                agree.getScore() ? makeBuffer({tile}, b.getF32Type()) : Value(),
                {}};
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, lanes);
  auto blocks = scf::ForOp::create(b, loc, zero, count, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(blocks.getBody());
  Value place = blocks.getInductionVar();
  SmallVector<Value> best = findBestAcross(agree, place, cellValues);
  Value found = arith::ExtUIOp::create(b, loc, VectorType::get({lanes}, b.getI8Type()), best[1]);
  vector::StoreOp::create(b, loc, best[0], result.winner, place);
  vector::StoreOp::create(b, loc, found, result.found, place);
  if (result.score)
    vector::StoreOp::create(b, loc, best[2], result.score, place);
  agreed.push_back(result);
}

/// Binds the results of agreements for the cell at an index of the tile.
void TickBatcher::enterAgreed(Value row) {
  for (const Agreed &known : agreed) {
    AgreeOp agree = known.agree;
    if (!known.parts.empty()) {
      enterParts(known, row);
      continue;
    }
    Value found = memref::LoadOp::create(b, loc, known.found, row);
    cell.map(agree.getWinner(), memref::LoadOp::create(b, loc, known.winner, row));
    cell.map(agree.getFound(), arith::TruncIOp::create(b, loc, b.getI1Type(), found));
    if (known.score)
      cell.map(agree.getScore(), memref::LoadOp::create(b, loc, known.score, row));
  }
}
