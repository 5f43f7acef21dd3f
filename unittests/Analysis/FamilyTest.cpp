//===- FamilyTest.cpp - Sizes of families and claims of presence ----------===//

#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/MemberBounds.h"
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

// The largest of a family is present iff some member is: the first cell without one is found.
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

/// A random constraint on three dimensions, some of them divided.
AffineExpr makeConstraint(RandomRelations &random) {
  AffineExpr sum = getAffineConstantExpr(random.pick(-3, 3), &random.context);
  for (unsigned dim = 0; dim < 3; ++dim) {
    AffineExpr term = getAffineDimExpr(dim, &random.context);
    if (random.maybe(30))
      term = term.floorDiv(random.pick(2, 3));
    sum = sum + term * random.pick(-1, random.maybe(10) ? 2 : 1);
  }
  return sum;
}

// Every member of every set lies within the bounds of its indices, which exist where they can.
TEST(FamilyTest, BoundsHoldEveryMember) {
  RandomRelations random(6);
  int numBounds = 0, numTight = 0;
  for (int round = 0; round < 400; ++round) {
    SmallVector<AffineExpr> shared{makeConstraint(random)};
    std::vector<IntegerSet> sets;
    SmallVector<Attribute> where;
    for (int64_t number = random.pick(1, 2); number > 0; --number) {
      SmallVector<AffineExpr> all{shared.front(), makeConstraint(random)};
      sets.push_back(IntegerSet::get(3, 0, all, {random.maybe(40), random.maybe(10)}));
      where.push_back(IntegerSetAttr::get(sets.back()));
    }
    for (unsigned dim = 0; dim < 3; ++dim) {
      MemberBounds bounds = getMemberBounds(ArrayAttr::get(&random.context, where), dim);
      numBounds += bounds.first.size() + bounds.last.size();
      forAll({-4, -4, -4}, {4, 4, 4}, [&](const Point &point) {
        if (!holdsAt(sets, point))
          return;
        for (AffineExpr first : bounds.first) {
          ASSERT_LE(valueAt(first, point), point[dim]);
          numTight += valueAt(first, point) == point[dim];
        }
        for (AffineExpr last : bounds.last) {
          ASSERT_GE(valueAt(last, point), point[dim]);
          numTight += valueAt(last, point) == point[dim];
        }
      });
    }
  }
  EXPECT_GT(numBounds, 400);
  EXPECT_GT(numTight, 1000);
}

} // namespace
