//===- LaunchQueue.h - Submit launches to a GPU as graphs -------*- C++ -*-===//
//
// A single launch costs the host some microseconds, and the GPU some between two kernels. A loop
// launches the same kernels again and again; so launches are gathered up to an iteration boundary,
// and a sequence that was seen before is submitted as one graph. The driver is told only the
// operands that have changed, an epoch for example. In a graph a launch waits only for those that
// touch the same arrays, where the accesses of kernels are known.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LIB_RUNTIME_LAUNCHQUEUE_H
#define LCI_LIB_RUNTIME_LAUNCHQUEUE_H

#include "CudaDriver.h"
#include "LCI/Runtime/Device.h"
#include <unordered_map>
#include <unordered_set>

namespace lci {

/// Launches in order, without their operands.
struct LaunchShape {
  Device::Kernel kernel = 0;
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
  LaunchQueue(CudaDriver &driver, void *stream) : driver(driver), stream(stream) {}
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue &) = delete;
  LaunchQueue &operator=(const LaunchQueue &) = delete;

  /// Sets the accesses of a kernel to its operands.
  void describe(Device::Kernel kernel, const std::vector<KernelAccess> &kernelAccesses) {
    accesses[kernel] = kernelAccesses;
  }
  /// Whether enough launches were gathered to flush, at an iteration boundary or anywhere.
  bool isFull(bool atIteration) const;
  void add(const LaunchShape &shape, const std::vector<void *> &numbers) {
    gathered.add(shape, numbers, accessesOf(shape));
  }
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
  const std::vector<KernelAccess> *accessesOf(const LaunchShape &shape) const;
  Graph *findGraph();
  size_t hash() const;
  Status issue();
  Status build();
  Status replay(Graph &graph);
  Status launch(const Graph &graph);
  Status makeRoom();
  void drop(Graph &graph);

  CudaDriver &driver;
  void *stream;
  LaunchSequence gathered;
  size_t iterations = 0;
  std::vector<Graph> graphs;
  std::unordered_map<Device::Kernel, std::vector<KernelAccess>> accesses;
  std::unordered_set<size_t> seen; ///< hashes of sequences that were flushed
};

} // namespace lci

#endif // LCI_LIB_RUNTIME_LAUNCHQUEUE_H
