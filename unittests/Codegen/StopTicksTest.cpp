//===- StopTicksTest.cpp - Ticks that can be stopped ----------------------===//

#include "LCI/Codegen/Optimize.h"
#include "LCI/Runtime/StopFlag.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

TEST(StopTicks, LocalFunctionsThatGiveNothingBackLookAtTheFlag) {
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(R"(
    declare void @other()
    define internal void @tick(i64 %n) {
      %a = alloca i64
      call void @other()
      %b = alloca i64, i64 4
      store i64 %n, ptr %a
      store i64 %n, ptr %b
      ret void
    }
    define internal i64 @key(i64 %n) {
      ret i64 %n
    }
    define void @program(i64 %n) {
      %key = call i64 @key(i64 %n)
      call void @tick(i64 %key)
      ret void
    })",
                                                       error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  lci::StopFlag flag;
  EXPECT_EQ(lci::stopTicks(*module, flag), 1u);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  BasicBlock &entry = module->getFunction("tick")->getEntryBlock();
  // Its allocas stay in the function, and nothing precedes the test of the flag.
  auto isMemory = [](const Instruction &instruction) { return isa<AllocaInst>(instruction); };
  EXPECT_EQ(llvm::count_if(entry, isMemory), 2);
  EXPECT_TRUE(llvm::none_of(entry, [](const auto &one) { return isa<CallInst, StoreInst>(one); }));
  EXPECT_TRUE(llvm::any_of(entry, [](const auto &one) {
    auto *load = dyn_cast<LoadInst>(&one);
    return load && load->isVolatile();
  }));
  EXPECT_EQ(entry.getTerminator()->getNumSuccessors(), 2u);
  EXPECT_EQ(module->getFunction("program")->size(), 1u);
}
