//===- TileAgreement.cpp - The best tokens of many cells at once ----------===//
//
// An agreement on a model's answer looks at as many numbers for a cell as there are tokens. In a
// tile these lie side by side for all cells, so the loop over the tokens compares them in vectors,
// one element for each cell. What is the same for all cells is computed once; what a cell brings
// itself is gathered before.
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

  IRMapping same;                       ///< what is the same for all cells
  llvm::DenseMap<Value, Value> vectors; ///< what is not

  Value getVector(Value value) {
    if (Value own = vectors.lookup(value))
      return own;
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
  llvm::DenseMap<Value, Value> spread; ///< what is the same, as vectors
};

} // namespace

Type lci::getStoredType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return type;
  unsigned bits = std::max<unsigned>(8, llvm::PowerOf2Ceil(integer.getWidth()));
  return IntegerType::get(type.getContext(), bits);
}

/// Whether a value is what a model answers, as a whole.
static bool isAnswer(Value value) {
  return value.getDefiningOp<func::CallOp>() && isa<RankedTensorType>(value.getType());
}

/// Whether a value that an agreement uses is a cell's own.
bool TickBatcher::isOwn(Value value) {
  Operation *op = value.getDefiningOp();
  if (op)
    return op->getParentRegion() == &tick.getBody() && !op->hasTrait<OpTrait::ConstantLike>() &&
           !isAnswer(value);
  return llvm::is_contained(tick.getIndexArguments(), value);
}

/// Whether an agreement is about a model's answer and made of operations that have a form on
/// vectors. What is looked up must be the same for all cells, or an answer's token.
bool TickBatcher::agreesAcross(AgreeOp agree) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(agree.getBody(), captured);
  if (tile < 2 || isOwn(agree.getLower()) || isOwn(agree.getUpper()) ||
      llvm::none_of(captured, isAnswer))
    return false;
  llvm::DenseSet<Value> wide;
  for (Value value : captured)
    if (isOwn(value)) {
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

/// The buffers of what the cells of the tile bring to an agreement.
OwnValues TickBatcher::makeOwn(AgreeOp agree) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(agree.getBody(), captured);
  OwnValues own;
  for (Value value : captured)
    if (isOwn(value))
      own[value] = makeBuffer({tile}, getStoredType(value.getType()));
  return own;
}

/// Writes down what a cell brings.
void TickBatcher::storeOwn(const OwnValues &own, Value row) {
  for (auto [value, buffer] : own) {
    Value mine = compute(value);
    if (Type stored = getStoredType(value.getType()); stored != value.getType())
      mine = arith::ExtUIOp::create(b, loc, stored, mine);
    memref::StoreOp::create(b, loc, mine, buffer, row);
  }
}

/// Gathers what the cells of the tile bring to an agreement, when all models have answered.
void TickBatcher::gatherOwn(const OwnValues &own, Value first, Value count) {
  if (!own.empty())
    emitCells(first, count,
              [&](Value row) { takeAnswers(asks, row, [&] { storeOwn(own, row); }); });
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
                                           const OwnValues &own) {
  Widener widener(b, lanes);
  enterCell({});
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(agree.getBody(), captured);
  for (Value value : captured)
    if (!isOwn(value) && !isAnswer(value))
      widener.same.map(value, compute(value));
  widener.same.map(agree.getBody().getArgument(0), token);
  for (auto [value, buffer] : own)
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

/// Which facts about the best token have to be carried along: not those that are the same constant
/// for all tokens, where the first one surely is a candidate, so that the best never is none.
SmallVector<bool> TickBatcher::getCarried(AgreeOp agree) {
  CandidateOp candidate = agree.getCandidate();
  bool isSure = matchPattern(candidate.getAdmissible(), m_One());
  SmallVector<bool> isCarried{true};
  for (Value fact : flattenRank(candidate))
    isCarried.push_back(!isSure || !matchPattern(fact, m_Constant()));
  return isCarried;
}

/// The token with its rank with which a block of cells begins: the first one, if it surely is a
/// candidate, else none.
SmallVector<Value> TickBatcher::beginAcross(AgreeOp agree, Value lower, Value place,
                                            const OwnValues &own) {
  CandidateOp candidate = agree.getCandidate();
  if (matchPattern(candidate.getAdmissible(), m_One()))
    return rankAcross(agree, lower, place, own);
  return llvm::map_to_vector(buildWorst(b, loc, lower, candidate), [&](Value value) -> Value {
    return vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, value.getType()), value);
  });
}

/// The best token with its rank, for a block of cells.
SmallVector<Value> TickBatcher::findBestAcross(AgreeOp agree, Value place, const OwnValues &own) {
  enterCell({});
  Value lower = compute(agree.getLower()), upper = compute(agree.getUpper());
  Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
  CandidateOp candidate = agree.getCandidate();
  SmallVector<Value> best = beginAcross(agree, lower, place, own);
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
  SmallVector<Value> mine = rankAcross(agree, tokens.getInductionVar(), place, own);
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
  OwnValues own = makeOwn(agree);
  gatherOwn(own, first, count);
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
  SmallVector<Value> best = findBestAcross(agree, place, own);
  Value found = arith::ExtUIOp::create(b, loc, VectorType::get({lanes}, b.getI8Type()), best[1]);
  vector::StoreOp::create(b, loc, best[0], result.winner, place);
  vector::StoreOp::create(b, loc, found, result.found, place);
  if (result.score)
    vector::StoreOp::create(b, loc, best[2], result.score, place);
  agreed.push_back(result);
}

/// What the cell at a place of the tile has agreed on.
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
