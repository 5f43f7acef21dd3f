//===- EvaluateTensor.cpp - Evaluate tensor operations --------------------===//
//
// Handlers of tensor operations on dense row-major tensors, which are copied by each write. Reads
// of single elements are clamped and writes outside are ignored, so that both are total; slices
// outside are errors.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/Evaluator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::lci;

/// The shape of a result, its dynamic extents from the operands.
static SmallVector<int64_t> getShape(Evaluator &e, RankedTensorType type, ValueRange dynamic) {
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent)) {
      extent = e.getInteger(dynamic.front());
      dynamic = dynamic.drop_front();
    }
  return shape;
}

static SmallVector<int64_t> getMixed(Evaluator &e, ArrayRef<OpFoldResult> values) {
  return llvm::map_to_vector(values, [&](OpFoldResult value) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    return constant ? *constant : e.getInteger(cast<Value>(value));
  });
}

/// The indices of the nearest element of a non-empty tensor.
static SmallVector<int64_t> clamp(SmallVector<int64_t> at, const Tensor &tensor) {
  for (auto [index, extent] : llvm::zip(at, tensor.shape))
    index = std::clamp<int64_t>(index, 0, extent - 1);
  return at;
}

static void extract(Evaluator &e, tensor::ExtractOp op) {
  const Datum &source = e.get(op.getTensor());
  if (!source.tensor || source.tensor->elements.empty())
    return e.fail(*op, "reads from a tensor without elements");
  SmallVector<int64_t> at = clamp(e.getIntegers(op.getIndices()), *source.tensor);
  e.set(op.getResult(), Datum{source.tensor->elements[source.tensor->offsetOf(at)], nullptr});
}

/// Writes outside of the tensor are ignored.
static void insert(Evaluator &e, tensor::InsertOp op) {
  Tensor result = *e.get(op.getDest()).tensor;
  SmallVector<int64_t> at = e.getIntegers(op.getIndices());
  if (result.contains(at))
    result.elements[result.offsetOf(at)] = e.get(op.getScalar()).bits;
  e.set(op.getResult(), Datum::array(std::move(result)));
}

static void fromElements(Evaluator &e, tensor::FromElementsOp op) {
  Tensor result(op.getType().getShape());
  for (auto [element, value] : llvm::zip(result.elements, op.getElements()))
    element = e.get(value).bits;
  e.set(op.getResult(), Datum::array(std::move(result)));
}

static void concat(Evaluator &e, tensor::ConcatOp op) {
  uint64_t dim = op.getDim();
  SmallVector<int64_t> shape(e.get(op.getInputs().front()).tensor->shape);
  shape[dim] = 0;
  for (Value input : op.getInputs())
    shape[dim] += e.get(input).tensor->shape[dim];
  Tensor result(shape);
  int64_t moved = 0;
  for (Value input : op.getInputs()) {
    const Tensor &part = *e.get(input).tensor;
    SmallVector<int64_t> at(shape.size(), 0);
    for (uint64_t element : part.elements) {
      SmallVector<int64_t> to(at);
      to[dim] += moved;
      result.elements[result.offsetOf(to)] = element;
      advance(at, part.shape);
    }
    moved += part.shape[dim];
  }
  e.set(op.getResult(), Datum::array(std::move(result)));
}

namespace {
/// A slice of a tensor, whose unit axes may have been dropped in the smaller one. Elements that are
/// vectors are axes behind those of the type, which a slice has whole.
struct Slice {
  template <typename OpT>
  Slice(Evaluator &e, OpT op, const Tensor &large)
      : offsets(getMixed(e, op.getMixedOffsets())), sizes(getMixed(e, op.getMixedSizes())),
        strides(getMixed(e, op.getMixedStrides())) {
    llvm::append_range(sizes, ArrayRef(large.shape).drop_front(offsets.size()));
    offsets.resize(sizes.size(), 0);
    strides.resize(sizes.size(), 1);
  }

  /// The indices in the large tensor of an element of the slice.
  SmallVector<int64_t> getPlace(int64_t element) const {
    SmallVector<int64_t> place(sizes.size());
    for (size_t axis = sizes.size(); axis-- > 0;) {
      place[axis] = offsets[axis] + strides[axis] * (element % sizes[axis]);
      element /= sizes[axis];
    }
    return place;
  }

  SmallVector<int64_t> offsets, sizes, strides;
};
} // namespace

