//===- TweakAttribute.cpp - Random small changes of attributes ------------===//
//
// Mutates numbers, lists, affine expressions, types and texts inside an attribute, by recursion
// over its structure.
//
//===----------------------------------------------------------------------===//

#include "TweakAttribute.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuzz;

/// Another integer: a neighbour, or a boundary value.
static int64_t tweakNumber(int64_t number, Dice &dice) {
  static constexpr int64_t kEnds[] = {0,         1,         -1,        2,         3,
                                      64,        255,       256,       1 << 20,   INT32_MAX,
                                      INT32_MIN, INT64_MAX, INT64_MIN, 1LL << 32, 1LL << 40};
  switch (dice.below(4)) {
  case 0:
    return static_cast<int64_t>(static_cast<uint64_t>(number) + 1);
  case 1:
    return static_cast<int64_t>(static_cast<uint64_t>(number) - 1);
  default:
    return dice.pick(kEnds);
  }
}

/// One element of a list changed by `tweak`, erased, duplicated, or two swapped.
template <typename List, typename Tweak>
static void tweakList(List &list, Dice &dice, Tweak tweak) {
  if (list.empty())
    return;
  size_t at = dice.below(list.size()), other = dice.below(list.size());
  auto element = list[at];
  switch (dice.below(6)) {
  case 0:
    list.erase(list.begin() + at);
    return;
  case 1:
    list.push_back(element);
    return;
  case 2:
    std::swap(list[at], list[other]);
    return;
  default:
    list[at] = tweak(element);
  }
}

static AffineExpr tweakExpr(AffineExpr expr, unsigned dims, Dice &dice) {
  MLIRContext *context = expr.getContext();
  int64_t small = static_cast<int64_t>(dice.below(7)) - 3;
  switch (dice.below(6)) {
  case 0:
    return expr + small;
  case 1:
    return expr * small;
  case 2:
    return getAffineBinaryOpExpr(AffineExprKind::Mod, expr,
                                 getAffineConstantExpr(small * small + 1, context));
  case 3:
    return getAffineConstantExpr(tweakNumber(small, dice), context);
  case 4:
    return expr.floorDiv(2);
  default:
    return dims ? getAffineDimExpr(dice.below(dims), context) : expr + 1;
  }
}

static AffineMap tweakMap(AffineMap map, Dice &dice) {
  unsigned dims = map.getNumDims(), symbols = map.getNumSymbols();
  if (dice.below(6) == 0)
    return AffineMap::get(dims + 1, symbols, map.getResults(), map.getContext());
  if (dice.below(6) == 0)
    return AffineMap::get(dims, symbols + 1, map.getResults(), map.getContext());
  SmallVector<AffineExpr> results(map.getResults());
  tweakList(results, dice, [&](AffineExpr expr) { return tweakExpr(expr, dims, dice); });
  return AffineMap::get(dims, symbols, results, map.getContext());
}

static IntegerSet tweakSet(IntegerSet set, Dice &dice) {
  unsigned dims = set.getNumDims();
  SmallVector<AffineExpr> expressions(set.getConstraints());
  SmallVector<bool> equalities(set.getEqFlags());
  if (expressions.empty())
    return set;
  size_t at = dice.below(expressions.size());
  if (dice.below(4) == 0)
    equalities[at] = !equalities[at];
  else
    expressions[at] = tweakExpr(expressions[at], dims, dice);
  return IntegerSet::get(dims + (dice.below(8) == 0), set.getNumSymbols(), expressions, equalities);
}

