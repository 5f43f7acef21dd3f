//===- FakeCuda.cpp - A minimal CUDA driver for tests ---------------------===//
//
// The functions of NVIDIA's driver that the runtime calls, on the host's memory. Two kernels exist:
// `increment(address, n)` adds one to n bytes, and `meet` ends when another stream runs one at the
// same time. A module has the kernels that its code names. Failures of real machines occur on
// request; and, as there, a thread without a context can do nothing.
//
//===----------------------------------------------------------------------===//

#include "HostDriver.h"
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace {
int increment, meeting, explosion, refusal;
std::atomic<bool> hasFailed = false;

/// The streams with a kernel that waits to meet another one, and the number of pairs that have met.
std::mutex lock;
std::condition_variable changed;
std::set<void *> present;
int pairs = 0;

/// Whether another one came within a minute.
bool meet(void *stream) {
  std::unique_lock<std::mutex> guard(lock);
  int before = pairs;
  present.insert(stream);
  if (present.size() == 2) {
    present.clear();
    ++pairs;
    changed.notify_all();
  }
  return changed.wait_for(guard, std::chrono::minutes(1), [&] { return pairs != before; });
}
} // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are NVIDIA's
extern "C" {
/// For tests alone: the numbers of launched graphs, of kernels with changed operands, and of
/// dependence edges of their kernels, in total.
int fakeGraphs = 0, fakeChanges = 0, fakeWaits = 0;

int cuGetErrorName(int answer, const char **name) {
  *name = answer == OutOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : answer == InvalidDevice  ? "CUDA_ERROR_INVALID_DEVICE"
          : answer == InvalidContext ? "CUDA_ERROR_INVALID_CONTEXT"
          : answer == NoBinary       ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : answer == NotFound       ? "CUDA_ERROR_NOT_FOUND"
                                     : nullptr;
  return Success;
}

int cuGetErrorString(int answer, const char **text) {
  *text = answer == OutOfMemory ? "out of memory" : nullptr;
  return Success;
}

int cuDeviceGetName(char *name, int size, int) {
  std::snprintf(name, static_cast<size_t>(size), "Fake GPU");
  return Success;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;
  return Success;
}

/// For tests alone: the number of contexts of this thread.
int fakeContexts() { return contexts; }

int cuModuleLoadDataEx(void **made, const void *code, unsigned, int *, void **values) {
  const char *text = static_cast<const char *>(code);
  if (std::strstr(text, ".version")) {
    *made = contexts ? strdup(text) : nullptr;
    return contexts ? Success : InvalidContext;
  }
  std::snprintf(static_cast<char *>(values[0]), reinterpret_cast<size_t>(values[1]),
                "line 1: this is no PTX");
  return NoBinary;
}
int cuModuleUnload(void *module) {
  std::free(module);
  return contexts ? Success : InvalidContext;
}

int cuModuleGetFunction(void **made, void *module, const char *name) {
  *made = std::strcmp(name, "increment") == 0 ? &increment
          : std::strcmp(name, "meet") == 0    ? &meeting
          : std::strcmp(name, "refuse") == 0  ? &refusal
                                              : &explosion;
  return std::strstr(static_cast<const char *>(module), name) ? Success : NotFound;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  if (!contexts)
    return InvalidContext;
  if (bytes > 1'000'000)
    return OutOfMemory;
  if (bytes == 0 || bytes % 16 != 0) // kernels may load as many at a time
    return InvalidValue;
  *address = reinterpret_cast<uint64_t>(std::malloc(bytes));
  return Success;
}
int cuMemFree_v2(uint64_t address) {
  if (!contexts)
    return InvalidContext; // a leak, which sanitizers find
  std::free(reinterpret_cast<void *>(address));
  return Success;
}

int cuStreamSynchronize(void *) {
  return !contexts ? InvalidContext : hasFailed ? LaunchFailed : Success;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
  if (!contexts)
    return InvalidContext;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return Success;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  if (!contexts)
    return InvalidContext;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return Success;
}

int cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void *) {
  if (!contexts)
    return InvalidContext;
  std::memset(reinterpret_cast<void *>(address), value, bytes);
  return Success;
}

int cuLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, void *stream, void **operands, void **) {
  if (!contexts)
    return InvalidContext;
  if (function == &meeting)
    return meet(stream) ? Success : LaunchFailed;
  if (function == &refusal)
    return Success;
  if (function == &explosion) {
    hasFailed = true; // found out later, as on a GPU
    return Success;
  }
  uint64_t address = 0, count = 0;
  std::memcpy(&address, operands[0], sizeof address);
  std::memcpy(&count, operands[1], sizeof count);
  for (uint64_t i = 0; i < count; ++i)
    ++reinterpret_cast<uint8_t *>(address)[i];
  return Success;
}

/// Kernels, each with its two operands, and fills, in the order in which they were added.
struct Graph {
  struct Node {
    void *function; ///< null for a fill
    uint64_t operands[2];
    FillNode form;
  };
  std::vector<std::unique_ptr<Node>> nodes;
};
static void fill(Graph::Node &node, const KernelNode &form) {
  node.function = form.function;
  for (int i = 0; i < 2; ++i)
    std::memcpy(&node.operands[i], form.operands[i], sizeof(uint64_t));
}

int cuGraphCreate(void **made, unsigned) {
  *made = new Graph;
  return contexts ? Success : InvalidContext;
}
int cuGraphAddKernelNode(void **made, void *graph, void *const *before, size_t count,
                         const KernelNode *form) {
  auto &nodes = static_cast<Graph *>(graph)->nodes;
  for (size_t i = 0; i < count; ++i)
    if (!before[i])
      return InvalidValue;
  if (form->function == &refusal)
    return InvalidValue;
  fakeWaits += static_cast<int>(count);
  fill(*nodes.emplace_back(std::make_unique<Graph::Node>()), *form);
  *made = nodes.back().get();
  return Success;
}
int cuGraphAddMemsetNode(void **made, void *graph, void *const *, size_t count,
                         const FillNode *form, void *used) {
  if (used != &context)
    return InvalidContext;
  fakeWaits += static_cast<int>(count);
  auto &nodes = static_cast<Graph *>(graph)->nodes;
  nodes.emplace_back(new Graph::Node{nullptr, {}, *form});
  *made = nodes.back().get();
  return Success;
}
int cuGraphExecKernelNodeSetParams(void *, void *node, const KernelNode *form) {
  fill(*static_cast<Graph::Node *>(node), *form);
  ++fakeChanges;
  return contexts ? Success : InvalidContext;
}
int cuGraphLaunch(void *executable, void *queue) {
  ++fakeGraphs;
  for (auto &node : static_cast<Graph *>(executable)->nodes) {
    void *operands[] = {&node->operands[0], &node->operands[1]};
    const FillNode &form = node->form;
    if (!node->function)
      std::memset(reinterpret_cast<void *>(form.address), static_cast<int>(form.value), form.width);
    else if (int answer =
                 cuLaunchKernel(node->function, 1, 1, 1, 1, 1, 1, 0, queue, operands, nullptr))
      return answer;
  }
  return Success;
}
int cuGraphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return Success;
}
}
// NOLINTEND(readability-identifier-naming)
