//===- OutlineNetworks.cpp - Outline matrix-vector products of ticks ------===//
//
// A matrix-vector product, with the elementwise operations between it and earlier products, is a
// small model: as a function of one cell, `lci-batch-models` evaluates it for a tile of cells.
// Products that are too small for that, or in a loop of the body, become loops of fused
// multiply-adds (S-VECTOR), with several rows interleaved, since the latency of a single chain
// would dominate.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Transforms/Models/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_OUTLINENETWORKSPASS
#include "LCI/Transforms/Models/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Rows of a matrix whose products are interleaved.
static constexpr int64_t kRowsAtOnce = 8;

/// Fewer cells than a vector register holds are not worth a tile.
static constexpr int64_t kFewestCells = 8;

static RankedTensorType toTensor(Type type) {
  auto vector = cast<VectorType>(type);
  return RankedTensorType::get(vector.getShape(), vector.getElementType());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The parameter of which a vector has all elements in their order; null if there is none.
static Value getParameter(Value vector) {
  auto elements = vector.getDefiningOp<vector::FromElementsOp>();
  if (!elements)
    return nullptr;
  Value whole;
  for (auto [i, element] : llvm::enumerate(elements.getElements())) {
    auto extract = element.getDefiningOp<tensor::ExtractOp>();
    if (!extract || extract.getIndices().size() != 1 ||
        !isConstantIntValue(extract.getIndices().front(), i) ||
        (whole && whole != extract.getTensor()))
      return nullptr;
    whole = extract.getTensor();
  }
  bool isAll = toTensor(vector.getType()) == whole.getType() && isa<BlockArgument>(whole);
  return isAll ? whole : Value();
}

/// The constant value of a vector, as a tensor; null if it differs between cells.
static TypedAttr getConstant(Value vector) {
  DenseElementsAttr elements;
  if (matchPattern(vector, m_Constant(&elements)))
    return elements.reshape(toTensor(vector.getType()));
  auto broadcast = vector.getDefiningOp<vector::BroadcastOp>();
  Attribute number;
  if (broadcast && broadcast.getSource().getType().isF32() &&
      matchPattern(broadcast.getSource(), m_Constant(&number)))
    return DenseElementsAttr::get(toTensor(vector.getType()), number);
  return nullptr;
}

/// The product for one cell: negative zero, which does not change the sign of an addend, and fused
/// multiply-adds in the order of the columns.
static Value buildProduct(OpBuilder &b, Location loc, Value matrix, Value vector) {
  auto type = cast<RankedTensorType>(matrix.getType());
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(-0.0f));
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape().take_front(), b.getF32Type());
  Value start = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  AffineExpr row = b.getAffineDimExpr(0), column = b.getAffineDimExpr(1);
  SmallVector<AffineMap> maps = AffineMap::inferFromExprList(
      ArrayRef<ArrayRef<AffineExpr>>{{row, column}, {column}, {row}}, b.getContext());
  auto multiply = [](OpBuilder &inner, Location at, ValueRange values) {
    Value sum = math::FmaOp::create(inner, at, values[0], values[1], values[2]);
    linalg::YieldOp::create(inner, at, sum);
  };
  return linalg::GenericOp::create(b, loc, start.getType(), ValueRange{matrix, vector}, start, maps,
                                   {utils::IteratorType::parallel, utils::IteratorType::reduction},
                                   multiply)
      .getResult(0);
}

namespace {

/// Outlines the products of one tick, from the first to the last.
class NetworkOutliner {
public:
  NetworkOutliner(TickOp tick, SymbolTable &symbols) : tick(tick), symbols(symbols), site(tick) {}

  void outline(MatVecOp product) {
    Location loc = product.getLoc();
    auto outer = tick->getParentOfType<func::FuncOp>();
    OpBuilder outside(outer);
    auto function = func::FuncOp::create(outside, loc, (outer.getName() + ".network").str(),
                                         outside.getFunctionType({}, {}));
    function.setPrivate();
    symbols.insert(function, Block::iterator(outer));
    Block *entry = function.addEntryBlock();
    OpBuilder b = OpBuilder::atBlockEnd(entry);
    site.setInsertionPoint(product);
    operands.clear();
    mapping.clear();
    Value matrix = addArgument(*entry, product.getMatrix());
    Value vector = onTensors(b, product.getVector());
    Value result = buildProduct(b, loc, matrix, vector);
    func::ReturnOp::create(b, loc, result);
    function.setType(b.getFunctionType(entry->getArgumentTypes(), result.getType()));
    replace(product, func::CallOp::create(site, loc, function, operands).getResult(0));
  }

  /// Erases operations that only the functions use.
  void cleanUp() {
    SmallVector<Operation *> ops;
    for (Operation &op : tick.getBody().front().without_terminator())
      ops.push_back(&op);
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op))
        op->erase();
  }

