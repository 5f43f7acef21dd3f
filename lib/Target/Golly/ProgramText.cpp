//===- ProgramText.cpp - The text of a program from a rule ----------------===//
//
// Composes declarations, lets and the proposal of a program. A small decision diagram becomes
// nested conditionals, one `let` a node; a large one becomes two array parameters that are walked
// by a lookup for each place.
//
//===----------------------------------------------------------------------===//

#include "ProgramText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci::golly;

/// Diagrams with more decisions become lookups: conditionals are all computed for every cell,
/// though 64 at a time where states are few.
static constexpr size_t kMaxDecisions = 512;

ProgramText::ProgramText(StringRef comment, unsigned numStates, const Grid &grid) : grid(grid) {
  std::string shape =
      grid.isLine ? "Seq(" + grid.width + ")" : "Grid2D(" + grid.width + ", " + grid.height + ")";
  std::string states = std::to_string(numStates);
  declare("// " + comment.str());
  declare("value Cell : Token[" + states + "] shape " + shape + " boundary " +
          (isOpen() ? "open" : "wrap") + " init randint(" + states + ")\n");
  declare(grid.isLine ? "visible Cell[x] <- Cell[x]" : "visible Cell[x,y] <- Cell[x,y]");
}

static std::string moved(const std::string &index, int by) {
  return by == 0 ? index : index + (by > 0 ? "+1" : "-1");
}

/// Declares a `visible` line for each image of a neighbour, and returns an expression that selects
/// one of their labels or references.
std::string ProgramText::seeImages(StringRef name, ArrayRef<Image> images, StringRef condition,
                                   bool areNamed) {
  std::string chosen;
  for (auto [number, image] : llvm::enumerate(images)) {
    bool isLast = number + 1 == images.size();
    std::string label = name.str() + (images.size() == 1 ? "" : std::to_string(number));
    std::string cell = "Cell[" + image.x + "," + image.y + "]", one = areNamed ? label : cell;
    declare("visible " + label + ": Cell[x,y] <- " + cell + condition.str());
    chosen += isLast ? one : "if " + image.condition + " then " + one + " else ";
  }
  return chosen;
}

void ProgramText::see(ArrayRef<Neighbour> neighbours) {
  for (const Neighbour &one : neighbours) {
    std::string x = moved("x", one.dx), y = moved("y", one.dy);
    if (grid.isLine) {
      declare("visible " + one.name.str() + ": Cell[x] <- Cell[" + x + "]");
      continue;
    }
    SmallVector<Image> images = grid.getImages(x, y, one.dx == 0, one.dy == 0);
    std::string chosen = seeImages(one.name, images, "", /*areNamed=*/true);
    if (images.size() > 1)
      let(one.name, chosen);
  }
}

void ProgramText::seeFamily(StringRef condition) {
  SmallVector<Image> images = grid.getImages("x+dx", "y+dy");
  nearCondition = " when " + condition.str();
  near = seeImages("near", images, nearCondition, /*areNamed=*/false);
  isJoined = images.size() > 1;
}

std::string ProgramText::reduceNear(StringRef function, StringRef question) const {
  std::string all = isJoined ? nearCondition : "", members = isJoined ? "(" + near + ")" : "near";
  return (function + "(" + members + question + all + ")").str();
}

std::string
ProgramText::sumNear(llvm::function_ref<std::string(const std::string &cell)> write) const {
  std::string cell = isOpen() ? near + " ?? 0" : near;
  return "sum(" + write("(" + cell + ")") + nearCondition + ")";
}

void ProgramText::declareParameter(StringRef name, ArrayRef<std::string> elements) {
  head.insert(head.find("value "), "param " + name.str() + " : I32[" +
                                       std::to_string(elements.size()) + "] = [" +
                                       llvm::join(elements, ", ") + "]\n");
}

void ProgramText::let(StringRef name, StringRef value) {
  lets += ("  let " + name + " = " + value + "\n").str();
}

std::string ProgramText::writeRead(StringRef name) const {
  return !isOpen() || name == "self" ? name.str() : ("(" + name + " ?? 0)").str();
}

std::string ProgramText::finish(StringRef proposal) const {
  StringRef cell = grid.isLine ? "Cell[x]" : "Cell[x,y]";
  return head + ("\nrule Golly:\n  on " + cell + "\n" + lets + "  emit proposal " + cell +
                 " := " + proposal + "\n" + tail + "\ncommit Cell[*] using accept\n")
                    .str();
}

//===----------------------------------------------------------------------===//
// Diagrams
//===----------------------------------------------------------------------===//

namespace {
/// The states with the same successor.
struct Branch {
  std::string target;
  SmallVector<unsigned> states;
};
} // namespace

static std::string writeStateTest(StringRef place, ArrayRef<unsigned> states) {
  if (states.size() == 1)
    return place.str() + " == " + std::to_string(states.front());
  auto texts = llvm::map_range(states, [](unsigned state) { return std::to_string(state); });
  return place.str() + " in {" + llvm::join(texts, ", ") + "}";
}