Type fuzz::tweakType(Type type, Dice &dice) {
  MLIRContext *context = type.getContext();
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    SmallVector<int64_t> shape;
    if (shaped.hasRank())
      shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    tweakList(shape, dice, [&](int64_t) {
      return dice.below(6) ? static_cast<int64_t>(dice.below(70)) : ShapedType::kDynamic;
    });
    if (isa<VectorType>(type))
      for (int64_t &extent : shape)
        extent = extent > 0 ? extent : 1;
    Type element =
        dice.below(4) ? shaped.getElementType() : tweakType(shaped.getElementType(), dice);
    if (isa<VectorType>(type) && !VectorType::isValidElementType(element))
      return type;
    return isa<MemRefType>(type) ? type : shaped.cloneWith(shape, element);
  }
  const Type others[] = {IntegerType::get(context, 1),  IntegerType::get(context, 8),
                         IntegerType::get(context, 64), IndexType::get(context),
                         Float32Type::get(context),     Float64Type::get(context)};
  return dice.pick(others);
}

static Attribute tweakFloat(FloatAttr number, Dice &dice) {
  const double others[] = {0.0, -0.0, 1.0, INFINITY, NAN, 1e30, -number.getValueAsDouble()};
  return FloatAttr::get(number.getType(), dice.pick(others));
}

static Attribute tweakInteger(IntegerAttr number, Dice &dice) {
  unsigned width = number.getValue().getBitWidth();
  int64_t changed = width > 64 ? 0 : tweakNumber(number.getValue().getSExtValue(), dice);
  return IntegerAttr::get(number.getType(), llvm::APInt(width, static_cast<uint64_t>(changed),
                                                        /*isSigned=*/true,
                                                        /*implicitTrunc=*/true));
}

/// Texts and names; those of other operations of the IR come in as whole attributes.
static std::string tweakText(StringRef text, Dice &dice) {
  const std::string others[] = {"", text.str() + "_0", text.drop_back(!text.empty()).str(), "a",
                                std::string("\xff\0", 2)};
  return dice.pick(others);
}

template <typename Array>
static Attribute tweakNumbers(Array array, Dice &dice) {
  SmallVector<std::decay_t<decltype(array[0])>> numbers(array.asArrayRef());
  tweakList(numbers, dice, [&](int64_t number) { return tweakNumber(number, dice); });
  return Array::get(array.getContext(), numbers);
}

static Attribute tweakDictionary(DictionaryAttr dictionary, Dice &dice) {
  NamedAttrList entries(dictionary);
  if (entries.empty())
    return dictionary;
  NamedAttribute entry = dictionary.getValue()[dice.below(dictionary.size())];
  if (dice.below(4) == 0)
    entries.erase(entry.getName());
  else
    entries.set(entry.getName(), tweakAttribute(entry.getValue(), dice));
  return entries.getDictionary(dictionary.getContext());
}

Attribute fuzz::tweakAttribute(Attribute attribute, Dice &dice) {
  MLIRContext *context = attribute.getContext();
  return llvm::TypeSwitch<Attribute, Attribute>(attribute)
      .Case([&](IntegerAttr number) { return tweakInteger(number, dice); })
      .Case([&](FloatAttr number) { return tweakFloat(number, dice); })
      .Case([&](StringAttr text) {
        return StringAttr::get(context, tweakText(text.getValue(), dice));
      })
      .Case([&](FlatSymbolRefAttr name) {
        return FlatSymbolRefAttr::get(context, tweakText(name.getValue(), dice));
      })
      .Case([&](AffineMapAttr map) { return AffineMapAttr::get(tweakMap(map.getValue(), dice)); })
      .Case([&](IntegerSetAttr set) { return IntegerSetAttr::get(tweakSet(set.getValue(), dice)); })
      .Case([&](TypeAttr type) { return TypeAttr::get(tweakType(type.getValue(), dice)); })
      .Case([&](ArrayAttr array) {
        SmallVector<Attribute> elements(array.getValue());
        tweakList(elements, dice, [&](Attribute element) { return tweakAttribute(element, dice); });
        return ArrayAttr::get(context, elements);
      })
      .Case([&](DenseI64ArrayAttr array) { return tweakNumbers(array, dice); })
      .Case([&](DenseI32ArrayAttr array) { return tweakNumbers(array, dice); })
      .Case([&](DictionaryAttr dictionary) { return tweakDictionary(dictionary, dice); })
      .Default([&](Attribute other) { return StringAttr::get(context, "other"); });
}
