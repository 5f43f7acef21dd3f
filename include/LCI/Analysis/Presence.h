//===- Presence.h - Proofs of presence --------------------------*- C++ -*-===//
//
// Presence is decided from index sets: a read is absent where its index lies beyond an open border.
// Conditions of selects and members of reductions are taken into account where they are affine. A
// token that nothing initializes is present only if its input has it, which is recorded, not
// proved.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_PRESENCE_H
#define LCI_ANALYSIS_PRESENCE_H

#include "LCI/Analysis/IndexDomain.h"

namespace mlir::lci {

/// The outcome for one claim of presence.
struct Presence {
  /// A point of the indices in scope (the cell's first) where the value is absent; nothing if
  /// proved.
  std::optional<SmallVector<int64_t>> absentAt;
  /// The read that is absent there, if it is a read.
  ReadOp absentRead;
  /// Reads of tokens whose values need inputs without absent cells for the claim to hold.
  SmallVector<ReadOp> required;
};

Presence analyzePresence(UnwrapOp claim);

/// The runs of tokens of a palette, where these are known.
using PaletteReader = std::function<SmallVector<IndexRange>(StringRef palette)>;

/// Where a condition on indices holds, over the points of a domain; nothing if it is not affine, or
/// uses an unknown palette.
std::optional<presburger::PresburgerRelation>
getPointsWhere(Value condition, const IndexDomain &domain, const PaletteReader &palettes = {});

/// Where an integer lies within two bounds, likewise.
std::optional<presburger::PresburgerRelation>
getPointsWithin(Value integer, int64_t first, int64_t last, const IndexDomain &domain);

/// The value needs an input in which no cell is absent, because of a read.
struct RequiredInput {
  ValueOp value;
  std::string read; ///< "rule 'R' reads A[x]"
  Location loc;
};

/// The inputs that a program whose claims were proved (`lci-check-presence`) needs.
SmallVector<RequiredInput> getRequiredInputs(ProgramOp program);
/// Whether such a requirement was recorded: every cell holds something.
bool isInputRequired(ValueOp value);
/// Records a requirement on the value; the first one stays.
void requireInput(ValueOp value, StringRef read, Location loc);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_PRESENCE_H
