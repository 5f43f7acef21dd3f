//===- MaskedCounts.cpp - Counts of lanes by masked additions -------------===//
//
// A loop that counts for how many cells something holds adds a vector of truth values to a vector
// of counts. With registers for masks, LLVM makes a vector of the mask first; a masked addition of
// one does without. LLVM's optimizations turn that into the other form, so it is written after
// them.
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

unsigned lci::countUnderMasks(Function &function, const TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return 0;
  unsigned count = 0;
  for (BasicBlock &block : function)
    for (Instruction &op : llvm::make_early_inc_range(block)) {
      Value *counts = nullptr, *mask = nullptr;
      if (!op.getType()->isVectorTy() ||
          !addsUnderMasks(*machine.getMCSubtargetInfo(), op.getType()->getScalarSizeInBits()) ||
          !match(&op, m_c_Add(m_OneUse(m_ZExt(m_Value(mask))), m_Value(counts))) ||
          !mask->getType()->isIntOrIntVectorTy(1))
        continue;
      IRBuilder<> builder(&op);
      Value *more = builder.CreateAdd(counts, ConstantInt::get(op.getType(), 1));
      Value *chosen = builder.CreateSelect(mask, more, counts);
      chosen->takeName(&op);
      op.replaceAllUsesWith(chosen);
      op.eraseFromParent();
      ++count;
    }
  return count;
}
