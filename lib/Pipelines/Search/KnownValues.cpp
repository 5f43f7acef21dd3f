//===- KnownValues.cpp - Numbers and views that are known -----------------===//
//
// Integers are folded by the operations themselves. A view is a place in the buffer that it stands
// on, with sizes and strides as far as they are numbers.
//
//===----------------------------------------------------------------------===//

#include "KnownValues.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

Extent Place::extent() const {
  double elements = 1, last = 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (!size || !stride)
      return {0, rootBytes, rootBytes / 2};
    elements *= *size;
    last += std::max<int64_t>(*size - 1, 0) * *stride;
  }
  double start = offset.value_or(0), bytes = elements * elementBytes;
  double end = std::min(start + last + elementBytes, std::max(rootBytes, start + elementBytes));
  return {start, end, std::min(bytes, std::max(end - start, 0.0))};
}

std::optional<int64_t> KnownValues::numberOf(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  auto found = numbers.find(value);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int64_t> KnownValues::numberOf(OpFoldResult value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  auto dynamic = dyn_cast<Value>(value);
  return dynamic ? numberOf(dynamic) : std::nullopt;
}

const Place *KnownValues::placeOf(Value value) const {
  auto found = places.find(value);
  return found == places.end() ? nullptr : &found->second;
}

void KnownValues::set(Value value, std::optional<int64_t> number) {
  if (number)
    numbers[value] = *number;
  else
    numbers.erase(value);
}

void KnownValues::copy(Value from, Value to) {
  set(to, numberOf(from));
  if (const Place *place = placeOf(from)) {
    Place copied = *place;
    places[to] = std::move(copied);
  }
}

/// The bytes of one element.
static double bytesOfElement(MemRefType type) {
  Type element = type.getElementType();
  if (auto vector = dyn_cast<VectorType>(element))
    return std::max(1.0, vector.getNumElements() * vector.getElementTypeBitWidth() / 8.0);
  return element.isIntOrFloat() ? std::max(1.0, element.getIntOrFloatBitWidth() / 8.0) : 8;
}

void KnownValues::addRoot(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return;
  Place place{buffer, 0, 0.0, {}, {}, bytesOfElement(type)};
  double elements = 1;
  for (int64_t extent : type.getShape()) {
    place.sizes.push_back(ShapedType::isDynamic(extent) ? std::nullopt : std::optional(extent));
    elements *= ShapedType::isDynamic(extent) ? 1 : extent;
  }
  place.rootBytes = elements * place.elementBytes;
  double stride = place.elementBytes;
  place.strides.resize(place.sizes.size());
  for (unsigned axis = place.sizes.size(); axis-- > 0; stride *= place.sizeOf(axis))
    place.strides[axis] = stride;
  places[buffer] = std::move(place);
}

/// The constant result of an operation on integers, if its operands are known.
static std::optional<int64_t> fold(Operation &op, const KnownValues &known) {
  SmallVector<Attribute> operands;
  Builder builder(op.getContext());
  for (Value operand : op.getOperands()) {
    std::optional<int64_t> number = known.numberOf(operand);
    if (!number || !operand.getType().isIntOrIndex())
      return std::nullopt;
    operands.push_back(builder.getIntegerAttr(operand.getType(), *number));
  }
  SmallVector<OpFoldResult> results;
  Operation *copy = op.clone(); // a fold may change its operation
  bool isFolded = succeeded(copy->fold(operands, results)) && results.size() == 1;
  copy->destroy();
  return isFolded ? known.numberOf(results[0]) : std::nullopt;
}

/// The place of a part of another one.
static Place viewOf(const Place &place, memref::SubViewOp view, const KnownValues &known) {
  Place part = place;
  part.sizes.clear();
  part.strides.clear();
  llvm::SmallBitVector dropped = view.getDroppedDims();
  for (unsigned axis = 0; axis < place.sizes.size(); ++axis) {
    std::optional<int64_t> start = known.numberOf(view.getMixedOffsets()[axis]),
                           step = known.numberOf(view.getMixedStrides()[axis]);
    std::optional<double> stride = place.strides[axis];
    bool isKnown = part.offset && start && stride;
    part.offset = isKnown ? std::optional(*part.offset + *start * *stride) : std::nullopt;
    if (dropped.test(axis))
      continue;
    part.sizes.push_back(known.numberOf(view.getMixedSizes()[axis]));
    part.strides.push_back(step && stride ? std::optional(*step * *stride) : std::nullopt);
  }
  return part;
}

void KnownValues::followView(Operation &op) {
  Value result = op.getResult(0);
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    if (const Place *place = placeOf(view.getSource())) {
      Place part = viewOf(*place, view, *this);
      places[result] = std::move(part);
    }
    return;
  }
  Value source = cast<ViewLikeOpInterface>(op).getViewSource();
  const Place *place = placeOf(source);
  if (!place)
    return;
  Place whole = *place;
  addRoot(result); // its shape, of which the origin is the other buffer
  Place &view = places[result];
  view.root = whole.root;
  view.rootBytes = whole.rootBytes;
  view.offset = whole.offset;
}

void KnownValues::follow(Operation &op) {
  if (op.getNumRegions() != 0 || op.getNumResults() != 1)
    return;
  Value result = op.getResult(0);
  if (isa<MemRefType>(result.getType())) {
    if (isa<ViewLikeOpInterface>(op))
      followView(op);
    else
      addRoot(result);
  } else if (result.getType().isIntOrIndex() && !op.hasTrait<OpTrait::ConstantLike>()) {
    bool isInteger =
        llvm::all_of(op.getOperandTypes(), [](Type type) { return type.isIntOrIndex(); });
    set(result, isInteger && op.getNumOperands() > 0 ? fold(op, *this) : std::nullopt);
  }
}

Extent KnownValues::extentAt(const Place &place, ValueRange indices, double bytes) const {
  std::optional<double> start = place.offset;
  for (auto [index, stride] : llvm::zip_equal(indices, place.strides)) {
    std::optional<int64_t> number = numberOf(index);
    start = start && number && stride ? std::optional(*start + *number * *stride) : std::nullopt;
  }
  if (!start)
    return {0, place.rootBytes, bytes};
  return {*start, *start + bytes, bytes};
}
