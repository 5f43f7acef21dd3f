//===- Limits.h - How much memory and time a process may take ---*- C++ -*-===//
//
// For programs one has not written oneself. A limit holds for all that the process does from here
// on, foreseen or not: reading, compiling, running. What ends a process says so in a sentence.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_LIMITS_H
#define LCI_RUNTIME_LIMITS_H

#include "LCI/Runtime/Result.h"
#include <cstdint>

namespace lci {

/// The exit status of what ran out of time.
inline constexpr int kOutOfTime = 124;

/// `1000`, `512K`, `64M`, `2G` in bytes.
Result<uint64_t> parseBytes(const std::string &text);
/// `0.5`, `60` in seconds.
Result<double> parseSeconds(const std::string &text);

/// The process takes no more memory than that; `tool` stands in what it says then. Fails if it
/// takes more already.
Status limitMemory(uint64_t bytes, const std::string &tool);
/// Says in a sentence, instead of an exception that nobody waits for, that the system has no more.
void endWithoutMemory(const std::string &tool);
/// Says that the limit is reached, and ends the process.
[[noreturn]] void endOutOfMemory();
/// What it may still take, as far as limits say; the largest number without one.
uint64_t memoryLeft();

/// After so many seconds `isTimeOver`; who looks at that has as long again to come to an end, a
/// second at least and ten at most.
void limitSeconds(double seconds, const std::string &tool);
bool isTimeOver();

} // namespace lci

#endif // LCI_RUNTIME_LIMITS_H