static void extractSlice(Evaluator &e, tensor::ExtractSliceOp op) {
  const Tensor &source = *e.get(op.getSource()).tensor;
  Slice slice(e, op, source);
  Tensor result(slice.sizes);
  for (int64_t i = 0, n = result.elements.size(); i < n; ++i) {
    SmallVector<int64_t> from = slice.getPlace(i);
    if (!source.contains(from))
      return e.fail(*op, "reads outside of its tensor");
    result.elements[i] = source.elements[source.offsetOf(from)];
  }
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> kept;
  for (auto [axis, size] : llvm::enumerate(slice.sizes))
    if (axis >= dropped.size() || !dropped.test(axis))
      kept.push_back(size);
  result.shape = kept;
  e.set(op.getResult(), Datum::array(std::move(result)));
}

static void insertSlice(Evaluator &e, tensor::InsertSliceOp op) {
  const Tensor &source = *e.get(op.getSource()).tensor;
  Tensor result = *e.get(op.getDest()).tensor;
  Slice slice(e, op, result);
  for (auto [i, element] : llvm::enumerate(source.elements)) {
    SmallVector<int64_t> to = slice.getPlace(i);
    if (!result.contains(to))
      return e.fail(*op, "writes outside of its tensor");
    result.elements[result.offsetOf(to)] = element;
  }
  e.set(op.getResult(), Datum::array(std::move(result)));
}

/// The same elements under another shape.
template <typename OpT>
static void onReshape(Evaluator &e) {
  e.on<OpT>([&e](OpT op) {
    Tensor result = *e.get(op->getOperand(0)).tensor;
    result.shape =
        SmallVector<int64_t>(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
    if (llvm::is_contained(result.shape, ShapedType::kDynamic))
      return e.fail(*op, "expected a static shape");
    e.set(op->getResult(0), Datum::array(std::move(result)));
  });
}

static void generate(Evaluator &e, tensor::GenerateOp op) {
  Tensor result(getShape(e, cast<RankedTensorType>(op.getType()), op.getDynamicExtents()));
  SmallVector<int64_t> at(result.shape.size(), 0);
  for (uint64_t &element : result.elements) {
    SmallVector<Datum> indices = llvm::map_to_vector(at, Datum::integer);
    Operation *yield = e.run(op.getBody().front(), indices);
    element = e.get(yield->getOperand(0)).bits;
    advance(at, result.shape);
  }
  e.set(op.getResult(), Datum::array(std::move(result)));
}

void mlir::lci::addTensorHandlers(Evaluator &e) {
  e.on<tensor::EmptyOp>([&e](tensor::EmptyOp op) {
    e.set(op.getResult(), Datum::array(Tensor(getShape(e, op.getType(), op.getDynamicSizes()))));
  });
  e.on<tensor::SplatOp>([&e](tensor::SplatOp op) {
    SmallVector<int64_t> shape = getShape(e, op.getType(), op.getDynamicSizes());
    const Datum &input = e.get(op.getInput());
    if (input.tensor) // a vector in each element
      shape.append(input.tensor->shape);
    Tensor result(shape, input.bits);
    for (size_t i = 0; input.tensor && i < result.elements.size(); ++i)
      result.elements[i] = input.tensor->elements[i % input.tensor->elements.size()];
    e.set(op.getResult(), Datum::array(std::move(result)));
  });
  e.on<tensor::DimOp>([&e](tensor::DimOp op) {
    int64_t axis = e.getInteger(op.getIndex());
    e.set(op.getResult(), Datum::integer(e.get(op.getSource()).tensor->shape[axis]));
  });
  e.on<tensor::CastOp>([&e](tensor::CastOp op) { e.set(op.getResult(), e.get(op.getSource())); });
  e.on<tensor::ExtractOp>([&e](tensor::ExtractOp op) { extract(e, op); });
  e.on<tensor::InsertOp>([&e](tensor::InsertOp op) { insert(e, op); });
  e.on<tensor::FromElementsOp>([&e](tensor::FromElementsOp op) { fromElements(e, op); });
  e.on<tensor::ConcatOp>([&e](tensor::ConcatOp op) { concat(e, op); });
  e.on<tensor::ExtractSliceOp>([&e](tensor::ExtractSliceOp op) { extractSlice(e, op); });
  e.on<tensor::InsertSliceOp>([&e](tensor::InsertSliceOp op) { insertSlice(e, op); });
  e.on<tensor::GenerateOp>([&e](tensor::GenerateOp op) { generate(e, op); });
  onReshape<tensor::CollapseShapeOp>(e);
  onReshape<tensor::ExpandShapeOp>(e);
  onReshape<tensor::ReshapeOp>(e);
}
