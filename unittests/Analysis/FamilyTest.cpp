//===- FamilyTest.cpp - Sizes of families and claims of presence, counted ---===//

#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Presence.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

// Intervals, dependent bounds and overlapping unions; at the cells where the rule applies only.
TEST(FamilyTest, LargestSizeIsThatOfSomeCell) {
  RandomRelations random(4);
  for (int round = 0; round < 1500; ++round) {
    RandomValue reader = random.makeValue("A", random.pick(1, 2));
    RandomAccess access = random.makeAccess(reader, reader),
                 where = random.makeAccess(reader, reader);
    where.sets = {random.makeSet(reader.extents.size(), 0)};
    auto module =
        random.parse(reader.declare() + access.printRule("R", "where " + where.printSets() + " "));
    std::map<Point, int64_t> sizes;
    access.forMembers([&](const Point &point) {
      Point cell(point.begin(), point.begin() + reader.extents.size());
      if (holdsAt(where.sets, cell))
        ++sizes[cell];
    });
    int64_t truth = 0;
    for (const auto &[cell, size] : sizes)
      truth = std::max(truth, size);
    ReduceOp reduce;
    module->walk([&](ReduceOp op) { reduce = op; });
    ASSERT_EQ(getLargestFamily(reduce), std::optional<int64_t>(truth)) << access.printRule("R");
  }
}

// The largest of a family is there iff some member is: the first cell without one is found.
TEST(FamilyTest, PresenceOfALargestMember) {
  RandomRelations random(5);
  int numAbsent = 0;
  for (int round = 0; round < 1200; ++round) {
    RandomValue reader = random.makeValue("A", random.pick(1, 2));
    RandomAccess access = random.makeAccess(reader, reader);
    std::string rule = access.printRule("R");
    size_t emit = rule.find("lci.emit");
    rule =
        rule.substr(0, emit) + "%there = lci.unwrap %sum, %some : f32\nlci.emit %there : f32\n}\n";
    auto module = random.parse(reader.declare() + rule);
    std::set<Point> present;
    for (const Point &pair : access.getPairs())
      present.insert(Point(pair.begin(), pair.begin() + reader.extents.size()));
    std::optional<Point> truth;
    forCells(reader.extents, [&](const Point &cell) {
      if (!truth && !present.count(cell))
        truth = cell;
    });
    UnwrapOp claim;
    module->walk([&](UnwrapOp op) { claim = op; });
    Presence presence = analyzePresence(claim);
    ASSERT_EQ(presence.absentAt.has_value(), truth.has_value()) << rule;
    if (truth)
      ASSERT_EQ(Point(presence.absentAt->begin(), presence.absentAt->end()), *truth) << rule;
    numAbsent += truth.has_value();
  }
  EXPECT_GT(numAbsent, 150);
  EXPECT_LT(numAbsent, 1170);
}

} // namespace
