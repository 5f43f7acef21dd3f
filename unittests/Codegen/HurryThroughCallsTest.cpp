//===- HurryThroughCallsTest.cpp - Functions that only call ---------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

/// Whether a function is compiled without care that says this so often.
static bool isHurried(const std::string &line, int times) {
  std::string body;
  for (int i = 0; i < times; ++i)
    body += line;
  LLVMContext context;
  SMDiagnostic error;
  auto module = parseAssemblyString("declare void @tick(ptr)\n"
                                    "declare void @all(ptr, ...)\n"
                                    "declare void @llvm.assume(i1)\n"
                                    "define void @f(ptr %p) alwaysinline {\n" +
                                        body + "  ret void\n}\n",
                                    error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  Function &function = *module->getFunction("f");
  bool isHurried = lci::hurryThroughCalls(function);
  EXPECT_EQ(isHurried, function.hasOptNone());
  EXPECT_FALSE(verifyModule(*module, &errs()));
  return isHurried;
}

TEST(HurryThroughCalls, CountsCalls) {
  EXPECT_TRUE(isHurried("  call void @tick(ptr %p)\n", 1000));
  EXPECT_FALSE(isHurried("  call void @tick(ptr %p)\n", 100));
}

TEST(HurryThroughCalls, CountsOperands) {
  std::string many = "ptr %p";
  for (int i = 0; i < 600; ++i)
    many += ", ptr %p";
  EXPECT_TRUE(isHurried("  call void (ptr, ...) @all(" + many + ")\n", 1));
  EXPECT_FALSE(isHurried("  call void (ptr, ...) @all(ptr %p, ptr %p)\n", 1));
}

TEST(HurryThroughCalls, IntrinsicsAreNone) {
  EXPECT_FALSE(isHurried("  call void @llvm.assume(i1 true)\n", 1000));
}
