//===- Bundle.h - A bound program with its code, in one file ----*- C++ -*-===//
//
// All that a run takes where there is no compiler: what functions take, their code for one or more
// machines, and what the bindings said. The file is sealed (LCI/Runtime/Codec.h): one that is
// damaged, of another version or something else is refused.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_BUNDLE_H
#define LCI_RUNTIME_BUNDLE_H

#include "LCI/Runtime/Codec.h"
#include "LCI/Runtime/CompiledProgram.h"
#include "LCI/Runtime/CudaDevice.h"
#include "LCI/Runtime/Digest.h"
#include "LCI/Runtime/History.h"
#include <set>

namespace lci {

/// How the file begins.
inline constexpr FileKind kBundle = {
    {'L', 'C', 'I', 'B', 'U', 'N', 'D', 'L'}, /*version=*/6, "bundle"};

/// A function of a bundle, and its launch plan where its code is kernels.
struct BundledFunction {
  FunctionForm form;
  std::string plan;
};

/// Code for one kind of machine.
struct BundledCode {
  /// What `--backend` calls it: `cpu` or `cuda`.
  std::string backend;
  /// Who can run it: a processor level, such as `x86-64-v3`, or the oldest chip, such as `sm_80`.
  std::string target;
  /// A shared object, or PTX.
  std::string code;
  /// Machine code for just that chip, where there was an assembler; it saves the driver to make it.
  std::string binary;
  /// What runs epochs, then `.init` and `.observe` where there are such.
  std::vector<BundledFunction> functions;
};

/// A bound program, compiled.
struct Bundle {
  std::string name;
  /// The compiler's version.
  std::string compiler;
  /// Of the program and its bindings, as checkpoints have it; what it is of, and what parameters
  /// are that nobody gives (`RunIdentity`).
  Digest program{};
  std::map<std::string, std::string> described, defaults;
  /// What the bindings said.
  int64_t epochs = 1;
  RunArguments arguments;
  std::map<std::string, Array> inputs;
  /// An epoch that changes nothing is the last one that could.
  bool stopsAtFixpoint = false;
  /// Cells are looked up at indices that parameters hold, which the compiler has checked: these
  /// parameters stay what they are.
  bool fixedParameters = false;
  /// Values that need a token in every cell, and why: `rule 'R' reads A[x]`.
  std::map<std::string, std::string> full;
  /// Values of numbers that are all zero where no input gives them: they have neither rules nor an
  /// `init`.
  std::set<std::string> zeros;
  /// What the compiler warned of, each with its place, its identifier and what it adds.
  std::vector<std::string> warnings;
  /// Rules and constraints, which can be switched off.
  std::set<std::string> switches;
  /// What each epoch adds to sets of events.
  Schedules schedules;
  std::vector<BundledCode> codes;

  /// The code for a back end; the error names those that there are.
  Result<const BundledCode *> find(const std::string &backend) const;
  /// The values of the program with their shapes, in its order.
  std::vector<SlotForm> values() const;
};

/// Whether a name is that of a bundle. Machine code runs where its name says so, and nowhere else.
bool isBundleName(const std::string &path);
/// Whether bytes begin as a bundle does.
bool isBundle(const void *bytes, size_t size);
/// Each code ends in a line that says what it was made for.
std::vector<uint8_t> encodeBundle(const Bundle &bundle);
Result<Bundle> decodeBundle(const std::vector<uint8_t> &bytes, const std::string &name);
/// The same for who runs nothing of it: the code is not asked what it was made for.
Result<Bundle> decodeParts(const std::vector<uint8_t> &bytes, const std::string &name);
Result<Bundle> readBundle(const std::string &path);

/// Where a bundle is to run.
struct BundleMachine {
  std::string backend = "cpu";
  /// Which of the GPUs, and the library of NVIDIA's driver.
  int ordinal = 0;
  std::string driver = kCudaDriver;
};

/// Whether there is memory for a state of a code.
Status checkRoom(const BundledCode &code);
/// Loads a bundle's code; the error says what this machine lacks.
Result<std::unique_ptr<CompiledProgram>> loadBundle(const Bundle &bundle,
                                                    const BundleMachine &machine = {});

/// The name of the function in a shared object that calls another one with the addresses of its
/// arguments.
std::string entryName(const std::string &symbol);

/// The levels of processors that bundles can be made for, each with what the one before has.
inline constexpr const char *kProcessorLevels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
/// Whether this machine's processor has a level.
bool hostHas(const std::string &level);

} // namespace lci

#endif // LCI_RUNTIME_BUNDLE_H
