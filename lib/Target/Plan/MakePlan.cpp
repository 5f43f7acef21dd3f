//===- MakePlan.cpp - From a host function to its launch plan -------------===//
//
// Translates the host code of kernels to a launch plan: SSA values become registers, `scf` loops
// and branches become nested steps, calls are inlined. Operations that a plan cannot express are
// errors, because the runtime that carries it out has no compiler.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Plan/MakePlan.h"
#include "LCI/Dialect/ElementSize.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/LowerBySchedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::KernelAccess;
using ::lci::Plan;
using ::lci::PlanOperand;
using ::lci::PlanOperation;
using ::lci::PlanStep;
using Steps = std::vector<PlanStep>;

/// The plan's operation for an op, if there is one.
static std::optional<PlanOperation> operationOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<PlanOperation>>(op)
      .Case<arith::AddIOp>([](auto) { return PlanOperation::Add; })
      .Case<arith::SubIOp>([](auto) { return PlanOperation::Subtract; })
      .Case<arith::MulIOp>([](auto) { return PlanOperation::Multiply; })
      .Case<arith::DivUIOp>([](auto) { return PlanOperation::Divide; })
      .Case<arith::RemUIOp>([](auto) { return PlanOperation::Remainder; })
      .Case<arith::DivSIOp>([](auto) { return PlanOperation::DivideSigned; })
      .Case<arith::RemSIOp>([](auto) { return PlanOperation::RemainderSigned; })
      .Case<arith::AndIOp>([](auto) { return PlanOperation::And; })
      .Case<arith::OrIOp>([](auto) { return PlanOperation::Or; })
      .Case<arith::XOrIOp>([](auto) { return PlanOperation::Xor; })
      .Case<arith::ShLIOp>([](auto) { return PlanOperation::ShiftLeft; })
      .Case<arith::ShRUIOp>([](auto) { return PlanOperation::ShiftRight; })
      .Case<arith::ShRSIOp>([](auto) { return PlanOperation::ShiftRightSigned; })
      .Case<arith::MinUIOp>([](auto) { return PlanOperation::Minimum; })
      .Case<arith::MaxUIOp>([](auto) { return PlanOperation::Maximum; })
      .Case<arith::MinSIOp>([](auto) { return PlanOperation::MinimumSigned; })
      .Case<arith::MaxSIOp>([](auto) { return PlanOperation::MaximumSigned; })
      .Case<arith::SelectOp>([](auto) { return PlanOperation::Select; })
      .Default([](Operation *) { return std::nullopt; });
}

/// A comparison, and whether its operands are swapped.
static std::pair<PlanOperation, bool> operationOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return {PlanOperation::Equal, false};
  case arith::CmpIPredicate::ne:
    return {PlanOperation::NotEqual, false};
  case arith::CmpIPredicate::slt:
    return {PlanOperation::LessSigned, false};
  case arith::CmpIPredicate::sle:
    return {PlanOperation::LessEqualSigned, false};
  case arith::CmpIPredicate::sgt:
    return {PlanOperation::LessSigned, true};
  case arith::CmpIPredicate::sge:
    return {PlanOperation::LessEqualSigned, true};
  case arith::CmpIPredicate::ult:
    return {PlanOperation::Less, false};
  case arith::CmpIPredicate::ule:
    return {PlanOperation::LessEqual, false};
  case arith::CmpIPredicate::ugt:
    return {PlanOperation::Less, true};
  case arith::CmpIPredicate::uge:
    return {PlanOperation::LessEqual, true};
  }
  llvm_unreachable("all predicates are listed");
}

/// The width of an integer; an index has 64 bits. Other types are moved unchanged.
static uint32_t widthOf(Type type) {
  return type.isInteger() ? static_cast<uint32_t>(type.getIntOrFloatBitWidth()) : 64;
}

namespace {
class PlanMaker {
public:
  explicit PlanMaker(func::FuncOp function) : function(function) {}

  FailureOr<Plan> make() {
    plan.symbol = function.getName().str();
    for (Value argument : function.getArguments())
      define(argument);
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("expected a body without branches") << ErrorId::NotLowered;
    if (failed(addSteps(function.front(), plan.steps)))
      return failure();
    for (BlockArgument argument : function.getArguments())
      if (isa<MemRefType>(argument.getType()) && mayBeWritten(argument))
        plan.written.push_back(argument.getArgNumber());
    return plan;
  }

private:
  /// How a kernel accesses one of its arguments.
  static KernelAccess accessOf(BlockArgument argument) {
    if (!isa<MemRefType>(argument.getType()))
      return KernelAccess::None;
    if (llvm::all_of(argument.getUsers(),
                     [](Operation *user) { return hasSingleEffect<MemoryEffects::Read>(user); }))
      return KernelAccess::Read;
    bool isSum = llvm::all_of(argument.getUsers(), [](Operation *user) {
      auto add = dyn_cast<memref::AtomicRMWOp>(user);
      return add && add.getKind() == arith::AtomicRMWKind::addi && add->use_empty();
    });
    return isSum ? KernelAccess::Add : KernelAccess::Write;
  }

