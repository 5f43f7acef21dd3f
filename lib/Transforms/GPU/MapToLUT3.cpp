//===- MapToLUT3.cpp - Technology mapping of circuits to LUT3 -------------===//
//
// GPUs compute any function of three bits in one instruction (LOP3), and their assemblers form it
// from boolean operations as they come: LLVM reassociates circuits before, so that the carry of an
// adder is no longer recognizable as a function of three bits. Here the circuit of each block is
// covered by look-ups (LCI/Numerics/LookupCover.h).
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/LookupCover.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace mlir::lci {
#define GEN_PASS_DEF_MAPTOLUT3PASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using ::lci::numerics::LookupCover;
using ::lci::numerics::LookupImplementation;

/// Whether both operands of an or are shifted, which brings in a neighbour's bits: one instruction.
static bool isFunnel(Operation *op) {
  return isa<arith::OrIOp>(op) && llvm::all_of(op->getOperands(), [](Value operand) {
           return isa_and_nonnull<arith::ShLIOp, arith::ShRUIOp>(operand.getDefiningOp());
         });
}

static bool isGate(Operation *op) {
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) && !isFunnel(op) &&
         (op->getResult(0).getType().isInteger(32) || op->getResult(0).getType().isInteger(64));
}

static LookupCover::Kind kindOf(Operation *gate) {
  using Kind = LookupCover::Kind;
  return isa<arith::AndIOp>(gate) ? Kind::And : isa<arith::OrIOp>(gate) ? Kind::Or : Kind::Xor;
}

namespace {
/// The gates of a block and how they are covered.
class Circuit {
public:
  explicit Circuit(Block &block);

  /// Writes the cover in place of the gates; returns the number of look-ups.
  int64_t rewrite();

private:
  unsigned numberOf(Value value);
  Value emit(Operation *gate, const LookupImplementation &way);

  LookupCover cover;
  int64_t numLookups = 0;
  SmallVector<Operation *> gates;
  llvm::MapVector<Value, unsigned> numbers; ///< in insertion order
  IRMapping written;
};
} // namespace

Circuit::Circuit(Block &block) {
  for (Operation &op : block)
    if (isGate(&op)) {
      unsigned left = numberOf(op.getOperand(0)), right = numberOf(op.getOperand(1));
      numbers[op.getResult(0)] = cover.add(kindOf(&op), left, right);
      gates.push_back(&op);
    }
  for (Operation *gate : gates)
    for (Operation *user : gate->getUsers())
      if (user->getBlock() != &block || !isGate(user))
        cover.addUse(numbers.lookup(gate->getResult(0)));
  cover.cover();
}

/// The number of a gate, input or constant, which is added if it is new.
unsigned Circuit::numberOf(Value value) {
  if (auto *known = numbers.find(value); known != numbers.end())
    return known->second;
  using Kind = LookupCover::Kind;
  APInt bits;
  Kind kind = Kind::Input;
  if (matchPattern(value, m_ConstantInt(&bits)))
    kind = bits.isZero() ? Kind::Zeros : bits.isAllOnes() ? Kind::Ones : Kind::Input;
  return numbers[value] = cover.add(kind);
}

/// A copy of a gate of two values, and else look-ups.
Value Circuit::emit(Operation *gate, const LookupImplementation &way) {
  OpBuilder builder(gate);
  Location loc = gate->getLoc();
  Type type = gate->getResult(0).getType();
  if (way.leaves.size() == 0)
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, way.table() == 0 ? 0 : -1));
  auto isLeaf = [&](Value operand) {
    return way.leaves.contains(numbers.lookup(operand)) || matchPattern(operand, m_Constant());
  };
  if (way.network.size() == 1 && llvm::all_of(gate->getOperands(), isLeaf))
    return builder.clone(*gate, written)->getResult(0);
  SmallVector<Value> values;
  for (unsigned leaf : way.leaves)
    values.push_back(written.lookupOrDefault(numbers.begin()[leaf].first));
  numLookups += static_cast<int64_t>(way.network.size());
  took(gate, Way::LookUps);
  return ::lci::numerics::evaluate(way.network, values,
                                   [&](Value a, Value b, Value c, unsigned table) -> Value {
                                     return LookupOp::create(builder, loc, a, b, c, table);
                                   });
}

int64_t Circuit::rewrite() {
  for (Operation *gate : gates)
    if (unsigned number = numbers.lookup(gate->getResult(0)); cover.isMade(number))
      written.map(gate->getResult(0), emit(gate, cover.implementationOf(number)));
  for (Operation *gate : llvm::reverse(gates)) {
    if (Value by = written.lookupOrNull(gate->getResult(0)))
      gate->getResult(0).replaceAllUsesWith(by);
    gate->erase();
  }
  return numLookups;
}

namespace {
struct MapToLUT3 : mlir::lci::impl::MapToLUT3PassBase<MapToLUT3> {
  void runOnOperation() override {
    getOperation()->walk([&](Block *block) { numLookups += Circuit(*block).rewrite(); });
  }
};
} // namespace
