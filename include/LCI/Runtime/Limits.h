//===- Limits.h - Limits of memory and time of a process --------*- C++ -*-===//
//
// For untrusted programs. A limit covers everything that the process does from then on: reading,
// compiling, running. A limit that ends the process prints a sentence.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_LIMITS_H
#define LCI_RUNTIME_LIMITS_H

#include "LCI/Runtime/Result.h"
#include <cstdint>

namespace lci {

/// The exit status of a process that ran out of time.
inline constexpr int kOutOfTime = 124;

/// `1000`, `512K`, `64M`, `2G` in bytes.
Result<uint64_t> parseBytes(const std::string &text);
/// `0.5`, `60` in seconds.
Result<double> parseSeconds(const std::string &text);

/// Limits the memory of the process; `tool` is named in the message. Fails if it uses more already.
Status limitMemory(uint64_t bytes, const std::string &tool);
/// Prints a sentence when the system has no more memory, instead of an uncaught exception.
void endWithoutMemory(const std::string &tool);
/// Prints that the limit is reached, and ends the process.
[[noreturn]] void endOutOfMemory();

/// After so many seconds `isTimeOver` holds; a caller that polls it has the same time again to
/// finish, at least one second and at most ten.
void limitSeconds(double seconds, const std::string &tool);
bool isTimeOver();

} // namespace lci

#endif // LCI_RUNTIME_LIMITS_H
