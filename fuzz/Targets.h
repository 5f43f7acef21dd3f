//===- Targets.h - Fuzz targets ---------------------------------*- C++ -*-===//
//
// Each target takes arbitrary bytes, as an attacker could send them, feeds them to one reader of
// the project and checks the invariants that hold for any input. A violation ends the process; so
// do the sanitizers. Targets.cpp lists them; each is in a separate file.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_FUZZ_TARGETS_H
#define LCI_FUZZ_TARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuzz {

struct Target {
  llvm::StringRef name;
  void (*run)(llvm::StringRef input);
  /// Makes a small structural change to an input, which changing its bytes seldom does; nothing
  /// where the input does not parse. Null for targets that take plain bytes.
  std::optional<std::string> (*mutate)(llvm::StringRef input, uint64_t seed) = nullptr;
};

/// All targets, in the order in which they are run.
llvm::ArrayRef<Target> targets();
/// The target of a command line's `--target=NAME`; prints an error and exits if there is none.
const Target &requestedTarget(int argc, const char *const *argv);

/// Reports a violated invariant, and ends the process so that the input is saved.
[[noreturn]] void fail(const llvm::Twine &what);
inline void check(bool holds, const llvm::Twine &what) {
  if (!holds)
    fail(what);
}

void runBindings(llvm::StringRef input);
void runBundle(llvm::StringRef input);
void runCheckpoint(llvm::StringRef input);
void runIR(llvm::StringRef input);
void runNpy(llvm::StringRef input);
void runPlan(llvm::StringRef input);
void runProgram(llvm::StringRef input);
void runSafeTensors(llvm::StringRef input);

std::optional<std::string> mutateIR(llvm::StringRef input, uint64_t seed);

} // namespace fuzz

#endif // LCI_FUZZ_TARGETS_H
