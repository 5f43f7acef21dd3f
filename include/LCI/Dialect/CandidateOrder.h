//===- CandidateOrder.h - Which of two candidates ranks above ----*- C++ -*===//
//
// The order of `lci.candidate` as arith operations, for whoever compares candidates: the loop that
// `lci.agree` becomes, and a list of proposals that is compared one by one.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_CANDIDATEORDER_H
#define LCI_DIALECT_CANDIDATEORDER_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// What ranks a candidate.
struct CandidateRank {
  Value admissible, score, proposed;
  SmallVector<Value> levels, ties;
};

/// Whether `left` is admissible and ranks above `right`, or `right` is not: by the levels in turn,
/// then the score (a NaN loses to every number), then the ties in turn, then proposal before keep.
/// What is equal in all of them is decided by `equals`; null: it does not rank above.
Value buildRanksAbove(OpBuilder &builder, Location loc, const CandidateRank &left,
                      const CandidateRank &right, Value equals = nullptr);

/// What ranks a candidate, one after the other: whether it is admissible, its score, whether it is
/// proposed, its levels, its ties. Behind a token they begin as the results of `lci.agree` do.
SmallVector<Value> flattenRank(CandidateOp candidate);

/// Of a token and the best so far, each followed by its flattened rank, the one that ranks above;
/// the latter if they are equal. Both may be vectors, of many cells.
SmallVector<Value> buildBetter(OpBuilder &builder, Location loc, ValueRange mine, ValueRange best,
                               unsigned numLevels);

/// What every admissible candidate beats: a token with the rank of none.
SmallVector<Value> buildWorst(OpBuilder &builder, Location loc, Value token, CandidateOp like);

/// Whether candidates have the same levels; null if they have none.
Value buildSameLevels(OpBuilder &builder, Location loc, ValueRange left, ValueRange right);

/// S-TIES: whether a token comes before another. Numbers go by value, -0 before +0 and NaN last.
Value buildIsLower(OpBuilder &builder, Location loc, Value left, Value right);

} // namespace mlir::lci

#endif // LCI_DIALECT_CANDIDATEORDER_H
