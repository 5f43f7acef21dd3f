//===- NarrowArithmeticTest.cpp - Operations in fewer bits ----------------===//
//
// Operations narrowed by lci-narrow-arithmetic have the same results, for operands with known
// bounds of fewer bits, signed or unsigned.
//
//===----------------------------------------------------------------------===//

#include "IntegerCases.h"
#include "LCI/Numerics/ScalarOps.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// The bounds of some numbers that fit 8 or 16 bits, and of some that do not.
struct Bounds {
  int64_t least, largest;
};
constexpr Bounds kBounds[] = {{-9, 5},    {0, 100}, {-128, 127},     {0, 255}, {-200, -3},
                              {-16, -16}, {1, 11},  {-32768, 32767}, {7, 7},   {0, 65535}};

/// Narrower integers are unchanged.
constexpr unsigned kMinWidth = 32;

uint64_t clampBits(uint64_t bits, unsigned width, Bounds bounds) {
  if (width < kMinWidth)
    return bits;
  int64_t clamped = std::clamp(llvm::SignExtend64(bits, width), bounds.least, bounds.largest);
  return uint64_t(clamped) & llvm::maxUIntN(width);
}

/// The function of one operation, which returns all results, with its arguments between bounds.
OwningOpRef<ModuleOp> withBounds(IntegerCase &each, ArrayRef<Bounds> bounds) {
  OwningOpRef<ModuleOp> module = each.cloneWithResults();
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  Block &block = function.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  Location loc = function.getLoc();
  for (auto [number, argument] : llvm::enumerate(block.getArguments())) {
    if (each.widths()[number] < kMinWidth)
      continue;
    TypedAttr least = b.getIntegerAttr(argument.getType(), bounds[number].least);
    TypedAttr largest = b.getIntegerAttr(argument.getType(), bounds[number].largest);
    auto above = arith::MaxSIOp::create(b, loc, argument, arith::ConstantOp::create(b, loc, least));
    auto within = arith::MinSIOp::create(b, loc, above, arith::ConstantOp::create(b, loc, largest));
    argument.replaceAllUsesExcept(within, above);
  }
  return module;
}

/// Compares at all edges; undefined results, as of a division by zero, need not be the same.
void check(IntegerCase &each, PassManager &manager, ArrayRef<Bounds> bounds) {
  OwningOpRef<ModuleOp> module = withBounds(each, bounds);
  ASSERT_TRUE(succeeded(manager.run(*module)));
  std::vector<std::vector<uint64_t>> numbers;
  for (unsigned width : each.widths())
    numbers.push_back(edgesOf(width));
  Evaluator evaluator;
  forEachChoice<uint64_t>(numbers, [&](ArrayRef<uint64_t> arguments) {
    SmallVector<uint64_t> clamped;
    for (auto [bits, width, within] : llvm::zip(arguments, each.widths(), bounds))
      clamped.push_back(clampBits(bits, width, within));
    if (!each.isDefined(clamped) || testing::Test::HasFailure())
      return;
    auto data = llvm::map_to_vector(arguments, [](uint64_t bits) { return Datum{bits, nullptr}; });
    auto found = evaluator.call(*module->getOps<func::FuncOp>().begin(), data);
    for (auto [datum, bits] : llvm::zip_equal(found, each.evaluate(clamped)))
      ASSERT_EQ(datum.bits, bits);
  });
  if (testing::Test::HasFailure())
    module->dump();
}

TEST(NarrowArithmeticTest, givesWhatTheOperationGives) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<LCIDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                      scf::SCFDialect, tensor::TensorDialect>();
  PassManager manager(&context);
  manager.addPass(arith::createIntRangeOptimizationsPass());
  manager.addPass(createNarrowArithmeticPass());
  manager.addPass(createCanonicalizerPass());
  forEachCase(context, [&](IntegerCase &each) {
    SmallVector<unsigned> widths = each.widths();
    // Upstream's range of quotients rounded up is wrong; lowered programs have none.
    if (llvm::none_of(widths, [](unsigned width) { return width >= kMinWidth; }) ||
        isa<arith::CeilDivSIOp>(each.op()))
      return;
    std::vector<std::vector<Bounds>> all(widths.size(), {std::begin(kBounds), std::end(kBounds)});
    for (auto [width, bounds] : llvm::zip_equal(widths, all))
      if (width < kMinWidth)
        bounds.resize(1);
    forEachChoice<Bounds>(all, [&](ArrayRef<Bounds> bounds) {
      if (!testing::Test::HasFailure())
        check(each, manager, bounds);
    });
  });
}

} // namespace
