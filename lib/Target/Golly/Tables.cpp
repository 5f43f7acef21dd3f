//===- Tables.cpp - Conversion of rule tables and rule trees --------------===//
//
// Both become a decision diagram: a tree is one; a table's transitions are added to one in order,
// each defining only the leaves that no earlier one has defined.
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
static constexpr size_t kMaxSize = 1 << 23;
/// The size up to which one tree for all states of the cell is attempted, which can take long.
static constexpr size_t kMaxShared = 1 << 18;

/// The orders of the places of a block, with `self` moved to the end.
static std::vector<SmallVector<unsigned>> getBlockOrders(const Table &table, unsigned self) {
  const Neighbourhood &near = *table.neighbourhood;
  std::vector<SmallVector<unsigned>> orders;
  if (table.symmetries == "permute") {
    SmallVector<unsigned> order = llvm::to_vector(llvm::seq(0u, unsigned(near.neighbours.size())));
    do
      orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
  } else {
    orders = near.getOrders(table.symmetries);
  }
  for (SmallVector<unsigned> &order : orders) {
    unsigned last = order[self];
    order.erase(order.begin() + self);
    order.push_back(last);
  }
  return orders;
}

/// The orders of a table's places, in which the cell itself is first.
static std::vector<SmallVector<unsigned>> getCellOrders(const Table &table, bool isSelfFirst) {
  std::vector<SmallVector<unsigned>> orders;
  if (table.symmetries != "permute")
    orders = table.neighbourhood->getOrders(table.symmetries);
  for (SmallVector<unsigned> &order : orders) {
    for (unsigned &place : order)
      ++place;
    order.insert(isSelfFirst ? order.begin() : order.end(), 0);
  }
  return orders;
}

namespace {
/// Adds transitions, and compacts the diagram now and then.
class Collector {
public:
  /// No diagram becomes larger than `limit`.
  Collector(const Table &table, size_t limit)
      : diagram(table.numStates, table.neighbourhood->getNumPlaces()), limit(limit) {
    diagram.setRoot(diagram.internAll(0, Diagram::kUnset));
  }

  /// Returns false once the limit is reached.
  bool add(const Diagram &fits, unsigned leaf) {
    diagram.add(fits, leaf);
    return diagram.getSize() < 2 * compacted + limit / 8 || compact();
  }

  std::optional<Diagram> finish() {
    return compact() ? std::optional(std::move(diagram)) : std::nullopt;
  }

private:
  bool compact() {
    diagram.compact();
    compacted = diagram.getSize();
    return compacted <= limit;
  }

  Diagram diagram;
  size_t limit, compacted = 0;
};
} // namespace

static llvm::Error refuseSize(StringRef line) {
  return llvm::make_error<GollyError>(line, "expected a rule that is a tree of at most " +
                                                Twine(kMaxSize) +
                                                " numbers, but this one has more");
}

static llvm::Expected<Diagram> finish(Collector collector, const Table &table) {
  std::optional<Diagram> diagram = collector.finish();
  return diagram ? llvm::Expected<Diagram>(std::move(*diagram))
                 : refuseSize(table.transitions.back().line);
}

static llvm::Expected<Diagram> collectCells(const Table &table, bool isSelfFirst, size_t limit) {
  Collector collector(table, limit);
  std::vector<SmallVector<unsigned>> orders = getCellOrders(table, isSelfFirst);
  for (const Transition &transition : table.transitions) {
    Diagram fits = table.symmetries == "permute"
                       ? matchPermuted(transition, table.numStates, isSelfFirst)
                       : matchOrders(transition, table.numStates, orders);
    if (!collector.add(fits, transition.outputs.front()))
      return refuseSize(transition.line);
  }
  llvm::Expected<Diagram> diagram = finish(std::move(collector), table);
  if (diagram && !isSelfFirst)
    diagram->keepLastPlace();
  return diagram;
}

/// The new state of one place of a block. Each order puts another input, and so another output,
/// there.
static llvm::Expected<Diagram> collectBlocks(const Table &table, unsigned self) {
  Collector collector(table, kMaxSize);
  std::vector<SmallVector<unsigned>> orders = getBlockOrders(table, self);
  for (const Transition &transition : table.transitions)
    for (const SmallVector<unsigned> &order : orders)
      if (!collector.add(matchOrders(transition, table.numStates, order),
                         transition.outputs[order.back()]))
        return refuseSize(transition.line);
  llvm::Expected<Diagram> diagram = finish(std::move(collector), table);
  if (diagram)
    diagram->keepLastPlace();
  return diagram;
}

