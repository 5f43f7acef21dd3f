//===- MakeTrials.cpp - Random arguments of programs ----------------------===//
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
  int64_t first = dice.between(0, 2); // neighbours differ
  for (int64_t i = 0; i < numbers.size(); ++i)
    if (isNumber)
      numbers.setDouble(i, static_cast<double>(dice.between(1, 1024)) / 1024);
    else
      numbers.setInt(i, form.elements ? (*form.elements)[i] : 1 + (first + i) % 3);
  return numbers;
}

/// A set of tokens or cells, of which the first is one.
static Array makeMask(const SlotForm &form, Dice &dice) {
  Array mask(DType::Bool, form.shape());
  for (int64_t i = 0; i < mask.size(); ++i)
    mask.setInt(i, i == 0 || !dice.isOneOf(3));
  return mask;
}

/// A rectangle of cells, since its bounds are all that a program is given.
static Array makeBox(const SlotForm &form, Dice &dice) {
  Array mask(DType::Bool, form.shape());
  std::vector<std::pair<int64_t, int64_t>> sides;
  for (int64_t extent : form.extents) {
    int64_t first = dice.between(0, std::max<int64_t>(extent - 1, 0));
    sides.emplace_back(first, dice.between(first, std::max<int64_t>(extent - 1, first)));
  }
  for (int64_t cell = 0; cell < mask.size(); ++cell) {
    bool isInside = true;
    int64_t rest = cell;
    for (size_t axis = sides.size(); axis-- > 0; rest /= form.extents[axis]) {
      int64_t index = rest % form.extents[axis];
      isInside &= index >= sides[axis].first && index <= sides[axis].second;
    }
    mask.setInt(cell, isInside);
  }
  return mask;
}

/// The cells of a region of which only the bounds are an argument: those of the last axes of a
/// value.
static SlotForm regionOf(const SlotForm &bounds, const ProgramForm &form) {
  SlotForm region = bounds;
  auto rank = static_cast<size_t>(bounds.extents.empty() ? 0 : bounds.extents.front());
  for (const SlotForm &slot : form.slots)
    if (slot.isValue() && slot.extents.size() >= rank) {
      region.extents.assign(slot.extents.end() - static_cast<int64_t>(rank), slot.extents.end());
      return region;
    }
  region.extents.assign(rank, 1);
  return region;
}

static void add(const SlotForm &slot, const ProgramForm &form, uint64_t seed, size_t number,
                Trial &trial) {
  Dice dice(seed, slot.role, slot.name);
  auto fixed = form.fixed.find(slot.name);
  auto known = [&](Array made) {
    return fixed == form.fixed.end() ? std::move(made) : fixed->second;
  };
  switch (slot.role) {
  case Role::State:
    if (number == 0)
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
  case Role::Bounds:
    trial.arguments.regions.try_emplace(slot.name, makeBox(regionOf(slot, form), dice));
    return;
  case Role::Enable:
    trial.arguments.enables[slot.name] =
        fixed == form.fixed.end() ? number < 2 || !dice.isOneOf(4) : fixed->second.intAt(0) != 0;
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
      add(slot, form, seed, number, trial);
  }
  return trials;
}
