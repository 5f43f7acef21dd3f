//===- MemoryNeed.h - Estimate the memory of a run --------------*- C++ -*-===//
//
// An upper bound of the arrays of a run, computed before the first of them is allocated, so that a
// run that cannot fit is refused at once.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_MEMORYNEED_H
#define LCI_DRIVER_MEMORYNEED_H

#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/ValueInfo.h"

namespace mlir::lci {

/// Bytes of the values of a program, on the back ends that the options select; the largest number
/// on overflow.
uint64_t bytesNeeded(ArrayRef<ValueInfo> values, const RunOptions &options);
/// Bytes of the intermediate results of the program's models, for a tile of cells.
uint64_t bytesOfModels(ProgramOp program, const RunOptions &options);

} // namespace mlir::lci

#endif // LCI_DRIVER_MEMORYNEED_H
