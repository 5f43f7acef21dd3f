//===- NarrowMultipliesTest.cpp - Products of 32 bits marked as such ------===//

#include "LCI/Codegen/Optimize.h"
#include "TestMachine.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// A function of two vectors, narrowed.
class Narrowed {
public:
  explicit Narrowed(const std::string &body) {
    SMDiagnostic error;
    module = parseAssemblyString("define <2 x i64> @f(<2 x i32> %a, <2 x i64> %x) {\n" + body +
                                     "  ret <2 x i64> %p\n}\n",
                                 error, context);
    auto machine = makeMachine("skylake-avx512");
    if (!module || !machine)
      return;
    count = lci::narrowMultiplies(function(), *machine);
    EXPECT_FALSE(verifyModule(*module, &errs()));
  }

  Function &function() { return *module->getFunction("f"); }

  unsigned countMasks() {
    return count_if(function().getEntryBlock(),
                    [](Instruction &op) { return op.getOpcode() == Instruction::And; });
  }

  /// Its result for constant arguments, by folding operation by operation.
  uint64_t run(uint32_t a, uint64_t x) {
    DenseMap<Value *, Constant *> values;
    auto splat = [](Constant *element) {
      return ConstantVector::getSplat(ElementCount::getFixed(2), element);
    };
    values[function().getArg(0)] = splat(ConstantInt::get(Type::getInt32Ty(context), a));
    values[function().getArg(1)] = splat(ConstantInt::get(Type::getInt64Ty(context), x));
    for (Instruction &op : function().getEntryBlock()) {
      SmallVector<Constant *> operands;
      for (Value *operand : op.operands())
        operands.push_back(values.contains(operand) ? values[operand] : cast<Constant>(operand));
      if (op.isTerminator())
        return operands[0]->getUniqueInteger().getZExtValue();
      values[&op] = ConstantFoldInstOperands(&op, operands, module->getDataLayout());
    }
    return 0;
  }

  unsigned count = 0;

private:
  LLVMContext context;
  std::unique_ptr<Module> module;
};

TEST(NarrowMultiplies, WhatIsKnownIsSaid) {
  Narrowed narrowed("  %w = zext <2 x i32> %a to <2 x i64>\n"
                    "  %s = xor <2 x i64> %w, splat (i64 5)\n"
                    "  %p = mul <2 x i64> %s, splat (i64 3)\n");
  EXPECT_EQ(narrowed.count, 1u);
  EXPECT_EQ(narrowed.countMasks(), 1u);
  EXPECT_EQ(narrowed.run(4000000000, 0), uint64_t(4000000000 ^ 5) * 3);
}

TEST(NarrowMultiplies, WhatIsNotKnownOrSaidAlreadyStays) {
  EXPECT_EQ(Narrowed("  %p = mul <2 x i64> %x, splat (i64 3)\n").count, 0u);
  EXPECT_EQ(Narrowed("  %h = lshr <2 x i64> %x, splat (i64 32)\n"
                     "  %l = and <2 x i64> %x, splat (i64 4294967295)\n"
                     "  %p = mul <2 x i64> %h, %l\n")
                .count,
            0u);
}

TEST(NarrowMultiplies, AWideConstantMovesTheLowHalf) {
  Narrowed narrowed("  %p = mul <2 x i64> %x, splat (i64 15032385536)\n"); // 7 << 31 is not wide
  EXPECT_EQ(narrowed.count, 0u);
  Narrowed moved("  %p = mul <2 x i64> %x, splat (i64 30064771072)\n"); // 7 << 32
  EXPECT_EQ(moved.count, 1u);
  uint64_t x = 0x123456789abcdef0;
  EXPECT_EQ(moved.run(0, x), x * 30064771072u);
}

TEST(NarrowMultiplies, BothFactorsAreSaid) {
  Narrowed narrowed("  %w = zext <2 x i32> %a to <2 x i64>\n"
                    "  %p = mul <2 x i64> %w, %w\n");
  EXPECT_EQ(narrowed.count, 2u);
  EXPECT_EQ(narrowed.run(0xffffffff, 0), uint64_t(0xffffffff) * 0xffffffff);
}

/// Sums products of a loop's induction variable, in all lanes, with 0 and 1 in the last bit.
static std::string sumInLoop(const std::string &last) {
  return "  br label %loop\n"
         "loop:\n"
         "  %i = phi i64 [ 0, %0 ], [ %next, %loop ]\n"
         "  %sum = phi <2 x i64> [ zeroinitializer, %0 ], [ %p, %loop ]\n"
         "  %even = shl nuw nsw i64 %i, 1\n"
         "  %v = insertelement <2 x i64> poison, i64 %even, i64 0\n"
         "  %all = shufflevector <2 x i64> %v, <2 x i64> poison, <2 x i32> zeroinitializer\n"
         "  %lanes = or disjoint <2 x i64> %all, <i64 0, i64 1>\n"
         "  %q = mul <2 x i64> %lanes, splat (i64 3)\n"
         "  %p = add <2 x i64> %sum, %q\n"
         "  %next = add nuw nsw i64 %i, 1\n"
         "  %done = icmp eq i64 %next, " +
         last +
         "\n"
         "  br i1 %done, label %end, label %loop\n"
         "end:\n";
}

TEST(NarrowMultiplies, LoopsCountNoFurtherThanTheyDo) {
  EXPECT_EQ(Narrowed(sumInLoop("512")).count, 1u);
  EXPECT_EQ(Narrowed(sumInLoop("2147483648")).count, 1u);
  EXPECT_EQ(Narrowed(sumInLoop("2147483649")).count, 0u);
}

} // namespace
