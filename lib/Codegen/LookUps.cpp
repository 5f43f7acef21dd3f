//===- LookUps.cpp - Small tables looked up in registers ------------------===//
//
// `lci-vectorize-cells` calls a function to look 16 cells up in a table that two registers hold.
// The function takes element after element; AVX-512 has one instruction for all of them, which
// nothing in LLVM IR stands for.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// The first lanes of a vector, or those behind them.
static Value *getHalf(IRBuilder<> &builder, Value *vector, int first) {
  SmallVector<int> lanes = to_vector(seq(first, first + 16));
  return builder.CreateShuffleVector(vector, lanes);
}

/// Whether a function has the form `table, 16 positions -> 16 entries`.
static bool isLookUp(const Function &function) {
  auto *result = dyn_cast<FixedVectorType>(function.getReturnType());
  if (!function.getName().starts_with("lci.look_up.") || function.isDeclaration() ||
      function.arg_size() != 2 || !result || result->getNumElements() != 16 ||
      result->getScalarSizeInBits() != 32)
    return false;
  auto *table = dyn_cast<FixedVectorType>(function.getArg(0)->getType());
  auto *positions = dyn_cast<FixedVectorType>(function.getArg(1)->getType());
  return table && (table->getNumElements() == 16 || table->getNumElements() == 32) &&
         table->getElementType() == result->getElementType() && positions &&
         positions->getNumElements() == 16 && positions->getElementType()->isIntegerTy(32);
}

static void permute(Function &function) {
  auto *type = cast<FixedVectorType>(function.getReturnType());
  Value *table = function.getArg(0), *positions = function.getArg(1);
  bool isFloat = type->getElementType()->isFloatTy();
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  if (cast<FixedVectorType>(table->getType())->getNumElements() == 16) {
    auto one =
        isFloat ? Intrinsic::x86_avx512_permvar_sf_512 : Intrinsic::x86_avx512_permvar_si_512;
    builder.CreateRet(builder.CreateIntrinsic(one, {}, {table, positions}));
    return;
  }
  auto two =
      isFloat ? Intrinsic::x86_avx512_vpermi2var_ps_512 : Intrinsic::x86_avx512_vpermi2var_d_512;
  builder.CreateRet(builder.CreateIntrinsic(
      two, {}, {getHalf(builder, table, 0), positions, getHalf(builder, table, 16)}));
}

unsigned lci::permuteLookUps(Module &module, const TargetMachine &machine) {
  unsigned count = 0;
  if (!machine.getTargetTriple().isX86())
    return count;
  for (Function &function : module)
    if (isLookUp(function) && machine.getSubtargetImpl(function)->checkFeatures("+avx512f")) {
      permute(function);
      ++count;
    }
  return count;
}
