//===- Memory.h - The available memory --------------------------*- C++ -*-===//
//
// A run that does not fit is refused before it starts, not killed after an hour: these functions
// tell how much memory the process may still use.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_MEMORY_H
#define LCI_RUNTIME_MEMORY_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <optional>

namespace lci {

/// Bytes that the process may still use: the machine's available memory, the remainder of its
/// control group, or that of its limits (`--limit-memory`, `ulimit -v`), whichever is less.
uint64_t availableMemory();

/// `12.3 GiB`.
std::string bytesText(uint64_t bytes);

/// a * b, or the largest number where that overflows.
uint64_t saturatingMultiply(uint64_t a, uint64_t b);
uint64_t saturatingAdd(uint64_t a, uint64_t b);

/// Fails with "too large for memory" if `needed` is more than is available.
Status checkFits(uint64_t needed, const std::string &what,
                 std::optional<uint64_t> available = std::nullopt);

} // namespace lci

#endif // LCI_RUNTIME_MEMORY_H
