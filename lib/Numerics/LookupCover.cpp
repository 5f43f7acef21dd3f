//===- LookupCover.cpp - Circuits as look-ups of three bits ---------------===//
//
// A circuit is covered as field programmable gate arrays are: each gate is known by its *cuts*,
// sets of up to three values that it is a function of; those that make the fewest look-ups are
// taken. First shared gates count for as much as each of their users is worth (area flow), then
// look-ups are counted as they are (exact area; Mishchenko, Chatterjee, Brayton: DAC 2006).
//
// Such a cover has the circuit's own values. Others may take fewer look-ups: so what a gate is of
// up to six values is decomposed anew, as one more cut of several look-ups.
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/LookupCover.h"
#include "LCI/Numerics/Integers.h"
#include <algorithm>
#include <tuple>

using namespace lci::numerics;

/// What the table of each of three operands itself is.
static constexpr std::array<unsigned, 3> kOperands = {0xF0, 0xCC, 0xAA};
static constexpr unsigned kAlways = 0xFF;

/// Cuts of a gate that are remembered, and how often look-ups are counted again.
static constexpr size_t kMostCuts = 12;
static constexpr int kRounds = 3;

/// Of a network that is looked for: the look-ups it may have, how many values there may be on the
/// way to six, and how many gates it may stand for.
static constexpr unsigned kMostLookups = 4;
static constexpr size_t kMostLeaves = 8;
static constexpr int kMostGates = 64;

//===----------------------------------------------------------------------===//
// The circuit
//===----------------------------------------------------------------------===//

/// Where a value is; as many as there are, if it is not.
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

LookupWay LookupCover::wayOf(unsigned gate) const {
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

/// What a table gives of three values, each of which is given by a table itself.
static unsigned compose(unsigned table, const std::array<unsigned, 3> &values) {
  return lookUp(values[0], values[1], values[2], table) & kAlways;
}

/// A table on the leaves of a cut as one on others, which include them.
unsigned LookupCover::spread(const Cut &cut, const Leaves &leaves) {
  std::array<unsigned, 3> values{};
  for (unsigned i = 0; i < cut.leaves.size(); ++i)
    values[i] = kOperands[placeOf(leaves, cut.leaves[i])];
  return compose(cut.table, values);
}

/// Takes away the leaves that make no difference.
void LookupCover::reduce(Cut &cut) {
  for (unsigned i = cut.leaves.size(); i-- > 0;) {
    Cut narrow;
    std::array<unsigned, 3> values{}; // of the leaves, as of those that are left; leaf i is zero
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

/// What an operand may be seen as: what it is made of, or itself.
std::vector<LookupCover::Cut> LookupCover::viewsOf(unsigned value) const {
  const Node &node = nodes[value];
  if (node.isConstant())
    return {Cut{{}, node.kind == Kind::Ones ? kAlways : 0}};
  std::vector<Cut> views = node.cuts;
  views.push_back(Cut{Leaves(value), kOperands[0]});
  return views;
}

/// A cut of a gate from one of each operand, unless it has too many leaves or is known.
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

/// Every pair of cuts of the operands; those that make least of it first.
void LookupCover::enumerate(Node &node) {
  std::vector<Cut> rights = viewsOf(node.operands[1]);
  for (const Cut &left : viewsOf(node.operands[0]))
    for (const Cut &right : rights)
      addCut(node, left, right);
  std::sort(node.cuts.begin(), node.cuts.end(), [](const Cut &a, const Cut &b) {
    return std::tie(a.flow, a.rank) < std::tie(b.flow, b.rank);
  });
  if (node.cuts.size() > kMostCuts)
    node.cuts.resize(kMostCuts);
}

//===----------------------------------------------------------------------===//
// The cover
//===----------------------------------------------------------------------===//

/// How many look-ups a cut takes, with those of its leaves that nobody else uses.
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

/// Takes the cut that adds the fewest look-ups to what the others take; of equals the one that
/// reaches furthest back, so that what two gates share goes once both have another way, or the one
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

/// The operands of a gate that are not among some values yet.
std::vector<unsigned> LookupCover::newOperands(const Node &node,
                                               const std::vector<unsigned> &leaves) const {
  std::vector<unsigned> operands;
  for (unsigned operand : node.operands)
    if (node.isGate() && !isAmong(leaves, operand) && !nodes[operand].isConstant())
      operands.push_back(operand);
  return operands;
}

/// Puts the operands of a leaf in its place: of the leaf by which the fewest come in, and of equals
/// one whose operands other leaves have too, or else the last one.
bool LookupCover::widen(std::vector<unsigned> &leaves) const {
  std::optional<unsigned> taken;
  std::tuple<int, int, int> least(kMostLeaves, 0, 0);
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
  return leaves.size() <= kMostLeaves;
}

/// What a value is as a function of some, on which it depends alone.
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

/// Looks at ever more of the gates before this one.
void LookupCover::decompose(unsigned gate) {
  std::vector<unsigned> leaves{gate};
  for (int gates = 0; gates < kMostGates && widen(leaves); ++gates)
    if (leaves.size() > kOperands.size() && leaves.size() <= kMostInputs)
      decompose(gate, leaves);
}

/// What a gate is of these values, as a network of at most so many look-ups, if one is found.
const std::optional<LookupNetwork> &
LookupCover::networkOf(unsigned gate, const std::vector<unsigned> &leaves, unsigned most) {
  std::map<unsigned, uint64_t> known;
  std::pair key(tableOf(gate, leaves, known), most);
  auto [found, isNew] = networks.try_emplace(key);
  if (isNew)
    found->second = findNetwork(key.first, most);
  return found->second;
}

/// Takes a network of these values, if there is one that takes fewer look-ups than the gate's best
/// cut.
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
    if (const auto &network = networkOf(gate, leaves, std::min(now - others - 1, kMostLookups))) {
      wide.network = *network;
      node.best = node.cuts.size();
      node.cuts.push_back(std::move(wide));
    }
  use(node.cuts[node.best]);
}
