//===- CompareNaNs.cpp - Tests for NaN by one comparison ------------------===//
//
// Committed cells hold only the canonical NaN, and NaNs are recognized by their bits: LLVM may fold
// a comparison of numbers with themselves if it knows where a NaN would come from, and with
// it the select that makes it the canonical one. After its optimizations nothing folds it any more,
// and a comparison of numbers is one instruction where that of bits is two or three.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The number whose magnitude's bits these are; null if there is none.
static Value *numberOfMagnitude(Value *bits) {
  if (!bits->getType()->isIntOrIntVectorTy())
    return nullptr;
  Value *number = nullptr;
  unsigned width = bits->getType()->getScalarSizeInBits();
  if (match(bits, m_BitCast(m_FAbs(m_Value(number)))) ||
      match(bits,
            m_And(m_BitCast(m_Value(number)), m_SpecificInt(APInt::getSignedMaxValue(width)))))
    if (number->getType()->isFPOrFPVectorTy() &&
        number->getType()->getScalarSizeInBits() == width && !number->getType()->isBFloatTy())
      return number;
  return nullptr;
}

/// The comparison of numbers that equals a comparison of bits as a test for NaN, or for none.
static std::optional<FCmpInst::Predicate> predicateOf(ICmpInst &test, Value *number) {
  const APInt *bound = nullptr;
  if (!match(test.getOperand(1), m_APInt(bound)))
    return std::nullopt;
  const fltSemantics &semantics = number->getType()->getScalarType()->getFltSemantics();
  APInt infinity = APFloat::getInf(semantics).bitcastToAPInt();
  if (test.getPredicate() == ICmpInst::ICMP_UGT && *bound == infinity)
    return FCmpInst::FCMP_UNO;
  if (test.getPredicate() == ICmpInst::ICMP_ULT && *bound == infinity + 1)
    return FCmpInst::FCMP_ORD;
  return std::nullopt;
}

unsigned lci::compareNaNs(Function &function) {
  unsigned count = 0;
  for (BasicBlock &block : function)
    for (Instruction &op : llvm::make_early_inc_range(block)) {
      auto *test = dyn_cast<ICmpInst>(&op);
      Value *number = test ? numberOfMagnitude(test->getOperand(0)) : nullptr;
      std::optional<FCmpInst::Predicate> predicate =
          number ? predicateOf(*test, number) : std::nullopt;
      if (!predicate)
        continue;
      Value *compared = IRBuilder<>(test).CreateFCmp(*predicate, number, number);
      compared->takeName(test);
      test->replaceAllUsesWith(compared);
      test->eraseFromParent();
      ++count;
    }
  return count;
}
