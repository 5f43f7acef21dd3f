//===- LibFuzzer.cpp - Entry points of libFuzzer --------------------------===//
//
// Only in the sanitized build, whose code is instrumented and whose `main` is libFuzzer's.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"
#include <cstring>

using namespace fuzz;

static const Target *target = nullptr;

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  target = &requestedTarget(*argc, *argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  target->run(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  return 0;
}

/// libFuzzer's byte mutator.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// One mutation of four is on bytes, where a target has a mutator: malformed texts are needed too.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (!target->mutate || seed % 4 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::optional<std::string> changed =
      target->mutate(llvm::StringRef(reinterpret_cast<const char *>(data), size), seed / 4);
  if (!changed || changed->size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, changed->data(), changed->size());
  return changed->size();
}
