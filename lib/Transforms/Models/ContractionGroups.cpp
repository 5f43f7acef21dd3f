//===- ContractionGroups.cpp - Fusion groups of contractions --------------===//
//
// The conditions under which operations over cells may share parallel loops, for
// `lci-tile-contractions` and `lci-contractions-to-mma`: the same iteration space, and dependences
// within an iteration only.
//
//===----------------------------------------------------------------------===//

#include "ContractionGroups.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lci;

/// Whether a body has a vector form: elementwise operations, without indices.
static bool hasVectorForm(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return OpTrait::hasElementwiseMappableTraits(&inner);
  });
}

/// Whether the last loop is parallel and contiguous in every operand that it indexes.
static bool runsOverCells(linalg::GenericOp op) {
  unsigned last = op.getNumLoops() - 1;
  auto isFit = [&](AffineMap map) {
    return map.isProjectedPermutation() &&
           llvm::none_of(map.getResults().drop_back(map.getNumResults() ? 1 : 0),
                         [&](AffineExpr result) { return result.isFunctionOfDim(last); });
  };
  return op.getIteratorTypesArray().back() == utils::IteratorType::parallel &&
         llvm::all_of(op.getIndexingMapsArray(), isFit);
}

SmallVector<int64_t> mlir::lci::getParallelTripCounts(linalg::GenericOp op) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return llvm::map_to_vector(parallel, [&](unsigned loop) { return ranges[loop]; });
}

/// The parallel loop of each index of an operand; nothing if an iteration of the parallel loops
/// accesses several elements, or a subset of the loops indexes one.
static std::optional<SmallVector<unsigned>> getElementOfIteration(linalg::GenericOp op,
                                                                  OpOperand &operand) {
  SmallVector<unsigned> parallel, element;
  op.getParallelDims(parallel);
  for (AffineExpr result : op.getMatchingIndexingMap(&operand).getResults()) {
    auto dim = cast<AffineDimExpr>(result);
    auto *found = llvm::find(parallel, dim.getPosition());
    if (found == parallel.end())
      return std::nullopt;
    element.push_back(found - parallel.begin());
  }
  return element.size() == parallel.size() ? std::optional(element) : std::nullopt;
}

bool mlir::lci::isOverCells(linalg::GenericOp op) {
  auto isNumber = [](Type type) { return getElementTypeOrSelf(type).isF32(); };
  return op.hasPureBufferSemantics() && op.getNumLoops() > 0 && op.getNumDpsInits() == 1 &&
         llvm::all_of(op->getOperandTypes(), isNumber) && runsOverCells(op) && hasVectorForm(op) &&
         getElementOfIteration(op, *op.getDpsInitOperand(0)) &&
         !llvm::is_contained(op.getStaticLoopRanges(), ShapedType::kDynamic);
}

bool mlir::lci::mayShareLoops(linalg::GenericOp first, linalg::GenericOp second) {
  if (getParallelTripCounts(first) != getParallelTripCounts(second))
    return false;
  for (OpOperand &mine : first->getOpOperands())
    for (OpOperand &its : second->getOpOperands()) {
      bool isWritten = first.isDpsInit(&mine) || second.isDpsInit(&its);
      bool areBuffers =
          isa<MemRefType>(mine.get().getType()) && isa<MemRefType>(its.get().getType());
      if (!isWritten || !areBuffers || areDisjoint(mine.get(), its.get()))
        continue;
      std::optional<SmallVector<unsigned>> element = getElementOfIteration(first, mine);
      if (mine.get() != its.get() || !element || element != getElementOfIteration(second, its))
        return false;
    }
  return true;
}

bool mlir::lci::areNeighbours(Operation *first, Operation *second) {
  Operation *next = first->getNextNode();
  while (next && next != second && isPlain(next))
    next = next->getNextNode();
  return next == second;
}

SmallVector<SmallVector<linalg::GenericOp>>
mlir::lci::groupNeighbours(ArrayRef<linalg::GenericOp> ops, BelongsTo belongs) {
  SmallVector<SmallVector<linalg::GenericOp>> groups;
  for (linalg::GenericOp op : ops) {
    if (groups.empty() || !areNeighbours(groups.back().back(), op) || !belongs(groups.back(), op))
      groups.emplace_back();
    groups.back().push_back(op);
  }
  return groups;
}

void mlir::lci::generalizeNamed(func::FuncOp function, RewriterBase &rewriter) {
  SmallVector<linalg::LinalgOp> named;
  function.walk([&](linalg::LinalgOp op) {
    if (isa<linalg::FillOp, linalg::CopyOp, linalg::BroadcastOp>(op))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op); // others become loops
  }
}
