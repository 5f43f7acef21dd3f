//===- HostKernel.cpp - Emulation of a kernel on the host -----------------===//
//
// Threads run sequentially between barriers: each segment between two of them has its loop over
// threads. A loop that contains barriers is outside of those; its bounds are uniform. In a branch
// that contains barriers each segment tests again which threads have taken it. Values that
// follow from the thread's ids alone are recomputed behind a barrier; other live values have an
// element per thread in an array.
//===----------------------------------------------------------------------===//

#include "HostKernel.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Transforms/Support/ExpandLookups.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

/// Whether an operation reads an id or a size of the launch.
static bool isId(Operation *op) {
  return isa<gpu::BlockIdOp, gpu::ThreadIdOp, gpu::GridDimOp, gpu::BlockDimOp>(op);
}

/// Whether an operation is or contains a barrier or an exchange.
static bool hasBarrier(Operation &op) {
  auto isBarrier = [](Operation *inner) {
    return isa<gpu::BarrierOp>(inner) || HostKernel::isExchange(inner) ? WalkResult::interrupt()
                                                                       : WalkResult::advance();
  };
  return op.walk(isBarrier).wasInterrupted();
}

/// A loop that contains barriers; null otherwise.
static scf::ForOp asBarrierLoop(Operation *op) {
  auto loop = dyn_cast_or_null<scf::ForOp>(op);
  return loop && hasBarrier(*op) ? loop : nullptr;
}

/// A branch that contains barriers; null otherwise.
static scf::IfOp asBarrierBranch(Operation *op) {
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  bool isFit = branch && branch->getNumResults() == 0 && !branch.elseBlock() && hasBarrier(*op);
  return isFit ? branch : nullptr;
}

FailureOr<func::FuncOp> HostKernel::build(StringRef name) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitOpError("expected a body without branches") << ErrorId::NotLowered;
  SmallVector<Type> types(2 * kAxes, b.getIndexType());
  llvm::append_range(types, kernel.getArgumentTypes());
  auto function = func::FuncOp::create(b, loc, name, b.getFunctionType(types, {}));
  function.setPrivate();
  entry = function.addEntryBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  func::ReturnOp::create(b, loc);
  b.setInsertionPointToStart(entry);
  extents = llvm::to_vector_of<Value>(entry->getArguments().take_front(2 * kAxes));
  for (auto [inner, outer] :
       llvm::zip(kernel.getArguments(), entry->getArguments().drop_front(2 * kAxes)))
    shared.map(inner, outer);
  ids.resize(2 * kAxes);
  zero = arith::ConstantIndexOp::create(b, loc, 0);
  one = arith::ConstantIndexOp::create(b, loc, 1);
  Block &body = kernel.getBody().front();
  if (failed(shareMemory()) || failed(divide(body)))
    return failure();
  emitLoops(0);
  if (failed(emit(body)))
    return failure();
  b.setInsertionPoint(entry->getTerminator());
  for (Value memory : allocated)
    memref::DeallocOp::create(b, loc, memory);
  roundOnHost(function);
  expandLookups(function);
  return function;
}

//===----------------------------------------------------------------------===//
// Segments between barriers
//===----------------------------------------------------------------------===//

/// Numbers the segments of a block's operations.
LogicalResult HostKernel::divide(Block &block) {
  for (Operation &op : block) {
    scf::ForOp loop = asBarrierLoop(&op);
    scf::IfOp branch = asBarrierBranch(&op);
    // The segment before it ends here.
    numSegments += loop || branch || isExchange(&op) ? 1 : 0;
    segment[&op] = numSegments;
    if (isExchange(&op) || isa<gpu::BarrierOp>(op)) {
      ++numSegments;
    } else if (loop || branch) {
      ++numSegments;
      if (failed(divide(loop ? *loop.getBody() : *branch.thenBlock())))
        return failure();
      ++numSegments;
    } else if (hasBarrier(op)) {
      return op.emitOpError("expected threads to meet in a kernel, or in loops and in branches "
                            "without results of it, but not here")
             << ErrorId::NotLowered;
    }
  }
  return success();
}

/// Whether a thread can recompute a value anywhere.
bool HostKernel::isRecomputable(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    auto loop = asBarrierLoop(argument.getOwner()->getParentOp());
    return argument.getOwner() == &kernel.getBody().front() ||
           (loop && argument == loop.getInductionVar());
  }
  auto [known, isNew] = recomputable.try_emplace(op, false);
  if (!isNew)
    return known->second;
  bool found = isId(op) || (isPlain(op) && !isExchange(op) && op->getNumResults() > 0 &&
                            llvm::all_of(op->getOperands(),
                                         [&](Value operand) { return isRecomputable(operand); }));
  return recomputable[op] = found;
}

