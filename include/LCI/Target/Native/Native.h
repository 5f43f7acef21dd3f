//===- Native.h - LLVM IR, object code and PTX out --------------*- C++ -*-===//
//
// What lmpm-translate writes below the ladder, from functions of ticks on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_NATIVE_NATIVE_H
#define LCI_TARGET_NATIVE_NATIVE_H

#include "LCI/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// Writes optimised LLVM IR for this machine. With several threads it calls OpenMP's runtime
/// library.
LogicalResult exportLLVMIR(ModuleOp module, int64_t threads, llvm::raw_ostream &output);

/// Writes an object file for this machine, whose functions take their arguments one by one: a
/// pointer for each buffer.
LogicalResult exportObject(ModuleOp module, int64_t threads, llvm::raw_pwrite_stream &output);

/// Writes PTX for a chip, one kernel for each tick and strip of a halo.
LogicalResult exportPTX(ModuleOp module, const PTXPipelineOptions &options,
                        llvm::raw_ostream &output);

/// The PTX that `lci-to-ptx-pipeline` left in a module; empty if there is none.
std::string findPTX(ModuleOp lowered);

} // namespace mlir::lci

#endif // LCI_TARGET_NATIVE_NATIVE_H
