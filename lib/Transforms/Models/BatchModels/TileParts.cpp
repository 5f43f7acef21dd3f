//===- TileParts.cpp - Agreements reduced in parts by threads -------------===//
//
// One thread per cell would read all of the cell's numbers sequentially, and there are too few
// cells for a GPU. So threads find the best of some tokens each, for four cells at a time, and the
// cell's thread the best of those. Candidates are in a strict weak order, and of equal ones the
// first wins: reduced part by part in their order, the result is the same.
//
// A part is what a thread of `lci-tile-contractions` computes: that pass fuses the two loops, and
// the numbers are never stored to memory. On tensor cores adjacent threads hold a few parts of the
// same cells, which one of them reduces.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/CandidateOrder.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/Ways.h"
#include "TickBatcher.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

/// The number of whole parts of the tokens of an agreement; nothing if threads are not to share it.
std::optional<int64_t> TickBatcher::countParts(AgreeOp agree) {
  APInt lower, upper;
  if (!threads || !matchPattern(agree.getLower(), m_ConstantInt(&lower)) ||
      !matchPattern(agree.getUpper(), m_ConstantInt(&upper)) || !agreesAcross(agree))
    return std::nullopt;
  int64_t first = lower.getSExtValue(), end = upper.getSExtValue();
  bool isFit = first >= 0 && end <= std::numeric_limits<int32_t>::max() && end > first &&
               (end - first) % kTokensOfPart == 0 && end - first >= kMinPartedTokens;
  return isFit ? std::optional((end - first) / kTokensOfPart) : std::nullopt;
}

/// The agreements on the last model's result that threads share. Their per-cell values are gathered
/// with the operands of the model, so that no operation separates the result from its readers.
SmallVector<SharedAgreement> TickBatcher::findSharedAgreements(const ModelCall &modelCall) {
  SmallVector<SharedAgreement> sharedAgreements;
  if (&modelCall != &modelCalls.back())
    return sharedAgreements;
  for (auto agree : tick.getBody().getOps<AgreeOp>())
    if (countParts(agree)) {
      CellValues cellValues = makeCellValues(agree);
      bool isLate = llvm::any_of(cellValues,
                                 [&](auto &pair) { return dependsOn(pair.first, modelCall.call); });
      sharedAgreements.push_back({agree, cellValues, isLate});
    }
  return sharedAgreements;
}

/// The buffers of the best token of each part, and of the facts about it.
SmallVector<Value> TickBatcher::makeParts(AgreeOp agree, int64_t number) {
  CandidateOp candidate = agree.getCandidate();
  SmallVector<Type> types{b.getI32Type()};
  for (Value fact : flattenRank(candidate))
    types.push_back(getStoredType(fact.getType()));
  SmallVector<Value> parts;
  for (auto [type, isNeeded] : llvm::zip_equal(types, getCarried(agree)))
    parts.push_back(isNeeded ? makeBuffer({number, tile}, type) : Value());
  return parts;
}

/// Threads find the best of each part, for some neighbours, and threads again the best of some
/// consecutive parts.
void TickBatcher::agreeByParts(AgreeOp agree, const CellValues &cellValues) {
  took(agree, Way::AgreedByParts);
  int64_t number = *countParts(agree);
  Agreed result{agree, nullptr, nullptr, nullptr, makeParts(agree, number)};
  emitParts(number, 1, [&](Value offset, Value place) {
    storePart(findBestOfPart(agree, offset, place, cellValues), result.parts,
              indexOfPart(offset, 1), place);
  });
  if (group > 1 && number % group == 0 && number > group) {
    Agreed some = result;
    result.parts = makeParts(agree, number / group);
    emitParts(number, group, [&](Value offset, Value place) {
      Value part = indexOfPart(offset, 1);
      SmallVector<Value> best = loadPart(some, part, place, /*isWide=*/true);
      for (int64_t next = 1; next < group; ++next) {
        Value other = arith::AddIOp::create(b, loc, part, index(next));
        best = buildBetter(b, loc, loadPart(some, other, place, /*isWide=*/true), best,
                           agree.getCandidate().getLevels().size());
      }
      storePart(best, result.parts, indexOfPart(offset, group), place);
    });
  }
  agreed.push_back(result);
}

Value TickBatcher::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

/// A parallel loop over the first tokens of `many` parts at a time, and over blocks of cells.
void TickBatcher::emitParts(int64_t number, int64_t many,
                            llvm::function_ref<void(Value offset, Value place)> body) {
  SmallVector<Value> begin{index(0), index(0)}, end{index(number * kTokensOfPart), index(tile)};
  SmallVector<Value> step{index(kTokensOfPart * many), index(lanes)};
  auto loop = scf::ParallelOp::create(b, loc, begin, end, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVars()[0], loop.getInductionVars()[1]);
}

