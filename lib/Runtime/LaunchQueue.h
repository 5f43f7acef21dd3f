//===- LaunchQueue.h - Submit launches to a GPU as graphs -------*- C++ -*-===//
//
// A single launch costs the host some microseconds, and the GPU some between two kernels. A loop
// launches the same kernels again and again; so launches are gathered up to an iteration boundary,
// and a sequence that was seen before is submitted as one graph. The driver is told only the
// operands that have changed, an epoch for example. In a graph a launch waits only for those that
// touch the same arrays, or arrays that share memory, where the accesses of kernels are known.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LIB_RUNTIME_LAUNCHQUEUE_H
#define LCI_LIB_RUNTIME_LAUNCHQUEUE_H

#include "CudaDriver.h"
#include "LCI/Runtime/Device.h"
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace lci {

/// In place of a kernel: one array is poisoned, of as many bytes as the numbers of blocks say.
inline constexpr Device::Kernel kPoison = 0;

/// Launches in order, without their operands.
struct LaunchShape {
  Device::Kernel kernel = kPoison;
  Device::Sides blocks = {}, threads = {};
  size_t operands = 0; ///< how many

  bool operator==(const LaunchShape &other) const {
    return kernel == other.kernel && blocks == other.blocks && threads == other.threads &&
           operands == other.operands;
  }
};

struct LaunchSequence {
  std::vector<LaunchShape> shapes;
  std::vector<uint64_t> operands; ///< of all launches, consecutively
  std::vector<uint64_t> arrays;   ///< the operands that are known to be arrays

  /// `accesses` are those of the kernel; null, if they are not known.
  void add(const LaunchShape &shape, const std::vector<void *> &numbers,
           const std::vector<KernelAccess> *accesses);
  void clear();
};

/// For each launch of a sequence, the launches that it waits for.
using LaunchOrder = std::vector<std::vector<size_t>>;

class LaunchQueue {
public:
  LaunchQueue(CudaDriver &driver, void *context, void *stream)
      : driver(driver), context(context), stream(stream) {
    accesses[kPoison] = {KernelAccess::Write};
  }
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue &) = delete;
  LaunchQueue &operator=(const LaunchQueue &) = delete;

  /// Sets the accesses of a kernel to its operands.
  void describe(Device::Kernel kernel, const std::vector<KernelAccess> &kernelAccesses) {
    accesses[kernel] = kernelAccesses;
  }
  /// Says of an array that it shares memory, as Device::share.
  void share(uint64_t memory, uint64_t array, size_t bytes);
  /// Forgets the arrays in memory that is released.
  void forget(uint64_t memory);
  /// Whether enough launches were gathered to flush, at an iteration boundary or anywhere.
  bool isFull(bool atIteration) const;
  void add(const LaunchShape &shape, const std::vector<void *> &numbers) {
    gathered.add(shape, numbers, accessesOf(shape));
  }
  /// Fills an array with bytes that no kernel expects.
  void poison(uint64_t array, size_t bytes);
  /// Counts an iteration, which begins. The ping-pong period may be two iterations: operands repeat
  /// only then, so sequences hold an even number of iterations.
  void beginIteration() { ++iterations; }
  /// Submits everything to the driver, in whose context the thread is.
  Status flush();

private:
  /// A sequence that the driver has as a graph, with the operands of its last launch.
  struct Graph {
    LaunchSequence launches;
    void *graph = nullptr, *executable = nullptr;
    std::vector<void *> nodes;
  };

  LaunchOrder findOrder() const;
  std::vector<uint64_t> findPieces(uint64_t array) const;
  const std::vector<KernelAccess> *accessesOf(const LaunchShape &shape) const;
  Graph *findGraph();
  size_t hash() const;
  Status issue();
  int issue(const LaunchShape &shape, std::vector<void *> &operands);
  Status build();
  int addNode(Graph &made, const LaunchShape &shape, std::vector<void *> &operands,
              const std::vector<void *> &waits);
  Status replay(Graph &graph);
  Status launch(const Graph &graph);
  Status makeRoom();
  void drop(Graph &graph);

  /// An array that shares memory; of those with one address, the longest.
  struct SharedArray {
    uint64_t end, memory;
  };

  CudaDriver &driver;
  void *context, *stream;
  LaunchSequence gathered;
  size_t iterations = 0;
  std::vector<Graph> graphs;
  std::unordered_map<Device::Kernel, std::vector<KernelAccess>> accesses;
  std::map<uint64_t, SharedArray> sharedArrays; ///< by address
  std::set<uint64_t> cuts;                      ///< where one of them begins or ends
  std::unordered_set<size_t> seen;              ///< hashes of sequences that were flushed
};

} // namespace lci

#endif // LCI_LIB_RUNTIME_LAUNCHQUEUE_H
