//===- LaunchQueue.cpp - Launches that go to a GPU together ---------------===//

#include "LaunchQueue.h"
#include <algorithm>
#include <cstring>

using namespace lci;

/// A graph of fewer launches saves less than it costs; of this many, its own start is next to
/// nothing for each.
static constexpr size_t kEnough = 256;
/// Where no loop turns.
static constexpr size_t kMost = 4096;
/// More sequences than any program repeats.
static constexpr size_t kMostGraphs = 16;

void LaunchSequence::add(const LaunchShape &shape, const std::vector<void *> &numbers) {
  shapes.push_back(shape);
  for (const void *number : numbers) {
    operands.emplace_back();
    std::memcpy(&operands.back(), number, sizeof(uint64_t));
  }
}

void LaunchSequence::clear() {
  shapes.clear();
  operands.clear();
}

size_t LaunchSequence::hash() const {
  size_t hash = shapes.size();
  auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15u + (hash >> 29); };
  for (const LaunchShape &shape : shapes) {
    mix(shape.kernel);
    for (const Device::Sides &sides : {shape.blocks, shape.threads})
      for (uint32_t side : sides)
        mix(side);
  }
  return hash;
}

/// What the driver takes for operands: their addresses.
static std::vector<void *> addressesOf(LaunchSequence &sequence, size_t first, size_t count) {
  std::vector<void *> addresses;
  for (size_t i = first; i < first + count; ++i)
    addresses.push_back(&sequence.operands[i]);
  return addresses;
}

static CudaKernelNode nodeOf(const LaunchShape &shape, std::vector<void *> &addresses) {
  CudaKernelNode node;
  node.function = reinterpret_cast<void *>(shape.kernel);
  std::copy(shape.blocks.begin(), shape.blocks.end(), node.blocks);
  std::copy(shape.threads.begin(), shape.threads.end(), node.threads);
  node.operands = addresses.data();
  return node;
}

LaunchQueue::~LaunchQueue() {
  for (Graph &graph : graphs)
    drop(graph);
}

bool LaunchQueue::isFull(bool atTurn) const {
  size_t count = gathered.shapes.size();
  return count >= kMost || (atTurn && count >= kEnough && turns % 2 == 0);
}

Status LaunchQueue::flush() {
  Status done = Done{};
  auto known = std::find_if(graphs.begin(), graphs.end(), [&](const Graph &graph) {
    return graph.launches.shapes == gathered.shapes;
  });
  if (gathered.shapes.size() < kEnough)
    done = issue();
  else if (known != graphs.end())
    done = replay(*known);
  else if (!seen.insert(gathered.hash()).second)
    done = build();
  else
    done = issue();
  gathered.clear();
  turns = 0;
  return done;
}

/// One by one.
Status LaunchQueue::issue() {
  size_t first = 0;
  for (const LaunchShape &shape : gathered.shapes) {
    std::vector<void *> operands = addressesOf(gathered, first, shape.operands);
    first += shape.operands;
    const auto &[x, y, z] = shape.blocks;
    const auto &[threadsX, threadsY, threadsZ] = shape.threads;
    int answer = driver.launch(reinterpret_cast<void *>(shape.kernel), x, y, z, threadsX, threadsY,
                               threadsZ, /*shared=*/0, stream, operands.data(), nullptr);
    if (Status launched = driver.check(answer, "launch a kernel"); !launched)
      return launched;
  }
  return Done{};
}

/// A chain: each launch waits for the one before, as in a stream.
Status LaunchQueue::build() {
  if (Status room = makeRoom(); !room)
    return room;
  Graph &made = graphs.emplace_back();
  made.launches = gathered;
  int answer = driver.makeGraph(&made.graph, 0);
  void *before = nullptr;
  size_t first = 0;
  for (const LaunchShape &shape : made.launches.shapes) {
    std::vector<void *> operands = addressesOf(made.launches, first, shape.operands);
    first += shape.operands;
    CudaKernelNode node = nodeOf(shape, operands);
    void *after = nullptr;
    if (answer == 0)
      answer = driver.addKernelNode(&after, made.graph, &before, before ? 1 : 0, &node);
    made.nodes.push_back(before = after);
  }
  if (answer == 0)
    answer = driver.instantiateGraph(&made.executable, made.graph, 0);
  if (Status built = driver.check(answer, "make a graph of launches"); !built) {
    drop(made);
    graphs.pop_back();
    return built;
  }
  return launch(made);
}

/// Tells the driver what has changed, and runs the graph.
Status LaunchQueue::replay(Graph &graph) {
  size_t first = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const LaunchShape &shape = graph.launches.shapes[i];
    uint64_t *old = graph.launches.operands.data() + first;
    const uint64_t *now = gathered.operands.data() + first;
    if (!std::equal(old, old + shape.operands, now)) {
      std::copy(now, now + shape.operands, old);
      std::vector<void *> operands = addressesOf(graph.launches, first, shape.operands);
      CudaKernelNode node = nodeOf(shape, operands);
      int answer = driver.setKernelNode(graph.executable, graph.nodes[i], &node);
      if (Status set = driver.check(answer, "give a launch other operands"); !set)
        return set;
    }
    first += shape.operands;
  }
  return launch(graph);
}

Status LaunchQueue::launch(const Graph &graph) {
  return driver.check(driver.launchGraph(graph.executable, stream), "launch a graph");
}

/// The oldest graph goes, once it has run.
Status LaunchQueue::makeRoom() {
  if (graphs.size() < kMostGraphs)
    return Done{};
  Status done = driver.check(driver.waitForStream(stream), "finish what was launched");
  drop(graphs.front());
  graphs.erase(graphs.begin());
  return done;
}

void LaunchQueue::drop(Graph &graph) {
  if (graph.executable)
    driver.destroyExecutable(graph.executable);
  if (graph.graph)
    driver.destroyGraph(graph.graph);
}
