//===- PermuteLookupsTest.cpp - Lookups by permutation instructions -------===//

#include "LCI/Codegen/Optimize.h"
#include "TestModule.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

// Three functions that are lookups, one of another form, and one of another name.
const char *const kFunctions = R"(
define <16 x float> @lci.lanes.look_up.32xf32(<32 x float> %table, <16 x i32> %positions) {
  ret <16 x float> zeroinitializer
}
define <16 x i32> @lci.lanes.look_up.16xi32(<16 x i32> %table, <16 x i32> %positions) {
  ret <16 x i32> zeroinitializer
}
define <16 x float> @lci.lanes.look_up.8xf32(<8 x float> %table, <16 x i32> %positions) {
  ret <16 x float> zeroinitializer
}
define <8 x i32> @lci.lanes.look_up.8xi32(<8 x i32> %table, <8 x i32> %positions) {
  ret <8 x i32> zeroinitializer
}
define <16 x i32> @other(<16 x i32> %table, <16 x i32> %positions) {
  ret <16 x i32> zeroinitializer
}
)";

/// The functions, compiled for a machine of that name.
class PermuteLookupsTest : public ModuleTest {
protected:
  /// The number of rewritten functions.
  unsigned permuteFor(StringRef cpu) { return rewriteFor(cpu, kFunctions, lci::permuteLookups); }

  /// The intrinsic that a function calls last, or none.
  Intrinsic::ID getIntrinsic(StringRef name) {
    auto *last = module->getFunction(name)->getEntryBlock().getTerminator()->getPrevNode();
    auto *call = dyn_cast_or_null<IntrinsicInst>(last);
    return call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
  }
};

TEST_F(PermuteLookupsTest, WidestMachinesPermute) {
  ASSERT_EQ(permuteFor("skylake-avx512"), 3u);
  EXPECT_EQ(getIntrinsic("lci.lanes.look_up.32xf32"), Intrinsic::x86_avx512_vpermi2var_ps_512);
  EXPECT_EQ(getIntrinsic("lci.lanes.look_up.16xi32"), Intrinsic::x86_avx512_permvar_si_512);
  EXPECT_EQ(getIntrinsic("lci.lanes.look_up.8xf32"), Intrinsic::x86_avx512_permvar_sf_512);
  EXPECT_EQ(getIntrinsic("lci.lanes.look_up.8xi32"), Intrinsic::not_intrinsic);
  EXPECT_EQ(getIntrinsic("other"), Intrinsic::not_intrinsic);
}

TEST_F(PermuteLookupsTest, NarrowerMachinesPermuteEightByEight) {
  ASSERT_EQ(permuteFor("haswell"), 3u);
  EXPECT_EQ(countCalls("lci.lanes.look_up.8xf32", Intrinsic::x86_avx2_permps), 2u);
  EXPECT_EQ(countCalls("lci.lanes.look_up.16xi32", Intrinsic::x86_avx2_permd), 4u);
  EXPECT_EQ(countCalls("lci.lanes.look_up.32xf32", Intrinsic::x86_avx2_permps), 8u);
}

TEST_F(PermuteLookupsTest, OtherMachinesKeepTheFunctions) { EXPECT_EQ(permuteFor("x86-64"), 0u); }

} // namespace
