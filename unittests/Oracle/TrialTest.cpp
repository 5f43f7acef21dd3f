//===- TrialTest.cpp - Trials and their outcomes --------------------------===//

#include "LCI/Oracle/Trial.h"
#include <gtest/gtest.h>

using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::Role;
using ::lci::SlotForm;

namespace {
SlotForm makeSlot(Role role, const char *name, ElementKind kind, std::vector<int64_t> extents) {
  SlotForm slot;
  slot.role = role;
  slot.name = name;
  slot.kind = kind;
  slot.isArray = true;
  slot.extents = extents;
  slot.low = slot.high = std::vector<int64_t>(extents.size(), 0);
  return slot;
}

Outcome makeOutcome(int64_t cell) {
  Outcome outcome;
  outcome.values["A"] = Array(DType::I64, {2, 3});
  outcome.values["A"].setInt(4, cell);
  outcome.counters = {{"A.changed", 7}, {"mine", 1}};
  outcome.broken = {{"Hard.broken", 0}};
  outcome.observations = {{"total", Array::scalar(int64_t(5))}};
  return outcome;
}
} // namespace

TEST(TrialTest, TheFirstDifferenceIsSaid) {
  Outcome expected = makeOutcome(9);
  EXPECT_EQ(findDifference(expected, makeOutcome(9)), std::nullopt);
  EXPECT_EQ(findDifference(expected, makeOutcome(8)), "A[1, 1] was 9, but is 8");
  Outcome got = expected;
  got.values.clear();
  EXPECT_EQ(findDifference(expected, got), "the value 'A' is gone");
  got = expected;
  got.values["A"] = Array(DType::I64, {3, 2});
  EXPECT_EQ(findDifference(expected, got), "'A' has another shape or type");
  got = expected;
  got.counters = {{"A.changed", 6}};
  EXPECT_EQ(findDifference(expected, got), "the counter 'A.changed' was 7, but is 6");
  got = expected;
  got.broken["Hard.broken"] = 2;
  EXPECT_EQ(findDifference(expected, got),
            "the number of cells that break 'Hard.broken' was 0, but is 2");
  got = expected;
  got.observations[0].value = std::nullopt;
  EXPECT_EQ(findDifference(expected, got), "the observer 'total' was 5, but is nothing");
}

TEST(TrialTest, LoweredFunctionsHaveTheSameCounters) {
  Outcome expected = makeOutcome(9), got = makeOutcome(9);
  got.counters.erase("mine");
  EXPECT_EQ(findDifference(expected, got), "the counter 'mine' was 1, but is 0");
  EXPECT_EQ(findDifference(got, expected), "the counter 'mine' was 0, but is 1");
  // A program counts more than functions do, which may count nothing.
  expected.isOfProgram = true;
  EXPECT_EQ(findDifference(expected, got), std::nullopt);
  EXPECT_EQ(findDifference(got, expected), std::nullopt);
  got.counters["other"] = 3;
  EXPECT_EQ(findDifference(expected, got), "the counter 'other' was 0, but is 3");
  expected.isOfProgram = false;
  got.counters.clear();
  EXPECT_EQ(findDifference(expected, got), std::nullopt);
  EXPECT_EQ(findDifference(got, expected), std::nullopt);
}

TEST(TrialTest, BrokenConstraintsThatOneDoesNotCountAreNone) {
  Outcome expected = makeOutcome(9), got = makeOutcome(9);
  expected.broken.clear();
  EXPECT_EQ(findDifference(expected, got), std::nullopt);
  got.broken["Hard.broken"] = 63;
  EXPECT_EQ(findDifference(expected, got),
            "the number of cells that break 'Hard.broken' was 0, but is 63");
}

