//===- TransposeBits.cpp - Transpose 8×8 bits by one instruction ----------===//
//
// `lci-vectorize-cells` calls a function to transpose the bits of each word, eight rows of a byte.
// The function exchanges blocks of bits in three steps. GFNI multiplies bit matrices, one of which
// may be the identity; LLVM IR has no operation for that, so the body is replaced here.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

static constexpr unsigned kWordBits = 64, kWordBytes = 8;

/// Whether a function has the form `words -> words`, and fills 512 bits or a multiple of them.
static bool isTransposition(const Function &function) {
  auto *type = dyn_cast<FixedVectorType>(function.getReturnType());
  return function.getName() == "lci.transpose_bits" && !function.isDeclaration() &&
         function.arg_size() == 1 && type && type->getElementType()->isIntegerTy(kWordBits) &&
         type->getNumElements() % 8 == 0 && function.getArg(0)->getType() == type;
}

/// The product of the identity with the bytes of some words, in reverse order: GFNI takes the last
/// byte as the first row.
static Value *transpose(IRBuilder<> &builder, Value *bytes, Intrinsic::ID product) {
  int count = static_cast<int>(cast<FixedVectorType>(bytes->getType())->getNumElements());
  SmallVector<int> lastFirst;
  SmallVector<uint8_t> identity;
  for (int byte = 0; byte < count; ++byte) {
    lastFirst.push_back(byte ^ int(kWordBytes - 1));
    identity.push_back(uint8_t(1u << unsigned(byte) % kWordBytes));
  }
  Value *rows = builder.CreateShuffleVector(bytes, lastFirst);
  Value *unit = ConstantDataVector::get(builder.getContext(), identity);
  return builder.CreateIntrinsic(product, {}, {unit, rows, builder.getInt8(0)});
}

/// Replaces the body by products of partial vectors.
static void multiply(Function &function, unsigned bits, Intrinsic::ID product) {
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  auto *type = cast<FixedVectorType>(function.getReturnType());
  unsigned count = type->getNumElements() * kWordBytes, width = bits / 8;
  auto *bytesType = FixedVectorType::get(builder.getInt8Ty(), count);
  Value *bytes = builder.CreateBitCast(function.getArg(0), bytesType);
  Value *all = PoisonValue::get(bytesType);
  auto *partType = FixedVectorType::get(builder.getInt8Ty(), width);
  for (unsigned first = 0; first < count; first += width) {
    Value *part = builder.CreateExtractVector(partType, bytes, uint64_t(first));
    all = builder.CreateInsertVector(bytesType, all, transpose(builder, part, product),
                                     uint64_t(first));
  }
  builder.CreateRet(builder.CreateBitCast(all, type));
}

unsigned lci::transposeBits(Module &module, const TargetMachine &machine) {
  unsigned count = 0;
  if (!machine.getTargetTriple().isX86())
    return count;
  for (Function &function : module) {
    if (!isTransposition(function))
      continue;
    const TargetSubtargetInfo &features = *machine.getSubtargetImpl(function);
    if (features.checkFeatures("+gfni,+avx512bw"))
      multiply(function, 512, Intrinsic::x86_vgf2p8affineqb_512);
    else if (features.checkFeatures("+gfni,+avx2"))
      multiply(function, 256, Intrinsic::x86_vgf2p8affineqb_256);
    else
      continue;
    ++count;
  }
  return count;
}
