//===- LLVMPipeline.cpp - Linalg on buffers to the llvm dialect -----------===//

#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"
#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lci;

void mlir::lci::buildLLVMPipeline(OpPassManager &manager, const LLVMOptions &options) {
  // 0. Pointers have no shape, so that is recorded. Parallel loops only call functions, so OpenMP
  // hides nothing from later passes.
  manager.addNestedPass<func::FuncOp>(createRecordInterfacePass());
  manager.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  manager.addPass(createParallelToOpenMPPass());
  // Each function runs through all of these steps before the next one, so that it stays in the
  // cache.
  OpPassManager &functions = manager.nest<func::FuncOp>();
  // 1. Sums over many cells in registers, every other cell of a row by vectors of the whole row,
  //    one nest for operations over the same cells, remainders of rows under masks, and counters of
  //    short rows separate for each lane; then one loop nest for each linalg operation, of which
  //    LLVM vectorizes the innermost loop.
  functions.addPass(createTileContractionsPass());
  functions.addPass(createVectorizeStridesPass());
  functions.addPass(createFuseNestsPass());
  functions.addPass(createMaskRemaindersPass());
  functions.addPass(createPrivatizeCountersPass());
  functions.addPass(createLinalgToLoopsPass());
  functions.addPass(createNarrowCountersPass());
  // 2. Views become index arithmetic on the buffers themselves.
  functions.addPass(memref::createFoldMemRefAliasOpsPass());
  addCleanup(functions);
  // Cut loops where the group of cells that shares a block of random bits changes; code motion then
  // hoists the block out of the inner loop.
  functions.addPass(createStripMineDrawsPass());
  functions.addPass(createLoopInvariantCodeMotionPass());
  // 3. Loops to branches, remaining views and maps to arithmetic. Not upstream's `arith-expand` and
  //    `math-expand-ops`: they replace maximumf and fma by operations with other results.
  functions.addPass(createSCFToControlFlowPass());
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
  // 4. To LLVM: first the bodies of functions, then the functions. A buffer of static shape is one
  //    pointer, which can carry `llvm.noalias`.
  functions.addPass(createConvertVectorToLLVMPass());
  functions.addPass(createConvertMathToLLVMPass());
  functions.addPass(createArithToLLVMConversionPass());
  functions.addPass(createConvertIndexToLLVMPass());
  functions.addPass(createUBToLLVMConversionPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions toPointers;
  toPointers.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(toPointers));
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertOpenMPToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  // 5. The translation to LLVM IR would warn about every unknown attribute.
  manager.addPass(createStripInterfacePass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createCanonicalizerPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createCSEPass());
  if (options.debugInfo)
    manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

void mlir::lci::buildLinalgToLLVMPipeline(OpPassManager &manager,
                                          const LinalgToLLVMOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/4}));
  addCPUTarget(manager, options.target);
  buildLLVMPipeline(manager, options.lowering);
}

void mlir::lci::buildCPUPipeline(OpPassManager &manager, const CPUPipelineOptions &options) {
  buildLinalgPipeline(manager, options);
  buildLLVMPipeline(manager, options.lowering);
}
