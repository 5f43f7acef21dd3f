//===- LimitVectorizerTest.cpp - Loops that LLVM must not analyse ---------===//

#include "LCI/Codegen/Optimize.h"
#include "TestMachine.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

/// A loop that fills an array with a number computed in so many steps, each of which uses the
/// previous one twice. The first is `first`.
static std::string makeLoop(int steps, const std::string &first) {
  std::string text = "define void @f(ptr %a, ptr %p, i64 %n) {\n"
                     "entry:\n  br label %loop\n"
                     "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
                     "  %at = getelementptr i64, ptr %a, i64 %i\n";
  text += "  %x0 = " + first + "\n";
  for (int i = 0; i < steps; ++i) {
    std::string old = "%x" + std::to_string(i), next = std::to_string(i + 1);
    text += "  %y" + next + " = mul i64 " + old + ", 3528531795\n";
    text += "  %z" + next + " = lshr i64 " + old + ", 32\n";
    text += "  %x" + next + " = xor i64 %y" + next + ", %z" + next + "\n";
  }
  return text + "  store i64 %x" + std::to_string(steps) +
         ", ptr %at\n"
         "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, %n\n"
         "  br i1 %more, label %loop, label %end\n"
         "end:\n  ret void\n}\n";
}

namespace {
class LimitVectorizer : public testing::Test {
protected:
  void parse(const std::string &text) {
    SMDiagnostic error;
    module = parseAssemblyString(text, error, context);
    ASSERT_TRUE(module) << error.getMessage().str();
  }

  unsigned countLeft(const std::string &text) {
    parse(text);
    DominatorTree dominators(*module->getFunction("f"));
    LoopInfo loops(dominators);
    return lci::limitVectorizer(loops);
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
};
} // namespace

TEST_F(LimitVectorizer, LongOnesAreLeft) {
  EXPECT_EQ(countLeft(makeLoop(60, "load i64, ptr %p")), 1U);
  EXPECT_EQ(countLeft(makeLoop(60, "mul i64 %n, 5")), 1U);
}

TEST_F(LimitVectorizer, ShortOnesAndThoseOfTheCounterAreNot) {
  EXPECT_EQ(countLeft(makeLoop(6, "load i64, ptr %p")), 0U);
  EXPECT_EQ(countLeft(makeLoop(60, "mul i64 %i, 5")), 0U);
}

// A loaded value may have been stored by the loop, and so cannot be hoisted. Without the pass LLVM
// does not terminate.
TEST_F(LimitVectorizer, ThePipelineEnds) {
  parse(makeLoop(90, "load i64, ptr %p"));
  std::unique_ptr<TargetMachine> machine = makeMachine("x86-64-v3");
  ASSERT_TRUE(machine);
  std::vector<std::string> changed;
  auto listen = [&](StringRef name) { changed.push_back(name.str()); };
  EXPECT_FALSE(lci::makeOptimizer(3, *machine, nullptr, listen)(module.get()));
  EXPECT_TRUE(llvm::is_contained(changed, "limitVectorizer"));
}
