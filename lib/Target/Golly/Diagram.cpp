//===- Diagram.cpp - A rule as a decision diagram -------------------------===//
//
// Hash-consed multi-valued decision diagrams: nodes of a level are interned, so that equal
// subdiagrams are shared. Merging walks pairs of nodes with memoisation.
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lci::golly;

size_t Diagram::getSize() const {
  size_t size = 0;
  for (const Level &level : levels)
    size += level.nodes.size() * numStates;
  return size;
}

unsigned Diagram::intern(unsigned place, Node node) {
  Level &level = levels[place];
  auto [entry, isNew] = level.numbers.try_emplace(std::move(node), level.nodes.size());
  if (isNew)
    level.nodes.push_back(entry->first);
  return entry->second;
}

unsigned Diagram::internAll(unsigned place, unsigned leaf) {
  for (unsigned below = levels.size(); below > place; --below)
    leaf = intern(below - 1, Node(numStates, leaf));
  return leaf;
}

namespace {
/// Enumerates the states of all positions.
struct StateVisitor {
  Diagram &diagram;
  llvm::function_ref<unsigned(ArrayRef<unsigned>)> function;
  SmallVector<unsigned> states;

  unsigned build() {
    if (states.size() == diagram.getNumPlaces())
      return function(states);
    unsigned place = states.size();
    Diagram::Node node;
    for (unsigned state = 0; state < diagram.getNumStates(); ++state) {
      states.push_back(state);
      node.push_back(build());
      states.pop_back();
    }
    return diagram.intern(place, std::move(node));
  }
};

/// Walks two diagrams in parallel, once for each pair of nodes.
struct Merger {
  Diagram &diagram;
  const Diagram &fits;
  unsigned leaf;
  SmallVector<unsigned> never; ///< nodes of `fits` from which all paths lead to 0, by level
  std::vector<llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned>> known;

  unsigned merge(unsigned place, unsigned node, unsigned fit) {
    if (place == diagram.getNumPlaces())
      return fit && node == Diagram::kUnset ? leaf : node;
    if (fit == never[place])
      return node;
    auto entry = known[place].find({node, fit});
    if (entry != known[place].end())
      return entry->second;
    Diagram::Node merged = diagram.getNodes(place)[node];
    for (unsigned state = 0; state < diagram.getNumStates(); ++state)
      merged[state] = merge(place + 1, merged[state], fits.getNodes(place)[fit][state]);
    unsigned number = diagram.intern(place, std::move(merged));
    known[place][{node, fit}] = number;
    return number;
  }
};
} // namespace

void Diagram::build(llvm::function_ref<unsigned(ArrayRef<unsigned>)> function) {
  root = StateVisitor{*this, function, {}}.build();
}

void Diagram::add(const Diagram &fits, unsigned leaf) {
  Diagram copy = fits; // which then has a node that never fits
  SmallVector<unsigned> never;
  for (unsigned place = 0; place < levels.size(); ++place)
    never.push_back(copy.internAll(place, 0));
  Merger merger{*this, copy, leaf, never, {}};
  merger.known.resize(levels.size());
  root = merger.merge(0, root, copy.root);
}

void Diagram::keepLastPlace() {
  Level &last = levels.back();
  last.numbers.clear();
  for (Node &node : last.nodes)
    for (auto [state, leaf] : llvm::enumerate(node))
      if (leaf == kUnset)
        leaf = state;
  compact();
}

void Diagram::compact() {
  Diagram small(numStates, levels.size());
  std::vector<llvm::DenseMap<unsigned, unsigned>> moved(levels.size());
  auto move = [&](auto &&self, unsigned place, unsigned number) -> unsigned {
    if (place == levels.size())
      return number;
    auto [entry, isNew] = moved[place].try_emplace(number, 0);
    if (!isNew)
      return entry->second;
    Node node = levels[place].nodes[number];
    for (unsigned &next : node)
      next = self(self, place + 1, next);
    return moved[place][number] = small.intern(place, std::move(node));
  };
  small.root = move(move, 0, root);
  *this = std::move(small);
}
