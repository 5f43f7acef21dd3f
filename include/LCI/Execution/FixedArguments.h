//===- FixedArguments.h - What a run gives and never changes ----*- C++ -*-===//
//
// Code that is compiled for one run may know what the run gives.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_EXECUTION_FIXEDARGUMENTS_H
#define LCI_EXECUTION_FIXEDARGUMENTS_H

#include "LCI/Runtime/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// Says of the arguments of a program's functions what the run gives them (`lci.fixed`): parameters
/// and palettes of few elements, and `switches`. Whoever runs them must then give the same.
void specializeArguments(ModuleOp ticks, const ::lci::RunArguments &arguments,
                         bool switches = true);

} // namespace mlir::lci

#endif // LCI_EXECUTION_FIXEDARGUMENTS_H
