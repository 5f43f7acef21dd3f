//===- LinalgToLoops.cpp - Loop nests with hints for LLVM -----------------===//
//
// Upstream's pass does not mark which loops iterate over arrays and which belong to the computation
// of one cell. LLVM unrolls short loops of both kinds from the inside out; for the outer loops of a
// nest over arrays that only costs compile time. Vectors do not pay either where their elements are
// gathered from as many rows and scattered again. Hence the nests are annotated here.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/LinalgToLoops/Passes.h"
#include "LCI/Dialect/ElementSize.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {
#define GEN_PASS_DEF_LINALGTOLOOPSPASS
#include "LCI/Conversion/LinalgToLoops/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Bytes of the widest vector.
static constexpr int64_t kVectorBytes = 64;
/// Operations for each access from which on vectors pay although their elements are gathered.
static constexpr int64_t kWorthGathering = 4;

/// The loop that LLVM would vectorize: the innermost one with more than one iteration.
static std::optional<unsigned> findVectorLoop(linalg::LinalgOp op) {
  SmallVector<int64_t> tripCounts = op.getStaticLoopRanges();
  for (unsigned loop : llvm::reverse(llvm::seq<unsigned>(tripCounts.size())))
    if (tripCounts[loop] != 1)
      return loop;
  return std::nullopt;
}

/// Whether an operand's elements of consecutive iterations are more than a vector's bytes apart.
static bool hasLargeStride(Value operand, AffineMap map, unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || !type.getElementType().isIntOrFloat() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t bytes = bytesOfElement(type.getElementType());
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides))
    if (result.isFunctionOfDim(loop) &&
        (ShapedType::isDynamic(stride) || stride * bytes <= kVectorBytes))
      return false;
  return true;
}

/// Whether vectors would be gathered and scattered, with little computed on them.
static bool onlyMovesColumns(linalg::LinalgOp op) {
  std::optional<unsigned> loop = findVectorLoop(op);
  int64_t numAccesses = op->getNumOperands();
  int64_t numOps = llvm::range_size(op.getBlock()->without_terminator());
  if (!loop || numOps > kWorthGathering * numAccesses)
    return false;
  return llvm::all_of(llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray()),
                      [&](auto pair) {
                        auto [operand, map] = pair;
                        return hasLargeStride(operand, map, *loop);
                      });
}

namespace {
struct LinalgToLoops : mlir::lci::impl::LinalgToLoopsPassBase<LinalgToLoops> {
  using LinalgToLoopsPassBase::LinalgToLoopsPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      LoopHints hints{/*noVectors=*/onlyMovesColumns(op), /*noUnrolling=*/true};
      LLVM::LoopAnnotationAttr annotation = hints.get(&getContext());
      FailureOr<linalg::LinalgLoops> loops = failure();
      if (op.hasPureBufferSemantics())
        loops = linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops)) {
        op.emitOpError("expected buffers, of which loops can be made") << ErrorId::PassOrder;
        return signalPassFailure();
      }
      numLoops += loops->size();
      if (!loops->empty() && !hints.noVectors) // an operation of rank 0 has no loops
        loops->pop_back();
      numScalar += hints.noVectors;
      for (Operation *loop : *loops)
        loop->setAttr(kLoopAnnotation, annotation);
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
