//===- TileTicksTest.cpp - Random programs under upstream's tiling --------===//
//
// Upstream's tiling of every tick of random programs, on tensors and in memory, against the
// interpreter of what was written.
//
//===----------------------------------------------------------------------===//

#include "LCI/InitAllDialects.h"
#include "Rungs.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Sizes of tiles that divide extents, leave remainders, and are larger than whole axes.
constexpr int64_t kSizes[] = {2, 3, 0, 1, 5, 64};

/// Tiles every tick in loops of upstream's, from a number that chooses sizes.
struct TileTicks : PassWrapper<TileTicks, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileTicks)
  explicit TileTicks(size_t number) : number(number) {}

  void runOnOperation() override {
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) { ticks.push_back(tick); });
    for (TickOp tick : ticks)
      if (failed(tile(tick)))
        return signalPassFailure();
  }

  LogicalResult tile(TickOp tick) {
    IRRewriter rewriter(tick);
    scf::SCFTilingOptions options;
    SmallVector<OpFoldResult> sizes;
    for (unsigned axis = 0; axis < tick.getRank(); ++axis)
      sizes.push_back(rewriter.getIndexAttr(kSizes[number++ % std::size(kSizes)]));
    options.setTileSizes(sizes);
    FailureOr<scf::SCFTilingResult> tiled =
        scf::tileUsingSCF(rewriter, cast<TilingInterface>(*tick), options);
    if (failed(tiled))
      return failure();
    numTiled += !tiled->loops.empty();
    rewriter.replaceOp(tick, tiled->replacements);
    return success();
  }

  size_t number;
  static inline unsigned numTiled = 0;
};

TEST(TileTicks, RandomProgramsStayTheSame) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  prepareContext(context);
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ::lci::SmithProgram program = ::lci::forgeProgram(seed);
    SCOPED_TRACE("program " + std::to_string(seed));
    FailureOr<Case> test = makeCase(program, context);
    ASSERT_TRUE(succeeded(test));
    FailureOr<Outcome> expected = runReference(*test);
    ASSERT_TRUE(succeeded(expected));
    auto tile = [&](OpPassManager &passes) {
      passes.addPass(std::make_unique<TileTicks>(seed));
      if (seed % 2 == 0) {
        passes.addPass(createCSEPass());
        passes.addPass(createCanonicalizerPass());
      }
      passes.addPass(createLowerAffinePass()); // the interpreter knows arithmetic alone
    };
    FailureOr<Outcome> tensors = runTicksAfter(*test, tile);
    ASSERT_TRUE(succeeded(tensors));
    EXPECT_EQ(findDifference(*expected, *tensors, /*compareCounters=*/true), "");
    if (seed % 4 != 0)
      continue;
    FailureOr<Outcome> memory = runInMemoryAfter(*test, tile);
    ASSERT_TRUE(succeeded(memory));
    EXPECT_EQ(findDifference(*expected, *memory, /*compareCounters=*/true), "");
  }
  EXPECT_GT(TileTicks::numTiled, 40U);
}

} // namespace
