//===- Fields.cpp - Random programs of fields that read each other --------===//
//
// Generates the lattice, two or three fields, their sights and one rule each. A term of the kind
// that an expression needs is picked among the reads of the rule.
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "Classes.h"
#include "Sizes.h"
#include "Text.h"

using namespace lci;

std::string Fields::cell(const std::string &name) const { return name + "[" + join(axes) + "]"; }

//===----------------------------------------------------------------------===//
// Lattices
//===----------------------------------------------------------------------===//

/// Rows whose length is near a threshold, or as many rows; some lattices are a line or have three
/// axes.
void Fields::makeSizes() {
  static const std::vector<std::string> axisNames = {"t", "x", "y"}, sizeNames = {"T", "W", "H"};
  int64_t rank = dice.chance(70) ? 2 : dice.between(1, 3);
  axes.assign(axisNames.end() - rank, axisNames.end());
  sizes.assign(sizeNames.end() - rank, sizeNames.end());
  bool isHigh = rank == 2 && dice.chance(35);
  std::vector<int64_t> extents;
  for (int64_t axis = 0; axis < rank; ++axis)
    extents.push_back(dice.between(1, rank == 2 ? 9 : 3));
  (isHigh ? extents.front() : extents.back()) =
      crossThreshold(dice, isHigh ? Measure::Rows : Measure::Row, isHigh ? 70 : 140);
  for (int64_t axis = 0; axis < rank; ++axis)
    program.sizes[sizes[axis]] = extents[axis];
  noteExtents(program, extents);
  program.aim = dice.chance(20) ? SmithProgram::Aim::Kernels : SmithProgram::Aim::Windows;
}

void Fields::makeField(Kind kind) {
  static const std::vector<int64_t> vocabularies = {2, 2, 2, 3, 4, 8};
  static const std::vector<std::string> boundaries = {"wrap", "wrap", "clamp", "open"};
  std::string name(1, static_cast<char>('A' + fields.size()));
  int64_t vocabulary = dice.pick(vocabularies);
  std::string type = kind == Kind::Number    ? "F32"
                     : kind == Kind::Integer ? "I32"
                                             : "Token[" + std::to_string(vocabulary) + "]";
  std::string init = kind == Kind::Number    ? "normal()"
                     : kind == Kind::Integer ? "randint(50)"
                                             : "randint(" + std::to_string(vocabulary) + ")";
  declare("value " + name + " : " + type + " shape Grid(" + join(sizes) + ") boundary " +
          dice.pick(boundaries) + " init " + init);
  fields.push_back({name, kind, vocabulary});
}

//===----------------------------------------------------------------------===//
// Sights
//===----------------------------------------------------------------------===//

/// Mostly the same cell; else a sum over neighbours or a neighbour, which forces double buffering
/// of the source or defers its computation.
void Fields::makeSightsOf(const Field &field, const Field &source) {
  static const std::vector<std::string> sets = {"dy in {-1, 1}", "dy in -2..1", "dy in {1}"};
  if (field.name == source.name || dice.chance(80)) {
    declare("visible " + cell(field.name) + " <- " + cell(source.name));
    terms.push_back({cell(source.name), source.kind});
  }
  std::vector<std::string> moved = axes;
  if (dice.chance(35)) {
    moved.back() += "+dy";
    std::string label = "near" + field.name + source.name;
    bool isPlane = axes.size() > 1 && dice.chance(60);
    if (isPlane)
      moved[axes.size() - 2] += "+dx";
    declare("visible " + label + ": " + cell(field.name) + " <- " + source.name + "[" +
            join(moved) + "] when " +
            (isPlane ? dice.chance(50) ? "(dx,dy) in N4" : "(dx,dy) in N8" : dice.pick(sets)));
    Kind kind = source.kind == Kind::Number ? Kind::Number : Kind::Integer;
    terms.push_back({"sum(" + label + ")", kind});
  }
  if (dice.chance(25)) {
    moved = axes;
    moved[static_cast<size_t>(dice.below(static_cast<int64_t>(axes.size())))] +=
        dice.chance(50) ? "-1" : "+1";
    std::string shifted = source.name + "[" + join(moved) + "]";
    declare("visible " + cell(field.name) + " <- " + shifted);
    terms.push_back({bracket(shifted + " ?? 1"), source.kind});
  }
}

