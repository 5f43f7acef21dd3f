//===- RunOptions.h - What the command line of lmpm-run says ----*- C++ -*-===//
//
// The command line as data, so that an embedding program or a test can run a
// program as the tool does.
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

/// Which implementation runs the program.
enum class BackendKind {
  Interpreter,
  CPU,
  Kernels, ///< those of a GPU, on this machine
  CUDA
};

/// `NAME=FILE`, taken apart.
struct NamedFile {
  std::string name, file;
};

/// Everything lmpm-run can be asked for.
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
  /// Compare every tick with the interpreter.
  bool check = false;
  std::string report;
  std::string observe;
  int64_t observeEvery = 1;
  std::string checkpoint;
  int64_t checkpointEvery = 0;
  std::string resume;
  /// Checkpoints of replicas that are joined, and the run goes on from that.
  std::vector<std::string> merges;
  /// Who this run is among replicas; unless said it keeps no records of its cells.
  std::optional<uint64_t> replica;
  std::vector<std::string> enable, disable;
  std::vector<std::string> explain;
  /// Show remarks: what was proved, how names were matched.
  bool remarks = false;
  /// Whether somebody asks how cells were committed.
  bool keepsRecords() const { return replica || !merges.empty() || !stamps.empty(); }
  /// What is counted. What was decisive takes time to find out, so unless said only a report asks
  /// for it. A run that counts nothing goes on where nothing changes.
  std::optional<Counting> counters;
  Counting getCounting() const {
    return counters.value_or(report.empty() ? Counting::Changed : Counting::Full);
  }
  /// Whether what is compiled is for this run alone, so that its parameters, palettes and switches
  /// may be compiled in.
  bool fixesArguments = false;
  /// Print no summary.
  bool quiet = false;
};

} // namespace mlir::lci

#endif // LCI_DRIVER_RUNOPTIONS_H
