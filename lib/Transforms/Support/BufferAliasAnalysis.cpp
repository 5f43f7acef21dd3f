//===- BufferAliasAnalysis.cpp - Alias analysis of buffers ----------------===//
//
// Three rules before upstream's walk to the underlying buffers: disjoint views of one buffer,
// ping-pong buffers of one loop, by induction, and choices among buffers. A fourth one, of
// arguments with `llvm.noalias`, is asked for each pair of buffers that the walk ends at.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::lci;

bool mlir::lci::areDisjoint(Value left, Value right) {
  return BufferAliasAnalysis().alias(left, right).isNo();
}

Value mlir::lci::rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

//===----------------------------------------------------------------------===//
// Views of one buffer
//===----------------------------------------------------------------------===//

namespace {
/// An offset: a computed value, or zero, plus a constant distance.
struct Offset {
  Value base;
  int64_t distance = 0;

  explicit Offset(OpFoldResult offset) {
    if (std::optional<int64_t> constant = getConstantIntValue(offset)) {
      distance = *constant;
      return;
    }
    base = cast<Value>(offset);
    auto sum = base.getDefiningOp<arith::AddIOp>();
    std::optional<int64_t> more = sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
    if (more) {
      base = sum.getLhs();
      distance = *more;
    }
  }
};

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

namespace {
/// A loop, and which of its iteration arguments, or results, two values are.
struct Carried {
  scf::ForOp loop;
  unsigned one, other;
};
} // namespace

static std::optional<Carried> findCarried(Value left, Value right) {
  auto one = dyn_cast<BlockArgument>(left), other = dyn_cast<BlockArgument>(right);
  if (one && other && one.getOwner() == other.getOwner()) {
    auto loop = dyn_cast<scf::ForOp>(one.getOwner()->getParentOp());
    if (!loop)
      return std::nullopt;
    return Carried{loop, one.getArgNumber() - loop.getNumInductionVars(),
                   other.getArgNumber() - loop.getNumInductionVars()};
  }
  auto loop = left.getDefiningOp<scf::ForOp>();
  if (!loop || loop != right.getDefiningOp<scf::ForOp>())
    return std::nullopt;
  return Carried{loop, cast<OpResult>(left).getResultNumber(),
                 cast<OpResult>(right).getResultNumber()};
}

/// By induction: the loop begins with disjoint buffers, and if they are disjoint in an iteration,
/// they are in the next one.
bool BufferAliasAnalysis::carriesDisjoint(scf::ForOp loop, unsigned one, unsigned other) {
  auto [first, second] = std::minmax(one, other);
  size_t known = disjointCarried.size();
  if (!disjointCarried.insert({loop.getRegionIterArg(first), loop.getRegionIterArg(second)}))
    return true;
  OperandRange inits = loop.getInits();
  ValueRange yielded = loop.getYieldedValues();
  if (alias(inits[first], inits[second]).isNo() && alias(yielded[first], yielded[second]).isNo())
    return true;
  while (disjointCarried.size() > known) // nor is known what was concluded from the assumption
    disjointCarried.pop_back();
  return false;
}

/// Two selects by one condition are compared branch by branch.
AliasResult BufferAliasAnalysis::aliasChoice(arith::SelectOp select, Value other) {
  auto second = other.getDefiningOp<arith::SelectOp>();
  bool isPaired = second && second.getCondition() == select.getCondition();
  Value onTrue = isPaired ? second.getTrueValue() : other;
  Value onFalse = isPaired ? second.getFalseValue() : other;
  bool areDisjoint =
      alias(select.getTrueValue(), onTrue).isNo() && alias(select.getFalseValue(), onFalse).isNo();
  return areDisjoint ? AliasResult::NoAlias : AliasResult::MayAlias;
}

/// Two results of one branch are compared region by region.
AliasResult BufferAliasAnalysis::aliasBranch(scf::IfOp branch, Value left, Value right) {
  unsigned one = cast<OpResult>(left).getResultNumber();
  unsigned other = cast<OpResult>(right).getResultNumber();
  scf::YieldOp onTrue = branch.thenYield(), onFalse = branch.elseYield();
  bool areDisjoint = alias(onTrue.getOperand(one), onTrue.getOperand(other)).isNo() &&
                     alias(onFalse.getOperand(one), onFalse.getOperand(other)).isNo();
  return areDisjoint ? AliasResult::NoAlias : AliasResult::MayAlias;
}

AliasResult BufferAliasAnalysis::alias(Value left, Value right) {
  if (left != right && areDisjointViews(left, right))
    return AliasResult::NoAlias;
  left = rootOf(left);
  right = rootOf(right);
  if (left == right)
    return AliasResult::MayAlias;
  if (std::optional<Carried> carried = findCarried(left, right);
      carried && carriesDisjoint(carried->loop, carried->one, carried->other))
    return AliasResult::NoAlias;
  if (auto branch = left.getDefiningOp<scf::IfOp>();
      branch && branch == right.getDefiningOp<scf::IfOp>())
    return aliasBranch(branch, left, right);
  if (auto select = left.getDefiningOp<arith::SelectOp>())
    return aliasChoice(select, right);
  if (auto select = right.getDefiningOp<arith::SelectOp>())
    return aliasChoice(select, left);
  return LocalAliasAnalysis::alias(left, right);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

bool mlir::lci::isNoAliasArgument(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  return function &&
         function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Whether it is known where a buffer comes from: it is not the result of an operation that might
/// forward another one.
static bool isObject(Value buffer) {
  if (auto table = buffer.getDefiningOp<bufferization::ToBufferOp>())
    return matchPattern(table.getTensor(), m_Constant()); // a global by and by
  if (Operation *made = buffer.getDefiningOp())
    return isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(made);
  return isa<FunctionOpInterface>(cast<BlockArgument>(buffer).getOwner()->getParentOp());
}

/// Whether no other object is the same memory.
static bool isExclusive(Value buffer) {
  return isNoAliasArgument(buffer) ||
         isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(buffer.getDefiningOp());
}

AliasResult BufferAliasAnalysis::aliasImpl(Value left, Value right) {
  bool areObjects = isObject(left) && isObject(right);
  if (left != right && areObjects && (isExclusive(left) || isExclusive(right)))
    return AliasResult::NoAlias;
  return LocalAliasAnalysis::aliasImpl(left, right);
}
