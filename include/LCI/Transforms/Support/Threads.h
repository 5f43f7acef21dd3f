//===- Threads.h - How many threads, and for how much -----------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_THREADS_H
#define LCI_TRANSFORMS_SUPPORT_THREADS_H

#include <cstdint>

namespace mlir::lci {

/// The least that a thread's part of a tick must have to do, in bytes that its operations go
/// through: some microseconds, about what it takes threads to begin and to end together.
inline constexpr int64_t kThreadGrain = 1 << 19;
/// More threads than any machine has; each brings scratch buffers of its own.
inline constexpr int64_t kMaxThreads = 1024;

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_THREADS_H
