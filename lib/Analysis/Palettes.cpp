//===- Palettes.cpp - Which tokens a palette is asked about ---------------===//

#include "LCI/Analysis/Palettes.h"

using namespace mlir;
using namespace mlir::lci;

/// The largest vocabulary of the tokens that a declaration can ask about.
static int64_t getVocabularyOf(ProgramOp program, InPaletteOp use) {
  auto vocabularyOf = [&](StringRef name) {
    ValueOp value = program.lookupValue(name);
    return value ? value.getVocabularySize().value_or(1) : 1;
  };
  if (auto constraint = use->getParentOfType<ConstraintOp>())
    return vocabularyOf(constraint.getValue());
  if (auto rule = use->getParentOfType<RuleOp>())
    return vocabularyOf(rule.getValue());
  int64_t largest = 1;
  if (auto observer = use->getParentOfType<ObserveOp>())
    observer.walk([&](ReadOp read) { largest = std::max(largest, vocabularyOf(read.getValue())); });
  return largest;
}

int64_t lci::getPaletteSize(ProgramOp program, StringRef palette) {
  int64_t size = 1;
  program.walk([&](InPaletteOp use) {
    if (use.getPalette() == palette)
      size = std::max(size, getVocabularyOf(program, use));
  });
  return size;
}
