//===- Reductions.cpp - Reduce the members of a family --------------------===//
//
// S-REDUCE, S-TREE and S-EMPTY: members are collected and then combined, from left to right in
// bodies and in a fixed tree in observers. The order matters because sums of floats are rounded.
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"
#include "LCI/Numerics/Functions.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

void Reducer::add(int64_t, std::optional<Datum> member) { members.push_back(std::move(member)); }

uint64_t Reducer::combineScalars(uint64_t left, uint64_t right) const {
  float x = Datum{left, nullptr}.asNumber(), y = Datum{right, nullptr}.asNumber();
  int64_t a = static_cast<int64_t>(left), b = static_cast<int64_t>(right);
  switch (kind) {
  case Reduction::Product:
    return isFloat() ? Datum::number(x * y).bits : left * right;
  case Reduction::Min:
    return isFloat() ? Datum::number(numerics::minimum(x, y)).bits : std::min(a, b);
  case Reduction::Max:
    return isFloat() ? Datum::number(numerics::maximum(x, y)).bits : std::max(a, b);
  default:
    return isFloat() ? Datum::number(x + y).bits : left + right;
  }
}

Datum Reducer::combine(const Datum &left, const Datum &right) const {
  return Datum{combineScalars(left.bits, right.bits), nullptr};
}

// S-REDUCE: combines the members from left to right.
std::optional<Datum> Reducer::combineAll() const {
  std::optional<Datum> result;
  for (const std::optional<Datum> &member : members)
    if (member)
      result = result ? combine(*result, *member) : *member;
  return result;
}

// S-TREE: the left part has as many members as the largest power of two below their number.
std::optional<Datum> Reducer::combineTree(ArrayRef<std::optional<Datum>> part) const {
  if (part.size() <= 1)
    return part.empty() ? std::nullopt : part.front();
  size_t half = llvm::PowerOf2Ceil(part.size()) / 2;
  std::optional<Datum> left = combineTree(part.take_front(half));
  std::optional<Datum> right = combineTree(part.drop_front(half));
  return left && right ? combine(*left, *right) : left ? left : right;
}

/// The rank of the first best member; a NaN is only better than no member.
std::optional<Datum> Reducer::findBest() const {
  std::optional<size_t> best;
  auto isBetter = [&](const Datum &one, const Datum &other) {
    bool least = kind == Reduction::ArgMin;
    if (isFloat()) {
      float x = one.asNumber(), y = other.asNumber();
      return (least ? x < y : x > y) || (y != y && x == x);
    }
    return least ? one.asInteger() < other.asInteger() : one.asInteger() > other.asInteger();
  };
  for (auto [rank, member] : llvm::enumerate(members)) {
    if (member && (!best || isBetter(*member, *members[*best])))
      best = rank;
  }
  return best ? std::optional<Datum>(Datum::integer(*best)) : std::nullopt;
}

/// The sum divided by the number of members, both as numbers.
std::optional<Datum> Reducer::getMean() const {
  std::optional<Datum> sum = usesTree ? combineTree(members) : combineAll();
  if (!sum)
    return std::nullopt;
  float number = isFloat() ? sum->asNumber() : static_cast<float>(sum->asInteger());
  int64_t count = llvm::count_if(members, [](const auto &member) { return member.has_value(); });
  return Datum::number(number / static_cast<float>(count));
}

/// Ranks are converted to numbers; without members the result is that of the components.
std::optional<Datum> Reducer::reduceComponents() const {
  auto vector = cast<RankedTensorType>(type);
  Tensor result(vector.getShape());
  for (auto [component, element] : llvm::enumerate(result.elements)) {
    Reducer part(kind, vector.getElementType(), usesTree);
    for (const std::optional<Datum> &member : members)
      part.members.push_back(
          member ? std::optional(Datum{member->tensor->elements[component], nullptr})
                 : std::nullopt);
    std::optional<Datum> reduced = part.finishScalar();
    if (!reduced)
      return std::nullopt;
    bool isRank = kind == Reduction::ArgMin || kind == Reduction::ArgMax;
    element = isRank ? Datum::number(static_cast<float>(reduced->asInteger())).bits : reduced->bits;
  }
  return Datum::array(std::move(result));
}

std::optional<Datum> Reducer::finish() const {
  return isa<RankedTensorType>(type) ? reduceComponents() : finishScalar();
}

// S-EMPTY: the results without members.
std::optional<Datum> Reducer::finishScalar() const {
  auto countTrue = [&](bool truth) {
    return llvm::count_if(members, [&](const auto &m) { return m && m->asTruth() == truth; });
  };
  switch (kind) {
  case Reduction::Count:
    return Datum::integer(countTrue(true));
  case Reduction::Any:
    return Datum::truth(countTrue(true) != 0);
  case Reduction::All:
    return Datum::truth(countTrue(false) == 0);
  case Reduction::ArgMin:
  case Reduction::ArgMax:
    return findBest();
  case Reduction::Mean:
    return getMean();
  default:
    break;
  }
  std::optional<Datum> result = usesTree ? combineTree(members) : combineAll();
  if (!result && kind == Reduction::Sum)
    return getAbsent();
  if (!result && kind == Reduction::Product)
    return isFloat() ? Datum::number(1.0f) : Datum::integer(1);
  return result;
}

Datum Reducer::getAbsent() const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Datum::array(Tensor(tensor.getShape())) : Datum();
}
