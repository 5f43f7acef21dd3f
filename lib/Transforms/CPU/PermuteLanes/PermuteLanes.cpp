//===- PermuteLanes.cpp - Unpack bytes without crossing lanes -------------===//
//
// A register of bytes holds the cells of four registers of numbers. Unpacking it in the order of
// cells crosses lanes; in the order of the four bytes of each word it takes shifts. Where all
// operations on the numbers are lane by lane, their order is not observable, so the words' is used.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/VectorLanes.h"
#include "LaneOrder.h"
#include "LaneScope.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PERMUTELANESPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::permutelanes;

//===----------------------------------------------------------------------===//
// One scope
//===----------------------------------------------------------------------===//

namespace {
/// Permutes the numbers of a scope to the order of words.
class Interleaving {
public:
  explicit Interleaving(LaneScope &scope) : scope(scope) {}
  void run();

private:
  Value numbersOf(OpBuilder &b, Value bytes, bool isSigned);
  void choose(arith::SelectOp choice);
  static void reorderConstant(OpOperand &use);
  static void reorder(Operation *source);
  void unpack(Operation *op);
  void pack(Operation *op);
  static void permuteMask(OpOperand &mask, bool toWords);

  LaneScope &scope;
  llvm::DenseMap<Value, Value> lifted; ///< bytes that were chosen as numbers
};
} // namespace

static VectorType numbersLike(Value value) {
  Type i32 = IntegerType::get(value.getContext(), 32);
  return cast<VectorType>(value.getType()).clone(i32);
}

/// Bytes as numbers of 32 bits, from which they may have been packed before.
Value Interleaving::numbersOf(OpBuilder &b, Value bytes, bool isSigned) {
  Location loc = bytes.getLoc();
  if (Value known = isSigned ? Value() : lifted.lookup(bytes))
    return known;
  DenseElementsAttr constant;
  if (matchPattern(bytes, m_Constant(&constant)) && constant.isSplat()) {
    APInt byte = constant.getSplatValue<APInt>();
    auto number =
        DenseElementsAttr::get(numbersLike(bytes), isSigned ? byte.sext(32) : byte.zext(32));
    return arith::ConstantOp::create(b, loc, number);
  }
  return unpackBytes(b, loc, bytes, isSigned);
}

/// A select of bytes by a mask in the order of words is done on numbers, which are packed when
/// needed as bytes.
void Interleaving::choose(arith::SelectOp choice) {
  OpBuilder b(choice);
  Value ifTrue = numbersOf(b, choice.getTrueValue(), false),
        ifFalse = numbersOf(b, choice.getFalseValue(), false);
  Value chosen =
      arith::SelectOp::create(b, choice.getLoc(), choice.getCondition(), ifTrue, ifFalse);
  Value bytes = packBytes(b, choice.getLoc(), chosen);
  lifted[bytes] = chosen;
  choice.replaceAllUsesWith(bytes);
  choice.erase();
}

/// Other uses of a constant may have another order.
void Interleaving::reorderConstant(OpOperand &use) {
  OpBuilder b(use.getOwner());
  DenseElementsAttr constant;
  matchPattern(use.get(), m_Constant(&constant));
  auto numbers = llvm::to_vector(constant.getValues<Attribute>());
  SmallVector<Attribute> ordered = llvm::map_to_vector(getWordOrder(numbers.size()),
                                                       [&](int64_t cell) { return numbers[cell]; });
  use.set(arith::ConstantOp::create(b, use.get().getLoc(),
                                    DenseElementsAttr::get(constant.getType(), ordered)));
}

/// Permutes a vector that was created in the order of bytes.
void Interleaving::reorder(Operation *source) {
  OpBuilder b(source);
  b.setInsertionPointAfter(source);
  Value value = source->getResult(0);
  Value permuted = WordOrder(b, source->getLoc()).permute(value);
  value.replaceAllUsesExcept(permuted, permuted.getDefiningOp());
}

void Interleaving::unpack(Operation *op) {
  OpBuilder b(op);
  bool isSigned = isa<arith::ExtSIOp, arith::SIToFPOp, arith::IndexCastOp>(op);
  Value numbers = numbersOf(b, op->getOperand(0), isSigned);
  if (op->getResult(0).getType() != numbers.getType())
    return op->setOperand(0, numbers);
  op->replaceAllUsesWith(ValueRange(numbers));
  op->erase();
}

void Interleaving::pack(Operation *op) {
  OpBuilder b(op);
  Value numbers = op->getOperand(0);
  if (numbers.getType() != numbersLike(numbers))
    numbers = arith::TruncIOp::create(b, op->getLoc(), numbersLike(numbers), numbers);
  op->replaceAllUsesWith(ValueRange(packBytes(b, op->getLoc(), numbers)));
  op->erase();
}

/// A mask in the other order, by way of numbers and bytes.
void Interleaving::permuteMask(OpOperand &mask, bool toWords) {
  OpBuilder b(mask.getOwner());
  Location loc = mask.getOwner()->getLoc();
  auto type = cast<VectorType>(mask.get().getType());
  Type from = toWords ? b.getI8Type() : b.getI32Type();
  Value before = arith::ExtUIOp::create(b, loc, type.clone(from), mask.get());
  Value after = toWords ? unpackBytes(b, loc, before, false) : packBytes(b, loc, before);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(after.getType()));
  mask.set(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, after, zero));
}

void Interleaving::run() {
  for (OpOperand *mask : scope.toWords)
    permuteMask(*mask, true);
  for (OpOperand *mask : scope.toBytes)
    permuteMask(*mask, false);
  for (OpOperand *use : scope.constants)
    reorderConstant(*use);
  for (Operation *source : scope.sources)
    reorder(source);
  for (arith::SelectOp choice : scope.choices)
    choose(choice);
  for (Operation *op : scope.unpacks)
    unpack(op);
  for (Operation *op : scope.packs)
    pack(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The numbers of lanes of vectors of bytes that fill registers.
static llvm::SmallSetVector<int64_t, 4> findWidths(func::FuncOp function, int64_t vectorBits) {
  llvm::SmallSetVector<int64_t, 4> widths;
  function.walk([&](Operation *op) {
    for (Type type : op->getOperandTypes())
      if (auto vector = dyn_cast<VectorType>(type))
        if (vector.getRank() == 1 && vector.getElementType().isInteger(8) &&
            vector.getDimSize(0) * 8 % vectorBits == 0)
          widths.insert(vector.getDimSize(0));
  });
  return widths;
}

namespace {
struct PermuteLanes : mlir::lci::impl::PermuteLanesPassBase<PermuteLanes> {
  using PermuteLanesPassBase::PermuteLanesPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    for (int64_t numLanes : findWidths(function, getCPUTarget(function).vectorBits)) {
      SmallVector<Block *> blocks{&function.getBody().front()};
      while (!blocks.empty()) {
        LaneScope scope(*blocks.pop_back_val(), numLanes);
        llvm::append_range(blocks, scope.getInner());
        if (!scope.isWorthwhile())
          continue;
        Interleaving(scope).run();
        ++numScopes;
      }
    }
  }
};
} // namespace
