//===- LinalgToLoops.cpp - Loop nests with what LLVM should not do to them -===//
//
// After upstream's pass of the same job nothing tells which loops run over arrays and which are
// part of what one cell computes. LLVM unrolls all of them from the inside out, as long as they are
// short; for the outer loops of a nest over arrays that is only worth the time it takes. Nor is a
// vector worth it whose elements are gathered from as many rows and scattered again.
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
/// Operations for each access from which on vectors pay although their elements lie apart.
static constexpr int64_t kWorthGathering = 4;

/// The loop of which LLVM would make vectors: the innermost one that has several turns.
static std::optional<unsigned> findVectorLoop(linalg::LinalgOp op) {
  SmallVector<int64_t> turns = op.getStaticLoopRanges();
  for (unsigned loop : llvm::reverse(llvm::seq<unsigned>(turns.size())))
    if (turns[loop] != 1)
      return loop;
  return std::nullopt;
}

/// Whether an operand's elements of neighbouring turns are farther apart than a vector is long.
static bool isFarApart(Value operand, AffineMap map, unsigned loop) {
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

/// Whether vectors of this would be gathered and scattered, and little more done with them.
static bool onlyMovesColumns(linalg::LinalgOp op) {
  std::optional<unsigned> loop = findVectorLoop(op);
  int64_t numAccesses = op->getNumOperands();
  int64_t numOps = llvm::range_size(op.getBlock()->without_terminator());
  if (!loop || numOps > kWorthGathering * numAccesses)
    return false;
  return llvm::all_of(llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray()),
                      [&](auto pair) {
                        auto [operand, map] = pair;
                        return isFarApart(operand, map, *loop);
                      });
}

namespace {
struct LinalgToLoops : lci::impl::LinalgToLoopsPassBase<LinalgToLoops> {
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
      if (!loops->empty() && !hints.noVectors) // of a number without axes there is none
        loops->pop_back();
      numScalar += hints.noVectors;
      for (Operation *loop : *loops)
        loop->setAttr(kLoopAnnotation, annotation);
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
