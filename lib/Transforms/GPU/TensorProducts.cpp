//===- TensorProducts.cpp - Products of models by tensor cores ------------===//
//
// A warp multiplies a block of a matrix by the vectors of some cells: each thread holds a part of
// both and of the sums, as `mma.sync` has it, and the reduction is a loop that carries the sums.
// What they begin with and what is made of them element by element is computed on the parts that
// threads hold. Upstream rewrites single products of one size, with operands and results in memory.
//
//===----------------------------------------------------------------------===//

#include "../JoinThreads.h"
#include "../LoopHints.h"
#include "../ProductGroups.h"
#include "LCI/Transforms/Passes.h"
#include "TensorTile.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include <numeric>
#include <variant>

namespace mlir::lci {
#define GEN_PASS_DEF_TENSORPRODUCTSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::tensor_cores;

//===----------------------------------------------------------------------===//
// What is a product
//===----------------------------------------------------------------------===//

/// Whether each turn adds the product of both inputs.
static bool addsProducts(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || !llvm::hasSingleElement(op.getBody()->without_terminator()))
    return false;
  auto fma = dyn_cast<math::FmaOp>(op.getBody()->front());
  auto yielded = op.getBody()->getTerminator()->getOperands();
  BlockArgument left = op.getBody()->getArgument(0), right = op.getBody()->getArgument(1);
  return fma && yielded.front() == fma.getResult() && fma.getC() == op.getRegionOutputArgs()[0] &&
         ((fma.getA() == left && fma.getB() == right) ||
          (fma.getA() == right && fma.getB() == left));
}

/// A sum as a product; else what stands against it.
static std::variant<Product, StringRef> matchProduct(linalg::GenericOp op) {
  SmallVector<unsigned> parallel, reductions;
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  if (!addsProducts(op))
    return "does more than to add products of two inputs";
  if (parallel.size() < 2)
    return "has one output for each cell";
  unsigned cell = op.getNumLoops() - 1, row = parallel[parallel.size() - 2];
  auto follows = [&](unsigned input, unsigned loop) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(input)).isFunctionOfDim(loop);
  };
  Product product;
  product.cells = follows(0, cell) ? 0 : 1;
  product.weights = 1 - product.cells;
  if (!follows(product.cells, cell) || follows(product.weights, cell) ||
      !follows(product.weights, row) || follows(product.cells, row))
    return "multiplies no matrix by vectors of cells";
  if (op.getStaticLoopRanges().back() % 2 != 0)
    return "is of an odd number of cells";
  unsigned depth = reductions.back();
  if (!follows(0, depth) || !follows(1, depth))
    return "reduces last what only one input has";
  product.depth = depth;
  product.outer.append(reductions.begin(), reductions.end() - 1);
  return product;
}

namespace {

//===----------------------------------------------------------------------===//
// One group
//===----------------------------------------------------------------------===//

/// Sums that are products, and what stands around them element by element.
class GroupKernel {
public:
  GroupKernel(ArrayRef<linalg::GenericOp> group,
              const llvm::DenseMap<Operation *, Product> &products, int64_t warps)
      : group(group), products(products), warps(warps) {}

  /// A parallel loop over warps and their threads, in place of the group.
  void emit() {
    OpBuilder b(group.back());
    Location loc = b.getInsertionPoint()->getLoc();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    SmallVector<int64_t> turns = getParallelTurns(group.front());
    int64_t rowBlocks = turns[turns.size() - 2] % (2 * kRows) == 0 ? 2 : 1;
    int64_t rowTiles = llvm::divideCeil(turns[turns.size() - 2], rowBlocks * kRows);
    int64_t cellTiles = llvm::divideCeil(turns.back(), kCellBlocks * kColumns);
    // Blocks of whole warps, of which none is partly beyond the end.
    int64_t warpsOfRows = std::gcd(rowTiles, warps), warpsOfCells = warps / warpsOfRows;
    cellTiles = llvm::alignTo(cellTiles, warpsOfCells);
    SmallVector<Value> lower(turns.size(), index(0)), steps(turns.size(), index(1)), upper;
    for (int64_t turn : ArrayRef(turns).drop_back(2))
      upper.push_back(index(turn));
    upper.push_back(index(rowTiles));
    upper.push_back(index(cellTiles * kLanes));
    auto loop = scf::ParallelOp::create(b, loc, lower, upper, steps);
    loop->setAttr(kRowThreads, b.getI64IntegerAttr(warpsOfCells * kLanes));
    b.setInsertionPointToStart(loop.getBody());
    bool fills = cellTiles * kCellBlocks * kColumns == turns.back();
    WarpTile tile(b, loc, turns, loop.getInductionVars(), rowBlocks, fills);
    for (linalg::GenericOp op : group)
      if (auto product = products.find(op); product != products.end())
        tile.multiply(op, product->second);
      else
        tile.apply(op);
    tile.store();
    for (linalg::GenericOp op : group)
      op.erase();
  }

private:
  ArrayRef<linalg::GenericOp> group;
  const llvm::DenseMap<Operation *, Product> &products;
  int64_t warps;
};

struct TensorProducts : lci::impl::TensorProductsPassBase<TensorProducts> {
  using TensorProductsPassBase::TensorProductsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (threads >= kLanes && threads % kLanes == 0)
      return success();
    return emitError(UnknownLoc::get(context))
           << ErrorId::PassOption << "expected blocks of whole warps, a multiple of " << kLanes
           << " threads, but got " << threads.getValue();
  }

  void runOnOperation() override {
    findProducts();
    if (products.empty())
      return;
    IRRewriter rewriter(&getContext());
    generalizeNamed(getOperation(), rewriter);
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isOverCells(op) && (!isSum(op) || products.contains(op)))
        ops.push_back(op);
    });
    for (ArrayRef<linalg::GenericOp> group : groupNeighbours(ops, mayTakeTurns))
      if (llvm::any_of(group, isSum))
        GroupKernel(group, products, threads / kLanes).emit();
    numProducts += products.size();
    eraseUnread(getOperation(), rewriter);
  }

private:
  /// Says of sums that are none why.
  void findProducts() {
    products.clear();
    getOperation().walk([&](linalg::GenericOp op) {
      if (!isSum(op) || !isOverCells(op))
        return;
      std::variant<Product, StringRef> matched = matchProduct(op);
      if (const auto *why = std::get_if<StringRef>(&matched))
        op.emitRemark("is computed exactly, not by tensor cores: it ") << *why;
      else
        products[op] = std::get<Product>(matched);
    });
  }

  llvm::DenseMap<Operation *, Product> products;
};

} // namespace
