//===- FixedArguments.h - Mark the constant arguments of a run --*- C++ -*-===//
//
// For code that is compiled for a single run: arguments that the run gives are attached to
// functions of ticks as constants, so that later passes can fold them.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_EXECUTION_FIXEDARGUMENTS_H
#define LCI_EXECUTION_FIXEDARGUMENTS_H

#include "LCI/Runtime/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// Attaches the given parameters and palettes of few elements, and `switches`, to the arguments of
/// a program's functions (`lci.fixed`). Runs must then give the same.
void specializeArguments(ModuleOp ticks, const ::lci::RunArguments &arguments,
                         bool switches = true);

} // namespace mlir::lci

#endif // LCI_EXECUTION_FIXEDARGUMENTS_H
