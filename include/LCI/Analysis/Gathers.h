//===- Gathers.h - Reads at indices from parameters -------------*- C++ -*-===//
//
// A capability may gather: an index of the visible cell is computed from parameters, and its free
// indices may have computed limits. The cells of such a line are only known when the parameters
// are, so a read is compared with it by structure: the same operations, at indices that the line
// has.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_GATHERS_H
#define LCI_ANALYSIS_GATHERS_H

#include "LCI/Dialect/LCIOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci {

/// For the arguments of a line's body, the values in a matching computation.
using GatherMatch = llvm::MapVector<Value, Value>;

/// Whether `value` is computed like `pattern`, which belongs to a line's body; adds the values of
/// the body's arguments to `match`.
bool matchComputation(Value pattern, Value value, GatherMatch &match);

/// The values of the line's indices in a read whose computed indices and limits are the line's;
/// nothing if they differ.
std::optional<GatherMatch> matchGather(ReadOp read, VisibleOp line);

/// Whether a read that matches a line is at indices that the line has, for every cell.
bool isGatheredBy(ReadOp read, VisibleOp line);

/// Whether a line gathers, by elements of parameters that the bindings give once.
bool isFixed(VisibleOp line);

/// Whether some fixed line of the reader's value gathers like the read: its cells are then
/// inside.
bool isGathered(ReadOp read);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_GATHERS_H