  static gpu::GPUFuncOp kernelOf(gpu::LaunchFuncOp launch) {
    return SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
  }

  /// Records the accesses of a kernel's arguments, once.
  void addAccesses(gpu::LaunchFuncOp launch, uint32_t number) {
    std::vector<KernelAccess> &accesses = plan.accesses[number];
    gpu::GPUFuncOp kernel = kernelOf(launch);
    if (kernel && accesses.empty())
      for (BlockArgument argument : kernel.getArguments().take_front(launch.getNumKernelOperands()))
        accesses.push_back(accessOf(argument));
  }

  /// Whether a buffer may be written by a kernel, or escapes into another operation of the host.
  static bool mayBeWritten(Value buffer) {
    return llvm::any_of(buffer.getUses(), [](OpOperand &use) {
      if (isa<memref::LoadOp>(use.getOwner()))
        return false;
      auto launch = dyn_cast<gpu::LaunchFuncOp>(use.getOwner());
      if (!launch)
        return true;
      gpu::GPUFuncOp kernel = kernelOf(launch);
      unsigned number = use.getOperandNumber() - launch.getKernelOperands().getBeginOperandIndex();
      return !kernel || accessOf(kernel.getArgument(number)) != KernelAccess::Read;
    });
  }

  uint32_t define(Value value) {
    registers[value] = plan.registers;
    return plan.registers++;
  }

  PlanOperand operandOf(Value value) {
    APInt integer;
    APFloat number(0.0F);
    if (matchPattern(value, m_ConstantInt(&integer)))
      return PlanOperand::literal(static_cast<int64_t>(integer.getZExtValue()));
    if (matchPattern(value, m_ConstantFloat(&number)))
      return PlanOperand::literal(static_cast<int64_t>(number.bitcastToAPInt().getZExtValue()));
    return PlanOperand::reg(registers.lookup(value));
  }

  LogicalResult addSteps(Block &block, Steps &steps) {
    for (Operation &op : block.without_terminator())
      if (failed(addStep(&op, steps)))
        return failure();
    return success();
  }

  LogicalResult addStep(Operation *op, Steps &steps) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<arith::ConstantOp, memref::DeallocOp>([](auto) { return success(); })
        .Case<gpu::LaunchFuncOp, scf::ForOp, scf::IfOp, memref::AllocOp, memref::ViewOp,
              memref::LoadOp, func::CallOp>([&](auto known) { return add(known, steps); })
        .Case<arith::CmpIOp>([&](arith::CmpIOp compare) {
          auto [operation, swaps] = operationOf(compare.getPredicate());
          Value left = compare.getLhs(), right = compare.getRhs();
          addComputation(compare, operation, widthOf(left.getType()),
                         {swaps ? right : left, swaps ? left : right}, steps);
          return success();
        })
        .Case<arith::IndexCastOp, arith::ExtSIOp>([&](Operation *cast) {
          // A narrower integer is sign-extended, then cut to the width of the result.
          Type from = cast->getOperand(0).getType(), to = cast->getResult(0).getType();
          addComputation(cast, PlanOperation::SignExtend, widthOf(from), cast->getOperands(),
                         steps);
          PlanStep &cut = steps.emplace_back(steps.back());
          cut.operation = PlanOperation::Move;
          cut.width = widthOf(to);
          cut.operands = {PlanOperand::reg(cut.result)};
          return success();
        })
        .Case<memref::ExtractAlignedPointerAsIndexOp>([&](Operation *address) {
          addComputation(address, PlanOperation::Move, 64, address->getOperands(), steps);
          return success();
        })
        .Case<arith::IndexCastUIOp, arith::ExtUIOp, arith::TruncIOp>([&](Operation *cast) {
          uint32_t width = std::min(widthOf(cast->getOperand(0).getType()),
                                    widthOf(cast->getResult(0).getType()));
          addComputation(cast, PlanOperation::Move, width, cast->getOperands(), steps);
          return success();
        })
        .Default([&](Operation *other) { return addOther(other, steps); });
  }

