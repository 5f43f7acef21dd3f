//===- HostKernel.cpp - A kernel as a function of the host ----------------===//
//
// One thread runs after the other, as far as to where they meet: each stretch between barriers has
// a loop over threads of its own. A loop in which they meet is outside of those; its bounds are the
// same for all. Of a branch in which they meet each stretch asks again who has taken it. What
// threads compute from their numbers alone they compute again behind a barrier; what else they need
// there has an element for each of them in an array.
//
//===----------------------------------------------------------------------===//

#include "HostKernel.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/ExpandLookups.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

/// Whether a thread asks for something about itself.
static bool isId(Operation *op) {
  return isa<gpu::BlockIdOp, gpu::ThreadIdOp, gpu::GridDimOp, gpu::BlockDimOp>(op);
}

/// Whether threads meet in an operation.
static bool hasMeeting(Operation &op) {
  auto isMeeting = [](Operation *inner) {
    return isa<gpu::BarrierOp>(inner) || HostKernel::isExchange(inner) ? WalkResult::interrupt()
                                                                       : WalkResult::advance();
  };
  return op.walk(isMeeting).wasInterrupted();
}

/// A loop in which threads meet; null if an operation is something else.
static scf::ForOp asMeetingLoop(Operation *op) {
  auto loop = dyn_cast_or_null<scf::ForOp>(op);
  return loop && hasMeeting(*op) ? loop : nullptr;
}

/// A branch in which threads meet; null if an operation is something else.
static scf::IfOp asMeetingBranch(Operation *op) {
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  bool isFit = branch && branch->getNumResults() == 0 && !branch.elseBlock() && hasMeeting(*op);
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
// What stands between meetings
//===----------------------------------------------------------------------===//

/// Numbers the stretches of a block's operations.
LogicalResult HostKernel::divide(Block &block) {
  for (Operation &op : block) {
    scf::ForOp loop = asMeetingLoop(&op);
    scf::IfOp branch = asMeetingBranch(&op);
    // What it begins with has a loop over threads of its own.
    numSegments += loop || branch || isExchange(&op) ? 1 : 0;
    segment[&op] = numSegments;
    if (isExchange(&op) || isa<gpu::BarrierOp>(op)) {
      ++numSegments;
    } else if (loop || branch) {
      ++numSegments;
      if (failed(divide(loop ? *loop.getBody() : *branch.thenBlock())))
        return failure();
      ++numSegments;
    } else if (hasMeeting(op)) {
      return op.emitOpError("expected threads to meet in a kernel, or in loops and in branches "
                            "without results of it, but not here")
             << ErrorId::NotLowered;
    }
  }
  return success();
}

/// Whether a thread can compute a value again, wherever it is.
bool HostKernel::isAgain(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    auto loop = asMeetingLoop(argument.getOwner()->getParentOp());
    return argument.getOwner() == &kernel.getBody().front() ||
           (loop && argument == loop.getInductionVar());
  }
  auto [known, isNew] = again.try_emplace(op, false);
  if (!isNew)
    return known->second;
  bool found = isId(op) ||
               (isPlain(op) && !isExchange(op) && op->getNumResults() > 0 &&
                llvm::all_of(op->getOperands(), [&](Value operand) { return isAgain(operand); }));
  return again[op] = found;
}

/// Whether a value that can be computed again is the same for all threads of a block.
bool HostKernel::isSame(Value value) {
  Operation *op = value.getDefiningOp();
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  if (op)
    (void)getBackwardSlice(op, &slice, options);
  return llvm::none_of(slice, llvm::IsaPred<gpu::ThreadIdOp>);
}

/// Whether a thread needs a value behind a meeting.
bool HostKernel::crosses(Value value) {
  Operation *op = value.getDefiningOp();
  auto isElsewhere = [&](Operation *user) {
    while (!segment.contains(user))
      user = user->getParentOp();
    return segment.lookup(user) != segment.lookup(op);
  };
  return numSegments > 0 && llvm::any_of(value.getUsers(), isElsewhere) && !isAgain(value);
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

/// Memory of a block's, which blocks have one after the other.
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
// Doing it
//===----------------------------------------------------------------------===//

void HostKernel::emitLoops(unsigned part) {
  for (unsigned axis = kAxes; axis-- > 0;) {
    auto loop = scf::ForOp::create(b, loc, zero, extents[part + axis], one);
    ids[part + axis] = loop.getInductionVar();
    b.setInsertionPointToStart(loop.getBody());
  }
}

/// A loop over the threads of a block, as far as they have taken the branches around.
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
    scf::ForOp loop = asMeetingLoop(&op);
    scf::IfOp branch = asMeetingBranch(&op);
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

/// Threads find out whether they take it; those that do meet in it.
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
    if (!isAgain(bound) || !isSame(bound))
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

/// What threads keep becomes something else, of which each part may depend on all of it.
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

/// All threads' part of what stands between two meetings.
LogicalResult HostKernel::emitSegment(ArrayRef<Operation *> ops) {
  auto isNothing = [&](Operation *op) {
    return op->hasTrait<OpTrait::IsTerminator>()
               ? op->getNumOperands() == 0
               : op->getNumResults() > 0 &&
                     llvm::all_of(op->getResults(), [&](Value value) { return isAgain(value); });
  };
  if (numSegments > 0 && llvm::all_of(ops, isNothing))
    return success(); // it is computed where it is needed
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
    return assign(asMeetingLoop(op.getParentOp()).getRegionIterArgs(), op.getOperands());
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
  if (isa<memref::AllocaOp>(clone)) // threads have it one after the other
    clone->moveBefore(entry, entry->begin());
  return keepResults(op);
}

/// Writes what threads need of an operation behind a meeting.
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

/// A value in the loop over threads: computed there, computed again, or kept from before.
FailureOr<Value> HostKernel::find(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (op && isAgain(value)) {
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

/// What a thread asks for about itself; null if it is something else.
Value HostKernel::findId(Operation &op) {
  auto of = [](gpu::Dimension axis) { return static_cast<unsigned>(axis); };
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<gpu::BlockIdOp>([&](auto id) { return ids[of(id.getDimension())]; })
      .Case<gpu::ThreadIdOp>([&](auto id) { return ids[kAxes + of(id.getDimension())]; })
      .Case<gpu::GridDimOp>([&](auto dim) { return extents[of(dim.getDimension())]; })
      .Case<gpu::BlockDimOp>([&](auto dim) { return extents[kAxes + of(dim.getDimension())]; })
      .Default([](Operation *) { return Value(); });
}
