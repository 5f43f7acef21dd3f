//===- MaskCounts.cpp - Count lanes by masked additions -------------------===//
//
// A loop that counts cells for which a condition holds adds a vector of booleans to a vector of
// counts. On machines with mask registers, LLVM first makes a vector of the mask; a masked addition
// of one needs none. LLVM's optimizations convert that back to the other form, so it is introduced
// after them. LLVM finds the population count of a whole mask by itself, but not where lanes are
// left out; for a sum of one lane of eight its instruction selection (22.1) does not terminate.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Whether lanes of that width are added under a mask.
static bool addsUnderMasks(const MCSubtargetInfo &machine, unsigned width) {
  if (width >= 32)
    return machine.checkFeatures("+avx512vl");
  return machine.checkFeatures("+avx512bw,+avx512vl");
}

/// The mask of which an addition of booleans to a vector counts the lanes; null if it is not one.
static Value *findMask(Instruction &op, Value *&counts) {
  Value *mask = nullptr;
  if (match(&op, m_c_Add(m_OneUse(m_ZExt(m_Value(mask))), m_Value(counts))) &&
      mask->getType()->isIntOrIntVectorTy(1))
    return mask;
  return nullptr;
}

/// An addition of one under the mask.
static Value *addUnderMask(Instruction &op, Value *mask, Value *counts) {
  IRBuilder<> builder(&op);
  Value *more = builder.CreateAdd(counts, ConstantInt::get(op.getType(), 1));
  return builder.CreateSelect(mask, more, counts);
}

/// Whether the lanes that a shuffle takes of its second operand are zero or undefined.
static bool takesZeros(const ShuffleVectorInst &shuffle) {
  int width = cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements();
  auto *others = dyn_cast<Constant>(shuffle.getOperand(1));
  return others && all_of(shuffle.getShuffleMask(), [&](int lane) {
           if (lane < width)
             return true;
           Constant *other = others->getAggregateElement(unsigned(lane - width));
           return other && (other->isNullValue() || isa<UndefValue>(other));
         });
}

/// The number of true lanes in a sum of booleans of which a shuffle leaves some out.
static Value *countBits(Instruction &op) {
  auto *sum = dyn_cast<IntrinsicInst>(&op);
  if (!sum || sum->getIntrinsicID() != Intrinsic::vector_reduce_add)
    return nullptr;
  auto *shuffle = dyn_cast<ShuffleVectorInst>(sum->getArgOperand(0));
  Value *mask = nullptr;
  if (!shuffle || !match(shuffle->getOperand(0), m_ZExt(m_Value(mask))) ||
      !mask->getType()->isIntOrIntVectorTy(1) || !takesZeros(*shuffle))
    return nullptr;
  IRBuilder<> builder(&op);
  Value *kept = builder.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()),
                                            shuffle->getShuffleMask());
  unsigned width = cast<FixedVectorType>(kept->getType())->getNumElements();
  Value *bits = builder.CreateBitCast(kept, builder.getIntNTy(width));
  return builder.CreateZExtOrTrunc(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits),
                                   op.getType());
}

unsigned lci::maskCounts(Function &function, const TargetMachine &machine) {
  const MCSubtargetInfo &target = *machine.getMCSubtargetInfo();
  if (!machine.getTargetTriple().isX86())
    return 0;
  unsigned count = 0;
  for (BasicBlock &block : function)
    for (Instruction &op : llvm::make_early_inc_range(block)) {
      Value *counts = nullptr, *counted = nullptr;
      if (!addsUnderMasks(target, op.getType()->getScalarSizeInBits()))
        continue;
      if (Value *mask = op.getType()->isVectorTy() ? findMask(op, counts) : nullptr)
        counted = addUnderMask(op, mask, counts);
      else
        counted = countBits(op);
      if (!counted)
        continue;
      counted->takeName(&op);
      op.replaceAllUsesWith(counted);
      op.eraseFromParent();
      ++count;
    }
  return count;
}
