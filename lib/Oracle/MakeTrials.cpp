//===- MakeTrials.cpp - Random arguments of programs -------------===//
//
// Contents follow from the seed, a role and a name alone: another level of the same program, which
// stores them differently, is given the same.
//
//===----------------------------------------------------------------------===//

#include "LCI/Oracle/Trial.h"
#include "LCI/Runtime/Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <random>

using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::Role;
using ::lci::SlotForm;

namespace {
/// A stream of random numbers that is the same everywhere.
class Dice {
public:
  Dice(uint64_t seed, Role role, llvm::StringRef name)
      : generator(seed * 1000003 + static_cast<uint64_t>(role) * 7919 + llvm::xxh3_64bits(name)) {}

  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(generator() % static_cast<uint64_t>(high - low + 1));
  }
  bool isOneOf(int64_t many) { return between(1, many) == 1; }
  /// Between -2 and 2 in steps of 2^-10; now and then a number at which computations go wrong.
  double number() {
    static constexpr double kRare[] = {0.0, -0.0, 1e-42, 3e38, INFINITY, -INFINITY, NAN};
    if (isOneOf(16))
      return kRare[between(0, std::size(kRare) - 1)];
    return static_cast<double>(between(-2048, 2048)) / 1024;
  }
  /// Mostly small; now and then at the end of 32 bits.
  int64_t integer() { return isOneOf(16) ? (isOneOf(2) ? INT32_MIN : INT32_MAX) : between(-9, 9); }

private:
  std::mt19937_64 generator;
};
} // namespace

/// Tokens of a vocabulary; one in six cells has none, if that may be.
static Array makeTokens(const SlotForm &form, bool mayBeAbsent, Dice &dice) {
  Array tokens(::lci::tokenType(*form.vocabulary), form.shape());
  for (int64_t i = 0; i < tokens.size(); ++i)
    tokens.setInt(i, mayBeAbsent && dice.isOneOf(6) ? -1 : dice.between(0, *form.vocabulary - 1));
  return tokens;
}

static Array makeCells(const SlotForm &form, bool mayBeAbsent, Dice &dice) {
  if (form.vocabulary && *form.vocabulary > 0)
    return makeTokens(form, mayBeAbsent, dice);
  bool isNumber = form.kind == ElementKind::F32;
  Array cells(isNumber ? DType::F32 : DType::I64, form.shape());
  for (int64_t i = 0; i < cells.size(); ++i)
    if (isNumber)
      cells.setDouble(i, ::lci::withOneNaN(static_cast<float>(dice.number())));
    else
      cells.setInt(i, dice.integer());
  return cells;
}

/// A parameter or a weight: programs divide by them, count to them and index with them, so they are
/// small and positive.
static Array makeNumbers(const SlotForm &form, Dice &dice) {
  bool isNumber = form.kind == ElementKind::F32;
  Array numbers(isNumber ? DType::F32 : DType::I64, form.shape());
  for (int64_t i = 0; i < numbers.size(); ++i)
    if (isNumber)
      numbers.setDouble(i, static_cast<double>(dice.between(1, 1024)) / 1024);
    else
      numbers.setInt(i, form.elements ? (*form.elements)[i] : dice.between(1, 3));
  return numbers;
}

/// A set of tokens or cells, of which the first is one.
static Array makeMask(const SlotForm &form, Dice &dice) {
  Array mask(DType::Bool, form.shape());
  for (int64_t i = 0; i < mask.size(); ++i)
    mask.setInt(i, i == 0 || !dice.isOneOf(3));
  return mask;
}

static void add(const SlotForm &slot, const ProgramForm &form, uint64_t seed, bool isFirst,
                Trial &trial) {
  Dice dice(seed, slot.role, slot.name);
  auto fixed = form.fixed.find(slot.name);
  auto known = [&](Array made) {
    return fixed == form.fixed.end() ? std::move(made) : fixed->second;
  };
  switch (slot.role) {
  case Role::State:
    if (isFirst)
      return;
    [[fallthrough]];
  case Role::Input:
    trial.values[slot.name] = makeCells(slot, form.mayBeAbsent.count(slot.name), dice);
    return;
  case Role::Param:
    trial.arguments.params[slot.name] = known(makeNumbers(slot, dice));
    return;
  case Role::Weight:
    trial.arguments.weights[slot.name] = known(makeNumbers(slot, dice));
    return;
  case Role::Palette:
    trial.arguments.palettes[slot.name] = known(makeMask(slot, dice));
    return;
  case Role::Region:
    trial.arguments.regions[slot.name] = makeMask(slot, dice);
    return;
  case Role::Enable:
    trial.arguments.enables[slot.name] =
        fixed == form.fixed.end() ? isFirst || !dice.isOneOf(4) : fixed->second.intAt(0) != 0;
    return;
  default:
    return;
  }
}

std::vector<Trial> mlir::lci::makeTrials(const ProgramForm &form, const TrialOptions &options) {
  std::vector<Trial> trials(options.trials);
  for (auto [number, trial] : llvm::enumerate(trials)) {
    uint64_t seed = options.seed + number;
    trial.epochs = options.epochs;
    trial.arguments.seed = seed;
    for (const SlotForm &slot : form.slots)
      add(slot, form, seed, /*isFirst=*/number == 0, trial);
  }
  return trials;
}
