//===- MemoryNeed.h - Estimate the memory of a run --------------*- C++ -*-===//
//
// An estimate of the arrays of a run, made before the program is compiled, so that a run that
// cannot fit is refused at once. Compiled code then says how much it takes in the layouts that
// were chosen (`Backend::memoryNeeded`).
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_MEMORYNEED_H
#define LCI_DRIVER_MEMORYNEED_H

#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/ValueInfo.h"

namespace mlir::lci {

/// Bytes that the values of a program take at least, on the back ends that the options select; the
/// largest number on overflow.
uint64_t bytesNeeded(ArrayRef<ValueInfo> values, const RunOptions &options);
/// Bytes of the intermediate results of the program's models, for a tile of cells.
uint64_t bytesOfModels(ProgramOp program, const RunOptions &options);

} // namespace mlir::lci

#endif // LCI_DRIVER_MEMORYNEED_H
