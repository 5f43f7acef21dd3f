//===- CompareNaNsTest.cpp - Comparisons of bits that test for NaN --------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// A function of a number and of bits whose last operation is a comparison, rewritten.
class Rewritten {
public:
  explicit Rewritten(const std::string &body) {
    SMDiagnostic error;
    module = parseAssemblyString("declare float @llvm.fabs.f32(float)\n"
                                 "define i1 @f(float %x, double %y, i32 %b) {\n" +
                                     body + "  ret i1 %t\n}\n",
                                 error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    count = lci::compareNaNs(*module->getFunction("f"));
    EXPECT_FALSE(verifyModule(*module, &errs()));
  }

  /// The comparison that is returned.
  CmpInst &test() {
    auto *end = cast<ReturnInst>(module->getFunction("f")->getEntryBlock().getTerminator());
    return *cast<CmpInst>(end->getReturnValue());
  }

  unsigned count = 0;

private:
  LLVMContext context;
  std::unique_ptr<Module> module;
};

const std::string kMagnitude = "  %i = bitcast float %x to i32\n"
                               "  %m = and i32 %i, 2147483647\n";

TEST(CompareNaNs, BitsAboveInfinityAreNaN) {
  Rewritten rewritten(kMagnitude + "  %t = icmp ugt i32 %m, 2139095040\n");
  EXPECT_EQ(rewritten.count, 1u);
  EXPECT_EQ(rewritten.test().getPredicate(), CmpInst::FCMP_UNO);
  EXPECT_EQ(rewritten.test().getOperand(0)->getName(), "x");
}

TEST(CompareNaNs, BitsUpToInfinityAreNone) {
  Rewritten rewritten(kMagnitude + "  %t = icmp ult i32 %m, 2139095041\n");
  EXPECT_EQ(rewritten.test().getPredicate(), CmpInst::FCMP_ORD);
}

TEST(CompareNaNs, AMagnitudeMayBeANumber) {
  Rewritten rewritten("  %a = call float @llvm.fabs.f32(float %x)\n"
                      "  %m = bitcast float %a to i32\n"
                      "  %t = icmp samesign ugt i32 %m, 2139095040\n");
  EXPECT_EQ(rewritten.test().getPredicate(), CmpInst::FCMP_UNO);
}

TEST(CompareNaNs, DoublesHaveTheirOwnInfinity) {
  Rewritten rewritten("  %i = bitcast double %y to i64\n"
                      "  %m = and i64 %i, 9223372036854775807\n"
                      "  %t = icmp ugt i64 %m, 9218868437227405312\n");
  EXPECT_EQ(rewritten.test().getPredicate(), CmpInst::FCMP_UNO);
}

TEST(CompareNaNs, OtherBoundsStay) {
  EXPECT_EQ(Rewritten(kMagnitude + "  %t = icmp ugt i32 %m, 2139095041\n").count, 0u);
  EXPECT_EQ(Rewritten(kMagnitude + "  %t = icmp eq i32 %m, 2139095040\n").count, 0u);
}

TEST(CompareNaNs, OtherBitsStay) {
  EXPECT_EQ(Rewritten("  %p = inttoptr i32 %b to ptr\n"
                      "  %t = icmp ugt ptr %p, null\n")
                .count,
            0u);
  EXPECT_EQ(Rewritten("  %m = and i32 %b, 2147483647\n"
                      "  %t = icmp ugt i32 %m, 2139095040\n")
                .count,
            0u);
  EXPECT_EQ(Rewritten("  %i = bitcast float %x to i32\n"
                      "  %t = icmp ugt i32 %i, 2139095040\n")
                .count,
            0u);
}

} // namespace
