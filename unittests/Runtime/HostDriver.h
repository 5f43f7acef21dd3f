//===- HostDriver.h - Common part of drivers for tests ----------*- C++ -*-===//
//
// One GPU with some streams, contexts of threads, graphs that need no instantiation: the same for a
// driver that knows one kernel (FakeCuda.cpp) and for one that runs PTX (PTXMachine). Each includes
// this once.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_RUNTIME_HOSTDRIVER_H
#define LCI_UNITTESTS_RUNTIME_HOSTDRIVER_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace {
enum Answer {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidDevice = 101,
  InvalidContext = 201,
  NoBinary = 209,
  NotFound = 500,
  LaunchFailed = 719
};

/// A kernel in a graph, as the driver declares it.
struct KernelNode {
  void *function;
  unsigned blocks[3], threads[3], sharedBytes;
  void **operands, **extra;
};

/// Memory that a graph fills, as the driver declares it.
struct FillNode {
  uint64_t address;
  size_t pitch;
  unsigned value, elementBytes;
  size_t width, height;
};

int context;
/// The number of streams, of which there can be few.
std::atomic<int> streams = 0;
constexpr int kMaxStreams = 64;
/// The stack of contexts of this thread, whose top is current. Without one a thread can do nothing.
thread_local int contexts = 0;

int withContext(int answer = Success) { return contexts > 0 ? answer : InvalidContext; }
} // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are NVIDIA's
extern "C" {
int cuInit(unsigned) { return Success; }

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? Success : InvalidDevice;
}

int cuDevicePrimaryCtxRetain(void **made, int) {
  *made = &context;
  return Success;
}
int cuDevicePrimaryCtxRelease_v2(int) { return Success; }
int cuCtxPushCurrent_v2(void *) {
  ++contexts;
  return Success;
}
int cuCtxPopCurrent_v2(void **popped) {
  *popped = &context;
  return contexts-- > 0 ? Success : InvalidContext;
}

int cuStreamCreate(void **made, unsigned) {
  if (streams >= kMaxStreams)
    return OutOfMemory;
  ++streams;
  *made = new int;
  return withContext();
}
int cuStreamDestroy_v2(void *stream) {
  --streams;
  delete static_cast<int *>(stream);
  return withContext();
}

/// Returns the graph itself: the program keeps both equally long.
int cuGraphInstantiateWithFlags(void **made, void *graph, unsigned long long) {
  *made = graph;
  return withContext();
}
int cuGraphExecDestroy(void *) { return Success; }
}
// NOLINTEND(readability-identifier-naming)

#endif // LCI_UNITTESTS_RUNTIME_HOSTDRIVER_H