private:
  Value addArgument(Block &entry, Value operand) {
    operands.push_back(operand);
    return entry.addArgument(operand.getType(), operand.getLoc());
  }

  /// Whether a vector is computed elementwise from earlier products: it is not needed cell by cell.
  bool isBetween(Value vector) {
    auto [known, isNew] = between.try_emplace(vector, false);
    Operation *op = vector.getDefiningOp();
    if (!isNew || !op || !op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 ||
        op->getParentRegion() != &tick.getBody())
      return known->second;
    auto isNumber = [](Type type) {
      return !isa<VectorType>(type) || getElementTypeOrSelf(type).isF32();
    };
    bool isMade = llvm::all_of(op->getOperandTypes(), isNumber) && isNumber(vector.getType()) &&
                  llvm::any_of(op->getOperands(), [&](Value operand) {
                    return answers.contains(operand) || isBetween(operand);
                  });
    return between[vector] = isMade;
  }

  /// The value in the function for one of the tick's body; vectors become tensors.
  Value onTensors(OpBuilder &b, Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Value made = makeOnTensors(b, value);
    mapping.map(value, made);
    return made;
  }

  Value makeOnTensors(OpBuilder &b, Value value) {
    Block &entry = *b.getBlock();
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector)
      return addArgument(entry, value);
    if (Value answer = answers.lookup(value))
      return addArgument(entry, answer);
    if (Value parameter = getParameter(value))
      return addArgument(entry, parameter);
    if (TypedAttr constant = getConstant(value))
      return arith::ConstantOp::create(b, value.getLoc(), constant);
    if (!isBetween(value))
      return addArgument(entry, writeVector(value));
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      onTensors(b, operand);
    Operation *clone = b.clone(*op, mapping);
    clone->getResult(0).setType(toTensor(vector));
    return clone->getResult(0);
  }

  /// Writes a vector of the tick's body to a tensor.
  Value writeVector(Value vector) {
    RankedTensorType type = toTensor(vector.getType());
    Value zero = arith::ConstantIndexOp::create(site, vector.getLoc(), 0);
    Value empty =
        tensor::EmptyOp::create(site, vector.getLoc(), type.getShape(), type.getElementType());
    return vector::TransferWriteOp::create(site, vector.getLoc(), vector, empty, zero,
                                           ArrayRef<bool>{true})
        .getResult();
  }

  void replace(MatVecOp product, Value answer) {
    Location loc = product.getLoc();
    Value zero = arith::ConstantIndexOp::create(site, loc, 0);
    Value none = arith::ConstantOp::create(site, loc, site.getF32FloatAttr(0.0f));
    Value vector = vector::TransferReadOp::create(site, loc, cast<VectorType>(product.getType()),
                                                  answer, zero, none, ArrayRef<bool>{true});
    answers[vector] = answer;
    product.replaceAllUsesWith(vector);
    product.erase();
  }

  TickOp tick;
  SymbolTable &symbols;
  OpBuilder site;                       ///< of the calls in the tick
  SmallVector<Value> operands;          ///< of the call
  IRMapping mapping;                    ///< from the tick's body to the function
  llvm::DenseMap<Value, Value> answers; ///< the tensor of each vector that is a product
  llvm::DenseMap<Value, bool> between;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// Writes a product as loops over the columns, one for each group of rows.
class ProductLoops {
public:
  explicit ProductLoops(MatVecOp product)
      : product(product), b(product), loc(product.getLoc()),
        shape(cast<RankedTensorType>(product.getMatrix().getType()).getShape()) {}

  Value build() {
    SmallVector<Value> components;
    for (int64_t first = 0; first < shape[0]; first += kRowsAtOnce)
      llvm::append_range(components, buildRows(first, std::min(kRowsAtOnce, shape[0] - first)));
    return vector::FromElementsOp::create(b, loc, product.getType(), components);
  }

private:
  Value index(int64_t i) { return arith::ConstantIndexOp::create(b, loc, i); }
  Value element(int64_t row, Value column) {
    return tensor::ExtractOp::create(b, loc, product.getMatrix(), ValueRange{index(row), column});
  }
  Value component(OpFoldResult column) {
    return vector::ExtractOp::create(b, loc, product.getVector(), column);
  }

  SmallVector<Value> buildRows(int64_t first, int64_t count) {
    SmallVector<Value> sums;
    for (int64_t row = first; row < first + count; ++row)
      sums.push_back(
          arith::MulFOp::create(b, loc, element(row, index(0)), component(b.getIndexAttr(0))));
    if (shape[1] == 1)
      return sums;
    auto loop = scf::ForOp::create(b, loc, index(1), index(shape[1]), index(1), sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value column = loop.getInductionVar(), factor = component(column);
    SmallVector<Value> next;
    for (auto [i, sum] : llvm::enumerate(loop.getRegionIterArgs()))
      next.push_back(math::FmaOp::create(b, loc, element(first + i, column), factor, sum));
    scf::YieldOp::create(b, loc, next);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  MatVecOp product;
  OpBuilder b;
  Location loc;
  ArrayRef<int64_t> shape;
};

struct OutlineNetworks : mlir::lci::impl::OutlineNetworksPassBase<OutlineNetworks> {
  using OutlineNetworksPassBase::OutlineNetworksPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"min-elements", minElements, 0}});
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) { ticks.push_back(tick); });
    for (TickOp tick : ticks) {
      NetworkOutliner outliner(tick, symbols);
      for (MatVecOp product : findLarge(tick)) {
        took(tick, Way::OutlinedNetwork);
        outliner.outline(product);
        ++numOutlined;
      }
      outliner.cleanUp();
    }
    SmallVector<MatVecOp> rest;
    getOperation().walk([&](MatVecOp product) {
      if (isa<VectorType>(product.getType())) // those of programs are on tensors
        rest.push_back(product);
    });
    for (MatVecOp product : rest) {
      product.replaceAllUsesWith(ProductLoops(product).build());
      product.erase();
    }
  }

  /// The products at the top level of a tick's body that are worth a tile.
  SmallVector<MatVecOp> findLarge(TickOp tick) {
    int64_t cells = 1;
    for (OpFoldResult extent : tick.getMixedExtents())
      cells *= getConstantIntValue(extent).value_or(kFewestCells);
    SmallVector<MatVecOp> large;
    for (auto product : tick.getBody().getOps<MatVecOp>()) {
      auto matrix = cast<RankedTensorType>(product.getMatrix().getType());
      if (minElements > 0 && cells >= kFewestCells && matrix.getNumElements() >= minElements &&
          isa<BlockArgument>(product.getMatrix()))
        large.push_back(product);
    }
    return large;
  }
};

} // namespace
