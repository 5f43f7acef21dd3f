//===- Threads.h - Limits and grain of parallel loops -----------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_THREADS_H
#define LCI_TRANSFORMS_SUPPORT_THREADS_H

#include <cstdint>

namespace mlir::lci {

/// The least work of a thread's chunk of a tick, in bytes that its operations process: some
/// microseconds, about the time to start and join threads.
inline constexpr int64_t kThreadGrain = 1 << 19;
/// More threads than any machine has; each needs separate scratch buffers.
inline constexpr int64_t kMaxThreads = 1024;

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_THREADS_H
