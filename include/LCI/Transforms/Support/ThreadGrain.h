//===- ThreadGrain.h - The least work of a thread ---------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_THREADGRAIN_H
#define LCI_TRANSFORMS_SUPPORT_THREADGRAIN_H

#include <cstdint>

namespace mlir::lci {

/// The least work of a thread's chunk of a tick, in bytes that its operations process: some
/// microseconds, about the time to start and join threads.
inline constexpr int64_t kThreadGrain = 1 << 19;

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_THREADGRAIN_H
