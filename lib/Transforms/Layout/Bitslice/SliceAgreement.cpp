//===- SliceAgreement.cpp - Agreement on the best candidates of 64 cells --===//
//
// Candidates are few and constants, so each has a separate circuit. They are
// evaluated in the order of their tokens, and a candidate replaces the best one
// so far only in cells where it is better.
//
//===----------------------------------------------------------------------===//

#include "BodySlicer.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

/// The rank of a candidate as one number, the last criterion in its lowest bits.
Planes BodySlicer::rankOf(CandidateOp candidate) {
  Planes rank;
  auto add = [&](Value criterion, bool isReversed) {
    Planes number = planesOf(criterion);
    // As unsigned numbers in the same order: negative numbers come first.
    if (number.isSigned)
      number.words.back() = circuits.negate(number.words.back());
    for (Value word : number.words)
      rank.words.push_back(isReversed ? circuits.negate(word) : word);
  };
  add(candidate.getProposed(), /*isReversed=*/false);
  for (Value tie : llvm::reverse(candidate.getTies()))
    add(tie, /*isReversed=*/false);
  ScoreOrder score = findScoreOrder(candidate.getScore(), analysis);
  add(score.number, score.isReversed);
  for (Value level : llvm::reverse(candidate.getLevels()))
    add(level, /*isReversed=*/false);
  return rank;
}

/// Slices the body for one candidate. Independent operations were built for the first one.
void BodySlicer::sliceCandidate(AgreeOp agree, int64_t token, bool isFirst) {
  Block &body = agree.getBody().front();
  Value argument = body.getArgument(0);
  llvm::DenseSet<Value> dependent{argument};
  planes.erase(argument);
  scalars.map(argument, arith::ConstantIntOp::create(builder, agree.getLoc(), token, 64));
  for (Operation &op : body.without_terminator()) {
    bool depends = false;
    op.walk([&](Operation *inner) {
      depends |= llvm::any_of(inner->getOperands(),
                              [&](Value operand) { return dependent.contains(operand); });
    });
    if (!depends && !isFirst)
      continue;
    if (depends)
      dependent.insert(op.result_begin(), op.result_end());
    for (Value result : op.getResults())
      planes.erase(result);
    slice(op);
  }
}

void BodySlicer::sliceAgreement(AgreeOp agree) {
  took(agree, Way::AgreementOnPlanes);
  CandidateOp candidate = agree.getCandidate();
  int64_t lower = *getConstantIntValue(agree.getLower());
  int64_t upper = *getConstantIntValue(agree.getUpper());
  Width width = analysis.widthOf(agree.getWinner()),
        scoreWidth = analysis.widthOf(candidate.getScore());
  Planes winner = circuits.constant(APInt(64, lower), width), rank, score;
  bool needsScore = agree.getScore() && !agree.getScore().use_empty();
  Value found;
  for (int64_t token = lower; token < upper; ++token) {
    sliceCandidate(agree, token, /*isFirst=*/token == lower);
    Value admissible = wordOf(candidate.getAdmissible());
    Planes mine = rankOf(candidate), itsScore;
    if (needsScore)
      itsScore = planesOf(candidate.getScore());
    if (!found) {
      std::tie(rank, score, found) = std::tuple(mine, itsScore, admissible);
      continue;
    }
    Value isBetter = circuits.either(circuits.negate(found), circuits.less(rank, mine));
    Value wins = circuits.both(admissible, isBetter);
    winner = circuits.choose(wins, circuits.constant(APInt(64, token), width), winner, width);
    rank = circuits.choose(wins, mine, rank, {static_cast<unsigned>(mine.words.size()), false});
    score = circuits.choose(wins, itsScore, score, scoreWidth);
    found = circuits.either(found, admissible);
  }
  planes[agree.getWinner()] = winner;
  planes[agree.getFound()] = {{found}, false};
  if (needsScore) // it is 0 without a winner
    planes[agree.getScore()] =
        circuits.choose(found, score, Planes(), analysis.widthOf(agree.getScore()));
}
