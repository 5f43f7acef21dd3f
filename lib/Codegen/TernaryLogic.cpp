//===- TernaryLogic.cpp - Logic in three operands -------------------------===//
//
// Bodies that are computed on planes of bits are circuits of and, or and xor. AVX-512 has one
// instruction for any function of three words; instruction selection finds it for pairs of
// operations of which nobody else uses the first. Here circuits are covered as they are for chips
// of look-up tables: of each operation, the ways to see it as a function of at most three earlier
// values (its cuts) are enumerated, and the one that costs least is taken, where a value that
// several need costs each of them a part (area flow).
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {

constexpr unsigned kMaxLeaves = 3, kMaxCuts = 8, kRounds = 2;

/// A value as a function of earlier ones: bit i of the table is what it is where leaf j has bit j
/// of i. What does not depend on a leaf has the same bits for both.
struct Cut {
  SmallVector<Value *, kMaxLeaves> leaves;
  uint8_t table = 0;
  float cost = 0;
};

/// An operation of the circuit.
struct Node {
  BinaryOperator *op;
  SmallVector<Cut, kMaxCuts> cuts; ///< the cheapest first
  Cut chosen = {};
  unsigned numUses = 0; ///< by what is chosen for others, and by what is not logic
  Value *made = nullptr;
};

/// The circuit of one block and one type.
class Circuit {
public:
  explicit Circuit(ArrayRef<BinaryOperator *> ops) {
    for (BinaryOperator *op : ops) {
      places[op] = nodes.size();
      nodes.push_back({op, {}, {}, 0, nullptr});
    }
  }

  unsigned cover() {
    for (Node &node : nodes)
      findCuts(node);
    for (Node &node : nodes)
      if (llvm::any_of(node.op->users(), [&](User *user) { return !find(user); }))
        hold(node);
    for (unsigned round = 0; round < kRounds; ++round)
      for (Node &node : nodes)
        if (node.numUses > 0)
          chooseAgain(node);
    return llvm::count_if(nodes, [](const Node &node) { return node.numUses > 0; });
  }

  void rewrite() {
    for (Node &node : nodes)
      if (node.numUses > 0)
        node.made = make(node);
    for (Node &node : nodes)
      if (node.numUses > 0)
        node.op->replaceAllUsesWith(node.made);
    for (Node &node : llvm::reverse(nodes))
      if (node.op->use_empty())
        node.op->eraseFromParent();
  }

private:
  Node *find(Value *value) {
    auto place = places.find(value);
    return place == places.end() ? nullptr : &nodes[place->second];
  }

  //===--------------------------------------------------------------------===//
  // Cuts
  //===--------------------------------------------------------------------===//

  /// What an operand may be seen as: itself, or what it is made of.
  SmallVector<Cut, kMaxCuts> viewsOf(Value *value) {
    if (auto *constant = dyn_cast<Constant>(value))
      return {Cut{{}, uint8_t(constant->isAllOnesValue() ? 0xff : 0), 0}};
    Cut itself{{value}, 0xaa, 0};
    Node *node = find(value);
    if (!node)
      return {itself};
    SmallVector<Cut, kMaxCuts> views(node->cuts);
    views.push_back(itself);
    return views;
  }

  /// What a leaf costs one of those that need it.
  float shareOf(Value *leaf) {
    Node *node = find(leaf);
    return node ? node->cuts.front().cost / node->op->getNumUses() : 0;
  }

  void findCuts(Node &node) {
    for (const Cut &left : viewsOf(node.op->getOperand(0)))
      for (const Cut &right : viewsOf(node.op->getOperand(1)))
        if (std::optional<Cut> cut = combine(node.op->getOpcode(), left, right))
          keep(node.cuts, *cut);
    node.chosen = node.cuts.front();
  }

  static void keep(SmallVector<Cut, kMaxCuts> &cuts, const Cut &cut) {
    auto isCheaper = [](const Cut &a, const Cut &b) { return a.cost < b.cost; };
    cuts.insert(llvm::upper_bound(cuts, cut, isCheaper), cut);
    if (cuts.size() > kMaxCuts)
      cuts.pop_back();
  }

  std::optional<Cut> combine(unsigned opcode, const Cut &left, const Cut &right) {
    Cut cut{left.leaves, 0, 1};
    for (Value *leaf : right.leaves)
      if (!llvm::is_contained(cut.leaves, leaf))
        cut.leaves.push_back(leaf);
    if (cut.leaves.size() > kMaxLeaves)
      return std::nullopt;
    uint8_t a = expand(left, cut.leaves), b = expand(right, cut.leaves);
    cut.table = opcode == Instruction::And ? a & b : opcode == Instruction::Or ? a | b : a ^ b;
    for (Value *leaf : cut.leaves)
      cut.cost += shareOf(leaf);
    return cut;
  }

  /// The table of a cut over more leaves, in their order.
  static uint8_t expand(const Cut &cut, ArrayRef<Value *> leaves) {
    uint8_t table = 0;
    for (unsigned row = 0; row < 8; ++row) {
      unsigned own = 0;
      for (auto [place, leaf] : llvm::enumerate(cut.leaves))
        own |= (row >> (llvm::find(leaves, leaf) - leaves.begin()) & 1) << place;
      table |= (cut.table >> own & 1) << row;
    }
    return table;
  }

  //===--------------------------------------------------------------------===//
  // Choices
  //===--------------------------------------------------------------------===//

  /// One more needs a node; how many operations that adds.
  unsigned hold(Node &node) { return node.numUses++ == 0 ? 1 + holdLeaves(node.chosen) : 0; }
  unsigned holdLeaves(const Cut &cut) {
    unsigned added = 0;
    for (Value *leaf : cut.leaves)
      if (Node *inner = find(leaf))
        added += hold(*inner);
    return added;
  }

  /// The reverse.
  void release(Node &node) {
    if (--node.numUses == 0)
      releaseLeaves(node.chosen);
  }
  void releaseLeaves(const Cut &cut) {
    for (Value *leaf : cut.leaves)
      if (Node *inner = find(leaf))
        release(*inner);
  }

  void chooseAgain(Node &node) {
    releaseLeaves(node.chosen);
    unsigned least = std::numeric_limits<unsigned>::max();
    for (const Cut &cut : node.cuts) {
      unsigned added = holdLeaves(cut);
      releaseLeaves(cut);
      if (added < least) {
        least = added;
        node.chosen = cut;
      }
    }
    holdLeaves(node.chosen);
  }

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  Value *make(Node &node) {
    const Cut &cut = node.chosen;
    IRBuilder<> builder(node.op);
    SmallVector<Value *, kMaxLeaves> leaves;
    for (Value *leaf : cut.leaves) {
      Node *inner = find(leaf);
      leaves.push_back(inner ? inner->made : leaf);
    }
    if (leaves.empty())
      return cut.table & 1 ? Constant::getAllOnesValue(node.op->getType())
                           : Constant::getNullValue(node.op->getType());
    if (Value *simple = makeSimple(builder, cut.table, leaves))
      return simple;
    // What a function of fewer leaves has in the place of another does not matter.
    leaves.resize(kMaxLeaves, leaves.front());
    return makeTernary(builder, cut.table, leaves);
  }

  /// The operations that everybody knows: code generation sees more in them.
  static Value *makeSimple(IRBuilder<> &builder, uint8_t table, ArrayRef<Value *> leaves) {
    if (table == 0xaa)
      return leaves[0];
    if (leaves.size() == 1)
      return table == 0x55 ? builder.CreateNot(leaves[0]) : nullptr;
    if (leaves.size() > 2)
      return nullptr;
    switch (table) {
    case 0x88:
      return builder.CreateAnd(leaves[0], leaves[1]);
    case 0xee:
      return builder.CreateOr(leaves[0], leaves[1]);
    case 0x66:
      return builder.CreateXor(leaves[0], leaves[1]);
    case 0x22:
      return builder.CreateAnd(leaves[0], builder.CreateNot(leaves[1]));
    case 0x44:
      return builder.CreateAnd(leaves[1], builder.CreateNot(leaves[0]));
    default:
      return nullptr;
    }
  }

  static Value *makeTernary(IRBuilder<> &builder, uint8_t table, ArrayRef<Value *> leaves) {
    Type *type = leaves.front()->getType();
    unsigned bits = type->getPrimitiveSizeInBits();
    Intrinsic::ID operation = bits == 512   ? Intrinsic::x86_avx512_pternlog_q_512
                              : bits == 256 ? Intrinsic::x86_avx512_pternlog_q_256
                                            : Intrinsic::x86_avx512_pternlog_q_128;
    Type *words = FixedVectorType::get(builder.getInt64Ty(), bits / 64);
    auto as = [&](Value *leaf) { return builder.CreateBitCast(leaf, words); };
    // The first operand is the high bit of a row of the instruction's table.
    Value *made = builder.CreateIntrinsic(
        operation, {}, {as(leaves[2]), as(leaves[1]), as(leaves[0]), builder.getInt32(table)});
    return builder.CreateBitCast(made, type);
  }

  std::vector<Node> nodes;
  DenseMap<Value *, unsigned> places;
};

} // namespace

/// A constant other than all ones or none stays where it is: from it code generation knows which
/// bits of a factor, say, are zero.
static bool isTrivial(Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  return !constant || constant->isAllOnesValue() || constant->isNullValue();
}

/// What a multiplication costs depends on which bits of its factors are known to be zero, too.
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
      counts.after += circuit.cover();
      circuit.rewrite();
    }
  }
  return counts;
}
