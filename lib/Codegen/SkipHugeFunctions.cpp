//===- SkipHugeFunctions.cpp - Keep huge call sequences unoptimized -------===//
//
// The function of an epoch calls every tick and carries the buffers of every value through its
// loop. With a thousand rules LLVM compares thousands of phis pairwise, and its register allocator
// queries each of thousands of pointers at each of thousands of calls.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Calls, or operands of one, from which on a function counts as a mere sequence of calls.
static constexpr size_t kManyCalls = 500;

static bool onlyCalls(const Function &function) {
  size_t calls = 0, operands = 0;
  for (const Instruction &instruction : instructions(function))
    if (const auto *call = dyn_cast<CallInst>(&instruction); call && !isa<IntrinsicInst>(call)) {
      ++calls;
      operands = std::max<size_t>(operands, call->arg_size());
    }
  return std::max(calls, operands) >= kManyCalls;
}

static AllocaInst *makeSlot(Function &function, Type *type) {
  BasicBlock &entry = function.getEntryBlock();
  return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
}

/// Reloads a value at each use, so that no register holds it from one call to the next.
static void loadAtUses(Value &value, BasicBlock::iterator next, Function &function) {
  AllocaInst *slot = makeSlot(function, value.getType());
  StoreInst *store = IRBuilder<>(next->getParent(), next).CreateStore(&value, slot);
  for (Use &use : make_early_inc_range(value.uses()))
    if (auto *user = cast<Instruction>(use.getUser()); user != store)
      use.set(IRBuilder<>(user).CreateLoad(value.getType(), slot));
}

/// Passes a phi's value through memory. It is loaded at once, because the phis of a block may
/// exchange values.
static LoadInst *passInMemory(PHINode &phi, Function &function) {
  AllocaInst *slot = makeSlot(function, phi.getType());
  for (auto [block, value] : zip_equal(phi.blocks(), phi.incoming_values()))
    IRBuilder<>(block->getTerminator()).CreateStore(value, slot);
  BasicBlock *block = phi.getParent();
  LoadInst *load = IRBuilder<>(block, block->getFirstInsertionPt()).CreateLoad(phi.getType(), slot);
  phi.replaceAllUsesWith(load);
  phi.eraseFromParent();
  return load;
}

static void keepOnStack(Function &function) {
  SmallVector<WeakTrackingVH> dead;
  for (Instruction &instruction : instructions(function))
    if (isInstructionTriviallyDead(&instruction))
      dead.push_back(&instruction);
  RecursivelyDeleteTriviallyDeadInstructions(dead); // phis among them
  SmallVector<LoadInst *> loads;
  for (BasicBlock &block : function)
    for (PHINode &phi : make_early_inc_range(block.phis()))
      loads.push_back(passInMemory(phi, function));
  for (LoadInst *load : loads)
    loadAtUses(*load, std::next(load->getIterator()), function);
  auto first = function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (Argument &argument : function.args())
    if (!argument.use_empty())
      loadAtUses(argument, first, function);
}

bool lci::skipHugeFunction(Function &function) {
  if (!onlyCalls(function))
    return false;
  keepOnStack(function);
  function.removeFnAttr(Attribute::AlwaysInline);
  function.addFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::OptimizeNone);
  return true;
}
