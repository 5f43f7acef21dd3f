//===- CostTest.cpp - What lowered code costs, by counting ----------------===//

#include "LCI/Pipelines/Search/Cost.h"
#include "LCI/InitAllDialects.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {
class CostTest : public testing::Test {
protected:
  CostTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::lci::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The cost of a function that runs epochs, whose body is `body`; other functions stand behind.
  FailureOr<Cost> costOf(const std::string &body, const std::string &behind = "",
                         int64_t epochs = 8) {
    std::string text = R"(
      #id = affine_map<(d0, d1) -> (d0, d1)>
      module attributes {lci.target = #lci.cpu<vector_bits = 512, vector_registers = 32, threads = 1>} {
        func.func @run(%a: memref<64x1024xf32> {lci.role = "state", lci.name = "A"},
                       %b: memref<64x1024xf32> {lci.role = "scratch", lci.name = ""},
                       %first: i64 {lci.role = "first", lci.name = ""},
                       %last: i64 {lci.role = "last", lci.name = ""}) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c64 = arith.constant 64 : index
          %one = arith.constant 1 : i64
          )" + body + R"(
          return
        }
        )" + behind + "}";
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(bool(module));
    if (!module)
      return failure();
    return estimate(*module, epochs);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static const char kTwice[] =
    R"(linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<64x1024xf32>) outs(%y : memref<64x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %in : f32
    linalg.yield %sum : f32
  })";

/// With other names for its operands.
static std::string twice(const std::string &from, const std::string &to) {
  std::string text = kTwice;
  text.replace(text.find("%x"), 2, from);
  text.replace(text.find("%y"), 2, to);
  return text;
}

TEST_F(CostTest, OperationsAreCountedByVectors) {
  FailureOr<Cost> cost = costOf(twice("%a", "%b"));
  ASSERT_TRUE(succeeded(cost));
  // An addition, a load and a store for sixteen cells; bytes of two arrays.
  EXPECT_DOUBLE_EQ(cost->operations, 3.0 * 64 * 1024 / 16);
  for (double bytes : cost->bytes)
    EXPECT_DOUBLE_EQ(bytes, 2.0 * 64 * 1024 * 4);
}

TEST_F(CostTest, WhatACacheHoldsArrivesOnce) {
  FailureOr<Cost> cost = costOf("scf.for %e = %first to %last step %one : i64 { " +
                                twice("%a", "%b") + " " + twice("%b", "%a") + "}");
  ASSERT_TRUE(succeeded(cost));
  // Half a megabyte stays in the second cache, but not in the first.
  EXPECT_DOUBLE_EQ(cost->bytes[0], 8 * 4 * 64 * 1024 * 4.0);
  EXPECT_DOUBLE_EQ(cost->bytes[1], 2 * 64 * 1024 * 4.0);
}

TEST_F(CostTest, RowsOfALoopStayInTheFirstCache) {
  const char *rows = R"(
    scf.for %i = %c0 to %c64 step %c1 {
      %row = memref.subview %a[%i, 0] [1, 1024] [1, 1] : memref<64x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
      linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
        outs(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) {
      ^bb0(%out: f32):
        %sum = arith.addf %out, %out : f32
        linalg.yield %sum : f32
      }
      linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
        outs(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) {
      ^bb0(%out: f32):
        %sum = arith.addf %out, %out : f32
        linalg.yield %sum : f32
      }
    })";
  FailureOr<Cost> cost = costOf(rows);
  ASSERT_TRUE(succeeded(cost));
  EXPECT_DOUBLE_EQ(cost->bytes[0], 64 * 1024 * 4.0); // each row once, though it is read twice
}

TEST_F(CostTest, NumbersAreKnownInCalledFunctions) {
  const char *callee = R"(func.func private @rows(%m: memref<64x1024xf32>, %count: index) {
      %view = memref.subview %m[0, 0] [%count, 1024] [1, 1] : memref<64x1024xf32> to memref<?x1024xf32, strided<[1024, 1]>>
      linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
        outs(%view : memref<?x1024xf32, strided<[1024, 1]>>) {
      ^bb0(%out: f32):
        %sum = arith.addf %out, %out : f32
        linalg.yield %sum : f32
      }
      return
    })";
  FailureOr<Cost> few =
      costOf("func.call @rows(%a, %c1) : (memref<64x1024xf32>, index) -> ()", callee);
  ASSERT_TRUE(succeeded(few));
  FailureOr<Cost> many =
      costOf("func.call @rows(%a, %c64) : (memref<64x1024xf32>, index) -> ()", callee);
  ASSERT_TRUE(succeeded(many));
  EXPECT_DOUBLE_EQ(few->bytes[2], 1024 * 4.0);
  EXPECT_DOUBLE_EQ(many->bytes[2], 64 * 1024 * 4.0);
}

TEST_F(CostTest, OfTwoBranchesHalfOfEachIsTaken) {
  FailureOr<Cost> cost = costOf(R"(
    %flag = memref.alloca() : memref<i1>
    %isOn = memref.load %flag[] : memref<i1>
    scf.if %isOn { )" + twice("%a", "%b") +
                                "}");
  FailureOr<Cost> never =
      costOf("%off = arith.constant false scf.if %off { " + twice("%a", "%b") + "}");
  ASSERT_TRUE(succeeded(cost) && succeeded(never));
  EXPECT_NEAR(cost->operations, 3.0 * 64 * 1024 / 16 / 2, 2);
  EXPECT_EQ(never->operations, 0);
}

TEST_F(CostTest, WhatCannotBeCountedIsSaid) {
  std::string said;
  ScopedDiagnosticHandler keep(&context, [&](Diagnostic &diagnostic) { said = diagnostic.str(); });
  module = parseSourceString<ModuleOp>("module {}", ParserConfig(&context));
  EXPECT_TRUE(failed(estimate(*module, 1)));
  EXPECT_EQ(said, "expected linalg and loops, or kernels, to count what they cost, but got "
                  "no function with an argument of the role 'first'");
}