static SmallVector<std::string> writeReads(const ProgramText &program,
                                           ArrayRef<Neighbour> neighbours) {
  SmallVector<std::string> places;
  for (const Neighbour &one : neighbours)
    places.push_back(program.writeRead(one.name));
  return places;
}

static bool isOdd(StringRef size) {
  int64_t number;
  return !size.getAsInteger(10, number) && number % 2 != 0;
}

/// The position of a cell in its block alternates with every epoch: `a` and `b` are 0 in its first
/// column and row. The offsets of the other cells of the block depend on that position.
static llvm::Expected<std::string> writeBlocks(const Table &table, const Section &section) {
  const Grid &grid = section.grid;
  if (!grid.isPlainTorus())
    return llvm::make_error<GollyError>(section.bounds,
                                        "expected a torus without a shift for the blocks of the "
                                        "neighborhood Margolus, but got ':" +
                                            shorten(section.bounds) + "'");
  if (isOdd(grid.width) || isOdd(grid.height))
    return llvm::make_error<GollyError>(section.bounds,
                                        "expected even sides for the blocks of the neighborhood "
                                        "Margolus, but got ':" +
                                            shorten(section.bounds) + "'");
  ProgramText program(table.name.empty() ? "a rule of blocks" : table.name, table.numStates, grid);
  program.see(findNeighbourhood("Moore")->neighbours);
  program.constrain("constraint EvenSizes:\n  on Cell[x,y]\n  require " + grid.width +
                    " % 2 == 0 and " + grid.height + " % 2 == 0\n  priority hard");
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
  for (unsigned self = 0; self < 4; ++self) {
    llvm::Expected<Diagram> diagram = collectBlocks(table, self);
    if (!diagram)
      return diagram.takeError();
    SmallVector<std::string> places;
    for (unsigned place = 0; place < 4; ++place)
      if (place != self)
        places.push_back(names[place].str());
    places.push_back("self");
    becomes[self] = program.follow(*diagram, places, ("q" + Twine(self)).str());
  }
  return program.finish(choose(becomes));
}

/// With the cell itself as the first test, each of its states has a separate tree. As the last
/// test, one tree serves all of them: it is small if they test alike, but as large as their product
/// otherwise. The smaller one is used.
static llvm::Expected<std::string> writeCells(const Table &table, const Grid &grid) {
  llvm::Expected<Diagram> first = collectCells(table, /*isSelfFirst=*/true, kMaxSize);
  if (!first)
    return first.takeError();
  size_t limit = std::min(first->getSize(), kMaxShared);
  llvm::Expected<Diagram> last = collectCells(table, /*isSelfFirst=*/false, limit);
  bool isSelfFirst = !last;
  if (!last)
    llvm::consumeError(last.takeError());
  ProgramText program(table.name.empty() ? "a rule table" : table.name, table.numStates, grid);
  program.see(table.neighbourhood->neighbours);
  SmallVector<std::string> places = writeReads(program, table.neighbourhood->neighbours);
  places.insert(isSelfFirst ? places.begin() : places.end(), "self");
  return program.finish(program.follow(isSelfFirst ? *first : *last, places));
}

llvm::Expected<std::string> mlir::lci::golly::convertTable(const Section &section) {
  llvm::Expected<Table> table = parseTable(section);
  if (!table)
    return table.takeError();
  return table->neighbourhood->isBlock ? writeBlocks(*table, section)
                                       : writeCells(*table, section.grid);
}

llvm::Expected<std::string> mlir::lci::golly::convertTree(const Section &section) {
  llvm::Expected<Tree> tree = parseTree(section);
  if (!tree)
    return tree.takeError();
  if (tree->diagram.getSize() > kMaxSize)
    return refuseSize(tree->line);
  ProgramText program(tree->name.empty() ? "a rule tree" : tree->name, tree->diagram.getNumStates(),
                      section.grid);
  program.see(tree->neighbours);
  SmallVector<std::string> places = writeReads(program, tree->neighbours);
  places.push_back("self");
  return program.finish(program.follow(tree->diagram, places));
}