  /// Integer arithmetic, and a choice between two buffers.
  LogicalResult addOther(Operation *op, Steps &steps) {
    std::optional<PlanOperation> operation = operationOf(op);
    if (!operation || (!isa<arith::SelectOp>(op) && !op->getResult(0).getType().isIntOrIndex()))
      return op->emitOpError("has no place in a launch plan, which computes integers only; the "
                             "kernels should compute it")
             << ErrorId::NotLowered;
    addComputation(op, *operation, widthOf(op->getResult(0).getType()), op->getOperands(), steps);
    return success();
  }

  void addComputation(Operation *op, PlanOperation operation, uint32_t width, ValueRange operands,
                      Steps &steps) {
    PlanStep step;
    step.operation = operation;
    step.width = width;
    for (Value operand : operands)
      step.operands.push_back(operandOf(operand));
    step.result = define(op->getResult(0));
    steps.push_back(std::move(step));
  }

  void addMove(uint32_t to, PlanOperand from, Steps &steps) {
    PlanStep step;
    step.operands = {from};
    step.result = to;
    steps.push_back(std::move(step));
  }

  LogicalResult add(memref::AllocOp alloc, Steps &steps) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return alloc.emitOpError("expected a buffer of known size") << ErrorId::NotLowered;
    PlanStep step;
    step.kind = PlanStep::Kind::Allocate;
    step.operands = {PlanOperand::literal(bytesOfArray(type))};
    step.result = define(alloc);
    steps.push_back(std::move(step));
    return success();
  }

  /// Memory of an allocation, which nothing needs before this step (lci-share-scratch).
  LogicalResult add(memref::ViewOp view, Steps &steps) {
    std::optional<int64_t> from = getConstantIntValue(view.getByteShift());
    if (!view.getSource().getDefiningOp<memref::AllocOp>() || !from ||
        !view.getType().hasStaticShape())
      return view.emitOpError("expected a part of an allocation, from a known byte on")
             << ErrorId::NotLowered;
    PlanStep step;
    step.kind = PlanStep::Kind::View;
    step.operands = {operandOf(view.getSource()), PlanOperand::literal(*from),
                     PlanOperand::literal(bytesOfArray(view.getType()))};
    step.result = define(view);
    steps.push_back(std::move(step));
    return success();
  }

  /// Reads an array element that is the same on the host and on the device: of an argument that
  /// nothing writes, such as a region's bounds, which determine the number of threads.
  LogicalResult add(memref::LoadOp load, Steps &steps) {
    auto argument = dyn_cast<BlockArgument>(load.getMemref());
    MemRefType type = load.getMemRefType();
    std::optional<SmallVector<int64_t>> indices =
        getConstantIntValues(getAsOpFoldResult(load.getIndices()));
    uint32_t width = widthOf(type.getElementType());
    int64_t bytes = bytesOfElement(type.getElementType());
    if (!argument || argument.getOwner() != &function.front() || mayBeWritten(argument) ||
        !indices || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !type.getElementType().isIntOrIndex() || (width > 1 && width != 8 * bytes))
      return addOther(load, steps);
    PlanStep step;
    step.kind = PlanStep::Kind::Read;
    step.width = std::max(width, 8U); // an i1 has a byte, 0 or 1
    int64_t element = 0;
    for (auto [index, extent] : llvm::zip_equal(*indices, type.getShape()))
      element = element * extent + index;
    step.operands = {PlanOperand::reg(registers.lookup(argument)),
                     PlanOperand::literal(element * bytes)};
    step.result = define(load);
    steps.push_back(std::move(step));
    return success();
  }

  /// Inlines the callee into the plan.
  LogicalResult add(func::CallOp call, Steps &steps) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (!callee || !callee.getBody().hasOneBlock())
      return call.emitOpError("expected a function of this module without branches")
             << ErrorId::NotLowered;
    for (auto [argument, operand] : llvm::zip_equal(callee.getArguments(), call.getOperands()))
      addMove(define(argument), operandOf(operand), steps);
    if (failed(addSteps(callee.front(), steps)))
      return failure();
    Operation *end = callee.front().getTerminator();
    for (auto [result, value] : llvm::zip_equal(call.getResults(), end->getOperands()))
      addMove(define(result), operandOf(value), steps);
    return success();
  }

  LogicalResult add(gpu::LaunchFuncOp launch, Steps &steps) {
    if (launch->getNumResults() > 0 || !launch.getAsyncDependencies().empty() ||
        launch.hasClusterSize() || launch.getDynamicSharedMemorySize())
      return launch.emitOpError("expected a kernel without clusters or shared memory that the host "
                                "asks for its size")
             << ErrorId::NotLowered;
    PlanStep step;
    step.kind = PlanStep::Kind::Launch;
    step.kernel = plan.numberOf(launch.getKernelName().str());
    addAccesses(launch, step.kernel);
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    for (auto [axis, side] : llvm::enumerate(std::array<Value, 3>{grid.x, grid.y, grid.z}))
      step.blocks[axis] = operandOf(side);
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    for (auto [axis, side] : llvm::enumerate(std::array<Value, 3>{block.x, block.y, block.z})) {
      std::optional<int64_t> number = getConstantIntValue(side);
      if (!number)
        return launch.emitOpError("expected a known number of threads in a block")
               << ErrorId::NotLowered;
      step.threads[axis] = static_cast<uint32_t>(*number);
    }
    for (Value operand : launch.getKernelOperands())
      step.operands.push_back(operandOf(operand));
    steps.push_back(std::move(step));
    return success();
  }

  LogicalResult add(scf::ForOp loop, Steps &steps) {
    if (widthOf(loop.getInductionVar().getType()) != 64 || loop.getUnsignedCmp())
      return loop.emitOpError("expected a signed counter of 64 bits") << ErrorId::NotLowered;
    for (auto [inner, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInits()))
      addMove(define(inner), operandOf(init), steps);
    PlanStep step;
    step.kind = PlanStep::Kind::Loop;
    step.operands = {operandOf(loop.getLowerBound()), operandOf(loop.getUpperBound()),
                     operandOf(loop.getStep())};
    step.result = define(loop.getInductionVar());
    if (failed(addSteps(*loop.getBody(), step.body)))
      return failure();
    // The loop may permute the carried values: all are read before any is replaced.
    SmallVector<uint32_t> taken;
    for (Value next : loop.getYieldedValues()) {
      taken.push_back(plan.registers++);
      addMove(taken.back(), operandOf(next), step.body);
    }
    for (auto [inner, next] : llvm::zip_equal(loop.getRegionIterArgs(), taken))
      addMove(registers.lookup(inner), PlanOperand::reg(next), step.body);
    for (auto [result, inner] : llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
      registers[result] = registers.lookup(inner);
    steps.push_back(std::move(step));
    return success();
  }

  LogicalResult add(scf::IfOp choice, Steps &steps) {
    PlanStep step;
    step.kind = PlanStep::Kind::If;
    step.operands = {operandOf(choice.getCondition())};
    for (Value result : choice.getResults())
      define(result);
    auto addBranch = [&](Block *branch, Steps &into) {
      if (!branch)
        return success();
      if (failed(addSteps(*branch, into)))
        return failure();
      for (auto [result, yielded] :
           llvm::zip_equal(choice.getResults(), branch->getTerminator()->getOperands()))
        addMove(registers.lookup(result), operandOf(yielded), into);
      return success();
    };
    if (failed(addBranch(choice.thenBlock(), step.body)) ||
        failed(addBranch(choice.elseBlock(), step.otherwise)))
      return failure();
    steps.push_back(std::move(step));
    return success();
  }

  func::FuncOp function;
  Plan plan;
  llvm::DenseMap<Value, uint32_t> registers;
};
} // namespace

