//===- CausalityTest.cpp - Causality against the transitive closure -------===//

#include "LCI/Analysis/Causality.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// A cell of some value.
using Cell = std::pair<const RandomValue *, Point>;

/// All that is reachable from a cell.
std::set<Cell> reach(const Cell &start, const std::map<Cell, std::set<Cell>> &edges) {
  std::set<Cell> reached;
  std::vector<Cell> open{start};
  while (!open.empty()) {
    Cell cell = open.back();
    open.pop_back();
    auto found = edges.find(cell);
    if (found == edges.end())
      continue;
    for (const Cell &next : found->second)
      if (reached.insert(next).second)
        open.push_back(next);
  }
  return reached;
}

std::map<Cell, std::set<Cell>> getEdges(const std::vector<RandomAccess> &lines) {
  std::map<Cell, std::set<Cell>> edges;
  for (const RandomAccess &line : lines) {
    size_t rank = line.reader->extents.size();
    for (const Point &pair : line.getPairs()) {
      auto [from, to] = split(pair, rank);
      edges[{line.reader, from}].insert({line.source, to});
    }
  }
  return edges;
}

bool seesFuture(const RandomValue &value, const std::map<Cell, std::set<Cell>> &edges) {
  bool found = false;
  forCells(value.extents, [&](const Point &cell) {
    for (const Cell &seen : reach({&value, cell}, edges))
      found |= seen.first == &value && seen.second[0] > cell[0];
  });
  return found;
}

// Each decision procedure alone and all together: never a false alarm, never a miss.
TEST(CausalityTest, AgreesWithTheTransitiveClosure) {
  RandomRelations random(3);
  int numFuture = 0;
  for (int round = 0; round < 1200; ++round) {
    RandomValue first = random.makeValue("A", random.pick(1, 2));
    RandomValue second = random.makeValue("B", random.pick(1, 2));
    const RandomValue *values[] = {&first, &second};
    std::vector<RandomAccess> lines;
    std::string text = first.declare() + second.declare();
    for (int64_t number = random.pick(1, 3); number > 0; --number) {
      lines.push_back(random.makeAccess(*values[random.pick(0, 1)], *values[random.pick(0, 1)]));
      text += lines.back().printVisible();
    }
    auto module = random.parse(text);
    ValueOp value = getProgram(*module).lookupValue("A");
    auto edges = getEdges(lines);
    bool truth = seesFuture(first, edges);
    numFuture += truth;
    for (unsigned maxChains : {0, 64}) {
      Causality causality = analyzeCausality(value, {maxChains, uint64_t(1) << 20});
      ASSERT_EQ(causality.answer, truth ? Causality::Answer::Sometimes : Causality::Answer::Never)
          << text;
      if (!truth)
        continue;
      Point from(causality.path.from.begin(), causality.path.from.end());
      Point to(causality.path.to.begin(), causality.path.to.end());
      EXPECT_GT(to[0], from[0]);
      EXPECT_TRUE(reach({&first, from}, edges).count({&first, to})) << text;
    }
    // Without any exploration the answer may be unknown, but is never wrong.
    Causality quick = analyzeCausality(value, {64, 0});
    if (quick.answer != Causality::Answer::Unknown)
      EXPECT_EQ(quick.answer == Causality::Answer::Sometimes, truth) << text;
  }
  EXPECT_GT(numFuture, 150);
  EXPECT_LT(numFuture, 1050);
}

} // namespace
