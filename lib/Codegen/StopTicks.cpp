//===- StopTicks.cpp - Make ticks stop when a flag is raised --------------===//

#include "LCI/Codegen/Optimize.h"
#include "LCI/Runtime/StopFlag.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// `if (*word == raised) return;` after the function's allocas, which stay in the first block.
static void stopAtEntry(Function &function, Constant *word) {
  BasicBlock *entry = &function.getEntryBlock();
  for (Instruction &instruction : make_early_inc_range(*entry))
    if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && memory->isStaticAlloca())
      memory->moveBefore(entry->begin());
  BasicBlock *body = entry->splitBasicBlock(entry->getFirstNonPHIOrDbgOrAlloca());
  BasicBlock *leave = BasicBlock::Create(function.getContext(), "", &function);
  entry->getTerminator()->eraseFromParent();
  IRBuilder<> builder(entry);
  Value *state = builder.CreateLoad(builder.getInt8Ty(), word, /*isVolatile=*/true);
  Value *isRaised = builder.CreateICmpEQ(state, builder.getInt8(lci::StopFlag::kRaised));
  builder.CreateCondBr(isRaised, leave, body);
  builder.SetInsertPoint(leave);
  builder.CreateRetVoid();
}

unsigned lci::stopTicks(Module &module, const StopFlag &flag) {
  LLVMContext &context = module.getContext();
  if (!flag.word())
    return 0;
  auto address = reinterpret_cast<uintptr_t>(flag.word());
  Constant *word = ConstantExpr::getIntToPtr(ConstantInt::get(Type::getInt64Ty(context), address),
                                             PointerType::get(context, 0));
  unsigned number = 0;
  for (Function &function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage() ||
        !function.getReturnType()->isVoidTy())
      continue;
    stopAtEntry(function, word);
    ++number;
  }
  return number;
}
