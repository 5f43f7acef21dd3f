//===- TransposeBitsTest.cpp - Bit transposition by products --------------===//

#include "LCI/Codegen/Optimize.h"
#include "TestModule.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

const char *const kFunction = R"(
define <16 x i64> @lci.transpose_bits(<16 x i64> %words) {
  ret <16 x i64> %words
}
define <16 x i64> @other(<16 x i64> %words) {
  ret <16 x i64> %words
}
)";

/// The functions, compiled for a machine of that name.
class TransposeBitsTest : public ModuleTest {
protected:
  /// The number of rewritten functions.
  unsigned transposeFor(StringRef cpu, StringRef text = kFunction) {
    return rewriteFor(cpu, text, lci::transposeBits);
  }
};

TEST_F(TransposeBitsTest, WidestMachinesMultiplyEightWords) {
  ASSERT_EQ(transposeFor("icelake-server"), 1u);
  EXPECT_EQ(countCalls("lci.transpose_bits", Intrinsic::x86_vgf2p8affineqb_512), 2u);
  EXPECT_EQ(countCalls("other", Intrinsic::x86_vgf2p8affineqb_512), 0u);
}

TEST_F(TransposeBitsTest, NarrowerMachinesMultiplyFour) {
  ASSERT_EQ(transposeFor("gracemont"), 1u);
  EXPECT_EQ(countCalls("lci.transpose_bits", Intrinsic::x86_vgf2p8affineqb_256), 4u);
}

TEST_F(TransposeBitsTest, OtherMachinesKeepTheFunction) {
  EXPECT_EQ(transposeFor("skylake-avx512"), 0u);
  EXPECT_EQ(transposeFor("x86-64"), 0u);
}

TEST_F(TransposeBitsTest, OtherFormsAreKept) {
  EXPECT_EQ(transposeFor("icelake-server", R"(
define <16 x i32> @lci.transpose_bits(<16 x i32> %words) {
  ret <16 x i32> %words
}
)"),
            0u);
  EXPECT_EQ(transposeFor("icelake-server", R"(
define <4 x i64> @lci.transpose_bits(<4 x i64> %words) {
  ret <4 x i64> %words
}
)"),
            0u);
  EXPECT_EQ(transposeFor("icelake-server", "declare <16 x i64> @lci.transpose_bits(<16 x i64>)"),
            0u);
}

} // namespace
