//===- Forge.cpp - Random values, parameters and visibility -----------------===//

#include "Forge.h"
#include <algorithm>

using namespace lci;

uint64_t Dice::next() {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::string Forge::use(const std::string &text, const char *construct) {
  ++program.coverage[construct];
  return text;
}

std::string Forge::join(const std::vector<std::string> &parts) const {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string Forge::cell(const std::string &name) const { return name + "[" + join(axes) + "]"; }

//===----------------------------------------------------------------------===//
// Sizes, parameters, values
//===----------------------------------------------------------------------===//

void Forge::makeSizes() {
  static const std::vector<std::string> names[] = {{"x"}, {"x", "y"}, {"t", "x", "y"}};
  static const std::vector<std::string> sizeNames[] = {{"N"}, {"W", "H"}, {"T", "W", "H"}};
  static const int64_t longest[] = {12, 7, 4};
  rank = static_cast<unsigned>(dice.between(1, 3));
  use("", rank == 1 ? "rank 1" : rank == 2 ? "rank 2" : "rank 3");
  axes = names[rank - 1];
  sizes = sizeNames[rank - 1];
  for (const std::string &size : sizes) {
    // Even on the last axis, which coarse values halve.
    int64_t extent = dice.between(1, longest[rank - 1]);
    extents.push_back(&size == &sizes.back() ? (extent + 1) / 2 * 2 : extent);
    program.sizes[size] = extents.back();
  }
}

void Forge::makeParams() {
  if (dice.chance(50)) {
    declare("param beta : F32 = min(2.5, 0.5 * epoch + 0.25)");
    numberParams.push_back(use("beta", "parameter of the epoch"));
  }
  if (dice.chance(50)) {
    declare("param gain : F32");
    program.params["gain"] = Array::scalar(dice.between(-4, 9) * 0.375);
    numberParams.push_back(use("gain", "bound parameter"));
  }
  if (dice.chance(40)) {
    declare("param step : I32 = " + std::to_string(dice.below(5)));
    integerParams.push_back(use("(step % 9)", "integer parameter"));
  }
  if (dice.chance(40)) {
    declare("param level : F32[4]");
    Array level(DType::F32, {4});
    for (int64_t i = 0; i < 4; ++i)
      level.setDouble(i, dice.between(-8, 8) * 0.25);
    program.params["level"] = level;
    arrayParam = "level";
  }
}

std::string Forge::makeInit(Made &value) {
  if (value.cells == Cells::Number)
    return dice.chance(50) ? use(" init normal()", "init draw") : " init 0.75";
  std::string bound = std::to_string(value.cells == Cells::Token ? value.vocabulary : 5);
  if (dice.chance(60))
    return use(" init randint(" + bound + ")", "init draw");
  std::string sum;
  for (const std::string &axis : axes)
    sum += (sum.empty() ? "" : " + ") + axis;
  return use(" init[" + join(axes) + "] (" + sum + ") % " + bound, "init of indices");
}

void Forge::makeValue(bool isRuled, bool isCoarse) {
  static const std::vector<std::string> boundaries = {"open", "wrap", "clamp"};
  static const std::vector<int64_t> vocabularies = {2, 2, 2, 3, 4, 5, 8, 9, 16, 17, 130, 257};
  Made value;
  value.name = std::string(1, static_cast<char>('A' + values.size()));
  value.isRuled = isRuled;
  value.isCoarse = isCoarse;
  int kind = static_cast<int>(dice.below(10));
  value.cells = kind < 6 ? Cells::Token : kind < 8 ? Cells::Number : Cells::Integer;
  value.vocabulary = value.cells == Cells::Token ? dice.pick(vocabularies) : 0;
  std::string type = value.cells == Cells::Token ? "Token[" + std::to_string(value.vocabulary) + "]"
                     : value.cells == Cells::Number ? "F32"
                                                    : "I32";
  use("", value.cells == Cells::Token ? "Token" : value.cells == Cells::Number ? "F32" : "I32");
  std::vector<std::string> shape = sizes;
  if (isCoarse)
    shape.back() += "/2";
  static const char *names[] = {"Seq", "Grid2D", "Grid3D"};
  std::string text = "value " + value.name + " : " + type + " shape " +
                     (dice.chance(20) ? use("Grid", "Grid(…)") : names[rank - 1]) + "(" +
                     join(shape) + ")";
  for (unsigned axis = 0; axis < rank; ++axis)
    value.boundaries.push_back(use(dice.pick(boundaries), "boundary"));
  bool alike = std::count(value.boundaries.begin(), value.boundaries.end(), value.boundaries[0]) ==
               static_cast<int64_t>(rank);
  text += " boundary " + (alike ? value.boundaries[0] : "(" + join(value.boundaries) + ")");
  for (const std::string &boundary : value.boundaries)
    use("", boundary.c_str());
  bool hasInit = dice.chance(65);
  if (hasInit)
    text += makeInit(value);
  value.isPresent = hasInit || value.cells != Cells::Token;
  if (!value.isPresent)
    use("", "absent tokens");
  declare(text);
  bool isGiven = !isRuled || dice.chance(40);
  values.push_back(value);
  if (isGiven)
    makeInput(values.back());
}

void Forge::makeInput(const Made &value) {
  std::vector<int64_t> shape = extents;
  if (value.isCoarse)
    shape.back() /= 2;
  Array input(value.cells == Cells::Number ? DType::F32 : DType::I64, shape);
  use("", "input");
  for (int64_t i = 0; i < input.size(); ++i) {
    if (value.cells == Cells::Number)
      input.setDouble(i, dice.between(-16, 16) * 0.125);
    else if (!value.isPresent && dice.chance(25))
      input.setInt(i, -1);
    else
      input.setInt(i, dice.below(value.cells == Cells::Token ? value.vocabulary : 7));
  }
  program.inputs[value.name] = input;
}

//===----------------------------------------------------------------------===//
// Visibility
//===----------------------------------------------------------------------===//

void Forge::addSight(const Made &value, const Made &source, const std::string &index,
                     const std::string &when, bool isFamily, bool mayBeAbsent,
                     const char *construct) {
  use("", construct);
  std::string reference = source.name + "[" + index + "]";
  bool isLabelled = dice.chance(50);
  std::string label = "n" + std::to_string(program.declarations.size());
  declare("visible " + (isLabelled ? label + ": " : "") + cell(value.name) + " <- " + reference +
          (when.empty() ? "" : " when " + when));
  Sight sight;
  sight.source = &source;
  sight.spelling = isLabelled ? use(label, "label") : reference;
  sight.when = isLabelled || when.empty() || !isFamily ? "" : " when " + when;
  sight.isFamily = isFamily;
  sight.mayBeAbsent = mayBeAbsent || !source.isPresent;
  // A guarded single read without a name of its own would lose its guard.
  if (isFamily || when.empty() || isLabelled)
    sights.push_back(sight);
}

/// A neighbourhood of the last axes: its `when`, and the moved indices.
std::string Forge::makeNeighbourhood(std::string &index) {
  std::vector<std::string> moved = axes;
  if (rank == 1) {
    moved[0] += "+dx";
    index = join(moved);
    return dice.chance(50) ? use("dx in -1..1", "range") : use("dx in -2..2 and dx != 0", "!= set");
  }
  moved[rank - 2] += "+dx";
  moved[rank - 1] += "+dy";
  index = join(moved);
  static const std::vector<std::string> sets = {
      "N4", "N8", "Diagonal", "VonNeumann(1)", "VonNeumann(2)", "Moore(1)", "{(1,0), (0,-1)}"};
  const std::string &set = dice.pick(sets);
  if (dice.chance(20))
    return use("dx in -1..1 and dy in 0..1", "range");
  return "(dx,dy) in " + use(set, set.c_str());
}

void Forge::makeSights(const Made &value) {
  sights.clear();
  if (dice.chance(75))
    addSight(value, value, join(axes), "", false, false, "self");
  for (const Made &source : values) {
    if (source.isCoarse) {
      std::vector<std::string> index = axes;
      index.back() += "/2";
      if (!value.isCoarse && dice.chance(60))
        addSight(value, source, join(index), "", false, false, "coarse read");
      continue;
    }
    if (&source != &value && dice.chance(50))
      addSight(value, source, join(axes), "", false, false, "other value");
    std::string index;
    if (dice.chance(70)) {
      std::string when = makeNeighbourhood(index);
      addSight(value, source, index, when, true, false, "neighbourhood");
    }
    std::vector<std::string> shifted = axes;
    unsigned axis = static_cast<unsigned>(dice.below(rank));
    bool isOpen = source.boundaries[axis] == "open";
    staysInTime &= axis != 0 && rank == 3;
    shifted[axis] += dice.chance(50) ? "-1" : "+1";
    if (dice.chance(40))
      addSight(value, source, join(shifted), "", false, isOpen, "shifted read");
    shifted = axes;
    shifted[axis] = "k";
    if (dice.chance(20))
      addSight(value, source, join(shifted), "k != " + axes[axis], true, false, "row family");
    else if (dice.chance(10) && rank == 1)
      addSight(value, source, "k", "k <= x", true, false, "past family");
    else if (dice.chance(10) && rank == 1)
      addSight(value, source, "*", "", true, false, "whole value");
  }
}
