//===- LaneScope.cpp - Analysis of reorderable lanes ----------------------===//
//
// Collects the operations of a block by their effect on the order of lanes: those that commute with
// any permutation, those that unpack or pack bytes, and uses of masks that need the other order.
// Then weighs the shuffles that are saved against those that are added.
//
//===----------------------------------------------------------------------===//

#include "LaneScope.h"
#include "LCI/Transforms/Support/LanewiseFunctions.h"
#include "LCI/Transforms/Support/VectorLanes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::permutelanes;
using vectorize::isByLanes;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether all lanes are equal, or a constant that can be written in the required order.
static bool hasAnyOrder(Value value) {
  auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
  return matchPattern(value, m_Constant()) ||
         (broadcast && !isa<VectorType>(broadcast.getSourceType()));
}

/// The element type of a vector with so many lanes, or null.
static Type elementOf(Type type, int64_t numLanes) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() && vector.getDimSize(0) == numLanes
             ? vector.getElementType()
             : Type();
}

bool LaneScope::isNumber(Type type) const {
  Type element = elementOf(type, numLanes);
  return element && mlir::lci::isNumber(element);
}

bool LaneScope::isByte(Type type) const {
  Type element = elementOf(type, numLanes);
  return element && element.isInteger(8);
}

bool LaneScope::isMask(Type type) const {
  Type element = elementOf(type, numLanes);
  return element && element.isInteger(1);
}

//===----------------------------------------------------------------------===//
// Operations without an order
//===----------------------------------------------------------------------===//

/// Whether lanes are extracted only as arguments of calls, whose results are inserted at the same
/// lanes.
static bool isArgument(vector::ExtractStridedSliceOp slice) {
  return llvm::all_of(slice->getUsers(), [&](Operation *call) {
    return isByLanes(call) && llvm::all_of(call->getUsers(), [&](Operation *user) {
             auto insertion = dyn_cast<vector::InsertStridedSliceOp>(user);
             return insertion && insertion.getOffsets() == slice.getOffsets() &&
                    insertion.getValueToStore() == call->getResult(0);
           });
  });
}

/// Whether the inserted value is the result of a call for the same lanes.
static bool isResult(vector::InsertStridedSliceOp insertion) {
  Operation *call = insertion.getValueToStore().getDefiningOp();
  auto slice = isByLanes(call)
                   ? call->getOperands().back().getDefiningOp<vector::ExtractStridedSliceOp>()
                   : nullptr;
  return slice && slice.getOffsets() == insertion.getOffsets();
}

/// Whether a reduction may be reordered: sums of floats may not.
static bool isReorderable(vector::ReductionOp reduction) {
  return !isa<FloatType>(reduction.getType()) ||
         !llvm::is_contained({vector::CombiningKind::ADD, vector::CombiningKind::MUL},
                             reduction.getKind());
}

/// Whether an operation commutes with permutations of its lanes, going by its types.
static bool hasNoOrder(Operation *op) {
  if (auto slice = dyn_cast<vector::ExtractStridedSliceOp>(op))
    return isArgument(slice);
  if (auto insertion = dyn_cast<vector::InsertStridedSliceOp>(op))
    return isResult(insertion);
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return isReorderable(reduction);
  return isByLanes(op) || (op->getNumResults() == 1 && hasAnyOrder(op->getResult(0))) ||
         isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op);
}

