//===- CheckModels.cpp - Normalize and check models -----------------------===//
//
// A model comes from a file, and every back end computes it. So it may use only
// operations that all of them implement, and must not access elements out of
// bounds. See docs/models.md.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "LCI/Dialect/IndexRange.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Transforms/Models/BatchFunction.h"
#include "LCI/Transforms/Support/MathFunctions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// A boolean of a resource is a byte; attributes pack them differently.
static DenseElementsAttr makeDense(ShapedType type, ArrayRef<char> bytes) {
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> truths;
  for (char byte : bytes)
    truths.push_back(byte != 0);
  return DenseElementsAttr::get(type, truths);
}

/// Embeds the elements of a resource into the constant, so that every reader handles them.
static LogicalResult embedResource(arith::ConstantOp constant) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  if (!resource)
    return success();
  ShapedType type = resource.getType();
  Type element = type.getElementType();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t expected = type.getNumElements() * llvm::divideCeil(bits, 8);
  int64_t found = blob ? blob->getData().size() : 0;
  if (found != expected || (bits % 8 != 0 && bits != 1))
    return emitError(constant.getLoc())
           << ErrorId::WrongModel << "expected a resource of " << expected << " bytes for " << type
           << ", but got " << found;
  constant.setValueAttr(makeDense(type, blob->getData()));
  return success();
}

/// Generalizes `linalg.matmul` and other named operations.
static LogicalResult generalize(func::FuncOp model) {
  SmallVector<linalg::LinalgOp> named;
  model.walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && !isa<linalg::FillOp, linalg::GenericOp>(op))
      named.push_back(op);
  });
  return generalizeNamed(named);
}

//===----------------------------------------------------------------------===//
// Operations and types
//===----------------------------------------------------------------------===//

static bool isOfArith(Operation *op) {
  using namespace arith;
  return isa<AddIOp, SubIOp, MulIOp, DivSIOp, DivUIOp, FloorDivSIOp, CeilDivSIOp, CeilDivUIOp,
             RemSIOp, RemUIOp, AndIOp, OrIOp, XOrIOp, ShLIOp, ShRSIOp, ShRUIOp, MinSIOp, MaxSIOp,
             MinUIOp, MaxUIOp, CmpIOp, ExtSIOp, ExtUIOp, TruncIOp, IndexCastOp, IndexCastUIOp,
             AddFOp, SubFOp, MulFOp, DivFOp, RemFOp, NegFOp, MinimumFOp, MaximumFOp, MinNumFOp,
             MaxNumFOp, CmpFOp, SIToFPOp, UIToFPOp, FPToSIOp, FPToUIOp, BitcastOp, SelectOp,
             ConstantOp>(op);
}

static bool isOfTensors(Operation *op) {
  using namespace tensor;
  return isa<EmptyOp, SplatOp, FromElementsOp, GenerateOp, tensor::ConcatOp, CastOp, DimOp,
             ExtractOp, InsertOp, ExtractSliceOp, InsertSliceOp, CollapseShapeOp, ExpandShapeOp,
             tensor::YieldOp>(op);
}

/// Whether the interpreter evaluates the operation and every back end compiles it. Functions of
/// `math` that are not exact are lci operations by now.
static bool isListed(Operation *op) {
  return isOfArith(op) || isOfTensors(op) || isa<linalg::LinalgOp>(op) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CtPopOp, math::FloorOp, math::FmaOp,
             math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op) ||
         isa<ElementaryOp, ElementaryBinaryOp, FloorDivOp, FloorModOp, PowerOp, LookupOp>(op) ||
         isa<linalg::IndexOp, linalg::YieldOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp,
             scf::ConditionOp, scf::YieldOp>(op);
}

/// A tile of that many cells, with elements of eight bytes, fits 64 bits.
static constexpr int64_t kMaxElements = int64_t(1) << 48;

static bool isElement(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return type.isF32() || type.isIndex() ||
         (integer && integer.isSignless() && integer.getWidth() > 0 && integer.getWidth() <= 64);
}

static bool isCountable(ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = 1;
  for (int64_t extent : shape)
    if (extent == 0)
      return true;
  for (int64_t extent : shape)
    count = count ? llvm::checkedMul(*count, extent) : count;
  return count && *count <= kMaxElements;
}

