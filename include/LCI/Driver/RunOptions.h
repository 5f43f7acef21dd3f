//===- RunOptions.h - Options of lmpm-run -----------------------*- C++ -*-===//
//
// The command line as data, so that an embedding program or a test can run a program like the tool.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_RUNOPTIONS_H
#define LCI_DRIVER_RUNOPTIONS_H

#include "LCI/Runtime/CudaDevice.h"
#include "LCI/Transforms/Support/Counting.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::lci {

/// The implementation that runs the program.
enum class BackendKind {
  Interpreter,
  CPU,
  Kernels, ///< the kernels of a GPU, on this machine
  CUDA
};

/// The parts of `NAME=FILE`.
struct NamedFile {
  std::string name, file;
};

/// The schedule that was found for a program before, if one was.
inline constexpr const char *kAutomatic = "auto";

/// All options of lmpm-run.
struct RunOptions {
  /// The program, `.lmpm` or `.mlir`, and its bindings (empty: none).
  std::string program, bindings;
  /// `NAME=VALUE` and `NAME=FILE` as written.
  std::vector<std::string> sets, inputs;
  std::vector<NamedFile> outputs, stamps, pictures, codebooks;
  std::optional<int64_t> epochs;
  std::optional<uint64_t> seed;
  BackendKind backend = BackendKind::CPU;
  /// The library of NVIDIA's driver.
  std::string cudaDriver = ::lci::kCudaDriver;
  /// Whether matrices of models are multiplied by tensor cores, in TF32.
  bool tf32 = false;
  /// Threads that share a tick.
  int64_t threads = 1;
  /// Options of `lci-to-linalg-pipeline`, for compiled code.
  std::string lowering;
  /// The file of a schedule, or `auto`; empty: none. The driver reads it into the text.
  std::string schedule, scheduleText;
  /// Compare every tick with the interpreter.
  bool check = false;
  std::string report;
  std::string observe;
  int64_t observeEvery = 1;
  std::string checkpoint;
  int64_t checkpointEvery = 0;
  std::string resume;
  /// Checkpoints of replicas that are joined; the run continues from the result.
  std::vector<std::string> merges;
  /// The number of this run among replicas; without it no commit records are kept.
  std::optional<uint64_t> replica;
  std::vector<std::string> enable, disable;
  std::vector<std::string> explain;
  /// Show remarks: proofs, and matches of names.
  bool remarks = false;
  /// Whether commit records are needed.
  bool keepsRecords() const { return replica || !merges.empty() || !stamps.empty(); }
  /// The counters of the run. Decisions take time to count, so by default only a report requests
  /// them. A run without counters does not stop at a fixpoint.
  std::optional<Counting> counters;
  Counting getCounting() const {
    return counters.value_or(report.empty() ? Counting::Changed : Counting::Full);
  }
  /// Whether the file is IR below programs, which can reach all memory.
  bool isLowered = false;
  /// Whether code is compiled for this run alone, so that its parameters, palettes and switches may
  /// be compiled in.
  bool fixesArguments = false;
  /// Print no summary.
  bool quiet = false;
};

} // namespace mlir::lci

#endif // LCI_DRIVER_RUNOPTIONS_H