/// The index of the part, or of the group of `many` parts, that begins with a token.
Value TickBatcher::indexOfPart(Value offset, int64_t many) {
  return arith::DivUIOp::create(b, loc, offset, index(kTokensOfPart * many));
}

/// The best token of a part with its rank, for a block of cells.
SmallVector<Value> TickBatcher::findBestOfPart(AgreeOp agree, Value offset, Value place,
                                               const CellValues &cellValues) {
  enterCell({});
  Value start = arith::IndexCastOp::create(b, loc, b.getI64Type(), offset);
  Value lower = b.createOrFold<arith::AddIOp>(loc, compute(agree.getLower()), start);
  CandidateOp candidate = agree.getCandidate();
  SmallVector<Value> best = beginAcross(agree, lower, place, cellValues);
  for (int64_t i = matchPattern(candidate.getAdmissible(), m_One()) ? 1 : 0; i < kTokensOfPart;
       ++i) {
    Value token = arith::AddIOp::create(b, loc, lower, arith::ConstantIntOp::create(b, loc, i, 64));
    SmallVector<Value> mine = rankAcross(agree, token, place, cellValues);
    best = buildBetter(b, loc, mine, best, candidate.getLevels().size());
  }
  return best;
}

/// Stores the facts about the best tokens of a part, for a block of cells.
void TickBatcher::storePart(ArrayRef<Value> best, ArrayRef<Value> parts, Value part, Value place) {
  for (auto [fact, buffer] : llvm::zip_equal(best, parts)) {
    if (!buffer)
      continue;
    Value value = fact;
    Type stored = cast<MemRefType>(buffer.getType()).getElementType();
    auto type = VectorType::get({lanes}, stored);
    if (stored.isInteger() && stored != getElementTypeOrSelf(value.getType()))
      value = stored.isInteger(8) ? Value(arith::ExtUIOp::create(b, loc, type, value))
                                  : Value(arith::TruncIOp::create(b, loc, type, value));
    vector::StoreOp::create(b, loc, value, buffer, ValueRange{part, place});
  }
}

/// The best token of a part with its rank: of one cell, or of a block, where a token keeps the type
/// in which it is stored.
SmallVector<Value> TickBatcher::loadPart(const Agreed &known, Value part, Value row, bool isWide) {
  AgreeOp agree = known.agree;
  CandidateOp candidate = agree.getCandidate();
  SmallVector<Value> facts{agree.getBody().getArgument(0)};
  llvm::append_range(facts, flattenRank(candidate));
  SmallVector<Value> loaded, place{part, row};
  for (auto [fact, buffer] : llvm::zip_equal(facts, known.parts)) {
    if (!buffer) { // the same constant for all tokens
      Value same = b.clone(*fact.getDefiningOp())->getResult(0);
      auto type = VectorType::get({lanes}, same.getType());
      loaded.push_back(isWide ? Value(vector::BroadcastOp::create(b, loc, type, same)) : same);
      continue;
    }
    Type stored = cast<MemRefType>(buffer.getType()).getElementType();
    if (isWide) {
      loaded.push_back(
          loadLanes(buffer, place, fact.getType().isInteger(1) ? fact.getType() : stored));
      continue;
    }
    Value value = memref::LoadOp::create(b, loc, buffer, place);
    if (stored.isInteger() && stored != fact.getType())
      value = fact.getType().isInteger(1)
                  ? Value(arith::TruncIOp::create(b, loc, fact.getType(), value))
                  : Value(arith::ExtUIOp::create(b, loc, fact.getType(), value));
    loaded.push_back(value);
  }
  return loaded;
}

/// Binds the result of a cell's agreement: the best of the best of each part.
void TickBatcher::enterParts(const Agreed &known, Value row) {
  AgreeOp agree = known.agree;
  CandidateOp candidate = agree.getCandidate();
  int64_t number = cast<MemRefType>(known.parts.front().getType()).getDimSize(0);
  SmallVector<Value> best = loadPart(known, index(0), row, /*isWide=*/false);
  auto loop = scf::ForOp::create(b, loc, index(1), index(number), index(1), best);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> mine = loadPart(known, loop.getInductionVar(), row, /*isWide=*/false);
    scf::YieldOp::create(
        b, loc, buildBetter(b, loc, mine, loop.getRegionIterArgs(), candidate.getLevels().size()));
  }
  for (auto [told, fact] : llvm::zip_first(agree.getResults(), loop.getResults()))
    cell.map(told, fact);
}