TEST(TrialTest, OtherArgumentsAreNamed) {
  ProgramForm one, other;
  one.slots = {makeSlot(Role::Enable, "Copy", ElementKind::I1, {})};
  other.slots = {makeSlot(Role::Enable, "Copie", ElementKind::I1, {}),
                 makeSlot(Role::Seed, "", ElementKind::I64, {})};
  EXPECT_EQ(findOtherArgument(one, other), "the enable 'Copy' is gone");
  one.slots.push_back(other.slots[0]);
  EXPECT_EQ(findOtherArgument(other, one), "the enable 'Copy' is new");
  EXPECT_EQ(findOtherArgument(one, one), std::nullopt);
}

TEST(TrialTest, RegionsOfWhichBoundsAreGivenAreThoseOfAValue) {
  ProgramForm form;
  form.slots = {makeSlot(Role::Bounds, "R", ElementKind::I64, {2, 2}),
                makeSlot(Role::State, "A", ElementKind::I64, {3, 5, 7})};
  for (const Trial &trial : makeTrials(form, {20, 1, 5})) {
    const Array &region = trial.arguments.regions.at("R");
    EXPECT_EQ(region.shape(), std::vector<int64_t>({5, 7}));
    // It is a rectangle: as many cells as its bounds have.
    Array bounds = ::lci::boundsOf(region);
    int64_t cells = 0, area = 1;
    for (int64_t i = 0; i < region.size(); ++i)
      cells += region.intAt(i);
    for (int64_t axis = 0; axis < 2; ++axis)
      area *= bounds.intAt(2 * axis + 1) - bounds.intAt(2 * axis) + 1;
    EXPECT_EQ(cells, area);
    EXPECT_GE(cells, 1);
  }
}

TEST(TrialTest, ContentsFollowFromSeedRoleAndName) {
  ProgramForm form;
  form.slots = {makeSlot(Role::State, "A", ElementKind::I8, {40}),
                makeSlot(Role::Input, "X", ElementKind::F32, {40}),
                makeSlot(Role::Param, "p", ElementKind::I64, {40}),
                makeSlot(Role::Palette, "few", ElementKind::I1, {40}),
                makeSlot(Role::Enable, "Rule", ElementKind::I1, {})};
  form.slots[0].vocabulary = 3;
  form.mayBeAbsent = {"A"};
  std::vector<Trial> trials = makeTrials(form, {4, 2, 11});
  ASSERT_EQ(trials.size(), 4u);
  // The first one begins as the program says.
  EXPECT_EQ(trials[0].values.count("A"), 0u);
  EXPECT_TRUE(trials[0].arguments.enables.at("Rule"));
  EXPECT_TRUE(trials[1].arguments.enables.at("Rule"));
  EXPECT_EQ(trials[0].epochs, 2);
  EXPECT_EQ(trials[3].arguments.seed, 14u);
  // Narrower storage and another order of arguments change nothing.
  std::swap(form.slots[0], form.slots[2]);
  form.slots[2].kind = ElementKind::I64;
  std::vector<Trial> again = makeTrials(form, {4, 2, 11});
  EXPECT_EQ(trials[1].values, again[1].values);
  EXPECT_EQ(trials[1].arguments.params, again[1].arguments.params);
  EXPECT_NE(trials[1].values, trials[2].values);
  std::set<int64_t> tokens;
  for (int64_t i = 0; i < 40; ++i)
    tokens.insert(trials[1].values.at("A").intAt(i));
  EXPECT_EQ(tokens, std::set<int64_t>({-1, 0, 1, 2}));
}

TEST(TrialTest, WhatIsCompiledInStays) {
  ProgramForm form;
  form.slots = {makeSlot(Role::Param, "p", ElementKind::I64, {2}),
                makeSlot(Role::Enable, "Rule", ElementKind::I1, {})};
  Array fixed(DType::I64, {2});
  fixed.setInt(1, 77);
  form.fixed = {{"p", fixed}, {"Rule", Array::scalar(int64_t(0))}};
  for (const Trial &trial : makeTrials(form, {3, 1, 5})) {
    EXPECT_EQ(trial.arguments.params.at("p"), fixed);
    EXPECT_FALSE(trial.arguments.enables.at("Rule"));
  }
}
