//===- MemoryNeed.h - What a run will allocate ------------------*- C++ -*-===//
//
// An estimate from above of the arrays of a run, made before the first of them
// is, so that what cannot fit is refused at once.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_MEMORYNEED_H
#define LCI_DRIVER_MEMORYNEED_H

#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/ValueInfo.h"

namespace mlir::lci {

/// Bytes for the values of a program, on the back ends that the options ask
/// for; the largest number there is if they are more than can be counted.
uint64_t bytesNeeded(ArrayRef<ValueInfo> values, const RunOptions &options);
/// Bytes for what the program's models compute with, of a tile of cells.
uint64_t bytesOfModels(ProgramOp program, const RunOptions &options);

} // namespace mlir::lci

#endif // LCI_DRIVER_MEMORYNEED_H
