//===- Bundle.h - A bound program with its code, in one file ----*- C++ -*-===//
//
// Everything that a run needs on a machine without the compiler: the arguments of functions, their
// code for one or more machines, and the contents of the bindings. The file is sealed
// (LCI/Runtime/Codec.h): one that is damaged, of another version or of another kind is refused.
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

/// The beginning of the file.
inline constexpr FileKind kBundle = {
    {'L', 'C', 'I', 'B', 'U', 'N', 'D', 'L'}, /*version=*/7, "bundle"};

/// A function of a bundle, and its launch plan where its code is kernels.
struct BundledFunction {
  FunctionForm form;
  std::string plan;
};

/// Code for one kind of machine.
struct BundledCode {
  /// Its name in `--backend`: `cpu` or `cuda`.
  std::string backend;
  /// The machines that can run it: a processor level, such as `x86-64-v3`, or the oldest chip, such
  /// as `sm_80`.
  std::string target;
  /// A shared object, or PTX.
  std::string code;
  /// Machine code for exactly that chip, if there was an assembler; it saves the driver the
  /// translation.
  std::string binary;
  /// The function that runs epochs, then `.init` and `.observe` if they exist.
  std::vector<BundledFunction> functions;
};

/// A bound program, compiled.
struct Bundle {
  std::string name;
  /// The compiler's version.
  std::string compiler;
  /// The digest of the program and its bindings, as in checkpoints; its parts by name, and the
  /// default values of parameters (`RunIdentity`).
  Digest program{};
  std::map<std::string, std::string> described, defaults;
  /// The contents of the bindings.
  int64_t epochs = 1;
  RunArguments arguments;
  std::map<std::string, Array> inputs;
  /// An epoch that changes nothing is the last one that could.
  bool stopsAtFixpoint = false;
  /// Cells are read at indices that parameters hold, which the compiler has checked: these
  /// parameters cannot be changed.
  bool fixedParameters = false;
  /// Values that need a token in every cell, and why: `rule 'R' reads A[x]`.
  std::map<std::string, std::string> full;
  /// Values of numbers that are all zero where no input gives them: they have neither rules nor an
  /// `init`.
  std::set<std::string> zeros;
  /// The warnings of the compiler, each with its location, identifier and notes.
  std::vector<std::string> warnings;
  /// Rules and constraints, which can be switched off.
  std::set<std::string> switches;
  /// The events that each epoch adds to sets of events.
  Schedules schedules;
  std::vector<BundledCode> codes;

  /// The code for a back end; the error names those that there are.
  Result<const BundledCode *> find(const std::string &backend) const;
  /// The values of the program with their shapes, in its order.
  std::vector<SlotForm> values() const;
};

/// Whether a file name is that of a bundle. Machine code runs only from files with such a name.
bool isBundleName(const std::string &path);
/// Whether bytes begin as a bundle does.
bool isBundle(const void *bytes, size_t size);
/// Each code ends in a line with the digest of the description that it was made for.
std::vector<uint8_t> encodeBundle(const Bundle &bundle);
Result<Bundle> decodeBundle(const std::vector<uint8_t> &bytes, const std::string &name);
/// Decodes without comparing those lines, for callers that run nothing of it.
Result<Bundle> decodeParts(const std::vector<uint8_t> &bytes, const std::string &name);
Result<Bundle> readBundle(const std::string &path);

/// The machine that is to run a bundle.
struct BundleMachine {
  std::string backend = "cpu";
  /// The number of the GPU, and the library of NVIDIA's driver.
  int ordinal = 0;
  std::string driver = kCudaDriver;
};

/// Checks that there is memory for one state of a code.
Status checkRoom(const BundledCode &code);
/// Loads a bundle's code; the error names what this machine lacks.
Result<std::unique_ptr<CompiledProgram>> loadBundle(const Bundle &bundle,
                                                    const BundleMachine &machine = {});

/// The name of the function in a shared object that calls another one with the addresses of its
/// arguments.
std::string entryName(const std::string &symbol);

/// The processor levels that bundles can be made for, each a superset of the one before.
inline constexpr const char *kProcessorLevels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
/// Whether this machine's processor has a level.
bool hostHas(const std::string &level);

} // namespace lci

#endif // LCI_RUNTIME_BUNDLE_H
