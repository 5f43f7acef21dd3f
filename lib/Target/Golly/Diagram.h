//===- Diagram.h - A rule as a decision diagram ------------------*- C++ -*===//
//
// A node asks one place of a neighbourhood for its state and goes on to a node of the next place;
// behind the last one stands what becomes of the cell. Equal nodes are one, so that a rule of many
// transitions is as small as what it tells apart. Golly's rule trees are such diagrams.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_TARGET_GOLLY_DIAGRAM_H
#define LIB_TARGET_GOLLY_DIAGRAM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <unordered_map>
#include <vector>

namespace mlir::lci::golly {

class Diagram {
public:
  /// Where each state of a place leads to: a node of the next place, or behind the last one a leaf.
  using Node = std::vector<unsigned>;
  /// A leaf of which nothing is said: there the cell stays what it is.
  static constexpr unsigned kUnset = ~0u;

  Diagram(unsigned numStates, unsigned numPlaces) : numStates(numStates), levels(numPlaces) {}

  unsigned getNumStates() const { return numStates; }
  unsigned getNumPlaces() const { return levels.size(); }
  ArrayRef<Node> getNodes(unsigned place) const { return levels[place].nodes; }
  unsigned getRoot() const { return root; }
  void setRoot(unsigned node) { root = node; }
  /// How many numbers all nodes are.
  size_t getSize() const;

  /// The number of the node of a place that leads there.
  unsigned intern(unsigned place, Node node);
  /// The node from which every way leads to one leaf.
  unsigned internAll(unsigned place, unsigned leaf);

  /// All nodes, from what becomes of the states of all places.
  void build(llvm::function_ref<unsigned(ArrayRef<unsigned> states)> function);
  /// Where `fits` leads to 1 and nothing is said yet, the leaf is said now.
  void add(const Diagram &fits, unsigned leaf);
  /// Leaves of which nothing was said become the state of the last place.
  void keepLastPlace();
  /// Forgets nodes to which no way leads.
  void compact();

private:
  struct HashNode {
    size_t operator()(const Node &node) const { return llvm::hash_combine_range(node); }
  };
  struct Level {
    std::vector<Node> nodes;
    std::unordered_map<Node, unsigned, HashNode> numbers;
  };

  unsigned numStates;
  std::vector<Level> levels;
  unsigned root = 0;
};

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_DIAGRAM_H
