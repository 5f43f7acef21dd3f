//===- LookUpsTest.cpp - Look-ups become permutations where there are some ===//

#include "LCI/Codegen/Optimize.h"
#include "TestMachine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

// Three functions that are look-ups, one of another form, and one of another name.
const char *const kFunctions = R"(
define <16 x float> @lci.look_up.32xf32(<32 x float> %table, <16 x i32> %positions) {
  ret <16 x float> zeroinitializer
}
define <16 x i32> @lci.look_up.16xi32(<16 x i32> %table, <16 x i32> %positions) {
  ret <16 x i32> zeroinitializer
}
define <16 x float> @lci.look_up.8xf32(<8 x float> %table, <16 x i32> %positions) {
  ret <16 x float> zeroinitializer
}
define <8 x i32> @lci.look_up.8xi32(<8 x i32> %table, <8 x i32> %positions) {
  ret <8 x i32> zeroinitializer
}
define <16 x i32> @other(<16 x i32> %table, <16 x i32> %positions) {
  ret <16 x i32> zeroinitializer
}
)";

/// The functions as a machine of that name has them.
class LookUpsTest : public testing::Test {
protected:
  /// How many were rewritten.
  unsigned permuteFor(StringRef cpu) {
    std::unique_ptr<TargetMachine> machine = makeMachine(cpu);
    SMDiagnostic error;
    module = parseAssemblyString(kFunctions, error, context);
    EXPECT_TRUE(machine && module);
    unsigned count = machine && module ? lci::permuteLookUps(*module, *machine) : 0;
    EXPECT_FALSE(!module || verifyModule(*module, &errs()));
    return count;
  }

  /// The intrinsic that a function calls last, or none.
  Intrinsic::ID getIntrinsic(StringRef name) {
    auto *last = module->getFunction(name)->getEntryBlock().getTerminator()->getPrevNode();
    auto *call = dyn_cast_or_null<IntrinsicInst>(last);
    return call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
  }

  /// How often a function calls an intrinsic.
  unsigned countCalls(StringRef name, Intrinsic::ID intrinsic) {
    return count_if(module->getFunction(name)->getEntryBlock(), [&](Instruction &op) {
      auto *call = dyn_cast<IntrinsicInst>(&op);
      return call && call->getIntrinsicID() == intrinsic;
    });
  }

private:
  LLVMContext context;
  std::unique_ptr<Module> module;
};

TEST_F(LookUpsTest, WidestMachinesPermute) {
  ASSERT_EQ(permuteFor("skylake-avx512"), 3u);
  EXPECT_EQ(getIntrinsic("lci.look_up.32xf32"), Intrinsic::x86_avx512_vpermi2var_ps_512);
  EXPECT_EQ(getIntrinsic("lci.look_up.16xi32"), Intrinsic::x86_avx512_permvar_si_512);
  EXPECT_EQ(getIntrinsic("lci.look_up.8xf32"), Intrinsic::x86_avx512_permvar_sf_512);
  EXPECT_EQ(getIntrinsic("lci.look_up.8xi32"), Intrinsic::not_intrinsic);
  EXPECT_EQ(getIntrinsic("other"), Intrinsic::not_intrinsic);
}

TEST_F(LookUpsTest, NarrowerMachinesPermuteEightByEight) {
  ASSERT_EQ(permuteFor("haswell"), 3u);
  EXPECT_EQ(countCalls("lci.look_up.8xf32", Intrinsic::x86_avx2_permps), 2u);
  EXPECT_EQ(countCalls("lci.look_up.16xi32", Intrinsic::x86_avx2_permd), 4u);
  EXPECT_EQ(countCalls("lci.look_up.32xf32", Intrinsic::x86_avx2_permps), 8u);
}

TEST_F(LookUpsTest, OtherMachinesKeepTheFunctions) { EXPECT_EQ(permuteFor("x86-64"), 0u); }

} // namespace
