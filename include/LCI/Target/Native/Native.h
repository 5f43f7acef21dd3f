//===- Native.h - Export of LLVM IR, object code and PTX --------*- C++ -*-===//
//
// Lowers tick functions on tensors to the outputs of lmpm-translate below the ladder: LLVM IR,
// objects, PTX and cubins.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_NATIVE_NATIVE_H
#define LCI_TARGET_NATIVE_NATIVE_H

#include "LCI/Codegen/Machine.h"
#include "LCI/Pipelines/LowerBySchedule.h"
#include "LCI/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// The target of machine code.
struct NativeOptions {
  ::lci::MachineName machine;
  /// Threads that share a tick. Several call OpenMP's runtime library.
  int64_t threads = 1;
  /// Whether to tell debuggers and profilers the lines of the program.
  bool debugInfo = false;
  /// Lowers in place of the pipeline.
  ScheduleText schedule = {};
};

/// Writes optimised LLVM IR.
LogicalResult exportLLVMIR(ModuleOp module, const NativeOptions &options,
                           llvm::raw_ostream &output);

/// Writes an object file. Its functions take their arguments one by one: a pointer for each buffer.
LogicalResult exportObject(ModuleOp module, const NativeOptions &options,
                           llvm::raw_ostream &output);

/// Checks that there is PTX for a chip.
LogicalResult checkChip(ModuleOp module, StringRef chip, bool tf32 = false);

/// Writes PTX for a chip, one kernel for each tick and strip of a halo. A schedule, if there is
/// one, lowers in place of the pipeline.
LogicalResult exportPTX(ModuleOp module, const KernelPipelineOptions &options,
                        llvm::raw_ostream &output, const ScheduleText &schedule = {});

/// The same as machine code for that chip, by NVIDIA's assembler.
LogicalResult exportCubin(ModuleOp module, const KernelPipelineOptions &options,
                          llvm::raw_ostream &output, const ScheduleText &schedule = {});

/// The PTX that `lci-to-ptx-pipeline` left in a module; empty if there is none. Fails, with an
/// error, if it calls an undefined function.
FailureOr<std::string> findPTX(ModuleOp lowered);

} // namespace mlir::lci

#endif // LCI_TARGET_NATIVE_NATIVE_H
