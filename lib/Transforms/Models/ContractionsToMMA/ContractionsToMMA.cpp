//===- ContractionsToMMA.cpp - Matrix products on tensor cores ------------===//
//
// A warp multiplies vectors of some cells by blocks of a matrix: each thread holds fragments of
// both and of the sums, in the layout of `mma.sync`. Initial values and elementwise operations are
// computed on the fragments, and where the outputs of a layer fit into registers they are the
// vectors of the next one, because the layout of sums is that of vectors if the steps of a
// reduction are reordered. Upstream rewrites single products of one size, with operands and results
// in memory.
//
//===----------------------------------------------------------------------===//

#include "../ContractionGroups.h"
#include "LCI/Transforms/Models/Passes.h"
#include "LCI/Transforms/Schedule/FuseParallelLoops.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "TensorTile.h"
#include "WarpLoop.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include <variant>

namespace mlir::lci {
#define GEN_PASS_DEF_CONTRACTIONSTOMMAPASS
#include "LCI/Transforms/Models/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::tensor_cores;

//===----------------------------------------------------------------------===//
// Matching of products
//===----------------------------------------------------------------------===//

/// Whether each iteration adds the product of both inputs.
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

/// Matches a sum as a product; else the reason why not.
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
  if (op.getStaticLoopRanges().back() % (2 * kPair) != 0)
    return "is of cells that are no multiple of four";
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

/// Outputs of a layer that a warp's registers hold with 16 cells, and with 32; and the size of its
/// tile of a larger layer, or of a single layer with a multiple of that many outputs: then 32 cells
/// share the weights that it loads.
static constexpr int64_t kMaxHeld = 128, kMaxHeldTwice = 64, kTile = 64;

using Layer = ArrayRef<linalg::GenericOp>;

static int64_t countOutputs(Layer layer) { return getParallelTripCounts(layer.front()).front(); }
static int64_t countCells(Layer layer) { return getParallelTripCounts(layer.front()).back(); }

/// The arrays that an operation reads.
static SmallVector<Value> getReads(linalg::GenericOp op) {
  SmallVector<Value> reads;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) &&
        (!op.isDpsInit(&operand) || op.payloadUsesValueFromOperand(&operand)))
      reads.push_back(operand.get());
  return reads;
}

/// Whether an array is private to a layer: the layer writes all of it before it reads any.
static bool isPrivateTo(Layer layer, Value array) {
  auto *first = llvm::find_if(
      layer, [&](linalg::GenericOp op) { return llvm::is_contained(op->getOperands(), array); });
  return first != layer.end() && !llvm::is_contained(getReads(*first), array);
}

/// Moves an operation that only fills an array to its first user over cells, as a part of that
/// layer.
static void sinkStart(linalg::GenericOp op) {
  Value array = op.getDpsInits()[0];
  Operation *first = nullptr;
  for (Operation *user : array.getUsers()) {
    if (isa<ViewLikeOpInterface>(user))
      return; // may be used under another name
    Operation *there = op->getBlock()->findAncestorOpInBlock(*user);
    if (there && op->isBeforeInBlock(there) && (!first || there->isBeforeInBlock(first)))
      first = there;
  }
  auto user = dyn_cast_or_null<linalg::GenericOp>(first);
  if (user && isOverCells(user) && getReads(op).empty())
    op->moveBefore(first);
}

/// Whether an operation continues a layer. Initial values of sums begin the next layer, if this one
/// has its sums.
static bool belongsTo(Layer layer, linalg::GenericOp op) {
  return llvm::all_of(layer, [&](linalg::GenericOp other) { return mayShareLoops(other, op); }) &&
         (llvm::none_of(layer, isSum) || !getReads(op).empty());
}

namespace {

/// The distribution of the outputs and cells of some layers over warps.
struct Tiles {
  explicit Tiles(ArrayRef<Layer> layers) {
    int64_t most = 0;
    for (Layer layer : layers)
      most = std::max(most, countOutputs(layer));
    isShared = most > kMaxHeld || (layers.size() == 1 && most > kTile && most % kTile == 0);
    cellBlocks = most > kMaxHeldTwice && !isShared ? 1 : 2;
  }

  /// The number of blocks of a layer's outputs in a tile, and that of its tiles.
  int64_t countBlocks(Layer layer) const {
    return llvm::divideCeil(isShared ? kTile : countOutputs(layer), kOutputs);
  }
  int64_t countTiles(Layer layer) const {
    return llvm::divideCeil(countOutputs(layer), countBlocks(layer) * kOutputs);
  }

  bool isShared; ///< whether several warps share the outputs of the only layer
  int64_t cellBlocks;
};

class NetworkKernel {
public:
  explicit NetworkKernel(const llvm::DenseMap<Operation *, Product> &products)
      : products(products) {}

  /// Adds a layer to the kernel, if it is the first one or may follow those that are there.
  bool add(Layer layer) {
    if (!layers.empty() && !mayFollow(layer))
      return false;
    layers.push_back(layer);
    return true;
  }

