//===- ReduceTest.cpp - Reduction of texts --------------------------------===//

#include "LCI/Reduce/Reduce.h"
#include <gtest/gtest.h>

using namespace lci;

namespace {

TEST(ReduceTest, ADeclarationBeginsAtALineWithoutASpace) {
  std::string text = "// a\n\nvalue A\nrule R:\n  on A\n\n  emit\n";
  EXPECT_EQ(splitDeclarations(text),
            (Declarations{"// a\n", "value A", "rule R:\n  on A\n\n  emit"}));
  EXPECT_EQ(joinDeclarations(splitDeclarations(text)), text);
  EXPECT_EQ(joinDeclarations(splitDeclarations("  a\n b")), "  a\n b\n");
  EXPECT_TRUE(splitDeclarations("").empty());
}

bool has(const Declarations &declarations, const std::string &word) {
  return joinDeclarations(declarations).find(word) != std::string::npos;
}

TEST(ReduceTest, WhatIsNotNeededGoes) {
  Declarations whole = {"a", "b\n  x\n  y\n  z", "c", "d", "e"};
  auto needs = [](const Declarations &rest) { return has(rest, "y") && has(rest, "d"); };
  EXPECT_EQ(reduceDeclarations(whole, needs), (Declarations{"b\n  y", "d"}));
  auto all = [&](const Declarations &rest) { return rest == whole; };
  EXPECT_EQ(reduceDeclarations(whole, all), whole);
  EXPECT_TRUE(reduceDeclarations(whole, [](const Declarations &) { return true; }).empty());
}

// A declaration that only goes after a line of an earlier one went: one pass is not enough.
TEST(ReduceTest, GoesOnUntilNothingCanGo) {
  Declarations whole = {"rule\n  uses", "value"};
  auto isProgram = [](const Declarations &rest) {
    return has(rest, "rule") && (has(rest, "value") || !has(rest, "uses"));
  };
  EXPECT_EQ(reduceDeclarations(whole, isProgram), (Declarations{"rule"}));
}

// The same candidates in the same order, each a subset of an interesting one.
TEST(ReduceTest, AsksTheSameEachTimeAndForLess) {
  Declarations whole;
  for (int i = 0; i < 40; ++i)
    whole.push_back("d" + std::to_string(i) + ".\n  line");
  std::vector<std::string> candidates[2];
  for (auto &questions : candidates)
    reduceDeclarations(whole, [&](const Declarations &rest) {
      questions.push_back(joinDeclarations(rest));
      EXPECT_LT(questions.back().size(), joinDeclarations(whole).size());
      return has(rest, "d3.") && has(rest, "d31.");
    });
  EXPECT_EQ(candidates[0], candidates[1]);
  EXPECT_LT(candidates[0].size(), 40U);
}

} // namespace
