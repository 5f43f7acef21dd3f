//===- NarrowMultiplies.cpp - Products of 32-bit factors in 64-bit lanes --===//
//
// A vector multiplication of 64-bit lanes whose factors have 32 bits is one short instruction on
// x86; of whole lanes it is a slow one of three parts. Instruction selection looks at one block and
// does not see why optimizations removed masks; and, as they do, it folds `(x * c) << 32`,
// which needs only 32 bits of x, into a product with a wide constant. Optimizations also know the
// ranges of induction variables, and so of vectors that are splats of them.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr unsigned kHalf = 32;
static const APInt kLow = APInt::getLowBitsSet(64, kHalf);

static Value *maskLow(IRBuilder<> &builder, Value *factor) {
  return builder.CreateAnd(factor, ConstantInt::get(factor->getType(), kLow));
}

namespace {
/// Ranges of integers in a function, from known bits and from the trip counts of loops.
class Ranges {
public:
  explicit Ranges(Function &function)
      : known(function.getParent()->getTargetTriple()), library(known), assumptions(function),
        dominators(function), loops(dominators),
        evolution(function, library, assumptions, dominators, loops) {}

  /// Whether the lanes of a vector are below 2^32.
  bool isLow(Value *value, const SimplifyQuery &query) {
    if (computeKnownBits(value, query).countMinLeadingZeros() >= kHalf)
      return true;
    if (Value *lane = getSplatValue(value))
      return evolution.getUnsignedRangeMax(evolution.getSCEV(lane)).ule(kLow);
    Value *left = nullptr, *right = nullptr;
    return match(value, m_CombineOr(m_Or(m_Value(left), m_Value(right)),
                                    m_Xor(m_Value(left), m_Value(right)))) &&
           isLow(left, query) && isLow(right, query);
  }

private:
  TargetLibraryInfoImpl known;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  LoopInfo loops;
  ScalarEvolution evolution;
};
} // namespace

/// Masks a factor that is known to have 32 bits, for instruction selection to see.
static bool narrow(Use &factor, Ranges &ranges) {
  Value *value = factor.get();
  if (isa<Constant>(value) || match(value, m_And(m_Value(), m_SpecificInt(kLow))) ||
      match(value, m_LShr(m_Value(), m_SpecificInt(kHalf))))
    return false;
  auto *product = cast<Instruction>(factor.getUser());
  SimplifyQuery query(product->getDataLayout(), product);
  if (!ranges.isLow(value, query))
    return false;
  IRBuilder<> builder(product);
  factor.set(maskLow(builder, value));
  return true;
}

/// x * (c << 32) moves the low half of x * c to the high one: by lanes of 32 bits, since a shift
/// would be folded into the product again.
static bool moveHalf(BinaryOperator *product) {
  const APInt *wide = nullptr;
  auto *type = cast<FixedVectorType>(product->getType());
  if (!match(product->getOperand(1), m_APInt(wide)) || (*wide & kLow) != 0 || wide->isZero())
    return false;
  IRBuilder<> builder(product);
  Value *low = builder.CreateMul(maskLow(builder, product->getOperand(0)),
                                 ConstantInt::get(type, wide->lshr(kHalf)));
  auto *halves = FixedVectorType::get(builder.getInt32Ty(), 2 * type->getNumElements());
  low = builder.CreateBitCast(low, halves);
  SmallVector<int> lanes;
  for (int lane = 0, count = int(halves->getNumElements()); lane < count; lane += 2)
    llvm::append_values(lanes, count, lane);
  Value *moved = builder.CreateShuffleVector(low, Constant::getNullValue(halves), lanes);
  product->replaceAllUsesWith(builder.CreateBitCast(moved, type));
  product->eraseFromParent();
  return true;
}

unsigned lci::narrowMultiplies(Function &function, const TargetMachine &machine) {
  unsigned count = 0;
  if (function.isDeclaration() || !machine.getTargetTriple().isX86())
    return count;
  SmallVector<BinaryOperator *> products;
  for (BasicBlock &block : function)
    for (Instruction &op : block)
      if (op.getOpcode() == Instruction::Mul && isa<FixedVectorType>(op.getType()) &&
          op.getType()->getScalarSizeInBits() == 2 * kHalf)
        products.push_back(cast<BinaryOperator>(&op));
  if (products.empty())
    return count;
  Ranges ranges(function);
  for (BinaryOperator *product : products) {
    if (moveHalf(product)) {
      ++count;
      continue;
    }
    for (Use &factor : product->operands())
      count += narrow(factor, ranges);
  }
  return count;
}
