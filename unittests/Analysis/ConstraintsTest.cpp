//===- ConstraintsTest.cpp - Constraints against every cell and candidate -===//

#include "LCI/Analysis/Constraints.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;
using Answer = ConstraintVerdict::Answer;

namespace {

constexpr int64_t kVocabulary = 4;

/// A predicate `a·candidate + b·x + c <op> 0`, or two of them combined.
struct RandomPredicate {
  struct Term {
    int64_t candidate, index, constant, modulus;
    bool isEquality;
  };
  std::vector<Term> terms;
  bool isAnd, isForbid;
  int64_t first, last; ///< the cells it constrains

  /// Holds from a cell on, or up to one, that lies up to `far` cells behind the first few.
  explicit RandomPredicate(RandomRelations &random, int64_t far = 0) {
    for (int64_t count = random.pick(1, 2); count > 0; --count) {
      int64_t index = random.maybe(60) ? random.pick(-1, 1) : 0;
      terms.push_back({random.pick(-2, 2), index, random.pick(-5, 5) - index * random.pick(0, far),
                       random.maybe(20) ? random.pick(2, 3) : 0, random.maybe(20)});
    }
    isAnd = random.maybe(50);
    isForbid = random.maybe(50);
    first = random.pick(0, 4);
    last = random.pick(0, 4) + far;
  }

  bool holds(int64_t cell, int64_t candidate) const {
    bool all = isAnd;
    for (const Term &term : terms) {
      int64_t form = term.candidate * candidate + term.index * cell + term.constant;
      if (term.modulus)
        form -= floorOf(form, term.modulus) * term.modulus;
      bool truth = term.isEquality ? form == 0 : form > 0;
      all = isAnd ? all && truth : all || truth;
    }
    return all != isForbid;
  }

