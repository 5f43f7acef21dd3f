//===- TensorProducts.cpp - Products of models by tensor cores ------------===//
//
// A warp multiplies vectors of some cells by blocks of a matrix: each thread holds a part of both
// and of the sums, as `mma.sync` has it. What the sums begin with and what is made of them element
// by element is computed on the parts that threads hold, and where the outputs of a layer fit into
// registers they are the vectors of the next one: what a thread holds of sums is what it has to
// give of vectors, if steps of a reduction are taken in another order. Upstream rewrites single
// products of one size, with operands and results in memory.
//
//===----------------------------------------------------------------------===//

#include "../JoinThreads.h"
#include "../LoopHints.h"
#include "../NestFacts.h"
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
  if (parallel.size() > 2)
    return "has outputs of several indices";
  unsigned cell = op.getNumLoops() - 1, output = parallel.front();
  auto follows = [&](unsigned input, unsigned loop) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(input)).isFunctionOfDim(loop);
  };
  Product product;
  product.cells = follows(0, cell) ? 0 : 1;
  product.weights = 1 - product.cells;
  if (!follows(product.cells, cell) || follows(product.weights, cell) ||
      !follows(product.weights, output) || follows(product.cells, output))
    return "multiplies no matrix by vectors of cells";
  unsigned depth = reductions.back();
  if (!follows(0, depth) || !follows(1, depth))
    return "reduces last what only one input has";
  product.output = output;
  product.depth = depth;
  product.outer.append(reductions.begin(), reductions.end() - 1);
  return product;
}

//===----------------------------------------------------------------------===//
// Layers that share a kernel
//===----------------------------------------------------------------------===//

/// Outputs of a layer that a warp's registers hold, if it has 16 cells, and if it has 32; and how
/// many of a larger layer it takes.
static constexpr int64_t kMostHeld = 128, kMostHeldTwice = 64, kTile = 64;

using Layer = ArrayRef<linalg::GenericOp>;

static int64_t countOutputs(Layer layer) { return getParallelTurns(layer.front()).front(); }
static int64_t countCells(Layer layer) { return getParallelTurns(layer.front()).back(); }

namespace {

/// How the outputs and cells of some layers are shared by warps: blocks of 16 cells for each, and
/// how many warps there are, of which so many of a block of threads have other cells. None is
/// partly beyond the end.
struct Tiles {
  Tiles(ArrayRef<Layer> layers, int64_t warps) {
    int64_t most = 0, numCells = countCells(layers.front());
    for (Layer layer : layers)
      most = std::max(most, countOutputs(layer));
    cellBlocks = most > kMostHeldTwice && most <= kMostHeld ? 1 : 2;
    outputTiles = most <= kMostHeld ? 1 : llvm::divideCeil(most, kTile);
    warpsOfCells = warps / std::gcd(outputTiles, warps);
    cellTiles = llvm::alignTo(llvm::divideCeil(numCells, cellBlocks * kCells), warpsOfCells);
    fillsCells = cellTiles * cellBlocks * kCells == numCells;
  }

  /// Of a layer's outputs in a tile.
  int64_t countBlocks(Layer layer) const {
    return llvm::divideCeil(outputTiles == 1 ? countOutputs(layer) : kTile, kOutputs);
  }

  int64_t cellBlocks, outputTiles, cellTiles, warpsOfCells;
  bool fillsCells;
};

class NetworkKernel {
public:
  NetworkKernel(const llvm::DenseMap<Operation *, Product> &products, int64_t warps)
      : products(products), warps(warps) {}

  /// Takes a layer into the kernel, if it is the first one, or goes with those that are there.
  bool add(Layer layer) {
    if (!layers.empty() && !mayFollow(layer))
      return false;
    layers.push_back(layer);
    return true;
  }

