//===- BufferAliasAnalysis.cpp - Alias analysis of buffers ----------------===//
//
// Three rules before upstream's walk to the underlying buffers: disjoint views of one buffer,
// ping-pong buffers of one loop, and choices among buffers. A fourth one, of arguments with
// `llvm.noalias`, is asked for each pair of buffers that the walk ends at.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/RowViews.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::lci;

bool lci::areDisjoint(Value left, Value right) {
  return BufferAliasAnalysis().alias(left, right).isNo();
}

Value lci::rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

//===----------------------------------------------------------------------===//
// Views of one buffer
//===----------------------------------------------------------------------===//

namespace {
/// The indices of a view on one axis of its buffer; sizes and strides may be unknown.
struct Steps {
  Offset first;
  int64_t size, stride;

  bool endsBefore(const Steps &other) const {
    return !ShapedType::isDynamic(size) && !ShapedType::isDynamic(stride) && stride > 0 &&
           first.base == other.first.base &&
           first.distance + (size - 1) * stride < other.first.distance;
  }

  /// Whether equal strides start at offsets that differ by no multiple of them.
  bool passes(const Steps &other) const {
    return !ShapedType::isDynamic(stride) && stride != 0 && stride == other.stride &&
           first.base == other.first.base && (other.first.distance - first.distance) % stride != 0;
  }

  /// These steps of a view that has steps itself, as steps of its buffer; nothing if unknown.
  std::optional<Steps> in(const Steps &around) const {
    if (ShapedType::isDynamic(around.stride) || ShapedType::isDynamic(stride) || first.base)
      return std::nullopt;
    Steps all{around.first, size, stride * around.stride};
    all.first.distance += first.distance * around.stride;
    return all;
  }
};

/// The part of a buffer that a view, or a view of a view, has.
struct BufferPart {
  Value buffer;
  SmallVector<Steps> axes;

  explicit BufferPart(memref::SubViewOp view) : buffer(view.getSource()) {
    for (auto [offset, size, stride] :
         llvm::zip_equal(view.getMixedOffsets(), view.getStaticSizes(), view.getStaticStrides()))
      axes.push_back({Offset(offset), size, stride});
    if (auto around = buffer.getDefiningOp<memref::SubViewOp>())
      widen(around);
  }

private:
  /// Says the same of the buffer of the view around, if it has the same axes.
  void widen(memref::SubViewOp view) {
    if (view.getSourceType().getRank() != view.getType().getRank())
      return;
    BufferPart around(view);
    SmallVector<Steps> all;
    for (auto [inner, outer] : llvm::zip_equal(axes, around.axes))
      if (std::optional<Steps> steps = inner.in(outer))
        all.push_back(*steps);
    if (all.size() != axes.size())
      return;
    buffer = around.buffer;
    axes = std::move(all);
  }
};
} // namespace

static bool areDisjointViews(Value left, Value right) {
  auto a = left.getDefiningOp<memref::SubViewOp>(), b = right.getDefiningOp<memref::SubViewOp>();
  if (!a || !b)
    return false;
  BufferPart one(a), other(b);
  return one.buffer == other.buffer && llvm::any_of(llvm::zip(one.axes, other.axes), [](auto both) {
           auto [x, y] = both;
           return x.endsBefore(y) || y.endsBefore(x) || x.passes(y);
         });
}

//===----------------------------------------------------------------------===//
// Ping-pong buffers, and choices
//===----------------------------------------------------------------------===//

/// The loop that carries a buffer, or that it results from, if each iteration yields the buffers
/// that it got, each once; else null.
static scf::ForOp getPingPongLoop(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                       : buffer.getDefiningOp<scf::ForOp>();
  if (!loop)
    return nullptr;
  llvm::SmallDenseSet<Value> yielded;
  for (Value next : loop.getYieldedValues()) {
    if (!isa<MemRefType>(next.getType()))
      continue;
    auto carried = dyn_cast<BlockArgument>(next);
    if (!carried || carried.getOwner() != loop.getBody() || !yielded.insert(next).second)
      return nullptr;
  }
  return loop;
}

/// Whether all buffers that a loop begins with are disjoint; then each iteration has a permutation
/// of them.
static bool beginsDisjoint(scf::ForOp loop) {
  SmallVector<Value> inits = llvm::filter_to_vector(
      loop.getInits(), [](Value init) { return isa<MemRefType>(init.getType()); });
  for (auto [i, init] : llvm::enumerate(inits))
    for (Value before : ArrayRef(inits).take_front(i))
      if (!areDisjoint(before, init))
        return false;
  return true;
}

AliasResult BufferAliasAnalysis::alias(Value left, Value right) {
  if (left != right && areDisjointViews(left, right))
    return AliasResult::NoAlias;
  left = rootOf(left);
  right = rootOf(right);
  scf::ForOp loop = getPingPongLoop(left);
  bool areCarriedTogether =
      loop && loop == getPingPongLoop(right) && isa<OpResult>(left) == isa<OpResult>(right);
  if (left != right && areCarriedTogether && beginsDisjoint(loop))
    return AliasResult::NoAlias;
  for (Value choice : {left, right})
    if (auto select = choice.getDefiningOp<arith::SelectOp>()) {
      Value other = choice == left ? right : left;
      bool isDisjoint = left != right && alias(select.getTrueValue(), other).isNo() &&
                        alias(select.getFalseValue(), other).isNo();
      return isDisjoint ? AliasResult::NoAlias : AliasResult::MayAlias;
    }
  return LocalAliasAnalysis::alias(left, right);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

bool lci::isNoAliasArgument(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  return function &&
         function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Whether it is known where a buffer comes from: it is not the result of an operation that might
/// forward another one.
static bool isObject(Value buffer) {
  if (Operation *made = buffer.getDefiningOp())
    return isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(made);
  return isa<FunctionOpInterface>(cast<BlockArgument>(buffer).getOwner()->getParentOp());
}

AliasResult BufferAliasAnalysis::aliasImpl(Value left, Value right) {
  bool hasNoAlias = isNoAliasArgument(left) || isNoAliasArgument(right);
  if (left != right && hasNoAlias && isObject(left) && isObject(right))
    return AliasResult::NoAlias;
  return LocalAliasAnalysis::aliasImpl(left, right);
}
