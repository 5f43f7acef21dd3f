//===- Backend.h - The runtime's back ends, for the compiler ----*- C++ -*-===//
//
// What runs a program knows no MLIR and lives in the runtime; the compiler's rooms call it by these
// names.
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
