//===- Diagram.h - A rule as a decision diagram -----------------*- C++ -*-===//
//
// A multi-valued decision diagram over the cells of a neighbourhood. Each level (`place`) tests the
// state of one cell and branches to a node of the next level; the leaves are new states of the
// cell. Equal nodes are shared, so that a rule of many transitions is as small as the distinctions
// it makes. Golly's rule trees are such diagrams.
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
  /// The successor for each state of a place: a node of the next one, or at the last one a leaf.
  using Node = std::vector<unsigned>;
  /// An undefined leaf: there the cell keeps its state.
  static constexpr unsigned kUnset = ~0u;

  Diagram(unsigned numStates, unsigned numPlaces) : numStates(numStates), levels(numPlaces) {}

  unsigned getNumStates() const { return numStates; }
  unsigned getNumPlaces() const { return levels.size(); }
  ArrayRef<Node> getNodes(unsigned place) const { return levels[place].nodes; }
  unsigned getRoot() const { return root; }
  void setRoot(unsigned node) { root = node; }
  /// The number of table entries in all nodes.
  size_t getSize() const;

  /// The index of the node of a place with these successors.
  unsigned intern(unsigned place, Node node);
  /// The node from which all paths lead to one leaf.
  unsigned internAll(unsigned place, unsigned leaf);

  /// Builds the diagram of a function of the states of all places.
  void build(llvm::function_ref<unsigned(ArrayRef<unsigned> states)> function);
  /// Defines the undefined leaves where `fits` leads to 1.
  void add(const Diagram &fits, unsigned leaf);
  /// Replaces undefined leaves by the state of the last place.
  void keepLastPlace();
  /// Removes unreachable nodes.
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
