//===- LaunchQueue.cpp - Submit launches to a GPU as graphs ---------------===//
//
// Gathers launches up to a loop boundary, recognizes repeated sequences by a hash of their shapes
// and arrays, and builds a CUDA graph for a sequence at its second occurrence. Edges follow from
// the accesses of kernels: a launch waits only for those that touch the same arrays, or the same
// piece of memory that arrays share. A replay updates only nodes whose operands changed.
//
//===----------------------------------------------------------------------===//

#include "LaunchQueue.h"
#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

using namespace lci;

/// A graph of fewer launches saves less than it costs; with this many, its start per launch is
/// negligible.
static constexpr size_t kEnough = 256;
/// The limit outside of loops.
static constexpr size_t kMost = 4096;
/// More distinct sequences than any program repeats.
static constexpr size_t kMaxGraphs = 16;

void LaunchSequence::add(const LaunchShape &shape, const std::vector<void *> &numbers,
                         const std::vector<KernelAccess> *accesses) {
  shapes.push_back(shape);
  for (size_t i = 0; i < numbers.size(); ++i) {
    operands.emplace_back();
    std::memcpy(&operands.back(), numbers[i], sizeof(uint64_t));
    if (accesses && (*accesses)[i] != KernelAccess::None)
      arrays.push_back(operands.back());
  }
}

void LaunchSequence::clear() {
  shapes.clear();
  operands.clear();
  arrays.clear();
}

/// Operands as the driver takes them: their addresses.
static std::vector<void *> addressesOf(LaunchSequence &sequence, size_t first, size_t count) {
  std::vector<void *> addresses;
  for (size_t i = first; i < first + count; ++i)
    addresses.push_back(&sequence.operands[i]);
  return addresses;
}

static CudaKernelNode nodeOf(const LaunchShape &shape, std::vector<void *> &addresses) {
  CudaKernelNode node;
  node.function = reinterpret_cast<void *>(shape.kernel);
  for (size_t axis = 0; axis < shape.blocks.size(); ++axis) {
    node.blocks[axis] = shape.blocks[axis];
    node.threads[axis] = shape.threads[axis];
  }
  node.operands = addresses.data();
  return node;
}

LaunchQueue::~LaunchQueue() {
  for (Graph &graph : graphs)
    drop(graph);
}

/// Even an empty array has a piece.
void LaunchQueue::share(uint64_t memory, uint64_t array, size_t bytes) {
  uint64_t end = array + std::max<size_t>(bytes, 1);
  SharedArray &known = sharedArrays.try_emplace(array, SharedArray{end, memory}).first->second;
  known.end = std::max(known.end, end);
  cuts.insert({array, end});
}

void LaunchQueue::forget(uint64_t memory) {
  for (auto array = sharedArrays.begin(); array != sharedArrays.end();)
    array = array->second.memory == memory ? sharedArrays.erase(array) : std::next(array);
  cuts.clear();
  for (auto &[address, array] : sharedArrays)
    cuts.insert({address, array.end});
}

void LaunchQueue::poison(uint64_t array, size_t bytes) {
  LaunchShape shape;
  shape.blocks = {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32), 0};
  shape.operands = 1;
  add(shape, {&array});
}

bool LaunchQueue::isFull(bool atIteration) const {
  size_t count = gathered.shapes.size();
  return count >= kMost || (atIteration && count >= kEnough && iterations % 2 == 0);
}

Status LaunchQueue::flush() {
  Status done = Done{};
  if (gathered.shapes.size() < kEnough)
    done = issue();
  else if (Graph *known = findGraph())
    done = replay(*known);
  else if (!seen.insert(hash()).second)
    done = build();
  else
    done = issue();
  gathered.clear();
  iterations = 0;
  return done;
}

/// The accesses of a kernel, if they are known for each of its operands.
const std::vector<KernelAccess> *LaunchQueue::accessesOf(const LaunchShape &shape) const {
  auto known = accesses.find(shape.kernel);
  return known == accesses.end() || known->second.size() != shape.operands ? nullptr
                                                                           : &known->second;
}

namespace {
/// The launches that later accesses of one array may have to wait for.
struct Touches {
  std::vector<size_t> writers, adders, readers;

  /// Adds the launches that this one waits for to `waits`; later ones may wait for this one.
  void add(size_t launch, KernelAccess access, std::set<size_t> &waits) {
    if (access == KernelAccess::Add &&
        !readers.empty()) // which waited for the writers and adders before
      *this = {std::move(readers), {}, {}};
    waits.insert(writers.begin(), writers.end());
    if (access != KernelAccess::Add)
      waits.insert(adders.begin(), adders.end());
    if (access != KernelAccess::Read)
      waits.insert(readers.begin(), readers.end());
    if (access == KernelAccess::Write)
      *this = {{launch}, {}, {}};
    else
      (access == KernelAccess::Add ? adders : readers).push_back(launch);
  }
};
} // namespace

/// The pieces of an array, in all of which the same arrays have memory; the array, if it shares
/// none.
std::vector<uint64_t> LaunchQueue::findPieces(uint64_t array) const {
  auto shared = sharedArrays.find(array);
  if (shared == sharedArrays.end())
    return {array};
  return {cuts.lower_bound(array), cuts.lower_bound(shared->second.end)};
}