  /// Emits a parallel loop over the first outputs and cells of threads, in place of the layers.
  void emit() {
    OpBuilder b(layers.back().back());
    Location loc = b.getInsertionPoint()->getLoc();
    Tiles tiles(layers);
    llvm::DenseMap<Operation *, PackedWeights> packed;
    Layer before;
    for (Layer layer : layers) {
      for (linalg::GenericOp op : layer)
        if (auto product = products.find(op); product != products.end())
          packed
              .try_emplace(op, op, product->second, tiles.countTiles(layer),
                           tiles.countBlocks(layer),
                           isHeld(op, before) ? tiles.countBlocks(before) : 0)
              .first->second.emit(b);
      before = layer;
    }
    TileShape shape{tiles.cellBlocks, tiles.countBlocks(layers.back())};
    int64_t numCells = countCells(layers.front());
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    int64_t numOutputs = llvm::alignTo(countOutputs(layers.back()), shape.countOutputs());
    auto loop = scf::ParallelOp::create(
        b, loc, ValueRange{index(0), index(0)}, ValueRange{index(numOutputs), index(numCells)},
        ValueRange{index(shape.countOutputs()), index(shape.countCells())});
    b.setInsertionPointToStart(loop.getBody());
    WarpTile tile(b, loc, loop.getInductionVars(), shape, numCells);
    for (Layer layer : layers) {
      tile.enterLayer(countOutputs(layer), tiles.countBlocks(layer));
      for (linalg::GenericOp op : layer)
        if (auto product = products.find(op); product != products.end())
          tile.multiply(op, product->second, packed.at(op));
        else
          tile.apply(op);
    }
    tile.store();
    for (Layer layer : layers)
      for (linalg::GenericOp op : layer)
        op.erase();
  }

private:
  /// Whether the sums of a layer may be computed as soon as a warp's part of the preceding layers
  /// is: the last one's outputs are its vectors, and the layers have no other dependence.
  bool mayFollow(Layer next) {
    Layer last = layers.back();
    if (!areNeighbours(last.back(), next.front()) || countCells(last) != countCells(next) ||
        countOutputs(last) > kMaxHeld || countOutputs(next) > kMaxHeld)
      return false;
    for (Layer layer : layers)
      for (linalg::GenericOp one : layer)
        for (linalg::GenericOp other : next)
          if (!isPairFit(layer, one, next, other))
            return false;
    return true;
  }

  /// Whether two operations of two layers have no dependence, except by vectors that are held in
  /// registers and arrays that are private to both.
  bool isPairFit(Layer layer, linalg::GenericOp one, Layer next, linalg::GenericOp other) {
    bool isLast = layer.data() == layers.back().data();
    for (OpOperand &mine : one->getOpOperands())
      for (OpOperand &its : other->getOpOperands()) {
        Value array = mine.get();
        bool isWritten = one.isDpsInit(&mine) || other.isDpsInit(&its);
        if (!isWritten || !isa<MemRefType>(array.getType()) ||
            !isa<MemRefType>(its.get().getType()) || areDisjoint(array, its.get()))
          continue;
        bool isHeld = isLast && one.isDpsInit(&mine) && isForwarded(one, mine, other, its);
        bool arePrivate =
            array == its.get() && isPrivateTo(layer, array) && isPrivateTo(next, array);
        if (!isHeld && !arePrivate)
          return false;
      }
    return true;
  }

  /// Whether the preceding layer has written a product's vectors.
  bool isHeld(linalg::GenericOp op, Layer before) {
    Value vectors = op.getDpsInputOperand(products.lookup(op).cells)->get();
    return llvm::any_of(
        before, [&](linalg::GenericOp writer) { return writer.getDpsInits()[0] == vectors; });
  }

  /// Whether an operand is the vectors of a product, and exactly the outputs of an operation.
  bool isForwarded(linalg::GenericOp writer, OpOperand &written, linalg::GenericOp op,
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
  SmallVector<Layer> layers;
};

struct ContractionsToMMA : mlir::lci::impl::ContractionsToMMAPassBase<ContractionsToMMA> {
  using ContractionsToMMAPassBase::ContractionsToMMAPassBase;

  void runOnOperation() override {
    GPUTarget target = getGPUTarget(getOperation());
    if (!target.tf32)
      return;
    int64_t threads = target.blockThreads;
    if (threads % kWarp != 0) {
      getOperation().emitError("expected blocks of whole warps, a multiple of ")
          << ErrorId::PassOption << kWarp << " threads, but got " << threads;
      return signalPassFailure();
    }
    findProducts();
    if (products.empty())
      return;
    IRRewriter rewriter(&getContext());
    generalizeNamed(getOperation(), rewriter);
    auto collect = [&] {
      SmallVector<linalg::GenericOp> ops;
      getOperation().walk([&](linalg::GenericOp op) {
        if (isOverCells(op) && (!isSum(op) || products.contains(op)))
          ops.push_back(op);
      });
      return ops;
    };
    for (linalg::GenericOp op : collect())
      sinkStart(op);
    SmallVector<linalg::GenericOp> ops = collect();
    SmallVector<SmallVector<linalg::GenericOp>> groups = groupNeighbours(ops, belongsTo);
    SmallVector<NetworkKernel> kernels;
    for (Layer layer : groups)
      if (llvm::any_of(layer, isSum) && (kernels.empty() || !kernels.back().add(layer))) {
        kernels.emplace_back(products);
        kernels.back().add(layer);
      }
    for (NetworkKernel &kernel : kernels)
      kernel.emit();
    numProducts += products.size();
    numKernels += kernels.size();
    // Loops that reduce over a tile's outputs may be fused, in the registers that hold them, or
    // across the threads with the same cells.
    fuseParallelLoops(getOperation(), rewriter);
    for (scf::ParallelOp loop : findLoops())
      fuseGroup(loop, kMembers, rewriter);
    eraseUnread(getOperation(), rewriter);
    for (scf::ParallelOp loop : findLoops())
      makeWarps(loop, threads / kWarp);
  }

private:
  /// Emits a remark with the reason for each sum that is no product.
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

  /// The parallel loops that multiply.
  llvm::SetVector<scf::ParallelOp> findLoops() {
    llvm::SetVector<scf::ParallelOp> loops;
    getOperation().walk(
        [&](nvgpu::MmaSyncOp op) { loops.insert(op->getParentOfType<scf::ParallelOp>()); });
    return loops;
  }

  llvm::DenseMap<Operation *, Product> products;
};

} // namespace
