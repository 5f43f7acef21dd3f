//===- Oracle.cpp - Whether IR still means the same -----------------------===//
//
// Compares values first, then counters, cells that break constraints, and observations; the first
// difference is put into words.
//
//===----------------------------------------------------------------------===//

#include "LCI/Oracle/Oracle.h"
#include "LCI/Driver/CheckedBackend.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Failure;
using ::lci::Result;
using ::lci::Role;
using ::lci::Status;

//===----------------------------------------------------------------------===//
// Two outcomes
//===----------------------------------------------------------------------===//

static std::string changeText(const std::string &thing, const std::string &expected,
                              const std::string &got) {
  return thing + " was " + expected + ", but is " + got;
}

/// A counter that only one of two has is the other's zero.
static std::optional<std::string> findChange(Counters expected, Counters got, const char *kind) {
  for (const auto &[name, count] : got)
    expected.try_emplace(name, 0);
  for (const auto &[name, count] : expected)
    if (int64_t found = got[name]; found != count)
      return changeText(kind + (" '" + name + "'"), std::to_string(count), std::to_string(found));
  return std::nullopt;
}

/// The counters that can be compared: all, or those of lowered functions that a program has, too.
static Counters comparable(const Outcome &outcome, const Outcome &other) {
  if (other.counters.empty() && !other.isOfProgram)
    return {};
  if (!outcome.isOfProgram || other.isOfProgram)
    return outcome.counters;
  Counters common;
  for (const auto &[name, count] : outcome.counters)
    if (other.counters.count(name))
      common[name] = count;
  return common;
}

static std::string textOf(const Observation &seen) {
  return seen.value ? elementText(*seen.value, 0) : "nothing";
}

/// The first cell that differs.
static std::optional<std::string> findCell(const std::string &name, const ::lci::Array &expected,
                                           const ::lci::Array &got) {
  if (expected.shape() != got.shape() || expected.dtype() != got.dtype())
    return "'" + name + "' has another shape or type";
  std::optional<int64_t> at = firstDifference(expected, got);
  if (!at)
    return std::nullopt;
  return changeText(name + "[" + expected.indexText(*at) + "]", elementText(expected, *at),
                    elementText(got, *at));
}

std::optional<std::string> mlir::lci::findDifference(const Outcome &expected, const Outcome &got) {
  for (const auto &[name, cells] : expected.values) {
    auto found = got.values.find(name);
    if (found == got.values.end())
      return "the value '" + name + "' is gone";
    if (std::optional<std::string> cell = findCell(name, cells, found->second))
      return cell;
  }
  if (std::optional<std::string> count =
          findChange(comparable(expected, got), comparable(got, expected), "the counter"))
    return count;
  if (std::optional<std::string> count =
          findChange(expected.broken, got.broken, "the number of cells that break"))
    return count;
  for (const Observation &seen : expected.observations)
    for (const Observation &found : got.observations)
      if (seen.name == found.name && seen.value != found.value)
        return changeText("the observer '" + seen.name + "'", textOf(seen), textOf(found));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Two modules
//===----------------------------------------------------------------------===//

/// The role and name of an argument that callers give.
static std::set<std::pair<Role, std::string>> argumentsIn(const ProgramForm &form) {
  static constexpr Role kGiven[] = {Role::State,  Role::Input,  Role::Param,  Role::Palette,
                                    Role::Region, Role::Bounds, Role::Weight, Role::Enable};
  std::set<std::pair<Role, std::string>> given;
  for (const ::lci::SlotForm &slot : form.slots)
    if (llvm::is_contained(kGiven, slot.role))
      given.emplace(slot.role, slot.name);
  return given;
}

std::optional<std::string> mlir::lci::findOtherArgument(const ProgramForm &expected,
                                                        const ProgramForm &got) {
  std::set<std::pair<Role, std::string>> left = argumentsIn(expected), right = argumentsIn(got);
  auto textOf = [](const std::pair<Role, std::string> &argument) {
    return "the " + std::string(::lci::roleWord(argument.first)) + " '" + argument.second + "'";
  };
  for (const auto &argument : left)
    if (!right.count(argument))
      return textOf(argument) + " is gone";
  for (const auto &argument : right)
    if (!left.count(argument))
      return textOf(argument) + " is new";
  return std::nullopt;
}

Status Oracle::setReference(ModuleOp module) {
  Result<Subject> subject = Subject::create(module);
  if (!subject)
    return subject.failure();
  std::vector<Trial> made = makeTrials(subject->getForm(), options);
  std::vector<Outcome> outcomes;
  for (const Trial &trial : made) {
    Result<Outcome> outcome = subject->run(trial);
    if (!outcome)
      return outcome.failure();
    outcomes.push_back(std::move(*outcome));
  }
  form = subject->getForm();
  trials = std::move(made);
  expected = std::move(outcomes);
  return ::lci::Done();
}

Result<std::optional<std::string>> Oracle::findDifference(ModuleOp module) {
  Result<Subject> subject = Subject::create(module);
  if (!subject)
    return subject.failure();
  if (std::optional<std::string> other = findOtherArgument(form, subject->getForm()))
    return other;
  for (auto [number, trial] : llvm::enumerate(trials)) {
    Result<Outcome> outcome = subject->run(trial);
    if (!outcome)
      return outcome.failure();
    if (std::optional<std::string> found = mlir::lci::findDifference(expected[number], *outcome))
      return std::optional(*found + " after " + std::to_string(trial.epochs) + " epochs of trial " +
                           std::to_string(number + 1));
  }
  return std::optional<std::string>();
}