FailureOr<Plan> mlir::lci::makePlan(func::FuncOp function) { return PlanMaker(function).make(); }

static LogicalResult lowerToKernels(ModuleOp module, const KernelPipelineOptions &options,
                                    const ScheduleText &schedule) {
  if (!module.getOps<gpu::GPUModuleOp>().empty())
    return success();
  CompilerPasses manager(module.getContext());
  if (schedule.empty())
    buildKernelPipeline(manager, options);
  else
    addGPUTarget(manager, options.target);
  if (failed(manager.run(module)))
    return failure();
  return schedule.empty() ? success() : lowerToKernelsBySchedule(module, schedule);
}

LogicalResult mlir::lci::exportPlans(ModuleOp module, const KernelPipelineOptions &options,
                                     llvm::raw_ostream &output, const ScheduleText &schedule) {
  OwningOpRef<ModuleOp> lowered = module.clone();
  if (failed(lowerToKernels(*lowered, options, schedule)))
    return failure();
  auto functions = llvm::make_filter_range(
      lowered->getOps<func::FuncOp>(), [](func::FuncOp function) { return !function.isPrivate(); });
  if (functions.empty())
    return emitError(module.getLoc(), "has no tick to make a plan of") << ErrorId::CannotCompile;
  for (func::FuncOp function : functions) {
    FailureOr<Plan> plan = makePlan(function);
    if (failed(plan))
      return failure();
    output << ::lci::printPlan(*plan);
  }
  return success();
}
