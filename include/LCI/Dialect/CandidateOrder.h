//===- CandidateOrder.h - The order of candidates ---------------*- C++ -*-===//
//
// The order of `lci.candidate` as arith operations, for the loops that compare candidates: the one
// that `lci.agree` becomes, and a list of proposals that is compared one by one.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_CANDIDATEORDER_H
#define LCI_DIALECT_CANDIDATEORDER_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The values that rank a candidate.
struct CandidateRank {
  Value admissible, score, proposed;
  SmallVector<Value> levels, ties;
};

/// Whether `left` is admissible and ranks above `right`, or `right` is not: lexicographically by
/// the levels, then the score (a NaN loses to every number), then lexicographically by the ties,
/// then proposal before keep. `equals` decides if all of them are equal; null: it does not rank
/// above.
Value buildRanksAbove(OpBuilder &builder, Location loc, const CandidateRank &left,
                      const CandidateRank &right, Value equals = nullptr);

/// A candidate's rank as a list: whether it is admissible, its score, whether it is proposed, its
/// levels, its ties. Preceded by a token it begins like the results of `lci.agree`.
SmallVector<Value> flattenRank(CandidateOp candidate);

/// Of a token and the best so far, each followed by its flattened rank, the one that ranks above;
/// the latter if they are equal. Both may be vectors, of many cells.
SmallVector<Value> buildBetter(OpBuilder &builder, Location loc, ValueRange mine, ValueRange best,
                               unsigned numLevels);

/// A token with the rank of no candidate, below every admissible one.
SmallVector<Value> buildWorst(OpBuilder &builder, Location loc, Value token, CandidateOp like);

/// Whether candidates have the same levels; null if they have none.
Value buildSameLevels(OpBuilder &builder, Location loc, ValueRange left, ValueRange right);

/// S-TIES: whether a token comes before another. Numbers go by value, -0 before +0 and NaN last.
Value buildIsLower(OpBuilder &builder, Location loc, Value left, Value right);

} // namespace mlir::lci

#endif // LCI_DIALECT_CANDIDATEORDER_H
