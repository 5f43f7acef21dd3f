//===- Targets.h - What is given bytes that nobody wrote --------*- C++ -*-===//
//
// Each target takes any bytes, as a stranger could send them, gives them to one reader of the
// project and asks for what must hold whatever they are. It ends the process where it does not; so
// do the sanitizers. Targets.cpp lists them; each has a file of its own.
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
  /// Changes a little what an input says, which changing its bytes seldom does; nothing where it
  /// says nothing. Null where bytes are all there is.
  std::optional<std::string> (*mutate)(llvm::StringRef input, uint64_t seed) = nullptr;
};

/// All of them, in the order in which they are run.
llvm::ArrayRef<Target> targets();
/// The one of a command line's `--target=NAME`; says what is wrong and exits if there is none.
const Target &askedTarget(int argc, const char *const *argv);

/// A finding: says what does not hold, and ends the process so that the input is kept.
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
