//===- ExpandDrawsTest.cpp - Compiled draws equal the interpreter's -------===//
//
// Expands the draws of a tick, converts its body to a function of a cell and a clock, compiles
// that, and compares with numerics::Stream on thousands of cells.
//
//===----------------------------------------------------------------------===//

#include "../../Support/Jit.h"
#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Stream.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <random>
#include <regex>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {

constexpr uint64_t kSeed = 0xfedcba9876543210u;

/// A function of one cell that returns the value the tick would install there.
std::string makeFunction(StringRef name, StringRef draw, StringRef type) {
  constexpr const char *text = R"mlir(
func.func @{0}(%i: index, %j: index, %e: i64, %p: i64, %k: i64, %q: f32, %seed: i64,
               %t: memref<6x80x{2}>) -> {2} {{
  lci.tick @A at %e, %p, %seed inputs(%k, %q : i64, f32) target(%t : memref<6x80x{2}>)
      class_stride 2 {{
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %key: i64, %n: i64, %r: f32):
    {1}
    %yes = arith.constant true
    lci.install %v if %yes : {2}
  }
  %none = arith.constant 0 : {2}
  return %none : {2}
}
)mlir";
  return llvm::formatv(text, name, draw, type).str();
}

/// Inlines the body of the tick into the function: its cell is given by the first arguments.
void makeCellFunction(func::FuncOp function) {
  TickOp tick = *function.getOps<TickOp>().begin();
  SmallVector<Value> arguments{function.getArgument(0), function.getArgument(1), tick.getEpoch(),
                               tick.getPhase(), tick.getSeed()};
  llvm::append_range(arguments, tick.getInputs());
  auto install = cast<InstallOp>(tick.getBody().front().getTerminator());
  function.front().getTerminator()->setOperand(0, install.getToken());
  IRRewriter rewriter(function.getContext());
  rewriter.inlineBlockBefore(&tick.getBody().front(), tick, arguments);
  rewriter.eraseOp(install);
  rewriter.eraseOp(tick);
}

/// Whether draws are lazy, and whether they are a GPU's.
struct ExpandDrawsTest : testing::TestWithParam<std::tuple<bool, bool>> {
  void compile(const std::string &text) {
    context = mlir::lci::test::makeContext();
    module = parseSourceString<ModuleOp>(text, context.get());
    ASSERT_TRUE(module);
    PassManager manager(context.get());
    auto [isLazy, isForGPU] = GetParam();
    if (isForGPU)
      manager.addPass(createAttachGPUTargetPass());
    manager.addPass(createExpandDrawsPass({isLazy}));
    manager.addPass(createExpandPhiloxPass());
    ASSERT_TRUE(succeeded(manager.run(*module)));
    for (auto function : module->getOps<func::FuncOp>())
      if (!function.getOps<TickOp>().empty())
        makeCellFunction(function);
    jit = std::make_unique<mlir::lci::test::Jit>(*module);
  }

  /// Calls the function and the check at random cells.
  template <typename Result, typename Check>
  void compare(StringRef name, Check check) {
    auto *kernel = jit->lookup<Result(int64_t, int64_t, uint64_t, uint64_t, uint64_t, float,
                                      uint64_t, void *)>(name);
    std::mt19937_64 random(11);
    for (int trial = 0; trial < 3000; ++trial) {
      uint64_t row = random() % 6, column = random() % 80, epoch = random() % 1000;
      uint64_t phase = random() % 9, number = random() % 5;
      // Rows hold 40 cells of the class.
      numerics::DrawSite site{number, numerics::cellNumber(row, column / 2, 40), epoch, phase};
      float q = static_cast<float>(random() % 1000) / 999;
      if (trial % 3 == 0) // as near as a float can be to the draw itself
        q = static_cast<float>(stream.thresholdDraw(site)) * 0x1p-32f;
      check(kernel(row, column, epoch, phase, number, q, kSeed, nullptr), site, q);
    }
  }

  numerics::Stream stream{kSeed, 4, 1};
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<mlir::lci::test::Jit> jit;
};

TEST_P(ExpandDrawsTest, DrawsAreTheInterpreters) {
  std::string text =
      makeFunction("coin",
                   "%b = lci.bernoulli %r number %n stream <4, 1>\n%v = arith.extui %b : i1 to i64",
                   "i64") +
      makeFunction("uniform", "%v = lci.uniform number %n stream <4, 1>", "f32") +
      makeFunction("normal", "%v = lci.normal number %n stream <4, 1>", "f32") +
      makeFunction("dice",
                   "%six = arith.constant 6 : i64\n%v = lci.randint %six number %n stream <4, 1>",
                   "i64");
  text = std::regex_replace(text, std::regex("constant 0 : f32"), "constant 0.0 : f32");
  compile(text);
  compare<uint64_t>("coin", [&](uint64_t got, const numerics::DrawSite &site, float q) {
    ASSERT_EQ(got, stream.bernoulli(site, q)) << "cell " << site.cell << ", p = " << q;
  });
  compare<float>("uniform", [&](float got, const numerics::DrawSite &site, float) {
    ASSERT_EQ(llvm::bit_cast<uint32_t>(got), llvm::bit_cast<uint32_t>(stream.uniform(site)));
  });
  compare<float>("normal", [&](float got, const numerics::DrawSite &site, float) {
    ASSERT_EQ(llvm::bit_cast<uint32_t>(got), llvm::bit_cast<uint32_t>(stream.normal(site)));
  });
  compare<uint64_t>("dice", [&](uint64_t got, const numerics::DrawSite &site, float) {
    ASSERT_EQ(static_cast<int64_t>(got), stream.randint(site, 6));
  });
}

INSTANTIATE_TEST_SUITE_P(Targets, ExpandDrawsTest,
                         testing::Combine(testing::Bool(), testing::Bool()));

} // namespace
