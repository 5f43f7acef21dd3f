//===- FixedArgumentsTest.cpp - Specialisation by a run's arguments -------===//
#include "LCI/Execution/FixedArguments.h"
#include "CompiledProgramTest.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::RunArguments;

namespace {
struct FixedArgumentsTest : CompiledProgramTest {
  FixedArgumentsTest() {
    module = parseSourceString<ModuleOp>(R"(
      func.func private @program(
          tensor<4xi64> {lci.name = "A", lci.role = "state"},
          f32 {lci.name = "beta", lci.role = "param"}, i64 {lci.name = "J", lci.role = "param"},
          tensor<2xf32> {lci.name = "w", lci.role = "param"},
          tensor<65xi64> {lci.name = "many", lci.role = "param"},
          tensor<3xi1> {lci.name = "Dark", lci.role = "palette"},
          i1 {lci.name = "On", lci.role = "enable"}, i1 {lci.name = "Off", lci.role = "enable"},
          i64 {lci.name = "", lci.role = "seed"}, index))",
                                         &context);
    arguments.params = {{"beta", Array::scalar(0.5)},
                        {"J", Array::scalar(int64_t(-3))},
                        {"w", Array(DType::F32, {2})},
                        {"many", Array(DType::I64, {65})}};
    arguments.params.at("w").setDouble(1, 1.5);
    arguments.palettes = {{"Dark", Array(DType::Bool, {3})}};
    arguments.palettes.at("Dark").setInt(2, 1);
    arguments.enables = {{"Off", false}};
    arguments.seed = 7;
  }

  std::string fixedOf(unsigned argument) {
    auto function = *module->getOps<func::FuncOp>().begin();
    Attribute value = function.getArgAttr(argument, kFixed);
    return value ? debugString(value) : "nothing";
  }

  OwningOpRef<ModuleOp> module;
  RunArguments arguments;
};

TEST_F(FixedArgumentsTest, NumbersPalettesAndSwitchesAreSaid) {
  ASSERT_TRUE(module);
  specializeArguments(*module, arguments);
  EXPECT_EQ(fixedOf(1), "5.000000e-01 : f32");
  EXPECT_EQ(fixedOf(2), "-3 : i64");
  EXPECT_EQ(fixedOf(3), "dense<[0.000000e+00, 1.500000e+00]> : tensor<2xf32>");
  EXPECT_EQ(fixedOf(5), "dense<[false, false, true]> : tensor<3xi1>");
  EXPECT_EQ(fixedOf(6), "true");
  EXPECT_EQ(fixedOf(7), "false");
}

TEST_F(FixedArgumentsTest, WhatIsLargeOrChangesIsNot) {
  ASSERT_TRUE(module);
  arguments.params.erase("J"); // computed by the program
  specializeArguments(*module, arguments);
  for (unsigned argument : {0, 2, 4, 8, 9})
    EXPECT_EQ(fixedOf(argument), "nothing") << argument;
}
} // namespace
