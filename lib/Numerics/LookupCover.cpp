//===- LookupCover.cpp - Map circuits to three-input look-ups -------------===//
//
// Technology mapping as for field programmable gate arrays: each gate has *cuts*, sets of up to
// three values of which it is a function; those that give the fewest look-ups are chosen. First the
// cost of shared gates is divided by the number of their users (area flow), then look-ups are
// counted exactly (exact area; Mishchenko, Chatterjee, Brayton: DAC 2006).
//
// Such a cover uses only values of the circuit. Other values may take fewer look-ups: so the
// function of a gate of up to six values is decomposed anew, as one more cut of several look-ups.
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/LookupCover.h"
#include "LCI/Numerics/Integers.h"
#include <algorithm>
#include <tuple>

using namespace lci::numerics;

/// The truth tables of the three operands.
static constexpr std::array<unsigned, 3> kOperands = {0xF0, 0xCC, 0xAA};
static constexpr unsigned kAlways = 0xFF;

/// The number of stored cuts of a gate, and of rounds of exact counting.
static constexpr size_t kMaxCuts = 12;
static constexpr int kRounds = 3;

/// Limits of the search for a network: its look-ups, the values in between while six are sought,
/// and the gates that it may replace.
static constexpr unsigned kMaxLookups = 4;
static constexpr size_t kMaxLeaves = 8;
static constexpr int kMaxGates = 64;

//===----------------------------------------------------------------------===//
// The circuit
//===----------------------------------------------------------------------===//

/// The index of a value; the number of values, if it is not among them.
template <typename Values>
static unsigned placeOf(const Values &values, unsigned value) {
  unsigned place = 0;
  for (unsigned other : values) {
    if (other == value)
      break;
    ++place;
  }
  return place;
}

template <typename Values>
static bool isAmong(const Values &values, unsigned value) {
  return placeOf(values, value) < values.size();
}

bool Leaves::contains(unsigned value) const { return isAmong(*this, value); }

bool Leaves::contains(const Leaves &other) const {
  bool hasAll = true;
  for (unsigned leaf : other)
    hasAll &= contains(leaf);
  return hasAll;
}

void Leaves::add(unsigned value) {
  if (!contains(value))
    values[count++] = value;
}

unsigned LookupCover::add(Kind kind, unsigned left, unsigned right) {
  unsigned number = static_cast<unsigned>(nodes.size());
  nodes.push_back({kind, {left, right}, {}});
  Node &node = nodes.back();
  if (!node.isGate())
    return number;
  for (unsigned operand : node.operands) {
    ++nodes[operand].users;
    node.level = std::max(node.level, nodes[operand].level + 1);
  }
  return number;
}

void LookupCover::addUse(unsigned gate) {
  ++nodes[gate].users;
  nodes[gate].isRoot = true;
}

LookupImplementation LookupCover::implementationOf(unsigned gate) const {
  const Cut &cut = nodes[gate].cuts[nodes[gate].best];
  if (!cut.network.empty())
    return {cut.leaves, cut.network};
  NetworkNode node{{0, 0, 0}, cut.table};
  for (unsigned i = 0; i < cut.leaves.size(); ++i)
    node.operands[i] = i;
  return {cut.leaves, {node}};
}

