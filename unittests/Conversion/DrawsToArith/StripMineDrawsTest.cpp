//===- StripMineDrawsTest.cpp - Strip-mined loops draw the same -----------===//
//
// A loop over a row of cells, its draws expanded, strip-mined by group and compiled, against
// numerics::Stream at every cell; rows of both colours, starts and ends inside of groups.
//
//===----------------------------------------------------------------------===//

#include "../../Support/Jit.h"
#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Stream.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {

constexpr uint64_t kRowSeed = 77;
constexpr int64_t kColumns = 200;

constexpr const char *kRow = R"mlir(
func.func @row(%i: index, %first: index, %last: index, %e: i64, %p: i64, %q: f32, %seed: i64,
               %out: memref<200xi64>, %t: memref<6x200xi64>) {
  %two = arith.constant 2 : index
  scf.for %j = %first to %last step %two {
    lci.tick @A at %e, %p, %seed inputs(%q : f32) target(%t : memref<6x200xi64>) class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %key: i64, %r: f32):
      %b = lci.bernoulli %r stream <4, 1>
      %n = arith.constant 1000 : i64
      %k = lci.randint %n stream <4, 2>
      %u = arith.extui %b : i1 to i64
      %v = arith.addi %u, %k : i64
      %yes = arith.constant true
      lci.install %v if %yes : i64
    }
    %none = arith.constant 0 : i64
    memref.store %none, %out[%j] : memref<200xi64>
  }
  return
}
)mlir";

/// Inlines the tick's body for the cell (%i, %j), and stores the installed value.
void inlineTick(ModuleOp module) {
  TickOp tick;
  memref::StoreOp store;
  module.walk([&](TickOp op) { tick = op; });
  module.walk([&](memref::StoreOp op) { store = op; });
  Block &body = tick.getBody().front();
  SmallVector<Value> arguments{tick->getParentRegion()->getParentRegion()->getArgument(0),
                               store.getIndices()[0], tick.getEpoch(), tick.getPhase(),
                               tick.getSeed()};
  llvm::append_range(arguments, tick.getInputs());
  auto install = cast<InstallOp>(body.getTerminator());
  store.getValueMutable().set(install.getToken());
  IRRewriter rewriter(module.getContext());
  rewriter.inlineBlockBefore(&body, tick, arguments);
  rewriter.eraseOp(install);
  rewriter.eraseOp(tick);
}

void runPasses(ModuleOp module, llvm::function_ref<void(PassManager &)> add) {
  PassManager manager(module.getContext());
  add(manager);
  ASSERT_TRUE(succeeded(manager.run(module)));
}

TEST(StripMineDraws, CutLoopsDrawTheSame) {
  auto context = mlir::lci::test::makeContext();
  auto module = parseSourceString<ModuleOp>(kRow, context.get());
  ASSERT_TRUE(module);
  runPasses(*module, [](PassManager &manager) {
    manager.addPass(createExpandDrawsPass());
    manager.addPass(createExpandPhiloxPass());
  });
  inlineTick(*module);
  runPasses(*module, [](PassManager &manager) {
    manager.addPass(createCSEPass());
    manager.addPass(createStripMineDrawsPass());
    manager.addPass(createLoopInvariantCodeMotionPass());
  });
  int loops = 0;
  module->walk([&](scf::WhileOp) { ++loops; });
  EXPECT_EQ(loops, 2);
  mlir::lci::test::Jit jit(*module);
  auto *row = jit.lookup<void(int64_t, int64_t, int64_t, uint64_t, uint64_t, float, uint64_t,
                              int64_t *, void *)>("row");
  numerics::Stream coins(kRowSeed, 4, 1), dice(kRowSeed, 4, 2);
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t first : {0, 1, 7, 64, 191})
      for (int64_t last : {0, 3, 64, 129, 200}) {
        int64_t out[kColumns] = {};
        row(i, first, last, /*epoch=*/i * 3, /*phase=*/first % 2, 0.37f, kRowSeed, out, nullptr);
        for (int64_t j = 0; j < kColumns; ++j) {
          bool isDrawn = j >= first && j < last && (j - first) % 2 == 0;
          auto cell = numerics::cellNumber(i, j / 2, kColumns / 2);
          numerics::DrawSite site{0, cell, static_cast<uint64_t>(i) * 3,
                                  static_cast<uint64_t>(first % 2)};
          int64_t expected = coins.bernoulli(site, 0.37f) + dice.randint(site, 1000);
          ASSERT_EQ(out[j], isDrawn ? expected : 0) << "at (" << i << ", " << j << ')';
        }
      }
}

} // namespace
