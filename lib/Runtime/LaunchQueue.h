//===- LaunchQueue.h - Launches that go to a GPU together -------*- C++ -*-===//
//
// A launch by itself costs the host some microseconds, and the GPU some between two kernels. A loop
// launches the same kernels again and again; so launches are gathered up to a turn of a loop, and a
// sequence that came before goes down as one graph. Of it the driver is told only which operands
// have become others, an epoch say. In a graph a launch waits for those alone that touch the same
// arrays, where it is known what kernels do with them.
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
  std::vector<uint64_t> operands; ///< of all launches, one behind the other
  std::vector<uint64_t> arrays;   ///< those operands that are known to be arrays

  /// `accesses` are those of the kernel; null, if they are not known.
  void add(const LaunchShape &shape, const std::vector<void *> &numbers,
           const std::vector<KernelAccess> *accesses);
  void clear();
};

/// Which launches of a sequence each of them waits for.
using LaunchOrder = std::vector<std::vector<size_t>>;

class LaunchQueue {
public:
  LaunchQueue(CudaDriver &driver, void *stream) : driver(driver), stream(stream) {}
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue &) = delete;
  LaunchQueue &operator=(const LaunchQueue &) = delete;

  /// Says what a kernel does with its operands.
  void describe(Device::Kernel kernel, const std::vector<KernelAccess> &kernelAccesses) {
    accesses[kernel] = kernelAccesses;
  }
  /// Whether so much has been gathered that `flush` is due, at the turn of a loop or anywhere.
  bool isFull(bool atTurn) const;
  void add(const LaunchShape &shape, const std::vector<void *> &numbers) {
    gathered.add(shape, numbers, accessesOf(shape));
  }
  /// Counts a turn, which begins. States change places from turn to turn: after two turns
  /// everything may be as before, so that sequences hold an even number of turns.
  void turn() { ++turns; }
  /// Gives everything to the driver, in whose context the thread is.
  Status flush();

private:
  /// A sequence that the driver has as a graph, with the operands of its last run.
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
  size_t turns = 0;
  std::vector<Graph> graphs;
  std::unordered_map<Device::Kernel, std::vector<KernelAccess>> accesses;
  std::unordered_set<size_t> seen; ///< hashes of sequences that came by
};

} // namespace lci

#endif // LCI_LIB_RUNTIME_LAUNCHQUEUE_H
