//===- ExpandMathTest.cpp - Compiled functions against the interpreter ----===//
//
// Every elementary function, expanded by the pass and compiled, scalar and vector, against the
// scalar instantiation of the same template on thousands of floats of all exponents.
//
//===----------------------------------------------------------------------===//

#include "../../Support/Jit.h"
#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "LCI/Numerics/Functions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {

constexpr size_t kCount = 8192;

/// One function @NAME that applies `op` to arrays of kCount elements, `lanes` at a time.
std::string makeFunction(const std::string &name, const std::string &op, StringRef element,
                         unsigned lanes) {
  constexpr const char *text = R"mlir(
func.func @{0}(%a: memref<{1}x{2}>, %b: memref<{1}x{2}>, %out: memref<{1}x{2}>) {{
  %first = arith.constant 0 : index
  %last = arith.constant {1} : index
  %step = arith.constant {3} : index
  scf.for %i = %first to %last step %step {{
    %x = vector.load %a[%i] : memref<{1}x{2}>, vector<{3}x{2}>
    %y = vector.load %b[%i] : memref<{1}x{2}>, vector<{3}x{2}>
    %z = {4} : vector<{3}x{2}>
    vector.store %z, %out[%i] : memref<{1}x{2}>, vector<{3}x{2}>
  }
  return
})mlir";
  return llvm::formatv(text, name, kCount, element, lanes, op).str();
}

/// Expands and compiles functions given as text.
struct Compiled {
  explicit Compiled(const std::string &text)
      : context(mlir::lci::test::makeContext()),
        module(parseSourceString<ModuleOp>(text, context.get())) {
    PassManager manager(context.get());
    manager.addPass(createExpandMathPass());
    EXPECT_TRUE(succeeded(manager.run(*module)));
    jit = std::make_unique<mlir::lci::test::Jit>(*module);
  }
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<mlir::lci::test::Jit> jit;
};

/// Floats of all exponents, special ones first.
std::vector<float> makeFloats(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> floats(kCount);
  for (float &x : floats)
    x = llvm::bit_cast<float>(static_cast<uint32_t>(random()));
  uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
                        1,          0x80000001, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000,
                        0x41178feb, 0x46199998, 0xc6199998, 0x6115cb11};
  for (size_t i = 0; i < std::size(special); ++i)
    floats[(i * 37 + seed) % kCount] = llvm::bit_cast<float>(special[i]);
  return floats;
}

using Kernel = void(const float *, const float *, float *);

void expectSameBits(Kernel *kernel, StringRef name, llvm::function_ref<float(float, float)> truth) {
  std::vector<float> x = makeFloats(1), y = makeFloats(2), out(kCount);
  kernel(x.data(), y.data(), out.data());
  for (size_t i = 0; i < kCount; ++i)
    ASSERT_EQ(llvm::bit_cast<uint32_t>(out[i]), llvm::bit_cast<uint32_t>(truth(x[i], y[i])))
        << name.str() << " of " << x[i] << ", " << y[i];
}

TEST(ExpandMath, UnaryFunctionsHaveTheInterpretersBits) {
  std::string text;
  for (numerics::Unary function : numerics::kAllUnary)
    for (unsigned lanes : {1, 8}) {
      std::string name = numerics::nameOf(function);
      text += makeFunction(name + std::to_string(lanes), "lci.elementary " + name + " %x", "f32",
                           lanes);
    }
  Compiled compiled(text);
  for (numerics::Unary function : numerics::kAllUnary)
    for (unsigned lanes : {1, 8}) {
      std::string name = numerics::nameOf(function) + std::to_string(lanes);
      expectSameBits(compiled.jit->lookup<Kernel>(name), name,
                     [&](float x, float) { return numerics::evaluate(function, x); });
    }
}

TEST(ExpandMath, BinaryFunctionsHaveTheInterpretersBits) {
  std::string text;
  for (std::string name : {"pow", "atan2"})
    for (unsigned lanes : {1, 8})
      text += makeFunction(name + std::to_string(lanes),
                           "lci.elementary_binary " + name + " %x, %y", "f32", lanes);
  Compiled compiled(text);
  for (numerics::Binary function : {numerics::Binary::Pow, numerics::Binary::Atan2})
    for (unsigned lanes : {1, 8}) {
      std::string name = numerics::nameOf(function) + std::to_string(lanes);
      expectSameBits(compiled.jit->lookup<Kernel>(name), name,
                     [&](float x, float y) { return numerics::evaluate(function, x, y); });
    }
}

TEST(ExpandMath, FloorDivisionIsTheInterpreters) {
  std::string text;
  for (std::string name : {"floordiv", "floormod"})
    text += makeFunction(name, "lci." + name + " %x, %y", "i64", 1);
  Compiled compiled(text);
  std::mt19937_64 random(3);
  std::vector<int64_t> x(kCount), y(kCount), quotient(kCount), remainder(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<int64_t>(random()) >> (random() % 64);
    y[i] = static_cast<int64_t>(random()) >> (random() % 64); // often 0 and -1
  }
  x[0] = std::numeric_limits<int64_t>::min();
  y[0] = -1;
  using Kernel = void(const int64_t *, const int64_t *, int64_t *);
  compiled.jit->lookup<Kernel>("floordiv")(x.data(), y.data(), quotient.data());
  compiled.jit->lookup<Kernel>("floormod")(x.data(), y.data(), remainder.data());
  for (size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(quotient[i], numerics::floorDiv(x[i], y[i])) << x[i] << " by " << y[i];
    ASSERT_EQ(remainder[i], numerics::floorMod(x[i], y[i])) << x[i] << " by " << y[i];
  }
}

} // namespace
