//===- Backends.h - Create back ends ----------------------------*- C++ -*-===//
//
// The back end that the options select, for a bound program.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_BACKENDS_H
#define LCI_DRIVER_BACKENDS_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/RunOptions.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Transforms/Support/Counting.h"

namespace mlir::lci {

/// Makes a back end for a bound program, which must outlive it. `arguments` tells which parameters
/// are given; `steps` requests one that can run single ticks.
FailureOr<std::unique_ptr<Backend>> makeBackend(const RunOptions &options, ProgramOp program,
                                                const RunArguments &arguments, bool steps = false);

/// One that can run single ticks and find rejected proposals, with its arguments set.
FailureOr<std::unique_ptr<Backend>> makeStepper(const RunOptions &options, ProgramOp program,
                                                const RunArguments &arguments);

/// How `lowerToTicks` makes functions: as the options of `lci-lower-rules` say.
struct TickOptions {
  Counting counting;
  bool steps = false, records = false, rejections = false;
};

/// The ticks that a compiled back end begins with, in a module of their own.
FailureOr<OwningOpRef<ModuleOp>> makeTicks(const RunOptions &options, ProgramOp program,
                                           const RunArguments &arguments, const TickOptions &ticks);

/// Lowers a bound program to functions of ticks, in place.
LogicalResult lowerToTicks(ModuleOp module, const RunArguments &arguments,
                           const TickOptions &options);

/// Binds a program, proves it and lowers its module to functions of ticks, in place, as
/// translations to machine code begin. Returns the arguments of the functions.
FailureOr<RunArguments> lowerWithBindings(ProgramOp program, const ::lci::Bindings &bindings);

} // namespace mlir::lci

#endif // LCI_DRIVER_BACKENDS_H
