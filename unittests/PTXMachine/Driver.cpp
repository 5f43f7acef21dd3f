//===- Driver.cpp - A CUDA driver that runs PTX on the host ---------------===//
//
// The functions of NVIDIA's driver that the runtime calls, for a GPU emulated by the machine of
// this folder. Errors of a kernel, out-of-bounds accesses or races in shared memory, are printed to
// stderr, and returned as a failed launch at the next synchronisation. PTX_MACHINE_RACES looks for
// races in global memory, too. Threads of cells outside the current phase may read memory that
// another thread writes, and drop the value: that is harmless, but the machine cannot know. Kernels
// of a graph run in an order that its edges allow, but not in the one in which they were added.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/HostDriver.h"
#include "Machine.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>

using namespace lci::ptx;

namespace {
struct Graph {
  struct Node {
    std::unique_ptr<Launch> launch; ///< or a fill
    FillNode fill;
    std::set<Node *> before;
  };
  std::vector<std::unique_ptr<Node>> nodes;
};

std::mutex lock; // of all that follows
Memory memory;
Uses uses; // of global memory
std::atomic<bool> hasFailed = false;

Launch makeLaunch(const Kernel &kernel, const unsigned *blocks, const unsigned *threads,
                  void **operands) {
  Launch launch{kernel,
                {blocks[0], blocks[1], blocks[2]},
                {threads[0], threads[1], threads[2]},
                std::vector<unsigned char>(kernel.parameterBytes)};
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    std::memcpy(&launch.parameters[kernel.parameters[i].offset], operands[i],
                kernel.parameters[i].bytes);
  return launch;
}

std::unique_ptr<Launch> makeLaunch(const KernelNode &form) {
  return std::make_unique<Launch>(
      makeLaunch(*static_cast<Kernel *>(form.function), form.blocks, form.threads, form.operands));
}

/// After a failure nothing runs any more.
void perform(const Launch &launch) {
  if (hasFailed)
    return;
  static const bool looksForRaces = std::getenv("PTX_MACHINE_RACES") != nullptr;
  std::string error = run(launch, memory, looksForRaces ? &uses : nullptr);
  hasFailed = !error.empty();
  if (hasFailed)
    std::fprintf(stderr, "PTX machine: %s\n", error.c_str());
}

/// Whether the memory is there.
bool perform(const FillNode &fill) {
  bool isThere = memory.covers(fill.address, fill.width);
  if (isThere)
    std::memset(reinterpret_cast<void *>(fill.address), static_cast<int>(fill.value), fill.width);
  hasFailed = hasFailed || !isThere;
  return isThere;
}

Graph::Node *addNode(void *graph, void *const *before, size_t count) {
  auto &nodes = static_cast<Graph *>(graph)->nodes;
  Graph::Node *made = nodes.emplace_back(std::make_unique<Graph::Node>()).get();
  for (size_t i = 0; i < count; ++i)
    made->before.insert(static_cast<Graph::Node *>(before[i]));
  return made;
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are NVIDIA's
extern "C" {
int cuGetErrorName(int answer, const char **name) {
  *name = answer == LaunchFailed     ? "CUDA_ERROR_LAUNCH_FAILED"
          : answer == OutOfMemory    ? "CUDA_ERROR_OUT_OF_MEMORY"
          : answer == InvalidContext ? "CUDA_ERROR_INVALID_CONTEXT"
                                     : "CUDA_ERROR";
  return Success;
}
int cuGetErrorString(int answer, const char **text) {
  *text = answer == LaunchFailed ? "unspecified launch failure" : "no more is known";
  return Success;
}

int cuDeviceGetName(char *name, int size, int) {
  std::snprintf(name, static_cast<size_t>(size), "PTX on the host");
  return Success;
}
/// The architecture: 9.0, or the two digits of PTX_MACHINE_CHIP.
int cuDeviceGetAttribute(int *value, int attribute, int) {
  const char *chip = std::getenv("PTX_MACHINE_CHIP");
  int number = chip ? std::atoi(chip) : 90;
  *value = attribute == 75 ? number / 10 : attribute == 76 ? number % 10 : 0;
  return Success;
}

/// Of the options, the second value is the size of the first one's text.
int cuModuleLoadDataEx(void **made, const void *code, unsigned count, int *, void **values) {
  auto module = std::make_unique<Module>();
  std::string error;
  std::lock_guard<std::mutex> guard(lock);
  if (!parse(static_cast<const char *>(code), *module, error)) {
    if (count == 2)
      std::snprintf(static_cast<char *>(values[0]), reinterpret_cast<size_t>(values[1]), "%s",
                    error.c_str());
    return NoBinary;
  }
  for (auto &[name, data] : module->globals)
    memory.add(reinterpret_cast<uint64_t>(data.data()), data.size());
  *made = module.release();
  return withContext();
}
int cuModuleUnload(void *loaded) {
  std::unique_ptr<Module> module(static_cast<Module *>(loaded));
  std::lock_guard<std::mutex> guard(lock);
  for (auto &[name, data] : module->globals)
    memory.remove(reinterpret_cast<uint64_t>(data.data()));
  return withContext();
}
int cuModuleGetFunction(void **made, void *module, const char *name) {
  auto &kernels = static_cast<Module *>(module)->kernels;
  auto found = kernels.find(name);
  if (found == kernels.end())
    return NotFound;
  *made = &found->second;
  return withContext();
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  std::lock_guard<std::mutex> guard(lock);
  *address = bytes > 0 ? memory.allocate(bytes) : 0;
  return withContext(bytes == 0 ? InvalidValue : *address ? Success : OutOfMemory);
}
int cuMemFree_v2(uint64_t address) {
  std::lock_guard<std::mutex> guard(lock);
  return withContext(memory.release(address) ? Success : InvalidValue);
}

int cuStreamSynchronize(void *) { return withContext(hasFailed ? LaunchFailed : Success); }

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
  std::lock_guard<std::mutex> guard(lock);
  if (!memory.covers(to, bytes))
    return InvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return withContext();
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  std::lock_guard<std::mutex> guard(lock);
  if (!memory.covers(from, bytes))
    return InvalidValue;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return withContext();
}

int cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void *) {
  std::lock_guard<std::mutex> guard(lock);
  return withContext(perform(FillNode{address, 0, value, 1, bytes, 1}) ? Success : InvalidValue);
}

int cuLaunchKernel(void *kernel, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty,
                   unsigned tz, unsigned, void *, void **operands, void **) {
  if (contexts == 0)
    return InvalidContext;
  unsigned blocks[] = {bx, by, bz}, threads[] = {tx, ty, tz};
  if (uint64_t(bx) * by * bz == 0 || uint64_t(tx) * ty * tz - 1 >= 1024)
    return InvalidValue;
  std::lock_guard<std::mutex> guard(lock);
  perform(makeLaunch(*static_cast<Kernel *>(kernel), blocks, threads, operands));
  return Success;
}

int cuGraphCreate(void **made, unsigned) {
  *made = new Graph;
  return withContext();
}
int cuGraphAddKernelNode(void **made, void *graph, void *const *before, size_t count,
                         const KernelNode *form) {
  Graph::Node *node = addNode(graph, before, count);
  node->launch = makeLaunch(*form);
  *made = node;
  return withContext();
}
int cuGraphAddMemsetNode(void **made, void *graph, void *const *before, size_t count,
                         const FillNode *form, void *) {
  Graph::Node *node = addNode(graph, before, count);
  node->fill = *form;
  *made = node;
  return withContext();
}
int cuGraphExecKernelNodeSetParams(void *, void *node, const KernelNode *form) {
  static_cast<Graph::Node *>(node)->launch = makeLaunch(*form);
  return withContext();
}
/// Repeatedly runs the last node that waits for no other one.
int cuGraphLaunch(void *executable, void *) {
  std::lock_guard<std::mutex> guard(lock);
  std::vector<Graph::Node *> left;
  for (auto &node : static_cast<Graph *>(executable)->nodes)
    left.push_back(node.get());
  while (!left.empty()) {
    size_t next = left.size();
    auto waits = [&](Graph::Node *node) {
      for (Graph::Node *other : left)
        if (node->before.count(other))
          return true;
      return false;
    };
    while (next-- > 0 && waits(left[next]))
      ;
    if (left[next]->launch)
      perform(*left[next]->launch);
    else
      perform(left[next]->fill);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return withContext();
}
int cuGraphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return Success;
}
}
// NOLINTEND(readability-identifier-naming)