/// Whether a value that can be recomputed is uniform over a block.
bool HostKernel::isUniform(Value value) {
  Operation *op = value.getDefiningOp();
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  if (op)
    (void)getBackwardSlice(op, &slice, options);
  return llvm::none_of(slice, llvm::IsaPred<gpu::ThreadIdOp>);
}

/// Whether a value is live across a barrier and cannot be recomputed.
bool HostKernel::crosses(Value value) {
  Operation *op = value.getDefiningOp();
  auto isElsewhere = [&](Operation *user) {
    while (!segment.contains(user))
      user = user->getParentOp();
    return segment.lookup(user) != segment.lookup(op);
  };
  return numSegments > 0 && llvm::any_of(value.getUsers(), isElsewhere) && !isRecomputable(value);
}

Value HostKernel::allocate(MemRefType type, ValueRange extents) {
  OpBuilder outside = OpBuilder::atBlockBegin(entry);
  allocated.push_back(memref::AllocOp::create(outside, loc, type, extents));
  return allocated.back();
}

/// The array in which threads keep a value.
FailureOr<Value> HostKernel::slotOf(Value value) {
  Value &slot = slots[value];
  if (slot)
    return slot;
  if (!MemRefType::isValidElementType(value.getType()) || isa<MemRefType>(value.getType()))
    return emitError(value.getLoc(),
                     "expected a number where threads keep something while they meet")
           << ErrorId::NotLowered;
  return slot = allocateSlot(value.getType());
}

/// An array with an element for each thread of a block.
Value HostKernel::allocateSlot(Type type) {
  SmallVector<int64_t> sides(kAxes, ShapedType::kDynamic);
  SmallVector<Value> threads(llvm::reverse(ArrayRef(extents).drop_front(kAxes)));
  return allocate(MemRefType::get(sides, type), threads);
}