  std::string print(const std::string &name) const {
    std::string text = "lci.constraint @" + name + (isForbid ? " forbid" : " require") +
                       " on @A where [affine_set<(x) : (x - " + std::to_string(first) + " >= 0, " +
                       std::to_string(last) +
                       " - x >= 0)>] priority 0 hard {\n^bb0(%x: index, %c: i64):\n"
                       "%i = arith.index_cast %x : index to i64\n%zero = arith.constant 0 : i64\n";
    std::string all;
    for (auto [number, term] : llvm::enumerate(terms)) {
      std::string n = std::to_string(number), form = "%s" + n;
      auto constant = [&](const std::string &what, int64_t value) {
        text += "%" + what + n + " = arith.constant " + std::to_string(value) + " : i64\n";
      };
      constant("a", term.candidate);
      constant("b", term.index);
      constant("c", term.constant);
      text += "%ac" + n + " = arith.muli %a" + n + ", %c : i64\n%bi" + n + " = arith.muli %b" + n +
              ", %i : i64\n%t" + n + " = arith.addi %ac" + n + ", %bi" + n + " : i64\n%s" + n +
              " = arith.addi %t" + n + ", %c" + n + " : i64\n";
      if (term.modulus) {
        constant("m", term.modulus);
        text += "%r" + n + " = lci.floormod %s" + n + ", %m" + n + " : i64\n";
        form = "%r" + n;
      }
      text += "%p" + n + " = arith.cmpi " + (term.isEquality ? "eq" : "sgt") + ", " + form +
              ", %zero : i64\n";
      if (number > 0)
        text += "%q = arith." + std::string(isAnd ? "andi" : "ori") + " %p0, %p1 : i1\n";
      all = number > 0 ? "%q" : "%p0";
    }
    return text + "lci.yield " + all + " : i1\n}\n";
  }
};

std::string declare(int64_t extent) {
  return "lci.value @A token vocabulary affine_map<() -> (" + std::to_string(kVocabulary) +
         ")> shape affine_map<() -> (" + std::to_string(extent) +
         ")> boundary [#lci.boundary<open>] {\n}\n";
}

ConstraintOp lookup(ModuleOp module, StringRef name) {
  return getProgram(module).lookupSymbol<ConstraintOp>(name);
}

// Constraints found always or never to hold are those that visiting every cell and token finds.
TEST(ConstraintsTest, DecidesWhatVisitingEveryVoteDecides) {
  RandomRelations random(11);
  std::map<Answer, int> seen;
  for (int round = 0; round < 2000; ++round) {
    int64_t extent = random.pick(1, 5);
    RandomPredicate predicate(random);
    auto module = random.parse(declare(extent) + predicate.print("C"));
    bool always = true, never = true, any = false;
    for (int64_t cell = predicate.first; cell <= std::min(predicate.last, extent - 1); ++cell)
      for (int64_t token = 0; token < kVocabulary; ++token) {
        (predicate.holds(cell, token) ? never : always) = false;
        any = true;
      }
    Answer truth = !any     ? Answer::SpeaksOfNoCell
                   : always ? Answer::Always
                   : never  ? Answer::Never
                            : Answer::Depends;
    ConstraintVerdict verdict = decideConstraint(lookup(*module, "C"));
    ASSERT_EQ(verdict.answer, truth) << predicate.print("C");
    if (truth == Answer::Never)
      EXPECT_EQ(verdict.cell, SmallVector<int64_t>{predicate.first});
    ++seen[truth];
  }
  EXPECT_EQ(seen.size(), 4u);
}

/// The first of the cells of two predicates that no token satisfies.
std::optional<SmallVector<int64_t>>
visitForContradiction(const RandomPredicate &left, const RandomPredicate &right, int64_t extent) {
  for (int64_t cell = std::max(left.first, right.first);
       cell <= std::min({left.last, right.last, extent - 1}); ++cell) {
    bool some = false;
    for (int64_t token = 0; token < kVocabulary; ++token)
      some |= left.holds(cell, token) && right.holds(cell, token);
    if (!some)
      return SmallVector<int64_t>{cell};
  }
  return std::nullopt;
}

// Two constraints contradict each other at the first common cell that no token satisfies, be it
// among the first cells or far behind.
TEST(ConstraintsTest, FindsTheFirstContradiction) {
  RandomRelations random(12);
  int numFound = 0, numLate = 0;
  for (int round = 0; round < 2000; ++round) {
    int64_t far = round % 2 ? 1500 : 0, extent = random.pick(1, 5) + far;
    RandomPredicate left(random, far), right(random, far);
    auto module = random.parse(declare(extent) + left.print("L") + right.print("R"));
    auto truth = visitForContradiction(left, right, extent);
    ASSERT_EQ(findContradiction(lookup(*module, "L"), lookup(*module, "R")), truth)
        << left.print("L") << right.print("R");
    numFound += truth.has_value();
    numLate += truth && truth->front() > 300;
  }
  EXPECT_GT(numFound, 100);
  EXPECT_GT(numLate, 10);
}

// Constraints on regions are checked at the contradicting cells, wherever they are.
TEST(ConstraintsTest, FindsAContradictionInRegions) {
  RandomRelations random(13);
  auto module = random.parse(declare(5000) + R"(
    lci.region "left"
    lci.constraint @L require on @A region "left" axis 0 priority 0 hard {
    ^bb0(%x: index, %c: i64):
      %two = arith.constant 2 : i64
      %p = arith.cmpi slt, %c, %two : i64
      lci.yield %p : i1
    }
    lci.constraint @R require on @A priority 0 hard {
    ^bb0(%x: index, %c: i64):
      %i = arith.index_cast %x : index to i64
      %scaled = arith.constant 1000 : i64
      %sum = lci.floordiv %i, %scaled : i64
      %p = arith.cmpi sge, %c, %sum : i64
      lci.yield %p : i1
    })");
  ConstraintOp left = lookup(*module, "L"), right = lookup(*module, "R");
  EXPECT_FALSE(findContradiction(left, right)) << "regions are not known";
  auto from = [](int64_t first) {
    NamedSets named;
    named.isInside = [first](ConstraintOp, ArrayRef<int64_t> cell) { return cell[0] >= first; };
    return named;
  };
  NamedSets late = from(3210), all = from(0), none = from(5000);
  EXPECT_EQ(findContradiction(left, right, &late), SmallVector<int64_t>{3210});
  EXPECT_EQ(findContradiction(left, right, &all), SmallVector<int64_t>{2000});
  EXPECT_FALSE(findContradiction(left, right, &none));
}

// A palette is a set of tokens; one constraint tests membership, another one compares.
TEST(ConstraintsTest, FindsAContradictionWithAPalette) {
  RandomRelations random(14);
  int numFound = 0;
  for (int round = 0; round < 500; ++round) {
    RandomPredicate other(random, 0);
    std::string tokens, mood = random.pick(0, 1) != 0 ? "require" : "forbid";
    SmallVector<IndexRange> runs;
    for (int64_t token = 0; token < kVocabulary; ++token)
      if (random.pick(0, 2) == 0)
        runs.push_back({token, token});
    int64_t extent = random.pick(1, 5);
    auto module = random.parse(declare(extent) + R"(
    lci.palette "p"
    lci.constraint @L )" + mood +
                               R"( on @A priority 0 hard {
    ^bb0(%x: index, %c: i64):
      %p = lci.in_palette %c, "p"
      lci.yield %p : i1
    }
)" + other.print("R"));
    auto belongs = [&](int64_t token) {
      return llvm::any_of(runs, [&](IndexRange run) { return run.lower == token; }) ==
             (mood == "require");
    };
    std::optional<SmallVector<int64_t>> truth;
    for (int64_t cell = other.first; cell <= std::min(other.last, extent - 1) && !truth; ++cell) {
      bool some = false;
      for (int64_t token = 0; token < kVocabulary; ++token)
        some |= belongs(token) && other.holds(cell, token);
      if (!some)
        truth = SmallVector<int64_t>{cell};
    }
    NamedSets named;
    named.palettes = [&](StringRef) { return runs; };
    ConstraintOp left = lookup(*module, "L"), right = lookup(*module, "R");
    ASSERT_EQ(findContradiction(left, right, &named), truth) << mood << other.print("R");
    EXPECT_FALSE(findContradiction(left, right)) << "palettes are not known";
    numFound += truth.has_value();
  }
  EXPECT_GT(numFound, 30);
}

} // namespace