void Fields::makeSights(const Field &field) {
  terms.clear();
  for (const Field &source : fields)
    makeSightsOf(field, source);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// A term of a kind, or of one that converts to it; a constant if there is none.
std::string Fields::termOf(Kind least) {
  std::vector<std::string> found;
  for (const Term &term : terms)
    if (least == Kind::Number || term.kind != Kind::Number)
      found.push_back(term.text);
  return found.empty() ? std::to_string(dice.between(1, 5)) : dice.pick(found);
}

std::string Fields::number(int depth) {
  static const std::vector<std::string> factors = {"0.5 * ", "beta * ", "-0.25 * ", "0.125 * "};
  if (depth <= 0)
    return bracket(dice.pick(factors) + termOf(Kind::Number));
  switch (dice.below(5)) {
  case 0:
    return bracket(number(depth - 1) + " - " + number(depth - 1));
  case 1:
    return "max(" + number(depth - 1) + ", " + number(0) + ")";
  case 2:
    return bracket("if " + condition() + " then " + number(depth - 1) + " else " + number(0));
  case 3:
    return bracket(number(depth - 1) + " * " + number(0));
  default:
    return bracket(number(depth - 1) + " + " + number(depth - 1));
  }
}

std::string Fields::integer(int depth) {
  if (depth <= 0)
    return termOf(Kind::Integer);
  switch (dice.below(4)) {
  case 0:
    return bracket(integer(depth - 1) + " - " + integer(depth - 1));
  case 1:
    return bracket("if " + condition() + " then " + integer(depth - 1) + " else " + integer(0));
  case 2:
    return "min(" + integer(depth - 1) + ", " + integer(0) + ")";
  default:
    return bracket(integer(depth - 1) + " + " + integer(depth - 1));
  }
}

std::string Fields::condition() {
  static const std::vector<std::string> relations = {" == ", " != ", " < ", " >= "};
  return bracket(termOf(Kind::Integer) + dice.pick(relations) +
                 (dice.chance(50) ? termOf(Kind::Integer) : std::to_string(dice.below(4))));
}

/// Results stay small, so that finite bits and not infinities are compared.
void Fields::makeRule(const Field &field) {
  program.switches.push_back("R" + field.name);
  std::string text = "rule R" + field.name + ":\n  on " + cell(field.name);
  if (dice.chance(15))
    text += " when " + (dice.chance(50) ? axes.back() + " > 0" : makeIndexClass(dice, axes));
  std::string next =
      field.kind == Kind::Number
          ? "clamp(" + number(2) + ", -8.0, 8.0)"
          : bracket(integer(2)) + " % " +
                (field.kind == Kind::Integer ? "1009" : std::to_string(field.vocabulary));
  declare(text + "\n  emit proposal " + cell(field.name) + " := " + next);
}

SmithProgram Fields::make() {
  ++program.coverage["fields"];
  makeSizes();
  declare("param beta : F32");
  program.params["beta"] = Array::scalar(static_cast<double>(dice.between(0, 10)) * 0.125);
  static const std::vector<Kind> kinds = {Kind::Number, Kind::Token, Kind::Token, Kind::Integer};
  Kind kind = dice.pick(kinds);
  for (int64_t i = dice.between(2, 3); i > 0; --i)
    makeField(dice.chance(80) ? kind : dice.pick(kinds));
  for (const Field &field : fields) {
    makeSights(field);
    makeRule(field);
    if (dice.chance(15))
      declare("schedule " + field.name + "[*] using red_black(legalize=snapshot)");
    declare("commit " + field.name + "[*] using accept");
  }
  program.epochs = dice.between(1, 5);
  return std::move(program);
}
