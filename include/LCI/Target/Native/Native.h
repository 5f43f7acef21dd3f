//===- Native.h - LLVM IR, object code and PTX out --------------*- C++ -*-===//
//
// What lmpm-translate writes below the ladder, from functions of ticks on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_NATIVE_NATIVE_H
#define LCI_TARGET_NATIVE_NATIVE_H

#include "LCI/Codegen/Machine.h"
#include "LCI/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// What machine code is made for.
struct NativeOptions {
  ::lci::MachineName machine;
  /// Threads that share a tick. Several call OpenMP's runtime library.
  int64_t threads = 1;
};

/// Writes optimised LLVM IR.
LogicalResult exportLLVMIR(ModuleOp module, const NativeOptions &options,
                           llvm::raw_ostream &output);

/// Writes an object file, whose functions take their arguments one by one: a pointer for each
/// buffer.
LogicalResult exportObject(ModuleOp module, const NativeOptions &options,
                           llvm::raw_ostream &output);

/// Whether there is PTX for a chip.
LogicalResult checkChip(ModuleOp module, StringRef chip, bool tf32 = false);

/// Writes PTX for a chip, one kernel for each tick and strip of a halo.
LogicalResult exportPTX(ModuleOp module, const PTXPipelineOptions &options,
                        llvm::raw_ostream &output);

/// The same as machine code for that chip, by NVIDIA's assembler.
LogicalResult exportCubin(ModuleOp module, const PTXPipelineOptions &options,
                          llvm::raw_ostream &output);

/// The PTX that `lci-to-ptx-pipeline` left in a module; empty if there is none. Fails, with an
/// error, if it calls a function that is not there.
FailureOr<std::string> findPTX(ModuleOp lowered);

} // namespace mlir::lci

#endif // LCI_TARGET_NATIVE_NATIVE_H
