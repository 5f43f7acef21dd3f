//===- RelationsTest.cpp - Relations of reads against every pair of cells -===//

#include "LCI/Analysis/Relations.h"
#include "LCI/Analysis/Visibility.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// The pairs of a relation, by testing each.
Pairs listPairs(const presburger::PresburgerRelation &relation, const RandomAccess &access) {
  Pairs pairs;
  forCells(join(access.reader->extents, access.source->extents), [&](const Point &pair) {
    if (relation.containsPoint(ArrayRef<int64_t>(pair)))
      pairs.insert(pair);
  });
  return pairs;
}

/// The pairs of a capability, visited cell by cell.
Pairs visitPairs(VisibleOp visible, const RandomValue &reader) {
  Pairs pairs;
  forCells(reader.extents, [&](const Point &cell) {
    EXPECT_TRUE(visitVisible(visible, cell, [&](ArrayRef<int64_t> target) {
      pairs.insert(join(cell, Point(target.begin(), target.end())));
      return true;
    }));
  });
  return pairs;
}

ReadOp findRead(ModuleOp module) {
  ReadOp found;
  module.walk([&](ReadOp read) { found = read; });
  return found;
}

// Every boundary, free indices, quotients and unions of sets.
TEST(RelationsTest, ReadsAreWhatVisitingEveryCellGives) {
  RandomRelations random(1);
  for (int round = 0; round < 1500; ++round) {
    RandomValue reader = random.makeValue("A", random.pick(1, 2));
    RandomValue source = random.makeValue("B", random.pick(1, 2));
    RandomAccess access = random.makeAccess(reader, source);
    auto module = random.parse(reader.declare() + source.declare() + access.printVisible() +
                               access.printRule("R"));
    Pairs truth = access.getPairs();
    auto visible = *getProgram(*module).getOps<VisibleOp>().begin();
    ASSERT_EQ(listPairs(*getReadRelation(findRead(*module), Target::Cell), access), truth);
    ASSERT_EQ(listPairs(getVisibleRelation(visible, Target::Cell), access), truth);
    ASSERT_EQ(visitPairs(visible, reader), truth);
  }
}

// No false alarm, no miss; the witness is valid and at the first such cell.
TEST(RelationsTest, FindsAReadThatIsNotVisible) {
  RandomRelations random(2);
  int numOutside = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomValue reader = random.makeValue("A", random.pick(1, 2));
    RandomValue source = random.makeValue("B", random.pick(1, 2));
    RandomAccess inner = random.makeAccess(reader, source),
                 outer = random.makeAccess(reader, source);
    if (random.maybe(50)) { // a subset, said in other words
      outer.map = inner.map;
      outer.numFree = inner.numFree;
      outer.sets = inner.sets;
      outer.sets.push_back(random.makeSet(reader.extents.size(), inner.numFree));
    }
    std::string text =
        reader.declare() + source.declare() + outer.printVisible() + inner.printRule("R");
    auto module = random.parse(text);
    Pairs reads = inner.getPairs(), seen = outer.getPairs();
    bool truth = llvm::any_of(reads, [&](const Point &pair) { return !seen.count(pair); });
    Visibility found = analyzeVisibility(findRead(*module));
    ASSERT_EQ(found.answer, truth ? Visibility::Answer::Invisible : Visibility::Answer::Visible)
        << text;
    numOutside += truth;
    if (!truth)
      continue;
    Point pair = join(found.cell, found.target);
    ASSERT_TRUE(reads.count(pair) && !seen.count(pair)) << text;
    Point first = *llvm::find_if(reads, [&](const Point &read) { return !seen.count(read); });
    size_t rank = reader.extents.size();
    ASSERT_EQ(split(pair, rank).first, split(first, rank).first) << text;
    // Without visiting cells the answer may be unknown, but is never wrong.
    ASSERT_NE(analyzeVisibility(findRead(*module), 0).answer, Visibility::Answer::Visible) << text;
  }
  EXPECT_GT(numOutside, 300);
  EXPECT_LT(numOutside, 1400);
}

// A difference keeps its quotients, but not the inequalities that defined them: it must be possible
// to subtract it again.
TEST(RelationsTest, SubtractsDifferencesOfRemainders) {
  RandomRelations random(21);
  auto makeRelation = [&] {
    auto all = presburger::PresburgerRelation::getEmpty(
        presburger::PresburgerSpace::getRelationSpace(1, 0));
    for (int64_t number = random.pick(1, 2); number > 0; --number) {
      AffineSystem system(1, 0);
      Linear form = system.modulo(
          system.domain(0) * random.pick(-3, 3) + Linear(random.pick(-5, 5)), random.pick(2, 4));
      random.maybe(30) ? system.addZero(form - Linear(random.pick(0, 2)))
                       : system.addNonNegative(form - Linear(random.pick(0, 2)));
      all.unionInPlace(system.get());
    }
    return all;
  };
  for (int round = 0; round < 500; ++round) {
    presburger::PresburgerRelation a = makeRelation(), b = makeRelation(), c = makeRelation();
    presburger::PresburgerRelation difference = subtract(a, subtract(b, c));
    for (int64_t point = -6; point <= 6; ++point)
      EXPECT_EQ(difference.containsPoint({point}),
                a.containsPoint({point}) &&
                    !(b.containsPoint({point}) && !c.containsPoint({point})))
          << round << " at " << point;
  }
}

} // namespace