/// Workgroup memory, which sequential blocks share.
LogicalResult HostKernel::shareMemory() {
  for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
    for (Operation *user : memory.getUsers())
      if (!isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp>(user))
        return user->emitOpError("expected loads and stores of workgroup memory")
               << ErrorId::NotLowered;
    auto type = cast<MemRefType>(memory.getType());
    shared.map(memory,
               allocate(MemRefType::get(type.getShape(), type.getElementType()), ValueRange()));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

void HostKernel::emitLoops(unsigned part) {
  for (unsigned axis = kAxes; axis-- > 0;) {
    auto loop = scf::ForOp::create(b, loc, zero, extents[part + axis], one);
    ids[part + axis] = loop.getInductionVar();
    b.setInsertionPointToStart(loop.getBody());
  }
}

/// A loop over the threads of a block that have taken the branches around.
void HostKernel::enterThreads() {
  emitLoops(kAxes);
  mapping = IRMapping(shared);
  for (Value condition : conditions) {
    Value taken = memref::LoadOp::create(b, loc, condition, slotIndices());
    auto branch = scf::IfOp::create(b, loc, taken, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
}

LogicalResult HostKernel::emit(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block) {
    scf::ForOp loop = asBarrierLoop(&op);
    scf::IfOp branch = asBarrierBranch(&op);
    if (!loop && !branch && !isExchange(&op) && !isa<gpu::BarrierOp>(op)) {
      ops.push_back(&op);
      continue;
    }
    if (failed(emitSegment(ops)) || (loop && failed(emitLoop(loop))) ||
        (branch && failed(emitBranch(branch))) || (isExchange(&op) && failed(emitExchange(op))))
      return failure();
    ops.clear();
  }
  return emitSegment(ops);
}

/// Threads store whether they take the branch; its segments run for those that do.
LogicalResult HostKernel::emitBranch(scf::IfOp branch) {
  Value slot = allocateSlot(b.getI1Type());
  {
    OpBuilder::InsertionGuard guard(b);
    enterThreads();
    FailureOr<Value> condition = find(branch.getCondition());
    if (failed(condition))
      return failure();
    memref::StoreOp::create(b, loc, *condition, slot, slotIndices());
  }
  conditions.push_back(slot);
  LogicalResult emitted = emit(*branch.thenBlock());
  conditions.pop_back();
  return emitted;
}

LogicalResult HostKernel::emitLoop(scf::ForOp loop) {
  mapping = IRMapping(shared);
  SmallVector<Value> bounds;
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
    if (!isRecomputable(bound) || !isUniform(bound))
      return loop.emitOpError("expected the bounds of a loop in which threads meet to be the same "
                              "for all of them")
             << ErrorId::NotLowered;
    bounds.push_back(*find(bound));
  }
  auto outer = scf::ForOp::create(b, loc, bounds[0], bounds[1], bounds[2], ValueRange(),
                                  /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  for (auto [carried, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults())) {
    FailureOr<Value> slot = slotOf(carried);
    if (failed(slot))
      return failure();
    slots[result] = *slot;
  }
  if (loop.getNumResults() > 0) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(outer);
    emitLoops(kAxes);
    if (failed(assign(loop.getRegionIterArgs(), loop.getInits())))
      return failure();
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(outer.getBody());
  shared.map(loop.getInductionVar(), outer.getInductionVar());
  return emit(*loop.getBody());
}

/// Assigns to the carried values of threads; each may depend on all of the old ones.
LogicalResult HostKernel::assign(ValueRange to, ValueRange from) {
  SmallVector<Value> values;
  for (Value value : from) {
    FailureOr<Value> found = find(value);
    if (failed(found))
      return failure();
    values.push_back(*found);
  }
  for (auto [place, value] : llvm::zip_equal(to, values))
    memref::StoreOp::create(b, loc, value, slots.lookup(place), slotIndices());
  return success();
}

/// A segment, for all threads.
LogicalResult HostKernel::emitSegment(ArrayRef<Operation *> ops) {
  auto isNothing = [&](Operation *op) {
    return op->hasTrait<OpTrait::IsTerminator>()
               ? op->getNumOperands() == 0
               : op->getNumResults() > 0 && llvm::all_of(op->getResults(), [&](Value value) {
                   return isRecomputable(value);
                 });
  };
  if (numSegments > 0 && llvm::all_of(ops, isNothing))
    return success(); // it is recomputed by its users
  OpBuilder::InsertionGuard guard(b);
  enterThreads();
  for (Operation *op : ops)
    if (failed(emitThread(*op)))
      return failure();
  return success();
}

LogicalResult HostKernel::emitThread(Operation &op) {
  if (isa<gpu::ReturnOp>(op) || (isa<scf::YieldOp>(op) && op.getNumOperands() == 0))
    return success();
  if (isa<scf::YieldOp>(op))
    return assign(asBarrierLoop(op.getParentOp()).getRegionIterArgs(), op.getOperands());
  if (Value known = findId(op)) {
    mapping.map(op.getResult(0), known);
    return success();
  }
  auto isForeign = [](Operation *inner) {
    bool isKnown =
        !isa<gpu::GPUDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect>(inner->getDialect());
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  };
  if (op.walk(isForeign).wasInterrupted())
    return op.emitOpError("expected a kernel whose threads meet at barriers and products, but this "
                          "has no form on the host")
           << ErrorId::NotLowered;
  SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  for (Value value : used)
    if (failed(find(value)))
      return failure();
  Operation *clone = b.clone(op, mapping);
  if (isa<memref::AllocaOp>(clone)) // sequential threads share it
    clone->moveBefore(entry, entry->begin());
  return keepResults(op);
}

/// Stores the results of an operation that are live across a barrier.
LogicalResult HostKernel::keepResults(Operation &op) {
  for (Value result : op.getResults()) {
    if (!crosses(result))
      continue;
    FailureOr<Value> slot = slotOf(result);
    if (failed(slot))
      return failure();
    memref::StoreOp::create(b, loc, mapping.lookup(result), *slot, slotIndices());
  }
  return success();
}

/// A value in the loop over threads: computed there, recomputed, or loaded from before.
FailureOr<Value> HostKernel::find(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (op && isRecomputable(value)) {
    if (Value id = findId(*op)) {
      mapping.map(value, id);
      return id;
    }
    for (Value operand : op->getOperands())
      if (failed(find(operand)))
        return failure();
    b.clone(*op, mapping);
    return mapping.lookup(value);
  }
  FailureOr<Value> slot = slotOf(value);
  if (failed(slot))
    return failure();
  Value kept = memref::LoadOp::create(b, loc, *slot, slotIndices());
  mapping.map(value, kept);
  return kept;
}

/// The value of an id or a size of the launch; null for other operations.
Value HostKernel::findId(Operation &op) {
  auto of = [](gpu::Dimension axis) { return static_cast<unsigned>(axis); };
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<gpu::BlockIdOp>([&](auto id) { return ids[of(id.getDimension())]; })
      .Case<gpu::ThreadIdOp>([&](auto id) { return ids[kAxes + of(id.getDimension())]; })
      .Case<gpu::GridDimOp>([&](auto dim) { return extents[of(dim.getDimension())]; })
      .Case<gpu::BlockDimOp>([&](auto dim) { return extents[kAxes + of(dim.getDimension())]; })
      .Default([](Operation *) { return Value(); });
}