/// A launch of unknown accesses waits for all before it, and all later ones wait for it.
LaunchOrder LaunchQueue::findOrder() const {
  LaunchOrder order;
  std::unordered_map<uint64_t, Touches> arrays;
  std::vector<size_t> leaves; // launches since the last one of unknown accesses
  std::optional<size_t> fence;
  size_t first = 0;
  for (const LaunchShape &shape : gathered.shapes) {
    size_t number = order.size();
    std::set<size_t> waits;
    if (fence)
      waits.insert(*fence);
    if (const std::vector<KernelAccess> *kernel = accessesOf(shape)) {
      for (size_t i = 0; i < shape.operands; ++i)
        if ((*kernel)[i] != KernelAccess::None)
          for (uint64_t piece : findPieces(gathered.operands[first + i]))
            arrays[piece].add(number, (*kernel)[i], waits);
      leaves.push_back(number);
    } else {
      waits.insert(leaves.begin(), leaves.end());
      leaves.clear();
      arrays.clear();
      fence = number;
    }
    first += shape.operands;
    waits.erase(number); // of two operands with a piece in common
    order.emplace_back(waits.begin(), waits.end());
  }
  return order;
}

/// The graph of the gathered launches, up to operands that are no arrays: with other arrays the
/// dependences may differ.
LaunchQueue::Graph *LaunchQueue::findGraph() {
  for (Graph &graph : graphs)
    if (graph.launches.shapes == gathered.shapes && graph.launches.arrays == gathered.arrays)
      return &graph;
  return nullptr;
}

/// A hash of all but such operands.
size_t LaunchQueue::hash() const {
  size_t hash = gathered.shapes.size();
  auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15u + (hash >> 29); };
  for (const LaunchShape &shape : gathered.shapes) {
    mix(shape.kernel);
    for (const Device::Sides &sides : {shape.blocks, shape.threads})
      for (uint32_t side : sides)
        mix(side);
  }
  for (uint64_t array : gathered.arrays)
    mix(array);
  return hash;
}

/// An array is poisoned by bytes of ones: a token that no vocabulary has, and NaN.
static constexpr unsigned char kPoisonByte = 0xFF;

static size_t bytesOf(const LaunchShape &poison) {
  return poison.blocks[0] | static_cast<size_t>(poison.blocks[1]) << 32;
}

static uint64_t arrayOf(const std::vector<void *> &operands) {
  return *static_cast<const uint64_t *>(operands.front());
}

int LaunchQueue::issue(const LaunchShape &shape, std::vector<void *> &operands) {
  if (shape.kernel == kPoison)
    return driver.fill(arrayOf(operands), kPoisonByte, bytesOf(shape), stream);
  const auto &[x, y, z] = shape.blocks;
  const auto &[threadsX, threadsY, threadsZ] = shape.threads;
  return driver.launch(reinterpret_cast<void *>(shape.kernel), x, y, z, threadsX, threadsY,
                       threadsZ, /*shared=*/0, stream, operands.data(), nullptr);
}

/// Issues the gathered launches one by one.
Status LaunchQueue::issue() {
  size_t first = 0;
  for (const LaunchShape &shape : gathered.shapes) {
    std::vector<void *> operands = addressesOf(gathered, first, shape.operands);
    first += shape.operands;
    if (Status launched = driver.check(issue(shape, operands), "launch a kernel"); !launched)
      return launched;
  }
  return Done{};
}

int LaunchQueue::addNode(Graph &made, const LaunchShape &shape, std::vector<void *> &operands,
                         const std::vector<void *> &waits) {
  void **node = &made.nodes.emplace_back();
  if (shape.kernel == kPoison) {
    CudaFillNode fill{arrayOf(operands), 0, kPoisonByte, 1, bytesOf(shape), 1};
    return driver.addFillNode(node, made.graph, waits.data(), waits.size(), &fill, context);
  }
  CudaKernelNode kernel = nodeOf(shape, operands);
  return driver.addKernelNode(node, made.graph, waits.data(), waits.size(), &kernel);
}

Status LaunchQueue::build() {
  if (Status room = makeRoom(); !room)
    return room;
  Graph &made = graphs.emplace_back();
  made.launches = gathered;
  LaunchOrder order = findOrder();
  int answer = driver.makeGraph(&made.graph, 0);
  size_t first = 0;
  for (size_t i = 0; i < made.launches.shapes.size() && answer == 0; ++i) {
    const LaunchShape &shape = made.launches.shapes[i];
    std::vector<void *> operands = addressesOf(made.launches, first, shape.operands);
    first += shape.operands;
    std::vector<void *> waits;
    for (size_t before : order[i])
      waits.push_back(made.nodes[before]);
    answer = addNode(made, shape, operands, waits);
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

/// Updates the operands that have changed, and launches the graph.
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

/// Drops the oldest graph, after it has run.
Status LaunchQueue::makeRoom() {
  if (graphs.size() < kMaxGraphs)
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
