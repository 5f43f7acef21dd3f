//===- Backend.h - The runtime's back ends in mlir::lci ---------*- C++ -*-===//
//
// The back ends are part of the runtime, which does not use MLIR; the compiler's libraries refer to
// them by these names.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_EXECUTION_BACKEND_H
#define LCI_EXECUTION_BACKEND_H

#include "LCI/Runtime/CompiledProgram.h"

namespace mlir::lci {
using ::lci::Backend;
using ::lci::Code;
using ::lci::CompiledFunction;
using ::lci::CompiledFunctions;
using ::lci::CompiledProgram;
using ::lci::Counters;
using ::lci::ElementKind;
using ::lci::Observation;
using ::lci::Observations;
using ::lci::observedNumber;
using ::lci::RunArguments;
using ::lci::Slot;
} // namespace mlir::lci

#endif // LCI_EXECUTION_BACKEND_H