/// The branches of a node, the one of most states last: to names or, at the last place, to states
/// (an undefined leaf is the cell's state). If that place is the cell itself and several of its
/// states are unchanged, these are one branch.
static SmallVector<Branch> collectBranches(const Diagram::Node &node, ArrayRef<std::string> targets,
                                           bool isLast, bool isOfSelf) {
  size_t numKept = 0;
  for (auto [state, next] : llvm::enumerate(node))
    numKept += isLast && isOfSelf && next == state;
  auto name = [&](unsigned state, unsigned next) -> std::string {
    bool isKept = next == Diagram::kUnset || (numKept > 1 && next == state);
    return !isLast ? targets[next] : isKept ? "self" : std::to_string(next);
  };
  SmallVector<Branch> branches;
  for (auto [state, next] : llvm::enumerate(node)) {
    std::string target = name(state, next);
    auto *branch =
        llvm::find_if(branches, [&](const Branch &known) { return known.target == target; });
    if (branch == branches.end())
      branches.push_back({target, {}}), branch = &branches.back();
    branch->states.push_back(state);
  }
  auto *most = llvm::max_element(
      branches, [](const Branch &a, const Branch &b) { return a.states.size() < b.states.size(); });
  std::rotate(most, most + 1, branches.end());
  return branches;
}

static size_t countDecisions(const Diagram &diagram) {
  size_t count = 0;
  for (unsigned place = 0; place < diagram.getNumPlaces(); ++place)
    for (Diagram::Node node : diagram.getNodes(place)) {
      llvm::sort(node);
      count += llvm::unique(node) - node.begin() - 1;
    }
  return count;
}

std::string ProgramText::follow(const Diagram &diagram, ArrayRef<std::string> places,
                                StringRef prefix) {
  return countDecisions(diagram) <= kMaxDecisions ? followLets(diagram, places, prefix)
                                                  : followArrays(diagram, places, prefix);
}

/// From the last place to the first: each node becomes a name for its result.
std::string ProgramText::followLets(const Diagram &diagram, ArrayRef<std::string> places,
                                    StringRef prefix) {
  SmallVector<std::string> targets;
  for (unsigned place = places.size(); place-- > 0;) {
    SmallVector<std::string> names;
    for (auto [number, node] : llvm::enumerate(diagram.getNodes(place))) {
      SmallVector<Branch> branches =
          collectBranches(node, targets, place + 1 == places.size(), places[place] == "self");
      std::string text;
      for (const Branch &branch : ArrayRef(branches).drop_back())
        text += "if " + writeStateTest(places[place], branch.states) + " then " + branch.target +
                " else ";
      text += branches.back().target;
      if (branches.size() > 1) {
        std::string name = (prefix + "k" + Twine(place) + "_" + Twine(number)).str();
        let(name, text);
        text = name;
      }
      names.push_back(text);
    }
    targets = std::move(names);
  }
  return targets[diagram.getRoot()];
}

/// All nodes but those of the last place are one array, whose elements are the offsets of the next
/// node.
std::string ProgramText::followArrays(const Diagram &diagram, ArrayRef<std::string> places,
                                      StringRef prefix) {
  unsigned last = places.size() - 1, numStates = diagram.getNumStates();
  SmallVector<size_t> starts;
  size_t size = 0;
  for (unsigned place = 0; place < last; ++place) {
    starts.push_back(size);
    size += diagram.getNodes(place).size() * numStates;
  }
  starts.push_back(0); // a separate array, whose elements are states
  SmallVector<std::string> inner, leaves;
  bool keeps = false;
  for (unsigned place = 0; place < last; ++place)
    for (const Diagram::Node &node : diagram.getNodes(place))
      for (unsigned next : node)
        inner.push_back(std::to_string(starts[place + 1] + next * numStates));
  for (const Diagram::Node &node : diagram.getNodes(last))
    for (unsigned next : node) {
      keeps |= next == Diagram::kUnset;
      leaves.push_back(std::to_string(next == Diagram::kUnset ? numStates : next));
    }
  std::string tree = (prefix + "Tree").str(), becomes = (prefix + "Becomes").str();
  declareParameter(tree, inner);
  declareParameter(becomes, leaves);
  std::string at = std::to_string(starts[0] + diagram.getRoot() * numStates);
  for (unsigned place = 0; place < last; ++place) {
    std::string name = (prefix + "at" + Twine(place)).str();
    let(name, tree + "[" + at + " + " + places[place] + "]");
    at = name;
  }
  std::string leaf = becomes + "[" + at + " + " + places[last] + "]";
  if (!keeps)
    return leaf;
  let(prefix.str() + "next", leaf);
  return ("if " + prefix + "next == " + Twine(numStates) + " then self else " + prefix + "next")
      .str();
}
