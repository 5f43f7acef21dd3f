//===- Visibility.cpp - Random visibility ---------------------------------===//
//
// Generates `visible` lines: single reads, neighbourhoods, lines, whole values, computed indices
// and gathers over parameters; each adds the operands that rules and formulas can use.
//
//===----------------------------------------------------------------------===//

#include "Forge.h"

using namespace lci;

/// Declares a `visible` line and adds the operand that expressions use for it.
void Forge::addSight(const Made &value, Sight sight, const std::string &index,
                     const char *construct) {
  use("", construct);
  std::string reference =
      index.empty() ? sight.source->name : sight.source->name + "[" + index + "]";
  std::string when = sight.when.empty() ? "" : " when " + sight.when;
  sight.isLocal = dice.chance(50);
  std::string label = "n" + std::to_string(program.declarations.size());
  declare("visible " + (sight.isLocal ? use(label, "label") + ": " : "") + cell(value.name) +
          " <- " + reference + when);
  ++linesTo[sight.source->name];
  sight.spelling = sight.isLocal ? label : reference;
  bool isGuarded = !sight.isFamily && !sight.when.empty();
  sight.when = sight.isLocal || !sight.isFamily ? "" : when;
  sight.mayBeAbsent |= !sight.source->isPresent;
  // A guarded single read without a label would lose its guard.
  if (!isGuarded || sight.isLocal)
    sights.push_back(sight);
}

/// A neighbourhood on one axis: its `when`.
std::string Forge::makeRangeOnLine(Sight &sight) {
  switch (dice.below(4)) {
  case 0:
    sight.members = 3;
    return use("dx in -1..1", "range");
  case 1:
    sight.members = 4;
    return use("dx in -2..2 and dx != 0", "!= set");
  case 2:
    sight.members = 3;
    return use("dx in {-3, 2} | (-1..-1)", "union of sets");
  default:
    sight.members = 5;
    return use("(dx in -3..-2 or dx in 0..2)", "or of sets");
  }
}

/// A neighbourhood on the last axes: its `when`, and the shifted indices.
std::string Forge::makeNeighbourhood(std::string &index, Sight &sight) {
  unsigned rank = frame.rank();
  std::vector<std::string> moved = frame.axes;
  if (rank == 1) {
    moved[0] += "+dx";
    index = join(moved);
    return makeRangeOnLine(sight);
  }
  moved[rank - 2] += "+dx";
  moved[rank - 1] += "+dy";
  index = join(moved);
  static const std::vector<std::pair<std::string, int64_t>> sets = {{"N4", 4},
                                                                    {"N8", 8},
                                                                    {"Diagonal", 4},
                                                                    {"VonNeumann(1)", 4},
                                                                    {"VonNeumann(2)", 12},
                                                                    {"Moore(1)", 8},
                                                                    {"Moore(2)", 24},
                                                                    {"{(1,0), (0,-1)}", 2}};
  if (dice.chance(15)) {
    sight.members = 6;
    return use("dx in -1..1 and dy in 0..1", "range");
  }
  if (dice.chance(10)) {
    sight.members = 20;
    return use("(dx,dy) in Moore(2) and not (dx,dy) in N4", "not of a set");
  }
  const auto &[set, members] = dice.pick(sets);
  sight.members = members;
  // Sets of pairs; `neighbors` of a named radius would take all axes.
  if (rank == 2 || set[0] == 'N' || set[0] == 'D' || set[0] == '{')
    sight.offsets = set;
  return "(dx,dy) in " + use(set, set);
}

/// Several cells on one line, or all of them.
void Forge::makeFamilies(const Made &value, const Made &source) {
  unsigned rank = frame.rank();
  unsigned axis = static_cast<unsigned>(dice.below(rank));
  const std::string &name = frame.axes[axis];
  Sight sight;
  sight.source = &source;
  sight.isFamily = true;
  std::vector<std::string> index = frame.axes;
  staysInTime &= axis != 0 && rank == 3;
  if (dice.chance(20)) {
    index[axis] = "k";
    sight.when = "k != " + name;
    sight.members = frame.extents[axis] - 1;
    addSight(value, sight, join(index), "row family");
  } else if (dice.chance(10)) {
    index[axis] = "k";
    sight.when = "k <= " + name;
    sight.members = frame.extents[axis];
    sight.reachesBack = axis == 0;
    addSight(value, sight, join(index), "past family");
  } else if (dice.chance(10)) {
    index[axis] = name + "-1.." + name + "+1";
    sight.members = 3;
    addSight(value, sight, join(index), "range of indices");
  } else if (dice.chance(10)) {
    index[axis] = "*";
    sight.members = frame.extents[axis];
    addSight(value, sight, join(index), "whole axis");
  } else if (dice.chance(10) && rank > 1) {
    index[axis] = "*";
    index[(axis + 1) % rank] += "+dx";
    sight.when = "dx in -1..1";
    sight.members = frame.extents[axis] * 3;
    staysInTime = false;
    addSight(value, sight, join(index), "whole axes beside each other");
  } else if (dice.chance(10)) {
    seeWhole(value, source);
  }
}

void Forge::seeWhole(const Made &value, const Made &source) {
  Sight sight;
  sight.source = &source;
  sight.isFamily = !source.isScalar;
  for (int64_t extent : frameOf(source).extents)
    sight.members *= extent;
  staysInTime &= source.isScalar && !source.isRuled;
  addSight(value, sight, source.isScalar ? "" : "*", source.isScalar ? "Scalar" : "whole value");
  if (!source.isScalar && dice.chance(60))
    addComputedSight(source);
}

