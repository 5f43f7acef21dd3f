//===- UniformChains.cpp - Loops that LLVM cannot ask about ---------------===//
//
// LLVM's loop vectorizer asks of each operation of a loop whether it is the same in all turns, and
// for that asks it of the operands, again each time. Of a chain of operations that use what stands
// before them twice, as the rounds of a draw do, it asks twice as often for each: for ever.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

/// So often is asked at most: a millisecond.
static constexpr uint64_t kMostQuestions = 100000;

/// Whether the vectorizer takes a result of the same operands for the same in all turns.
static bool followsOperands(const Instruction &instruction, const Loop &loop) {
  if (isa<PHINode>(instruction))
    return instruction.getParent() != loop.getHeader(); // a choice between two ways through a turn
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst, LoadInst>(
      instruction);
}

/// How many questions there are about each operation of a turn whose operands are all the same in
/// every turn; the largest number.
static uint64_t countQuestions(Loop &loop, const LoopInfo &loops) {
  DenseMap<const Value *, uint64_t> questions;
  uint64_t most = 0;
  LoopBlocksRPO blocks(&loop);
  blocks.perform(&loops);
  for (const BasicBlock *block : blocks)
    for (const Instruction &instruction : *block) {
      uint64_t number = 1;
      bool isSame = followsOperands(instruction, loop);
      for (const Value *operand : instruction.operands()) {
        if (loop.isLoopInvariant(operand))
          continue;
        auto found = questions.find(operand);
        isSame &= found != questions.end();
        number = SaturatingAdd(number, isSame ? found->second : 0);
      }
      if (!isSame)
        continue;
      questions[&instruction] = number;
      most = std::max(most, number);
    }
  return most;
}

unsigned lci::leaveUniformChains(LoopInfo &loops) {
  unsigned numLeft = 0;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || countQuestions(*loop, loops) <= kMostQuestions)
      continue;
    addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    ++numLeft;
  }
  return numLeft;
}