/// Whether an operation turns bytes into numbers.
static bool isUnpacking(Operation *op) {
  return isa<arith::ExtUIOp, arith::ExtSIOp, arith::UIToFPOp, arith::SIToFPOp, arith::IndexCastOp,
             arith::IndexCastUIOp>(op);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LaneScope::LaneScope(Block &block, int64_t numLanes) : numLanes(numLanes) {
  visit(block);
  weigh();
}

/// Whether no vectors enter or leave the block, except those that are the same in any order.
bool LaneScope::isClosed(Block &block) const {
  auto matters = [&](Value value) {
    return (isNumber(value.getType()) || isMask(value.getType())) && !hasAnyOrder(value);
  };
  auto comesIn = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value value) {
      return matters(value) && !block.getParent()->isAncestor(value.getParentRegion());
    });
  };
  return llvm::none_of(block.getArguments(), matters) &&
         (!block.mightHaveTerminator() ||
          llvm::none_of(block.getTerminator()->getOperands(), matters)) &&
         !block
              .walk([&](Operation *op) {
                return comesIn(op) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

void LaneScope::visit(Block &block) {
  for (Operation &op : block) {
    visit(&op);
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        if (isClosed(nested))
          inner.push_back(&nested);
        else
          visit(nested);
  }
}

void LaneScope::visit(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (DenseElementsAttr numbers; isNumber(operand.get().getType()) &&
                                   matchPattern(operand.get(), m_Constant(&numbers)) &&
                                   !numbers.isSplat())
      constants.push_back(&operand);
  auto isOne = [&](Type type) { return isNumber(type); };
  if (llvm::any_of(op->getOperandTypes(), isOne) || llvm::any_of(op->getResultTypes(), isOne))
    visitNumbers(op);
  else
    visitMasks(op);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void LaneScope::visitNumbers(Operation *op) {
  if (OpTrait::hasElementwiseMappableTraits(op))
    return visitElementwise(op);
  bool isSource = isa<vector::ShuffleOp, vector::BitCastOp, vector::InterleaveOp>(op) &&
                  llvm::none_of(op->getOperandTypes(), [&](Type type) { return isNumber(type); });
  if (isSource)
    sources.push_back(op);
  else
    isFit &= hasNoOrder(op);
}

/// Whether a mask has another order than the required one.
bool LaneScope::needsPermutation(OpOperand &operand, bool inWords) const {
  Value value = operand.get();
  return isMask(value.getType()) && hasWordOrder(value) != inWords && !hasAnyOrder(value);
}

/// A mask that an operation requires in one order: a constant is rewritten in it.
void LaneScope::take(OpOperand &mask, bool inWords) {
  DenseElementsAttr masks;
  if (inWords && isMask(mask.get().getType()) && matchPattern(mask.get(), m_Constant(&masks)) &&
      !masks.isSplat())
    constants.push_back(&mask);
  else if (needsPermutation(mask, inWords))
    (inWords ? toWords : toBytes).push_back(&mask);
}

void LaneScope::visitElementwise(Operation *op) {
  Type result = op->getResult(0).getType();
  bool isWide = isNumber(result);
  if (isMask(result))
    masks.insert(op->getResult(0));
  else if (isa<arith::TruncIOp>(op) && isByte(result))
    packs.push_back(op);
  else
    isFit &= isWide;
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (isMask(type))
      take(operand, /*inWords=*/true);
    else if (isByte(type) && isWide && isUnpacking(op))
      unpacks.push_back(op);
    else
      isFit &= isNumber(type);
  }
}

/// Logic on masks in the order of words has that order, too.
void LaneScope::visitMasks(Operation *op) {
  auto isOrdered = [&](Value value) { return hasWordOrder(value); };
  if (llvm::none_of(op->getOperands(), isOrdered) || isa<vector::ReductionOp>(op))
    return;
  bool isLogic = OpTrait::hasElementwiseMappableTraits(op) && isMask(op->getResult(0).getType()) &&
                 llvm::all_of(op->getOperandTypes(), [&](Type type) { return isMask(type); });
  auto select = dyn_cast<arith::SelectOp>(op);
  if (isLogic)
    masks.insert(op->getResult(0));
  else if (select && isByte(select.getType()))
    return choices.push_back(select);
  for (OpOperand &operand : op->getOpOperands())
    take(operand, /*inWords=*/isLogic);
}

/// One register of bytes makes four of numbers: unpacking takes seven operations in the order of
/// bytes, and four in that of words.
void LaneScope::weigh() {
  constexpr int64_t unpacking = 3, lifting = 6, packing = 6, crossing = 8;
  gain = unpacking * unpacks.size() - crossing * (toWords.size() + toBytes.size());
  llvm::DenseSet<Value> lifted;
  for (arith::SelectOp choice : choices) {
    for (Value value : {choice.getTrueValue(), choice.getFalseValue()})
      if (!lifted.contains(value) && !matchPattern(value, m_Constant()))
        gain -= lifting;
    lifted.insert(choice);
  }
  for (arith::SelectOp choice : choices)
    if (!llvm::all_of(choice->getUsers(), [&](Operation *user) {
          return user->getNumResults() == 1 && lifted.contains(user->getResult(0));
        }))
      gain -= packing;
}
