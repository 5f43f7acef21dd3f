//===- Tables.cpp - Programs of rule tables and rule trees ------------------===//
//
// Both become a diagram: a tree is one, a table's transitions are added to one in turn, where none
// before them has said what becomes of a cell.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "Matching.h"
#include "Rules.h"
#include "Table.h"
#include "Tree.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::golly;

/// The most numbers that a program looks up.
static constexpr size_t kMaxSize = 1 << 20;

static llvm::Error checkSize(const Diagram &diagram, unsigned line) {
  if (diagram.getSize() <= kMaxSize)
    return llvm::Error::success();
  return llvm::make_error<GollyError>(line, "expected a rule that is a tree of at most " +
                                                std::to_string(kMaxSize) +
                                                " numbers, but this one has more");
}

/// The orders of a table's places: the neighbours, then the cell, which tables have first. In a
/// block the place `own` comes last, and others keep their order.
static std::vector<SmallVector<unsigned>> getPlaceOrders(const Table &table, unsigned own) {
  const Neighbourhood &near = *table.neighbourhood;
  std::vector<SmallVector<unsigned>> orders;
  if (table.symmetries == "permute") { // of blocks
    SmallVector<unsigned> order = llvm::to_vector(llvm::seq(0u, unsigned(near.neighbours.size())));
    do
      orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
  } else {
    orders = near.getOrders(table.symmetries);
  }
  for (SmallVector<unsigned> &order : orders) {
    if (near.isBlock) {
      unsigned last = order[own];
      order.erase(order.begin() + own);
      order.push_back(last);
      continue;
    }
    for (unsigned &place : order)
      ++place;
    order.push_back(0);
  }
  return orders;
}

namespace {
/// Adds transitions, and forgets now and then what they have replaced.
struct Collector {
  Diagram diagram;
  size_t compacted = 0;

  explicit Collector(const Table &table)
      : diagram(table.numStates, table.neighbourhood->getNumPlaces()) {
    diagram.setRoot(diagram.internAll(0, Diagram::kUnset));
  }

  llvm::Error add(const Diagram &fits, unsigned leaf, unsigned line) {
    diagram.add(fits, leaf);
    if (diagram.getSize() < 2 * compacted + kMaxSize / 8)
      return llvm::Error::success();
    diagram.compact();
    compacted = diagram.getSize();
    return checkSize(diagram, line);
  }
};
} // namespace

static llvm::Expected<Diagram> collectCells(const Table &table) {
  Collector collector(table);
  std::vector<SmallVector<unsigned>> orders = getPlaceOrders(table, 0);
  for (const Transition &transition : table.transitions) {
    Diagram fits = table.symmetries == "permute" ? matchPermuted(transition, table.numStates)
                                                 : matchOrders(transition, table.numStates, orders);
    if (llvm::Error error = collector.add(fits, transition.outputs.front(), transition.line))
      return error;
  }
  collector.diagram.keepLastPlace();
  if (llvm::Error error = checkSize(collector.diagram, table.transitions.back().line))
    return error;
  return std::move(collector.diagram);
}

/// What becomes of one place of a block. Each order puts another input, and so another output,
/// there.
static llvm::Expected<Diagram> collectBlocks(const Table &table, unsigned own) {
  Collector collector(table);
  std::vector<SmallVector<unsigned>> orders = getPlaceOrders(table, own);
  for (const Transition &transition : table.transitions)
    for (const SmallVector<unsigned> &order : orders)
      if (llvm::Error error = collector.add(matchOrders(transition, table.numStates, order),
                                            transition.outputs[order.back()], transition.line))
        return error;
  collector.diagram.keepLastPlace();
  if (llvm::Error error = checkSize(collector.diagram, table.transitions.back().line))
    return error;
  return std::move(collector.diagram);
}

static SmallVector<std::string> askAll(const ProgramText &program, ArrayRef<Neighbour> neighbours) {
  SmallVector<std::string> places;
  for (const Neighbour &one : neighbours)
    places.push_back(program.ask(one.name));
  places.push_back("self");
  return places;
}

/// Which cell of its block a cell is changes with every epoch: `a` and `b` are 0 in its first
/// column and row. A cell finds the others beside it, each in another direction for each of its own
/// places.
static llvm::Expected<std::string> writeBlocks(const Table &table) {
  ProgramText program(table.name.empty() ? "a rule of blocks" : table.name, table.numStates, {});
  program.see(findNeighbourhood("Moore")->neighbours);
  program.constrain("constraint EvenSizes:\n  on Cell[x,y]\n  require W % 2 == 0 and H % 2 == 0\n  "
                    "priority hard");
  program.let("a", "(x + epoch) % 2");
  program.let("b", "(y + epoch) % 2");
  const char *beside[4][4] = {{"self", "w", "n", "nw"},
                              {"e", "self", "ne", "n"},
                              {"s", "sw", "self", "w"},
                              {"se", "s", "e", "self"}};
  auto choose = [](const std::string(&of)[4]) {
    return "if b == 0 then if a == 0 then " + of[0] + " else " + of[1] + " else if a == 0 then " +
           of[2] + " else " + of[3];
  };
  static constexpr StringRef names[] = {"p0", "p1", "p2", "p3"};
  for (unsigned place = 0; place < 4; ++place)
    program.let(names[place],
                choose({beside[place][0], beside[place][1], beside[place][2], beside[place][3]}));
  std::string becomes[4];
  for (unsigned own = 0; own < 4; ++own) {
    llvm::Expected<Diagram> diagram = collectBlocks(table, own);
    if (!diagram)
      return diagram.takeError();
    SmallVector<std::string> places;
    for (unsigned place = 0; place < 4; ++place)
      if (place != own)
        places.push_back(names[place].str());
    places.push_back("self");
    becomes[own] = program.follow(*diagram, places, ("q" + Twine(own)).str());
  }
  return program.finish(choose(becomes));
}

llvm::Expected<std::string> mlir::lci::golly::convertTable(StringRef text) {
  llvm::Expected<Table> table = parseTable(text);
  if (!table)
    return table.takeError();
  if (table->neighbourhood->isBlock)
    return writeBlocks(*table);
  llvm::Expected<Diagram> diagram = collectCells(*table);
  if (!diagram)
    return diagram.takeError();
  ProgramText program(table->name.empty() ? "a rule table" : table->name, table->numStates, {});
  program.see(table->neighbourhood->neighbours);
  return program.finish(
      program.follow(*diagram, askAll(program, table->neighbourhood->neighbours)));
}

llvm::Expected<std::string> mlir::lci::golly::convertTree(StringRef text) {
  llvm::Expected<Tree> tree = parseTree(text);
  if (!tree)
    return tree.takeError();
  if (llvm::Error error = checkSize(tree->diagram, tree->line))
    return error;
  ProgramText program(tree->name.empty() ? "a rule tree" : tree->name, tree->diagram.getNumStates(),
                      {});
  program.see(tree->neighbours);
  return program.finish(program.follow(tree->diagram, askAll(program, tree->neighbours)));
}
