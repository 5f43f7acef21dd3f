//===- LimitVectorizer.cpp - Loops too costly for LLVM's vectorizer -------===//
//
// LLVM's loop vectorizer tests of each operation of a loop whether it is uniform, by recursion on
// its operands, without memoization. In a chain of operations that use their predecessors twice, as
// the rounds of a draw do, the number of tests doubles for each: it practically never ends.
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

/// The number of recursive tests allowed: a millisecond.
static constexpr uint64_t kMaxTests = 100000;

/// Whether the vectorizer takes a result of uniform operands for uniform.
static bool followsOperands(const Instruction &instruction, const Loop &loop) {
  if (isa<PHINode>(instruction))
    return instruction.getParent() != loop.getHeader(); // merges two paths of an iteration
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst, LoadInst>(
      instruction);
}

/// The largest number of recursive tests for an operation all of whose operands are uniform.
static uint64_t countTests(Loop &loop, const LoopInfo &loops) {
  DenseMap<const Value *, uint64_t> tests;
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
        auto found = tests.find(operand);
        isSame &= found != tests.end();
        number = SaturatingAdd(number, isSame ? found->second : 0);
      }
      if (!isSame)
        continue;
      tests[&instruction] = number;
      most = std::max(most, number);
    }
  return most;
}

unsigned lci::limitVectorizer(LoopInfo &loops) {
  unsigned numLeft = 0;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || countTests(*loop, loops) <= kMaxTests)
      continue;
    addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    ++numLeft;
  }
  return numLeft;
}