/// A cell of a value that is seen as a whole, at indices that no set can express.
void Forge::addComputedSight(const Made &source) {
  Sight sight;
  sight.source = &source;
  sight.mayBeAbsent = !source.isPresent;
  std::vector<std::string> index;
  for (const std::string &boundary : source.boundaries) {
    sight.mayBeAbsent |= boundary == "open";
    std::vector<std::pair<std::string, std::string>> choices = {
        {"epoch % 5", "index of the epoch"}, {"2 * epoch - 1", "index of the epoch"}};
    for (const std::string &axis : frame.axes) {
      choices.push_back({axis + " * " + axis, "product of indices"});
      if (!tableParam.empty())
        choices.push_back({tableParam + "[" + axis + " % 3, 1] % 4", "gathered index"});
    }
    std::string start = frame.axes.empty() ? "2" : frame.axes.front();
    if (!integerParams.empty())
      choices.push_back({start + " - " + integerParams.front(), "index of a parameter"});
    const Sight *inner = findSight(false, false);
    if (inner && dice.chance(30)) {
      std::string held = inner->mayBeAbsent ? "(" + inner->spelling + " ?? 0)" : inner->spelling;
      choices = {{held, "index of a cell"}};
      sight.isLocal |= inner->isLocal;
    }
    const auto &[text, construct] = dice.pick(choices);
    index.push_back(use(text, construct));
  }
  sight.spelling = source.name + "[" + join(index) + "]";
  sight.isComputed = true;
  sights.push_back(sight);
}

/// Gathers: cells whose indices on the last axis are parameters.
void Forge::makeGathers(const Made &value, const Made &source) {
  Sight sight;
  sight.source = &source;
  sight.isComputed = sight.isGathered = true;
  staysInTime &= frame.rank() == 3;
  std::vector<std::string> index = frame.axes;
  const std::string last = frame.axes.back();
  switch (dice.below(3)) {
  case 0:
    index.back() = "links[" + last + ", 1]";
    return addSight(value, sight, join(index), "gathered cell");
  case 1:
    sight.isFamily = true;
    sight.members = 2;
    index.back() = "links[" + last + ", k]";
    sight.when = "k in 0..1";
    return addSight(value, sight, join(index), "gathered family");
  default:
    sight.isFamily = true;
    sight.members = program.params["ends"].size();
    index.back() = "ends[link]";
    sight.when = "link in first[" + last + "]..first[" + last + "+1]-1";
    return addSight(value, sight, join(index), "gathered range");
  }
}

void Forge::makeSightsOf(const Made &value, const Made &source) {
  Sight sight;
  sight.source = &source;
  if (source.isScalar || value.isScalar) {
    if (dice.chance(source.isScalar ? 50 : 70))
      seeWhole(value, source);
    return;
  }
  unsigned rank = frame.rank();
  std::vector<std::string> index = frame.axes;
  if (source.isCoarse) {
    index.back() += "/2";
    if (dice.chance(60))
      addSight(value, sight, join(index), "coarse read");
    return;
  }
  if (&source != &value && dice.chance(50))
    addSight(value, sight, join(index), "other value");
  if (hasLinks && dice.chance(50))
    makeGathers(value, source);
  if (dice.chance(70)) {
    Sight near = sight;
    near.isFamily = true;
    std::string moved;
    near.when = makeNeighbourhood(moved, near);
    if (&source != &value)
      near.offsets.clear();
    addSight(value, near, moved, "neighbourhood");
  }
  if (dice.chance(40)) {
    unsigned axis = static_cast<unsigned>(dice.below(rank));
    bool isBack = dice.chance(50);
    sight.mayBeAbsent = source.boundaries[axis] == "open";
    sight.isPrevious = &source == &value && axis == 0 && isBack;
    staysInTime &= axis != 0 && rank == 3;
    if (dice.chance(20)) {
      // So far outside that a wrapped index wraps more than once.
      index[axis] = "3*" + index[axis] + (isBack ? "-7" : "+2");
      sight.isPrevious = false;
      addSight(value, sight, join(index), "stretched read");
    } else {
      index[axis] += isBack ? "-1" : "+1";
      addSight(value, sight, join(index), "shifted read");
    }
  }
  makeFamilies(value, source);
}

void Forge::makeSights(const Made &value) {
  sights.clear();
  linesTo.clear();
  if (dice.chance(75)) {
    Sight self;
    self.source = &value;
    addSight(value, self, join(frame.axes), "own cell");
  }
  for (const Made &source : values)
    if (&source != &value || !value.isScalar)
      makeSightsOf(value, source);
  if (!latent.name.empty() && !value.isScalar && !value.isCoarse && dice.chance(40))
    seeComponent(value);
  // The name of a value refers to its one line; with computed indices, to all cells.
  std::vector<Sight> named;
  for (const Sight &sight : sights)
    if (linesTo[sight.source->name] == 1 && !sight.isComputed && frame.rank() > 0 &&
        !sight.source->isScalar && dice.chance(30)) {
      named.push_back(sight);
      named.back().spelling = use(sight.source->name, "value by its name");
      named.back().when.clear();
      named.back().isLocal = true;
    }
  sights.insert(sights.end(), named.begin(), named.end());
}
