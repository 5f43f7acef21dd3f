//===- PrintSchedule.cpp - A pipeline as transform IR ---------------------===//
//
// A schedule applies the pipeline by its name, with a knob for each option that is a choice
// (Knobs.def). Options that change results, or that name a target, stay with the pipeline.
//
//===----------------------------------------------------------------------===//

#include "LCI/Pipelines/PrintSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdint>

using llvm::StringRef;

namespace {
/// An option of a pipeline, its default, and the values that are worth a trial.
struct Knob {
  StringRef option, value;
  llvm::SmallVector<int64_t> choices;

  bool isTruth() const { return value == "true" || value == "false"; }
  std::string textOf(int64_t choice) const {
    return isTruth() ? (choice ? "true" : "false") : std::to_string(choice);
  }
  /// The name of its value in the IR.
  std::string name() const {
    std::string name = option.str();
    llvm::replace(name, '-', '_');
    return "%" + name;
  }
  StringRef type() const { return isTruth() ? "!transform.any_param" : "!transform.param<i64>"; }
};
} // namespace

/// The choices of an option; none if it is no knob.
static llvm::ArrayRef<int64_t> choicesOf(StringRef option) {
#define LCI_KNOB(name, ...)                                                                        \
  if (option == name) {                                                                            \
    static constexpr int64_t choices[] = {__VA_ARGS__};                                            \
    return choices;                                                                                \
  }
#include "LCI/Pipelines/Knobs.def"
  return {};
}

static llvm::SmallVector<Knob> findKnobs(StringRef options) {
  llvm::SmallVector<Knob> knobs;
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(options, words);
  for (StringRef word : words) {
    auto [option, value] = word.split('=');
    Knob knob{option, value, llvm::to_vector(choicesOf(option))};
    if (knob.choices.empty())
      continue;
    int64_t number = 0;
    if (!knob.isTruth() && !value.getAsInteger(10, number) &&
        !llvm::is_contained(knob.choices, number))
      knob.choices.push_back(number);
    llvm::sort(knob.choices);
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

static void print(const Knob &knob, llvm::raw_ostream &os) {
  os << "    " << knob.name() << " = transform.tune.knob<\"" << knob.option
     << "\"> = " << knob.value << " from options = [";
  llvm::interleaveComma(knob.choices, os, [&](int64_t choice) { os << knob.textOf(choice); });
  os << "] -> " << knob.type() << "\n";
}

bool mlir::lci::printSchedule(StringRef pipeline, llvm::raw_ostream &os) {
  std::optional<std::string> options = defaultOptions(pipeline);
  if (!options)
    return false;
  llvm::SmallVector<Knob> knobs = findKnobs(*options);
  os << "module attributes {transform.with_named_sequence} {\n"
     << "  transform.named_sequence @__transform_main(%module: !transform.any_op) {\n";
  for (const Knob &knob : knobs)
    print(knob, os);
  os << "    %lowered = transform.apply_registered_pass \"" << pipeline << "\"";
  if (!knobs.empty())
    os << "\n      with options = { ";
  llvm::interleaveComma(
      knobs, os, [&](const Knob &knob) { os << '"' << knob.option << "\" = " << knob.name(); });
  os << (knobs.empty() ? "" : " }") << " to %module\n      : (!transform.any_op";
  for (const Knob &knob : knobs)
    os << ", " << knob.type();
  os << ") -> !transform.any_op\n    transform.yield\n  }\n}\n";
  return true;
}