/// Emits an error if a model must not have values of a type.
static LogicalResult checkType(Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if ((!tensor && !isElement(type)) || (tensor && !isElement(tensor.getElementType())) ||
      (tensor && tensor.getEncoding()))
    return emitError(loc) << ErrorId::WrongModel
                          << "expected integers of up to 64 bits, f32, and tensors of these in a "
                             "model, but got "
                          << type;
  if (tensor && !tensor.hasStaticShape())
    return emitError(loc) << ErrorId::WrongModel
                          << "expected tensors of a known shape in a model, but got " << type;
  if (tensor && !isCountable(tensor.getShape()))
    return emitError(loc) << ErrorId::NoMemory << "expected a tensor of at most " << kMaxElements
                          << " elements, but got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Whether each index of a slice is in the tensor.
static bool isInside(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                     ArrayRef<int64_t> shape) {
  for (auto [offset, size, stride, extent] : llvm::zip_equal(offsets, sizes, strides, shape)) {
    std::optional<int64_t> last = llvm::checkedMulAdd(size - 1, stride, offset);
    if (size > 0 && (!last || std::min(offset, *last) < 0 || std::max(offset, *last) >= extent))
      return false;
  }
  return true;
}

static LogicalResult checkSlice(OffsetSizeAndStrideOpInterface slice, RankedTensorType whole) {
  for (ArrayRef<int64_t> numbers :
       {slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides()})
    if (ShapedType::isDynamicShape(numbers))
      return slice.emitOpError("has no batched form, because its offsets or sizes are not constant")
             << ErrorId::NotLowered;
  if (isInside(slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides(),
               whole.getShape()))
    return success();
  return emitError(slice.getLoc())
         << ErrorId::WrongModel << "expected a slice within " << whole << ", but got offsets ["
         << slice.getStaticOffsets() << "], sizes [" << slice.getStaticSizes() << "] and strides ["
         << slice.getStaticStrides() << "]";
}

static LogicalResult checkExtract(tensor::ExtractOp extract) {
  RankedTensorType type = extract.getTensor().getType();
  if (!llvm::is_contained(type.getShape(), 0))
    return success();
  return emitError(extract.getLoc())
         << ErrorId::WrongModel << "expected a tensor with elements, but '" << extract->getName()
         << "' has a " << type;
}

static LogicalResult checkDim(tensor::DimOp dim) {
  std::optional<int64_t> axis = dim.getConstantIndex();
  int64_t rank = cast<RankedTensorType>(dim.getSource().getType()).getRank();
  if (axis && *axis >= 0 && *axis < rank)
    return success();
  return emitError(dim.getLoc()) << ErrorId::WrongModel << "expected a constant axis below " << rank
                                 << " in '" << dim->getName() << "'";
}

/// Upstream checks the first and the last iteration of each loop only, which is wrong for `mod`.
static LogicalResult checkMaps(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("has no batched form, because it is not on tensors")
           << ErrorId::NotLowered;
  auto loops = llvm::map_to_vector(op.getStaticLoopRanges(),
                                   [](int64_t extent) { return IndexRange{0, extent - 1}; });
  if (llvm::any_of(loops, [](IndexRange loop) { return loop.isEmpty(); }))
    return success();
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [expr, extent] : llvm::zip_equal(map.getResults(), op.getShape(&operand))) {
      std::optional<IndexRange> range = computeRange(expr, loops);
      if (!range || range->lower < 0 || range->upper >= extent)
        return emitError(op.getLoc())
               << ErrorId::WrongModel << "expected maps within each tensor, but operand "
               << operand.getOperandNumber() << " of '" << op->getName() << "' has "
               << operand.get().getType() << " and " << AffineMapAttr::get(map);
    }
  }
  return success();
}

static LogicalResult checkLoop(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (step && *step > 0)
    return success();
  return emitError(loop.getLoc()) << ErrorId::WrongModel
                                  << "expected a constant positive step of a loop in a model";
}

static LogicalResult checkConstant(arith::ConstantOp constant) {
  if (isa<IntegerAttr, FloatAttr, DenseElementsAttr>(constant.getValue()))
    return success();
  return emitError(constant.getLoc())
         << ErrorId::WrongModel << "expected dense elements of a constant in a model";
}

static LogicalResult checkReach(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](tensor::ExtractOp extract) { return checkExtract(extract); })
      .Case([](tensor::DimOp dim) { return checkDim(dim); })
      .Case([](tensor::ExtractSliceOp slice) { return checkSlice(slice, slice.getSourceType()); })
      .Case([](tensor::InsertSliceOp slice) { return checkSlice(slice, slice.getDestType()); })
      .Case([](linalg::LinalgOp nest) { return checkMaps(nest); })
      .Case([](scf::ForOp loop) { return checkLoop(loop); })
      .Default(success());
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static LogicalResult checkOperation(Operation *op) {
  if (!isListed(op)) {
    InFlightDiagnostic error = emitError(op->getLoc())
                               << ErrorId::WrongModel
                               << "expected an operation of models, but got '" << op->getName()
                               << "'";
    error.attachNote() << "docs/models.md lists what there is";
    return error;
  }
  for (Type type : op->getResultTypes())
    if (failed(checkType(op->getLoc(), type)))
      return failure();
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (failed(checkType(op->getLoc(), argument.getType())))
        return failure();
  return checkReach(op);
}

static LogicalResult forEach(Operation *root, function_ref<LogicalResult(Operation *)> check) {
  WalkResult walked = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    return op != root && failed(check(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

static LogicalResult embedResources(Operation *root) {
  return forEach(root, [](Operation *op) {
    auto constant = dyn_cast<arith::ConstantOp>(op);
    bool isTensor = constant && isa<RankedTensorType>(constant.getType());
    return failure(isTensor &&
                   (failed(checkType(op->getLoc(), constant.getType())) ||
                    failed(embedResource(constant)) || failed(checkConstant(constant))));
  });
}

static LogicalResult prepareModel(func::FuncOp model) {
  for (Type type : model.getArgumentTypes())
    if (failed(checkType(model.getLoc(), type)))
      return failure();
  return failure(failed(inlineHelpers(model)) || failed(embedResources(model)) ||
                 failed(replaceMathFunctions(model)) || failed(generalize(model)) ||
                 failed(forEach(model, checkOperation)));
}

LogicalResult mlir::lci::prepareModels(ProgramOp program) {
  auto module = program->getParentOfType<ModuleOp>();
  for (auto model : program.getOps<ModelOp>()) {
    auto function = module && model.getFunction()
                        ? module.lookupSymbol<func::FuncOp>(*model.getFunction())
                        : func::FuncOp();
    if (function && !function.isExternal() && failed(prepareModel(function)))
      return failure();
  }
  return embedResources(program);
}
