//===- Sizes.cpp - Sizes on both sides of thresholds ----------------------===//

#include "Sizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace lci;

static bool isPrime(int64_t number) {
  for (int64_t divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0)
      return false;
  return number > 1;
}

/// Thresholds that can be crossed within `most`, each once.
static std::vector<int64_t> findReachable(Measure measure, int64_t most) {
  std::set<int64_t> numbers;
  for (const mlir::lci::SizeThreshold &threshold : mlir::lci::kThresholds)
    if (threshold.measure == measure && threshold.number < most)
      numbers.insert(threshold.number);
  return {numbers.begin(), numbers.end()};
}

int64_t lci::crossThreshold(Dice &dice, Measure measure, int64_t most) {
  std::vector<int64_t> numbers = findReachable(measure, most);
  int64_t kind = dice.below(100);
  if (kind < 5 || most < 2)
    return 1;
  if (kind < 20 || numbers.empty()) {
    int64_t number = dice.between(1, most);
    while (kind < 12 && number > 1 && !isPrime(number))
      --number;
    return number;
  }
  int64_t number = dice.pick(numbers);
  int64_t times = dice.chance(40) ? 1 : dice.between(1, std::min<int64_t>(most / number, 9));
  return std::clamp<int64_t>(number * times + dice.between(-1, 1), 1, most);
}

void lci::noteExtents(SmithProgram &program, const std::vector<int64_t> &extents) {
  int64_t row = extents.empty() ? 1 : extents.back(), cells = 1;
  for (int64_t extent : extents)
    cells *= extent;
  program.measures[Measure::Row].insert(row);
  program.measures[Measure::Rows].insert(cells / std::max<int64_t>(row, 1));
  program.measures[Measure::Cells].insert(cells);
}
