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
using ::lci::Status;

//===----------------------------------------------------------------------===//
// Two outcomes
//===----------------------------------------------------------------------===//

static std::string changeText(const std::string &thing, const std::string &expected,
                              const std::string &got) {
  return thing + " was " + expected + ", but is " + got;
}

static std::optional<std::string> findChange(const Counters &expected, const Counters &got,
                                             const char *kind) {
  for (const auto &[name, count] : expected)
    if (auto found = got.find(name); found != got.end() && found->second != count)
      return changeText(kind + (" '" + name + "'"), std::to_string(count),
                        std::to_string(found->second));
  return std::nullopt;
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
  if (std::optional<std::string> count = findChange(expected.counters, got.counters, "the counter"))
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
  trials = std::move(made);
  expected = std::move(outcomes);
  return ::lci::Done();
}

Result<std::optional<std::string>> Oracle::findDifference(ModuleOp module) {
  Result<Subject> subject = Subject::create(module);
  if (!subject)
    return subject.failure();
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