  /// A parallel loop over warps and their threads, in place of the layers.
  void emit() {
    OpBuilder b(layers.back().back());
    Location loc = b.getInsertionPoint()->getLoc();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    Tiles tiles(layers, warps);
    llvm::DenseMap<Operation *, PackedWeights> packed;
    for (Layer layer : layers)
      for (linalg::GenericOp op : layer)
        if (auto product = products.find(op); product != products.end())
          packed.try_emplace(op, b, op, product->second,
                             tiles.outputTiles * tiles.countBlocks(layer));
    auto loop = scf::ParallelOp::create(
        b, loc, ValueRange{index(0), index(0)},
        ValueRange{index(tiles.outputTiles), index(tiles.cellTiles * kLanes)},
        ValueRange{index(1), index(1)});
    loop->setAttr(kRowThreads, b.getI64IntegerAttr(tiles.warpsOfCells * kLanes));
    b.setInsertionPointToStart(loop.getBody());
    WarpTile tile(b, loc, loop.getInductionVars()[1], countCells(layers.front()), tiles.cellBlocks,
                  tiles.fillsCells);
    for (Layer layer : layers) {
      tile.enterLayer(countOutputs(layer), tiles.countBlocks(layer), loop.getInductionVars()[0]);
      for (linalg::GenericOp op : layer)
        if (auto product = products.find(op); product != products.end())
          tile.multiply(op, product->second, packed.at(op));
        else
          tile.apply(op);
      tile.store();
    }
    for (Layer layer : layers)
      for (linalg::GenericOp op : layer)
        op.erase();
  }

private:
  /// Whether a layer's sums may be computed as soon as a warp's part of those before is: the last
  /// one's outputs are its vectors, and what else is written in one nobody uses in another.
  bool mayFollow(Layer next) {
    Layer last = layers.back();
    if (!areNeighbours(last.back(), next.front()) || countCells(last) != countCells(next) ||
        countOutputs(last) > kMostHeld || countOutputs(next) > kMostHeld)
      return false;
    for (Layer layer : layers)
      for (linalg::GenericOp one : layer)
        for (linalg::GenericOp other : next)
          if (!isPairFit(one, other, /*isLast=*/layer.data() == last.data()))
            return false;
    return true;
  }

  /// Whether nothing is written in one of two operations that the other one uses, but for vectors.
  bool isPairFit(linalg::GenericOp one, linalg::GenericOp other, bool isLast) {
    for (OpOperand &mine : one->getOpOperands())
      for (OpOperand &its : other->getOpOperands()) {
        bool isWritten = one.isDpsInit(&mine) || other.isDpsInit(&its);
        bool areBuffers =
            isa<MemRefType>(mine.get().getType()) && isa<MemRefType>(its.get().getType());
        bool isHeld = isLast && one.isDpsInit(&mine) && isHandedOn(one, mine, other, its);
        if (isWritten && areBuffers && !isHeld && !areApart(mine.get(), its.get()))
          return false;
      }
    return true;
  }

  /// Whether an operand is the vectors of a product, and the very outputs of an operation.
  bool isHandedOn(linalg::GenericOp writer, OpOperand &written, linalg::GenericOp op,
                  OpOperand &operand) {
    auto found = products.find(op);
    if (found == products.end() || operand.get() != written.get())
      return false;
    const Product &product = found->second;
    SmallVector<unsigned> parallel;
    writer.getParallelDims(parallel);
    AffineMap from = writer.getMatchingIndexingMap(&written);
    AffineMap to = op.getMatchingIndexingMap(&operand);
    auto same = [](AffineExpr a, unsigned first, AffineExpr c, unsigned second) {
      return (cast<AffineDimExpr>(a).getPosition() == first) ==
             (cast<AffineDimExpr>(c).getPosition() == second);
    };
    return operand.getOperandNumber() == product.cells && product.outer.empty() &&
           from.getNumResults() == to.getNumResults() &&
           llvm::all_of(llvm::zip(from.getResults(), to.getResults()), [&](auto pair) {
             auto [a, c] = pair;
             return same(a, parallel[0], c, product.depth) &&
                    same(a, parallel[1], c, op.getNumLoops() - 1);
           });
  }

  const llvm::DenseMap<Operation *, Product> &products;
  int64_t warps;
  SmallVector<Layer> layers;
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
    SmallVector<SmallVector<linalg::GenericOp>> groups = groupNeighbours(ops, mayTakeTurns);
    SmallVector<NetworkKernel> kernels;
    for (Layer layer : groups)
      if (llvm::any_of(layer, isSum) && (kernels.empty() || !kernels.back().add(layer))) {
        kernels.emplace_back(products, threads / kLanes);
        kernels.back().add(layer);
      }
    for (NetworkKernel &kernel : kernels)
      kernel.emit();
    numProducts += products.size();
    numKernels += kernels.size();
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
