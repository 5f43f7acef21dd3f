//===- ParseTree.cpp - Parser of rule trees -------------------------------===//
//
// `num_states=`, `num_neighbors=`, `num_nodes=`, then a node a line: its height and, for each
// state, the new state of the cell or the line number of an earlier node. The last node is the
// root, which tests the neighbour in the north-west, or in the north of four.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "Tree.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mlir::lci::GollyError;
using namespace mlir::lci::golly;

/// The order in which trees test the neighbours, before the cell itself.
static SmallVector<Neighbour> getOrder(unsigned numNeighbours) {
  const Neighbourhood &moore = *findNeighbourhood("Moore");
  static constexpr StringRef eight[] = {"nw", "ne", "sw", "se", "n", "w", "e", "s"};
  SmallVector<Neighbour> order;
  for (StringRef name : ArrayRef(eight).drop_front(numNeighbours == 4 ? 4 : 0))
    order.push_back(
        *llvm::find_if(moore.neighbours, [&](const Neighbour &one) { return one.name == name; }));
  return order;
}

namespace {
class TreeParser {
public:
  llvm::Expected<Tree> run(const Section &section) {
    for (StringRef line : section.lines)
      if (!error)
        parseLine(line);
    place = section.end();
    if (!diagram)
      fail("expected num_states, num_neighbors (4 or 8) and num_nodes before the nodes");
    else if (nodes.size() != numNodes)
      fail("expected " + Twine(numNodes) + " nodes, but got " + Twine(nodes.size()));
    else if (nodes.back().place != 0)
      fail("expected the last node to ask the first of " + Twine(numNeighbours + 1) + " cells");
    if (error)
      return llvm::make_error<GollyError>(*error);
    diagram->setRoot(nodes.back().number);
    return Tree{section.name, getOrder(numNeighbours), std::move(*diagram), place};
  }

private:
  /// Only the first error is kept.
  void fail(const Twine &message) {
    if (!error)
      error.emplace(place, message);
  }

  void parseLine(StringRef line) {
    place = line;
    auto [key, value] = line.split('=');
    key = key.trim();
    value = value.trim();
    if (key == "num_states")
      parseNumber(value, 2, 256, numStates);
    else if (key == "num_neighbors")
      parseNumber(value, 4, 8, numNeighbours);
    else if (key == "num_nodes")
      parseNumber(value, 1, 1 << 24, numNodes);
    else
      parseNode(line);
  }

  void parseNumber(StringRef text, unsigned least, unsigned most, unsigned &result) {
    if (text.getAsInteger(10, result) || result < least || result > most)
      fail("expected a number from " + Twine(least) + " to " + Twine(most) + ", but got '" + text +
           "'");
  }

  void parseNode(StringRef line) {
    if (!numStates || !numNodes || (numNeighbours != 4 && numNeighbours != 8))
      return fail("expected num_states, num_neighbors (4 or 8) and num_nodes before the nodes");
    if (!diagram)
      diagram.emplace(numStates, numNeighbours + 1);
    SmallVector<StringRef> parts;
    llvm::SplitString(line, parts, " \t,");
    if (parts.size() != numStates + 1)
      return fail("expected a depth and " + Twine(numStates) + " numbers, but got " +
                  Twine(parts.size()) + " numbers");
    unsigned depth = 0;
    parseNumber(parts.front(), 1, numNeighbours + 1, depth);
    if (error)
      return;
    Diagram::Node node;
    for (StringRef part : ArrayRef(parts).drop_front())
      node.push_back(parseNext(part, depth));
    unsigned place = numNeighbours + 1 - depth;
    if (!error)
      nodes.push_back({place, diagram->intern(place, std::move(node))});
  }

  /// A new state of the cell, or the node of the next place on an earlier line.
  unsigned parseNext(StringRef part, unsigned depth) {
    unsigned next = 0;
    if (depth == 1) {
      parseNumber(part, 0, numStates - 1, next);
      return next;
    }
    if (part.getAsInteger(10, next) || next >= nodes.size() ||
        nodes[next].place != numNeighbours + 2 - depth) {
      fail("expected the number of a node above of depth " + Twine(depth - 1) + ", but got '" +
           part + "'");
      return 0;
    }
    return nodes[next].number;
  }

  struct Line {
    unsigned place, number;
  };

  std::optional<GollyError> error;
  StringRef place; ///< the current line
  unsigned numStates = 0, numNeighbours = 0, numNodes = 0;
  std::vector<Line> nodes;
  std::optional<Diagram> diagram;
};
} // namespace

llvm::Expected<Tree> mlir::lci::golly::parseTree(const Section &section) {
  return TreeParser().run(section);
}
