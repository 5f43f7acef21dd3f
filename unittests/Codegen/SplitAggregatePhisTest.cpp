//===- SplitAggregatePhisTest.cpp - Removal of unused loop-carried fields -===//

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

/// Ping-pong buffers of a loop, each a pointer and a number; `body` uses the first.
class Carried {
public:
  explicit Carried(const std::string &body) {
    SMDiagnostic error;
    module = parseAssemblyString(R"(
      declare void @use({ ptr, i64 })
      define void @f(ptr %a, { ptr, i64 } %b, i64 %n) {
      entry:
        %x = insertvalue { ptr, i64 } poison, ptr %a, 0
        %y = insertvalue { ptr, i64 } %x, i64 8, 1
        br label %loop
      loop:
        %i = phi i64 [ 0, %entry ], [ %next, %loop ]
        %cur = phi { ptr, i64 } [ %y, %entry ], [ %other, %loop ]
        %other = phi { ptr, i64 } [ %b, %entry ], [ %cur, %loop ]
        )" + body + R"(
        %next = add i64 %i, 1
        %more = icmp slt i64 %next, %n
        br i1 %more, label %loop, label %exit
      exit:
        ret void
      })",
                                 error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    count = lci::splitAggregatePhis(*module->getFunction("f"));
    EXPECT_FALSE(verifyModule(*module, &errs()));
  }

  /// The phis of the loop that carry a type.
  SmallVector<PHINode *> phis(Type *type) {
    SmallVector<PHINode *> found;
    for (PHINode &phi : module->getFunction("f")->begin()->getNextNode()->phis())
      if (phi.getType() == type)
        found.push_back(&phi);
    return found;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  unsigned count = 0;
};

TEST(SplitAggregatePhis, OnlyThePointersGoRound) {
  Carried carried("%p = extractvalue { ptr, i64 } %cur, 0\n store i64 %i, ptr %p\n");
  EXPECT_EQ(carried.count, 2u);
  SmallVector<PHINode *> pointers = carried.phis(PointerType::get(carried.context, 0));
  ASSERT_EQ(pointers.size(), 2u);
  EXPECT_EQ(carried.phis(Type::getInt64Ty(carried.context)).size(), 1u); // the trip count
  // One is initialised by an inserted value, the other by an argument of the function.
  Function &function = *carried.module->getFunction("f");
  bool isPingPong = pointers[0]->getIncomingValue(1) == pointers[1] &&
                    pointers[1]->getIncomingValue(1) == pointers[0];
  EXPECT_TRUE(isPingPong);
  EXPECT_TRUE(is_contained(pointers[0]->incoming_values(), function.getArg(0)) ||
              is_contained(pointers[1]->incoming_values(), function.getArg(0)));
}

TEST(SplitAggregatePhis, WhatIsUsedAsAWholeStays) {
  Carried carried("%p = extractvalue { ptr, i64 } %cur, 0\n store i64 %i, ptr %p\n"
                  "call void @use({ ptr, i64 } %other)\n");
  EXPECT_EQ(carried.count, 0u);
  EXPECT_TRUE(carried.phis(PointerType::get(carried.context, 0)).empty());
}

TEST(SplitAggregatePhis, WhatNobodyAsksForGoes) {
  Carried carried("");
  EXPECT_EQ(carried.count, 2u);
  EXPECT_TRUE(carried.phis(PointerType::get(carried.context, 0)).empty());
}

} // namespace
