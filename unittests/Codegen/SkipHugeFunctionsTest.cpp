//===- SkipHugeFunctionsTest.cpp - Functions that only call ---------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

/// Whether a function with so many repetitions of a line is compiled without optimisation.
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
  bool isHurried = lci::skipHugeFunction(function);
  EXPECT_EQ(isHurried, function.hasOptNone());
  EXPECT_FALSE(verifyModule(*module, &errs()));
  return isHurried;
}

TEST(SkipHugeFunctions, CountsCalls) {
  EXPECT_TRUE(isHurried("  call void @tick(ptr %p)\n", 1000));
  EXPECT_FALSE(isHurried("  call void @tick(ptr %p)\n", 100));
}

TEST(SkipHugeFunctions, CountsOperands) {
  std::string many = "ptr %p";
  for (int i = 0; i < 600; ++i)
    many += ", ptr %p";
  EXPECT_TRUE(isHurried("  call void (ptr, ...) @all(" + many + ")\n", 1));
  EXPECT_FALSE(isHurried("  call void (ptr, ...) @all(ptr %p, ptr %p)\n", 1));
}

TEST(SkipHugeFunctions, IntrinsicsAreNone) {
  EXPECT_FALSE(isHurried("  call void @llvm.assume(i1 true)\n", 1000));
}

/// The number of values, except addresses on the stack, that are live across blocks.
static unsigned countHeld(Function &function) {
  unsigned held = 0;
  for (Argument &argument : function.args())
    held += !all_of(argument.users(), [](User *user) { return isa<StoreInst>(user); });
  for (Instruction &instruction : instructions(function))
    if (!isa<AllocaInst>(instruction))
      held += any_of(instruction.users(), [&](User *user) {
        auto *other = cast<Instruction>(user);
        return isa<PHINode>(other) || other->getParent() != instruction.getParent();
      });
  return held;
}

TEST(SkipHugeFunctions, CarriesOnTheStack) {
  std::string calls;
  for (int i = 0; i < 600; ++i)
    calls += "  call void @tick(ptr %now, ptr %then)\n";
  LLVMContext context;
  SMDiagnostic error;
  auto module = parseAssemblyString("declare void @tick(ptr, ptr)\n"
                                    "define void @f(ptr %a, ptr %b, i64 %n) {\n"
                                    "entry:\n"
                                    "  %nobody = insertvalue { ptr } poison, ptr %a, 0\n"
                                    "  br label %loop\n"
                                    "loop:\n"
                                    "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
                                    "  %now = phi ptr [ %a, %entry ], [ %then, %loop ]\n"
                                    "  %then = phi ptr [ %b, %entry ], [ %now, %loop ]\n"
                                    "  %unused = phi ptr [ %a, %entry ], [ %b, %loop ]\n" +
                                        calls +
                                        "  %next = add i64 %i, 1\n"
                                        "  %more = icmp slt i64 %next, %n\n"
                                        "  br i1 %more, label %loop, label %exit\n"
                                        "exit:\n"
                                        "  ret void\n"
                                        "}\n",
                                    error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  Function &function = *module->getFunction("f");
  EXPECT_GT(countHeld(function), 0u);
  EXPECT_TRUE(lci::skipHugeFunction(function));
  EXPECT_FALSE(verifyModule(*module, &errs()));
  EXPECT_EQ(countHeld(function), 0u);
  EXPECT_TRUE(none_of(instructions(function),
                      [](Instruction &instruction) { return isa<InsertValueInst>(instruction); }));
}
