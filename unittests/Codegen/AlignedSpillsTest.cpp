//===- AlignedSpillsTest.cpp - Alignment of vectors on the stack ----------===//

#include "LCI/Codegen/Optimize.h"
#include "TestModule.h"

using namespace llvm;

namespace {
class AlignedSpillsTest : public ModuleTest {
protected:
  /// Whether a function that adds such values has its stack aligned for them.
  bool isAligned(const std::string &type) {
    SMDiagnostic error;
    module = parseAssemblyString("define void @f(ptr %p) {\n  %x = load " + type +
                                     ", ptr %p\n  store " + type + " %x, ptr %p\n  ret void\n}\n",
                                 error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    Function &function = *module->getFunction("f");
    bool isWide = lci::alignSpills(function);
    EXPECT_EQ(isWide, function.hasFnAttribute("stackrealign"));
    return isWide;
  }
};
} // namespace

TEST_F(AlignedSpillsTest, WideVectors) {
  EXPECT_TRUE(isAligned("<16 x float>"));
  EXPECT_TRUE(isAligned("<4 x i64>"));
}

TEST_F(AlignedSpillsTest, TheStackIsAlignedForOthers) {
  EXPECT_FALSE(isAligned("<4 x float>"));
  EXPECT_FALSE(isAligned("<8 x i1>"));
  EXPECT_FALSE(isAligned("i256"));
}
