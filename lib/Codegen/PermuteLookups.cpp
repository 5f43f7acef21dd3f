//===- PermuteLookups.cpp - Look up small tables in registers -------------===//
//
// `lci-vectorize-cells` calls a function to look 16 cells up in a table of 8, 16 or 32 entries. The
// function extracts element by element. AVX-512 has one instruction for all cells, and AVX2 one for
// eight cells in eight entries; LLVM IR has no operation for these, so the body is replaced here.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

static constexpr int kCells = 16;

static int lanesOf(Value *vector) {
  return static_cast<int>(cast<FixedVectorType>(vector->getType())->getNumElements());
}

/// `count` lanes of a vector from `first` on, undefined beyond its end.
static Value *getLanes(IRBuilder<> &builder, Value *vector, int first, int count) {
  SmallVector<int> lanes;
  for (int lane = first; lane < first + count; ++lane)
    lanes.push_back(lane < lanesOf(vector) ? lane : PoisonMaskElem);
  return builder.CreateShuffleVector(vector, lanes);
}

/// Whether a function has the form `table, 16 positions -> 16 entries`.
static bool isLookUp(const Function &function) {
  auto *result = dyn_cast<FixedVectorType>(function.getReturnType());
  if (!function.getName().starts_with("lci.lanes.look_up.") || function.isDeclaration() ||
      function.arg_size() != 2 || !result || result->getNumElements() != kCells ||
      result->getScalarSizeInBits() != 32)
    return false;
  auto *table = dyn_cast<FixedVectorType>(function.getArg(0)->getType());
  auto *positions = dyn_cast<FixedVectorType>(function.getArg(1)->getType());
  return table && table->getElementType() == result->getElementType() &&
         is_contained({8u, 16u, 32u}, table->getNumElements()) && positions &&
         positions->getNumElements() == kCells && positions->getElementType()->isIntegerTy(32);
}

/// All cells at once.
static Value *permuteWide(IRBuilder<> &builder, Value *table, Value *positions, bool isFloat) {
  if (lanesOf(table) <= kCells) {
    auto one =
        isFloat ? Intrinsic::x86_avx512_permvar_sf_512 : Intrinsic::x86_avx512_permvar_si_512;
    return builder.CreateIntrinsic(one, {}, {getLanes(builder, table, 0, kCells), positions});
  }
  auto two =
      isFloat ? Intrinsic::x86_avx512_vpermi2var_ps_512 : Intrinsic::x86_avx512_vpermi2var_d_512;
  return builder.CreateIntrinsic(
      two, {},
      {getLanes(builder, table, 0, kCells), positions, getLanes(builder, table, kCells, kCells)});
}

/// Eight cells in a table of eight entries, or in both halves of a larger one, between which a bit
/// of the position selects.
static Value *permuteEight(IRBuilder<> &builder, Value *table, Value *positions, bool isFloat) {
  int entries = lanesOf(table), half = entries / 2;
  if (entries == 8) {
    auto permute = isFloat ? Intrinsic::x86_avx2_permps : Intrinsic::x86_avx2_permd;
    return builder.CreateIntrinsic(permute, {}, {table, positions});
  }
  Value *low = permuteEight(builder, getLanes(builder, table, 0, half), positions, isFloat);
  Value *high = permuteEight(builder, getLanes(builder, table, half, half), positions, isFloat);
  Type *type = positions->getType();
  Value *bit = builder.CreateAnd(positions, ConstantInt::get(type, half));
  return builder.CreateSelect(builder.CreateIsNotNull(bit), high, low);
}

static Value *permuteHalves(IRBuilder<> &builder, Value *table, Value *positions, bool isFloat) {
  Value *halves[2];
  for (int half : {0, 1})
    halves[half] = permuteEight(
        builder, table, getLanes(builder, positions, half * kCells / 2, kCells / 2), isFloat);
  return builder.CreateShuffleVector(halves[0], halves[1], to_vector(seq(0, kCells)));
}

static void permute(Function &function, bool isWide) {
  bool isFloat = function.getReturnType()->getScalarType()->isFloatTy();
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  builder.CreateRet((isWide ? permuteWide : permuteHalves)(builder, function.getArg(0),
                                                           function.getArg(1), isFloat));
}

unsigned lci::permuteLookups(Module &module, const TargetMachine &machine) {
  unsigned count = 0;
  if (!machine.getTargetTriple().isX86())
    return count;
  for (Function &function : module) {
    if (!isLookUp(function))
      continue;
    const TargetSubtargetInfo &features = *machine.getSubtargetImpl(function);
    bool isWide = features.checkFeatures("+avx512f");
    if (!isWide && !features.checkFeatures("+avx2"))
      continue;
    permute(function, isWide);
    ++count;
  }
  return count;
}