unsigned LookupCover::numLookups() const {
  unsigned lookups = 0;
  for (const Node &node : nodes)
    if (node.isGate() && node.users > 0)
      lookups += node.cuts[node.best].lookups();
  return lookups;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

static uint64_t combine(LookupCover::Kind kind, uint64_t left, uint64_t right) {
  if (kind == LookupCover::Kind::And)
    return left & right;
  return kind == LookupCover::Kind::Or ? left | right : left ^ right;
}

/// The table of a function of three values that are given by tables.
static unsigned compose(unsigned table, const std::array<unsigned, 3> &values) {
  return lookUp(values[0], values[1], values[2], table) & kAlways;
}

/// Rewrites a table on the leaves of a cut for a superset of these leaves.
unsigned LookupCover::spread(const Cut &cut, const Leaves &leaves) {
  std::array<unsigned, 3> values{};
  for (unsigned i = 0; i < cut.leaves.size(); ++i)
    values[i] = kOperands[placeOf(leaves, cut.leaves[i])];
  return compose(cut.table, values);
}

/// Removes the leaves on which the table does not depend.
void LookupCover::reduce(Cut &cut) {
  for (unsigned i = cut.leaves.size(); i-- > 0;) {
    Cut narrow;
    std::array<unsigned, 3>
        values{}; // of the leaves in terms of the remaining ones; leaf i is zero
    for (unsigned j = 0; j < cut.leaves.size(); ++j)
      if (j != i) {
        values[j] = kOperands[narrow.leaves.size()];
        narrow.leaves.add(cut.leaves[j]);
      }
    narrow.table = compose(cut.table, values);
    values[i] = kAlways;
    if (narrow.table == compose(cut.table, values))
      cut = narrow;
  }
}

/// The cuts of an operand, and the trivial cut that is the operand itself.
std::vector<LookupCover::Cut> LookupCover::viewsOf(unsigned value) const {
  const Node &node = nodes[value];
  if (node.isConstant())
    return {Cut{{}, node.kind == Kind::Ones ? kAlways : 0}};
  std::vector<Cut> views = node.cuts;
  views.push_back(Cut{Leaves(value), kOperands[0]});
  return views;
}

/// Merges a cut of each operand into one of the gate, unless it has too many leaves or is known.
void LookupCover::addCut(Node &node, const Cut &left, const Cut &right) {
  Cut cut{left.leaves};
  for (unsigned leaf : right.leaves)
    cut.leaves.add(leaf);
  if (cut.leaves.size() > kOperands.size())
    return;
  cut.table = static_cast<unsigned>(
      combine(node.kind, spread(left, cut.leaves), spread(right, cut.leaves)));
  reduce(cut);
  for (const Cut &other : node.cuts)
    if (cut.leaves.size() == other.leaves.size() && cut.leaves.contains(other.leaves))
      return;
  cut.flow = 1;
  for (unsigned leaf : cut.leaves)
    if (const Node &shared = nodes[leaf]; shared.isGate())
      cut.flow += shared.cuts.front().flow / std::max(shared.users, 1u);
  cut.rank = static_cast<unsigned>(node.cuts.size());
  node.cuts.push_back(std::move(cut));
}

/// Merges every pair of cuts of the operands; sorted by area flow.
void LookupCover::enumerate(Node &node) {
  std::vector<Cut> rights = viewsOf(node.operands[1]);
  for (const Cut &left : viewsOf(node.operands[0]))
    for (const Cut &right : rights)
      addCut(node, left, right);
  std::sort(node.cuts.begin(), node.cuts.end(), [](const Cut &a, const Cut &b) {
    return std::tie(a.flow, a.rank) < std::tie(b.flow, b.rank);
  });
  if (node.cuts.size() > kMaxCuts)
    node.cuts.resize(kMaxCuts);
}

//===----------------------------------------------------------------------===//
// The cover
//===----------------------------------------------------------------------===//

/// The number of look-ups of a cut, with those of its leaves that have no other users.
unsigned LookupCover::use(const Cut &cut) {
  unsigned lookups = cut.lookups();
  for (unsigned leaf : cut.leaves)
    if (Node &node = nodes[leaf]; node.isGate() && node.users++ == 0)
      lookups += use(node.cuts[node.best]);
  return lookups;
}

unsigned LookupCover::release(const Cut &cut) {
  unsigned lookups = cut.lookups();
  for (unsigned leaf : cut.leaves)
    if (Node &node = nodes[leaf]; node.isGate() && --node.users == 0)
      lookups += release(node.cuts[node.best]);
  return lookups;
}

/// The highest level among values.
unsigned LookupCover::levelOf(const Leaves &leaves) const {
  unsigned level = 0;
  for (unsigned leaf : leaves)
    level = std::max(level, nodes[leaf].level);
  return level;
}

/// Takes the cut that adds the fewest look-ups to those of the other gates; of equals the one that
/// reaches back furthest, so that shared gates vanish once both users have other cuts, or the one
/// of the fewest values, so that few gates have several users.
void LookupCover::choose(Node &node, bool fewestValues) {
  release(node.cuts[node.best]);
  std::tuple<unsigned, unsigned, unsigned> least(-1, -1, -1);
  for (size_t i = 0; i < node.cuts.size(); ++i) {
    const Cut &cut = node.cuts[i];
    unsigned lookups = use(cut);
    release(cut);
    std::tuple cost(lookups, fewestValues ? cut.leaves.size() : 0, levelOf(cut.leaves));
    if (cost < least) {
      least = cost;
      node.best = i;
    }
  }
  use(node.cuts[node.best]);
}

void LookupCover::chooseAll(bool fewestValues) {
  for (Node &node : nodes)
    if (node.isGate() && node.users > 0)
      choose(node, fewestValues);
}

void LookupCover::cover() {
  for (Node &node : nodes)
    if (node.isGate())
      enumerate(node);
  for (Node &node : nodes)
    node.users = node.isRoot ? 1 : 0;
  for (Node &node : nodes)
    if (node.isRoot && node.isGate())
      use(node.cuts.front());
  for (int round = 0; round < kRounds; ++round)
    chooseAll(/*fewestValues=*/false);
  chooseAll(/*fewestValues=*/true);
  for (unsigned gate = 0; gate < nodes.size(); ++gate)
    if (nodes[gate].isGate() && (nodes[gate].isRoot || nodes[gate].users > 1))
      decompose(gate);
  chooseAll(/*fewestValues=*/false);
}

//===----------------------------------------------------------------------===//
// Functions of up to six values
//===----------------------------------------------------------------------===//

/// The operands of a gate that are not yet among the leaves.
std::vector<unsigned> LookupCover::newOperands(const Node &node,
                                               const std::vector<unsigned> &leaves) const {
  std::vector<unsigned> operands;
  for (unsigned operand : node.operands)
    if (node.isGate() && !isAmong(leaves, operand) && !nodes[operand].isConstant())
      operands.push_back(operand);
  return operands;
}

/// Replaces a leaf by its operands: the leaf that adds the fewest, and of equals one whose operands
/// are shared with other leaves, or else the last one.
bool LookupCover::widen(std::vector<unsigned> &leaves) const {
  std::optional<unsigned> taken;
  std::tuple<int, int, int> least(kMaxLeaves, 0, 0);
  for (unsigned leaf : leaves) {
    if (!nodes[leaf].isGate())
      continue;
    std::vector<unsigned> added = newOperands(nodes[leaf], leaves);
    int others = 0;
    for (unsigned other : leaves)
      for (unsigned operand : newOperands(nodes[other], leaves))
        others += other != leaf && isAmong(added, operand);
    std::tuple cost(static_cast<int>(added.size()), -others, -static_cast<int>(nodes[leaf].level));
    if (cost < least) {
      least = cost;
      taken = leaf;
    }
  }
  if (!taken)
    return false;
  std::vector<unsigned> added = newOperands(nodes[*taken], leaves);
  leaves.erase(leaves.begin() + placeOf(leaves, *taken));
  leaves.insert(leaves.end(), added.begin(), added.end());
  return leaves.size() <= kMaxLeaves;
}

/// The truth table of a value in terms of leaves that determine it.
uint64_t LookupCover::tableOf(unsigned value, const std::vector<unsigned> &leaves,
                              std::map<unsigned, uint64_t> &known) const {
  if (unsigned place = placeOf(leaves, value); place < leaves.size())
    return kInputs[place];
  const Node &node = nodes[value];
  if (!node.isGate())
    return node.kind == Kind::Ones ? ~uint64_t(0) : 0;
  if (auto before = known.find(value); before != known.end())
    return before->second;
  uint64_t left = tableOf(node.operands[0], leaves, known);
  uint64_t right = tableOf(node.operands[1], leaves, known);
  return known[value] = combine(node.kind, left, right);
}

/// Searches networks for ever larger cones of gates that end in this one.
void LookupCover::decompose(unsigned gate) {
  std::vector<unsigned> leaves{gate};
  for (int gates = 0; gates < kMaxGates && widen(leaves); ++gates)
    if (leaves.size() > kOperands.size() && leaves.size() <= kMaxInputs)
      decompose(gate, leaves);
}

/// A network of at most `most` look-ups for a gate in terms of these leaves, if one is found.
const std::optional<LookupNetwork> &
LookupCover::networkOf(unsigned gate, const std::vector<unsigned> &leaves, unsigned most) {
  std::map<unsigned, uint64_t> known;
  std::pair key(tableOf(gate, leaves, known), most);
  auto [found, isNew] = networks.try_emplace(key);
  if (isNew)
    found->second = findNetwork(key.first, most);
  return found->second;
}

/// Uses a network of these leaves, if it takes fewer look-ups than the gate's best cut.
void LookupCover::decompose(unsigned gate, const std::vector<unsigned> &leaves) {
  Node &node = nodes[gate];
  Cut wide;
  for (unsigned leaf : leaves)
    wide.leaves.add(leaf);
  unsigned now = release(node.cuts[node.best]);
  unsigned others = use(wide) - wide.lookups();
  release(wide);
  unsigned atLeast = wide.leaves.size() / 2;
  if (now > others + atLeast)
    if (const auto &network = networkOf(gate, leaves, std::min(now - others - 1, kMaxLookups))) {
      wide.network = *network;
      node.best = node.cuts.size();
      node.cuts.push_back(std::move(wide));
    }
  use(node.cuts[node.best]);
}
