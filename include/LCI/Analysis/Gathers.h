//===- Gathers.h - Reads at indices that parameters hold --------*- C++ -*-===//
//
// A capability may gather: an index of the cell it shows is computed from parameters, and its free
// indices may have computed limits. What such a line shows is only known when the parameters are,
// so a read is compared with it by what is computed: the same operations, at indices that the line
// has.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_GATHERS_H
#define LCI_ANALYSIS_GATHERS_H

#include "LCI/Dialect/LCIOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci {

/// What the arguments of a line's body are where something else computes the same.
using GatherMatch = llvm::MapVector<Value, Value>;

/// Whether `value` is computed as `pattern`, which a line's body computes; adds to `match` what the
/// body's arguments are.
bool matchComputation(Value pattern, Value value, GatherMatch &match);

/// What the line's indices are in a read whose computed indices and limits are the line's; nothing
/// if they are not.
std::optional<GatherMatch> matchGather(ReadOp read, VisibleOp line);

/// Whether a read that matches a line is at indices that the line has, for every cell.
bool isGatheredBy(ReadOp read, VisibleOp line);

/// Whether a line gathers, and by the elements of parameters that stay what the bindings say.
bool isFixed(VisibleOp line);

/// Whether some fixed line of the reader's value gathers as the read does: its cells are then
/// inside.
bool isGathered(ReadOp read);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_GATHERS_H
