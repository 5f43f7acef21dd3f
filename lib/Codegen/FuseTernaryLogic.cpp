//===- FuseTernaryLogic.cpp - Cover bitwise logic by ternary operations ---===//
//
// Bodies that are computed on planes of bits are circuits of and, or and xor. AVX-512 has one
// instruction for any function of three words; instruction selection finds it for pairs of
// operations of which the first has no other use. Here whole circuits are covered
// (LCI/Numerics/LookupCover.h).
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "LCI/Numerics/LookupCover.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using lci::numerics::LookupCover;
using lci::numerics::LookupImplementation;

namespace {
/// The circuit of one block and one type.
class Circuit {
public:
  explicit Circuit(ArrayRef<BinaryOperator *> ops);
  unsigned size() const { return cover.numLookups(); }
  void rewrite();

private:
  unsigned numberOf(Value *value);
  Value *make(BinaryOperator *op, const LookupImplementation &way);

  LookupCover cover;
  SmallVector<BinaryOperator *> gates;
  MapVector<Value *, unsigned> numbers; ///< in their order
  DenseMap<Value *, Value *> made;
};
} // namespace

static LookupCover::Kind kindOf(const BinaryOperator *op) {
  using Kind = LookupCover::Kind;
  unsigned opcode = op->getOpcode();
  return opcode == Instruction::And ? Kind::And : opcode == Instruction::Or ? Kind::Or : Kind::Xor;
}

Circuit::Circuit(ArrayRef<BinaryOperator *> ops) : gates(ops) {
  for (BinaryOperator *op : ops) {
    unsigned left = numberOf(op->getOperand(0)), right = numberOf(op->getOperand(1));
    numbers[op] = cover.add(kindOf(op), left, right);
  }
  SmallPtrSet<User *, 32> all(ops.begin(), ops.end());
  for (BinaryOperator *op : ops)
    for (User *user : op->users())
      if (!all.contains(user))
        cover.addUse(numbers.lookup(op));
  cover.cover();
}

/// The number of a gate, an input or a constant, added to the cover on first use.
unsigned Circuit::numberOf(Value *value) {
  if (auto *known = numbers.find(value); known != numbers.end())
    return known->second;
  using Kind = LookupCover::Kind;
  auto *constant = dyn_cast<Constant>(value);
  Kind kind = !constant ? Kind::Input : constant->isAllOnesValue() ? Kind::Ones : Kind::Zeros;
  return numbers[value] = cover.add(kind);
}

/// Common operations of up to two values, which code generation optimizes better. Null for others.
static Value *makeSimple(IRBuilder<> &builder, unsigned table, ArrayRef<Value *> leaves) {
  if (leaves.size() > 2)
    return nullptr;
  Value *a = leaves.front(), *b = leaves.back();
  switch (table) {
  case 0xf0:
    return a;
  case 0x0f:
    return builder.CreateNot(a);
  case 0xc0:
    return builder.CreateAnd(a, b);
  case 0xfc:
    return builder.CreateOr(a, b);
  case 0x3c:
    return builder.CreateXor(a, b);
  case 0x30:
    return builder.CreateAnd(a, builder.CreateNot(b));
  case 0x0c:
    return builder.CreateAnd(b, builder.CreateNot(a));
  default:
    return nullptr;
  }
}

static Value *makeTernary(IRBuilder<> &builder, unsigned table, ArrayRef<Value *> operands) {
  Type *type = operands.front()->getType();
  unsigned bits = type->getPrimitiveSizeInBits();
  Intrinsic::ID operation = bits == 512   ? Intrinsic::x86_avx512_pternlog_q_512
                            : bits == 256 ? Intrinsic::x86_avx512_pternlog_q_256
                                          : Intrinsic::x86_avx512_pternlog_q_128;
  Type *words = FixedVectorType::get(builder.getInt64Ty(), bits / 64);
  auto as = [&](unsigned number) { return builder.CreateBitCast(operands[number], words); };
  Value *made =
      builder.CreateIntrinsic(operation, {}, {as(0), as(1), as(2), builder.getInt32(table)});
  return builder.CreateBitCast(made, type);
}

Value *Circuit::make(BinaryOperator *op, const LookupImplementation &way) {
  IRBuilder<> builder(op);
  if (way.leaves.size() == 0)
    return way.table() ? Constant::getAllOnesValue(op->getType())
                       : Constant::getNullValue(op->getType());
  SmallVector<Value *> values;
  for (unsigned leaf : way.leaves) {
    Value *value = numbers.begin()[leaf].first;
    values.push_back(made.lookup(value) ? made.lookup(value) : value);
  }
  if (way.network.size() == 1)
    if (Value *simple = makeSimple(builder, way.table(), values))
      return simple;
  return lci::numerics::evaluate(way.network, values,
                                 [&](Value *a, Value *b, Value *c, unsigned table) {
                                   return makeTernary(builder, table, {a, b, c});
                                 });
}

void Circuit::rewrite() {
  for (BinaryOperator *op : gates)
    if (unsigned number = numbers.lookup(op); cover.isMade(number))
      made[op] = make(op, cover.implementationOf(number));
  for (BinaryOperator *op : gates)
    if (Value *by = made.lookup(op))
      op->replaceAllUsesWith(by);
  for (BinaryOperator *op : reverse(gates))
    if (op->use_empty())
      op->eraseFromParent();
}

/// Whether a value is not a constant, or all ones or zero. Other constants stay in plain
/// operations: they tell code generation which bits of a factor, say, are zero.
static bool isTrivial(Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  return !constant || constant->isAllOnesValue() || constant->isNullValue();
}

/// The cost of a multiplication depends on the bits of its factors that are known to be zero, too.
static bool isFactor(const Instruction &op) {
  return llvm::any_of(op.users(), [](const User *user) {
    auto *instruction = dyn_cast<Instruction>(user);
    return instruction && instruction->getOpcode() == Instruction::Mul;
  });
}

static BinaryOperator *asLogic(Instruction &instruction, bool hasShort) {
  auto *op = dyn_cast<BinaryOperator>(&instruction);
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!op || !op->isBitwiseLogicOp() || !type || !type->getElementType()->isIntegerTy() ||
      type->getScalarSizeInBits() < 8 || !llvm::all_of(op->operands(), isTrivial) || isFactor(*op))
    return nullptr;
  unsigned bits = type->getPrimitiveSizeInBits();
  return bits == 512 || (hasShort && (bits == 256 || bits == 128)) ? op : nullptr;
}

lci::LogicCounts lci::fuseTernaryLogic(Function &function, const TargetMachine &machine) {
  LogicCounts counts;
  if (function.isDeclaration() || !machine.getTargetTriple().isX86())
    return counts;
  const TargetSubtargetInfo *target = machine.getSubtargetImpl(function);
  if (!target->checkFeatures("+avx512f"))
    return counts;
  bool hasShort = target->checkFeatures("+avx512vl");
  for (BasicBlock &block : function) {
    MapVector<Type *, SmallVector<BinaryOperator *>> logic;
    for (Instruction &instruction : block)
      if (BinaryOperator *op = asLogic(instruction, hasShort))
        logic[op->getType()].push_back(op);
    for (auto &[type, ops] : logic) {
      Circuit circuit(ops);
      counts.before += ops.size();
      counts.after += circuit.size();
      circuit.rewrite();
    }
  }
  return counts;
}
