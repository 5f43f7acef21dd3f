//===- FixupNaNs.cpp - Replace NaNs by one instruction --------------------===//
//
// Committed cells hold only the canonical NaN: a comparison and a select. AVX-512 has an
// instruction that classifies numbers and replaces some classes (`vfixupimm`), which LLVM never
// selects.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The replacement of each of eight classes, in four bits each: NaNs (the first two) become the
/// other operand, all else (zeros, one, infinities, numbers of either sign) is unchanged.
static constexpr uint32_t kTakeForNaN = 0x11111100;
/// Rounding and exceptions as the machine has them.
static constexpr uint32_t kCurrentDirection = 4;

/// The instruction for vectors of that type, if the machine has it.
static Intrinsic::ID instructionFor(Type *type, const MCSubtargetInfo &machine) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return Intrinsic::not_intrinsic;
  bool isFloat = vector->getElementType()->isFloatTy();
  if (!isFloat && !vector->getElementType()->isDoubleTy())
    return Intrinsic::not_intrinsic;
  uint64_t bits = vector->getPrimitiveSizeInBits();
  if (!machine.checkFeatures(bits == 512 ? "+avx512f" : "+avx512f,+avx512vl"))
    return Intrinsic::not_intrinsic;
  switch (bits) {
  case 128:
    return isFloat ? Intrinsic::x86_avx512_mask_fixupimm_ps_128
                   : Intrinsic::x86_avx512_mask_fixupimm_pd_128;
  case 256:
    return isFloat ? Intrinsic::x86_avx512_mask_fixupimm_ps_256
                   : Intrinsic::x86_avx512_mask_fixupimm_pd_256;
  case 512:
    return isFloat ? Intrinsic::x86_avx512_mask_fixupimm_ps_512
                   : Intrinsic::x86_avx512_mask_fixupimm_pd_512;
  default:
    return Intrinsic::not_intrinsic;
  }
}

namespace {
/// A number, and the constant that a select replaces it by where it is NaN.
struct Fixed {
  Value *number = nullptr;
  Constant *instead = nullptr;
};
} // namespace

static std::optional<Fixed> matchFixed(Instruction &op) {
  Value *number = nullptr, *same = nullptr, *kept = nullptr;
  Constant *instead = nullptr;
  auto isTest = [&](FCmpInst::Predicate predicate) {
    return m_SpecificFCmp(predicate, m_Value(number), m_Value(same));
  };
  if (!match(&op, m_Select(isTest(FCmpInst::FCMP_UNO), m_Constant(instead), m_Value(kept))) &&
      !match(&op, m_Select(isTest(FCmpInst::FCMP_ORD), m_Value(kept), m_Constant(instead))))
    return std::nullopt;
  if (auto *cast = dyn_cast<BitCastInst>(kept))
    kept = cast->getOperand(0);
  // LLVM writes the comparison of a number with itself as one with zero.
  bool isOfItself = number == same || match(same, m_AnyZeroFP());
  return isOfItself && kept == number ? std::optional(Fixed{number, instead}) : std::nullopt;
}

/// Builds the instruction.
static Value *fix(IRBuilder<> &builder, const Fixed &fixed, Intrinsic::ID instruction) {
  auto *type = cast<FixedVectorType>(fixed.number->getType());
  auto *bits = VectorType::getInteger(type);
  bool isWide = type->getPrimitiveSizeInBits() == 512;
  bool has16Lanes = type->getNumElements() == 16;
  SmallVector<Value *> operands{
      builder.CreateBitCast(fixed.instead, type), fixed.number, ConstantInt::get(bits, kTakeForNaN),
      builder.getInt32(0), has16Lanes ? cast<Value>(builder.getInt16(-1)) : builder.getInt8(-1)};
  if (isWide)
    operands.push_back(builder.getInt32(kCurrentDirection));
  return builder.CreateIntrinsic(instruction, {}, operands);
}

unsigned lci::fixupNaNs(Function &function, const TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return 0;
  unsigned count = 0;
  for (BasicBlock &block : function)
    for (Instruction &op : llvm::make_early_inc_range(block)) {
      std::optional<Fixed> fixed = matchFixed(op);
      if (!fixed)
        continue;
      Intrinsic::ID instruction =
          instructionFor(fixed->number->getType(), *machine.getMCSubtargetInfo());
      if (instruction == Intrinsic::not_intrinsic)
        continue;
      IRBuilder<> builder(&op);
      Value *result = builder.CreateBitCast(fix(builder, *fixed, instruction), op.getType());
      result->takeName(&op);
      op.replaceAllUsesWith(result);
      op.eraseFromParent();
      ++count;
    }
  return count;
}
