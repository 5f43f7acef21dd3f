//===- Forge.cpp - A random program from its parts ------------------------===//
//
// Assembles the declarations that the other files of `Forge` generate, in the order in which later
// ones depend on earlier ones.
//
//===----------------------------------------------------------------------===//

#include "Forge.h"
#include "llvm/ADT/STLExtras.h"

using namespace lci;

std::string Forge::use(const std::string &text, const std::string &construct) {
  ++program.coverage[construct];
  return text;
}

bool Forge::may(const std::string &construct) const {
  const std::vector<SmithLimit> &limits = smithLimits();
  return beyond || llvm::none_of(limits, [&](const SmithLimit &limit) {
           return limit.construct == construct;
         });
}

std::string Forge::cell(const std::string &name) const {
  return frame.rank() == 0 ? name : name + "[" + join(frame.axes) + "]";
}

SmithProgram Forge::make() {
  makeSizes();
  makeParams();
  values.reserve(8); // others point to them
  int64_t numRuled = dice.chance(60) ? 1 : dice.between(2, 3);
  for (int64_t i = 0; i < numRuled; ++i)
    makeValue(/*isRuled=*/true, /*isCoarse=*/false, /*isScalar=*/i > 0 && dice.chance(20));
  if (dice.chance(40))
    makeValue(/*isRuled=*/false, /*isCoarse=*/false, /*isScalar=*/false);
  if (dice.chance(25))
    makeValue(/*isRuled=*/false, /*isCoarse=*/true, /*isScalar=*/false);
  if (dice.chance(15))
    makeValue(/*isRuled=*/false, /*isCoarse=*/false, /*isScalar=*/true);
  frame = whole;
  if (dice.chance(25))
    makeVectorValue();
  for (const Made &value : values) {
    if (!value.isRuled)
      continue;
    frame = frameOf(value);
    makeSights(value);
    int64_t numRules = dice.chance(40) ? dice.between(2, 3) : 1;
    if (numRules > 1)
      use("", "several rules");
    for (int rule = 0; rule < numRules; ++rule)
      makeRule(value, rule);
    makeConstraints(value);
    makeSchedule(value);
    makeCommit(value);
  }
  frame = whole;
  if (!latent.name.empty())
    makeVectorRule();
  if (dice.chance(20))
    makePlan();
  if (dice.chance(50))
    makeObservers();
  program.epochs = dice.between(1, 3);
  return std::move(program);
}
