//===- MaskCountsTest.cpp - Additions that count lanes --------------------===//

#include "LCI/Codegen/Optimize.h"
#include "TestMachine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// A function of a mask and of counts whose last operation is a sum, rewritten for a machine.
class CountedByMasks {
public:
  CountedByMasks(const std::string &body, StringRef cpu, const std::string &type = "<16 x i32>") {
    SMDiagnostic error;
    module = parseAssemblyString("define " + type + " @f(<16 x i1> %mask, <16 x i8> %wide, " +
                                     type + " %counts) {\n" + body + "  ret " + type + " %sum\n}\n",
                                 error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    count = lci::maskCounts(*module->getFunction("f"), *makeMachine(cpu));
    EXPECT_FALSE(verifyModule(*module, &errs()));
  }

  Value *sum() {
    auto &end = module->getFunction("f")->getEntryBlock().back();
    return cast<ReturnInst>(end).getReturnValue();
  }

  unsigned count = 0;

private:
  LLVMContext context;
  std::unique_ptr<Module> module;
};

const std::string kCount = "  %ones = zext <16 x i1> %mask to <16 x i32>\n"
                           "  %sum = add <16 x i32> %ones, %counts\n";
const std::string kBytes = "  %ones = zext <16 x i1> %mask to <16 x i8>\n"
                           "  %sum = add <16 x i8> %counts, %ones\n";

TEST(MaskCounts, TruthValuesAreAddedUnderTheirMask) {
  using namespace llvm::PatternMatch;
  CountedByMasks rewritten(kCount, "skylake-avx512");
  EXPECT_EQ(rewritten.count, 1u);
  Value *counts = nullptr, *mask = nullptr;
  ASSERT_TRUE(match(rewritten.sum(),
                    m_Select(m_Value(mask), m_Add(m_Value(counts), m_One()), m_Deferred(counts))));
  EXPECT_EQ(mask->getName(), "mask");
  EXPECT_EQ(counts->getName(), "counts");
}

TEST(MaskCounts, MachinesWithoutMasksAddVectors) {
  EXPECT_EQ(CountedByMasks(kCount, "haswell").count, 0u);
}

TEST(MaskCounts, BytesNeedMasksForBytes) {
  EXPECT_EQ(CountedByMasks(kBytes, "skylake-avx512", "<16 x i8>").count, 1u);
  EXPECT_EQ(CountedByMasks(kBytes, "knl", "<16 x i8>").count, 0u);
}

/// Adds up the lanes of a mask before `kept`; the lanes from there on are those of another vector.
std::string sumOfLanes(const std::string &others, int kept) {
  std::string lanes;
  for (int lane = 0; lane < 16; ++lane)
    lanes += (lane ? ", i32 " : "i32 ") + std::to_string(lane < kept ? lane : lane + 16);
  return "  %one = and <16 x i1> %mask, <i1 false, i1 false, i1 false, i1 false, i1 true, i1 "
         "false, "
         "i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 "
         "false, "
         "i1 false>\n"
         "  %ones = zext <16 x i1> %one to <16 x i32>\n"
         "  %lanes = shufflevector <16 x i32> %ones, <16 x i32> " +
         others + ", <16 x i32> <" + lanes +
         ">\n"
         "  %number = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %lanes)\n"
         "  %sum = insertelement <16 x i32> %counts, i32 %number, i32 0\n";
}

TEST(MaskCounts, LanesOfAMaskAreBits) {
  using namespace llvm::PatternMatch;
  CountedByMasks rewritten(sumOfLanes("zeroinitializer", 5), "skylake-avx512");
  EXPECT_EQ(rewritten.count, 1u);
  Value *mask = nullptr;
  ASSERT_TRUE(match(rewritten.sum(), m_InsertElt(m_Value(),
                                                 m_ZExt(m_Intrinsic<Intrinsic::ctpop>(m_BitCast(
                                                     m_Shuffle(m_Value(mask), m_Zero())))),
                                                 m_Zero())));
  EXPECT_EQ(mask->getName(), "one");
}

TEST(MaskCounts, LanesOfOtherVectorsAreAdded) {
  EXPECT_EQ(CountedByMasks(sumOfLanes("%counts", 5), "skylake-avx512").count, 0u);
  EXPECT_EQ(CountedByMasks(sumOfLanes("splat (i32 1)", 5), "skylake-avx512").count, 0u);
  EXPECT_EQ(CountedByMasks(sumOfLanes("splat (i32 1)", 16), "skylake-avx512").count, 1u);
}

TEST(MaskCounts, OtherSumsStay) {
  EXPECT_EQ(CountedByMasks("  %ones = zext <16 x i8> %wide to <16 x i32>\n"
                           "  %sum = add <16 x i32> %ones, %counts\n",
                           "skylake-avx512")
                .count,
            0u);
}

TEST(MaskCounts, TruthValuesThatAreNeededAnywayAreAdded) {
  EXPECT_EQ(CountedByMasks("  %ones = zext <16 x i1> %mask to <16 x i32>\n"
                           "  %more = add <16 x i32> %ones, %counts\n"
                           "  %sum = xor <16 x i32> %more, %ones\n",
                           "skylake-avx512")
                .count,
            0u);
}

} // namespace
