//===- Cost.cpp - What lowered code costs, by counting --------------------===//
//
// Walks the function that runs epochs. Of a loop, one iteration in the middle and the next are
// counted, the rest is a product. Of two branches neither of which is known to be taken, half of
// each is. Loops without a trip count are taken once.
//
//===----------------------------------------------------------------------===//

#include "LCI/Pipelines/Search/Cost.h"
#include "Footprint.h"
#include "KnownValues.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Dialect/Targets.h"
#include "OperationCosts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::lci;

std::string Cost::text() const {
  return llvm::formatv(
             "{0:F0} cycles, {1:F0} operations, {2:F0} bytes from the second cache, {3:F0} "
             "from the third, {4:F0} from memory, {5:F0} launches",
             cycles, operations, bytes[0], bytes[1], bytes[2], launches)
      .str();
}

/// Instructions around a call.
static constexpr double kCallOverhead = 10;

namespace {
/// Walks code with the known values.
class Counter {
public:
  Counter(ModuleOp module, const CostMachine &machine)
      : symbols(module), machine(machine), vectorBits(getCPUTarget(module).vectorBits) {}

  Counts count(func::FuncOp function, KnownValues &known);

private:
  Counts count(Block &block, KnownValues &known);
  Counts count(Operation &op, KnownValues &known);
  Counts countLoop(scf::ForOp loop, KnownValues &known);
  Counts countParallel(LoopLikeOpInterface loop, KnownValues &known);
  Counts countBranch(scf::IfOp branch, KnownValues &known);
  Counts countCall(func::CallOp call, KnownValues &known);
  Counts countLaunch(gpu::LaunchFuncOp launch, KnownValues &known);
  Counts countLinalg(linalg::LinalgOp op, KnownValues &known);
  Counts countAccess(const Access &access, const KnownValues &known);
  Counts countOther(Operation &op, KnownValues &known);
  /// `times` instructions; of vectors, those that they take.
  Counts instructions(double times, bool isVector) const;
  double costOf(Operation &op) const;

  SymbolTable symbols;
  const CostMachine &machine;
  int64_t vectorBits;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Counts Counter::instructions(double times, bool isVector) const {
  Counts counts;
  counts.operations = times;
  counts.cycles = times / (isVector ? machine.vectorOpsPerCycle : machine.scalarOpsPerCycle);
  return counts;
}

/// How many vectors an operation computes, by the widest type that it has.
double Counter::costOf(Operation &op) const {
  int64_t bits = 0;
  for (Type type : llvm::concat<Type>(llvm::to_vector(op.getResultTypes()),
                                      llvm::to_vector(op.getOperandTypes())))
    if (isa<VectorType>(type))
      bits = std::max(bits, bitsOf(type));
  return weightOf(op) * std::max(1.0, double(bits) / vectorBits);
}

Counts Counter::countAccess(const Access &access, const KnownValues &known) {
  double bits = bitsOf(access.type);
  Counts counts = instructions(std::max(1.0, bits / vectorBits), isa<VectorType>(access.type));
  if (const Place *place = known.placeOf(access.buffer))
    append(
        counts,
        accessTo(place->root, known.extentAt(*place, access.indices, std::max(bits / kByte, 1.0))),
        machine);
  return counts;
}

Counts Counter::countOther(Operation &op, KnownValues &known) {
  Counts counts;
  for (Region &region : op.getRegions())
    for (Block &block : region)
      append(counts, count(block, known), machine);
  bool isVector = llvm::any_of(op.getOperandTypes(), llvm::IsaPred<VectorType>);
  append(counts, instructions(costOf(op), isVector), machine);
  return counts;
}

Counts Counter::count(Operation &op, KnownValues &known) {
  known.follow(op);
  if (std::optional<Access> access = accessOf(op))
    return countAccess(*access, known);
  return llvm::TypeSwitch<Operation *, Counts>(&op)
      .Case([&](scf::ForOp loop) { return countLoop(loop, known); })
      .Case<scf::ForallOp, scf::ParallelOp>([&](auto loop) { return countParallel(loop, known); })
      .Case([&](scf::IfOp branch) { return countBranch(branch, known); })
      .Case([&](func::CallOp call) { return countCall(call, known); })
      .Case([&](gpu::LaunchFuncOp launch) { return countLaunch(launch, known); })
      .Case([&](linalg::LinalgOp nest) { return countLinalg(nest, known); })
      .Default([&](Operation *other) { return countOther(*other, known); });
}

Counts Counter::count(Block &block, KnownValues &known) {
  Counts counts;
  for (Operation &op : block.without_terminator())
    append(counts, count(op, known), machine);
  return counts;
}

//===----------------------------------------------------------------------===//
// Loops, branches and calls
//===----------------------------------------------------------------------===//

/// The iterations from one bound to another; one if that is not known.
static int64_t tripsOf(std::optional<int64_t> from, std::optional<int64_t> to,
                       std::optional<int64_t> step) {
  if (!from || !to || !step || *step <= 0)
    return 1;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*to - *from, *step));
}

/// Counts an iteration in the middle and the next.
static Counts countTwice(llvm::function_ref<Counts(int64_t)> countAt, int64_t trips,
                         const CostMachine &machine) {
  if (trips == 0)
    return {};
  Counts body = countAt(trips / 2), next = trips > 1 ? countAt(trips / 2 + 1) : Counts();
  return repeat(body, trips > 1 ? next : body, trips, machine);
}

Counts Counter::countLoop(scf::ForOp loop, KnownValues &known) {
  std::optional<int64_t> from = known.numberOf(loop.getLowerBound()),
                         step = known.numberOf(loop.getStep());
  int64_t trips = tripsOf(from, known.numberOf(loop.getUpperBound()), step);
  for (auto [init, inside] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs())) {
    known.copy(init, inside);
    if (trips != 1)
      known.set(inside, std::nullopt);
  }
  auto countAt = [&](int64_t trip) {
    known.set(loop.getInductionVar(),
              from && step ? std::optional(*from + trip * *step) : std::nullopt);
    return count(*loop.getBody(), known);
  };
  Counts counts = countTwice(countAt, trips, machine);
  for (auto [yielded, result] : llvm::zip_equal(loop.getYieldedValues(), loop.getResults()))
    known.copy(yielded, result);
  append(counts, instructions(2.0 * trips, /*isVector=*/false), machine);
  return counts;
}

Counts Counter::countParallel(LoopLikeOpInterface loop, KnownValues &known) {
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> froms = loop.getLoopLowerBounds(),
                                           tos = loop.getLoopUpperBounds(),
                                           steps = loop.getLoopSteps();
  int64_t trips = 1;
  for (auto [iv, from, to, step] : llvm::zip_equal(*ivs, *froms, *tos, *steps)) {
    std::optional<int64_t> first = known.numberOf(from), by = known.numberOf(step);
    int64_t along = tripsOf(first, known.numberOf(to), by);
    known.set(iv, first && by ? std::optional(*first + along / 2 * *by) : std::nullopt);
    trips *= along;
  }
  std::optional<int64_t> middle = known.numberOf(ivs->back()), step = known.numberOf(steps->back());
  auto countAt = [&](int64_t trip) {
    if (middle && step)
      known.set(ivs->back(), *middle + (trip - trips / 2) * *step);
    return count(loop.getLoopRegions().front()->front(), known);
  };
  Counts counts = countTwice(countAt, trips, machine);
  counts.cycles /= std::clamp<double>(trips, 1, machine.threads);
  return counts;
}

/// Half of all counts.
static Counts halve(Counts counts) {
  for (double *part : {&counts.operations, &counts.cycles, &counts.launches})
    *part /= 2;
  for (double &bytes : counts.bytes)
    bytes /= 2;
  for (auto &[buffer, extent] : counts.data)
    extent.bytes /= 2;
  return counts;
}

Counts Counter::countBranch(scf::IfOp branch, KnownValues &known) {
  std::optional<int64_t> taken = known.numberOf(branch.getCondition());
  auto countIn = [&](Region &region) {
    return region.empty() ? Counts() : count(region.front(), known);
  };
  if (taken)
    return countIn(*taken ? branch.getThenRegion() : branch.getElseRegion());
  Counts counts = halve(countIn(branch.getThenRegion()));
  append(counts, halve(countIn(branch.getElseRegion())), machine);
  return counts;
}

Counts Counter::count(func::FuncOp function, KnownValues &known) {
  return function.isDeclaration() ? Counts() : count(function.front(), known);
}

Counts Counter::countCall(func::CallOp call, KnownValues &known) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isDeclaration())
    return instructions(1, /*isVector=*/false);
  for (auto [operand, argument] : llvm::zip_equal(call.getOperands(), callee.getArguments()))
    known.copy(operand, argument);
  Counts counts = count(callee, known);
  append(counts, instructions(kCallOverhead, /*isVector=*/false), machine);
  return counts;
}

//===----------------------------------------------------------------------===//
// Linalg
//===----------------------------------------------------------------------===//

/// The iterations along each loop of an operation, from the shapes of its operands.
static SmallVector<int64_t> tripsOf(linalg::LinalgOp op, const KnownValues &known) {
  SmallVector<int64_t> trips(op.getNumLoops(), 1);
  for (OpOperand &operand : op->getOpOperands()) {
    const Place *place = known.placeOf(operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned i = 0; place && i < map.getNumResults(); ++i)
      if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(i)))
        trips[loop.getPosition()] = std::max(trips[loop.getPosition()], place->sizeOf(i));
  }
  return trips;
}

/// Whether an output is a sum of numbers along the innermost loop, whose order is fixed.
static bool isOrderedSum(linalg::LinalgOp op, OpOperand &output) {
  AffineMap map = op.getMatchingIndexingMap(&output);
  bool isAlong = map.isFunctionOfDim(map.getNumDims() - 1);
  return !isAlong && isa<FloatType>(getElementTypeOrSelf(output.get().getType()));
}

/// Whether the innermost loop can be computed by vectors: nothing but arithmetic is in it.
static bool isVectorizable(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0)
    return false;
  for (OpOperand &output : op.getDpsInitsMutable())
    if (isOrderedSum(op, output))
      return false;
  return llvm::all_of(op->getRegion(0).front(), [](Operation &inside) {
    return inside.getNumRegions() == 0 && !accessOf(inside);
  });
}

/// The loads and stores for one cell, as parts of a vector; those that are not contiguous take a
/// whole instruction.
static double accessesPerCell(linalg::LinalgOp op, double vectorBits, const KnownValues &known) {
  double accesses = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    const Place *place = known.placeOf(operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!place || map.getNumResults() == 0)
      continue; // a number, which stays in a register
    std::optional<double> stride = place->strides.back();
    bool isDense = !stride || *stride == place->elementBytes;
    accesses += isDense ? kByte * place->elementBytes / vectorBits : 1;
  }
  return accesses;
}

/// How much longer rows take than whole vectors of their elements.
static double raggedness(int64_t row, double bits, double vectorBits) {
  double vectors = row * bits / vectorBits;
  return vectors > 0 ? std::ceil(vectors) / vectors : 1;
}

Counts Counter::countLinalg(linalg::LinalgOp op, KnownValues &known) {
  SmallVector<int64_t> trips = tripsOf(op, known);
  bool isVector = isVectorizable(op);
  double cells = 1, each = isVector ? accessesPerCell(op, vectorBits, known) : op->getNumOperands();
  for (int64_t along : trips)
    cells *= along;
  double widest = kByte;
  for (Operation &inside : op->getRegion(0).front()) {
    known.follow(inside);
    double bits = bitsPerCell(inside);
    each += isVector ? weightOf(inside) * bits / vectorBits : count(inside, known).operations;
    widest = std::max(widest, bits);
  }
  if (isVector)
    cells *= raggedness(trips.back(), widest, vectorBits);
  Counts counts = instructions(cells * each, isVector);
  for (Value operand : op->getOperands())
    if (const Place *place = known.placeOf(operand))
      append(counts, accessTo(place->root, place->extent()), machine);
  return counts;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Sets the indices of a thread in the middle of a launch.
static void enterThread(gpu::GPUFuncOp kernel, gpu::LaunchFuncOp launch, KnownValues &known) {
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                  block = launch.getBlockSizeOperandValues();
  auto along = [](const gpu::KernelDim3 &sizes, gpu::Dimension axis) {
    return axis == gpu::Dimension::x ? sizes.x : axis == gpu::Dimension::y ? sizes.y : sizes.z;
  };
  auto half = [](std::optional<int64_t> number) {
    return number ? std::optional(*number / 2) : std::nullopt;
  };
  kernel.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](gpu::BlockIdOp id) {
          known.set(id, half(known.numberOf(along(grid, id.getDimension()))));
        })
        .Case([&](gpu::ThreadIdOp id) {
          known.set(id, half(known.numberOf(along(block, id.getDimension()))));
        })
        .Case([&](gpu::GridDimOp size) {
          known.set(size, known.numberOf(along(grid, size.getDimension())));
        })
        .Case([&](gpu::BlockDimOp size) {
          known.set(size, known.numberOf(along(block, size.getDimension())));
        });
  });
}

/// The threads of a launch.
static double threadsOf(gpu::LaunchFuncOp launch, const KnownValues &known) {
  double threads = 1;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                  block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    threads *= known.numberOf(size).value_or(1);
  return threads;
}

/// A thread's counts for all threads: together they read at most the whole buffer.
static Counts forThreads(const Counts &one, double threads, const KnownValues &known,
                         const CostMachine &machine) {
  Counts all;
  all.operations = threads * one.operations;
  all.launches = 1;
  double bytes = 0;
  for (const auto &[buffer, extent] : one.data)
    if (const Place *place = known.placeOf(buffer)) {
      double read = std::min(threads * extent.bytes, place->rootBytes);
      all.data[buffer] = {0, place->rootBytes, read};
      bytes += read;
    }
  all.bytes.fill(bytes);
  double busy = std::max(all.operations / machine.lanes, 2 * one.operations);
  all.cycles = machine.cyclesPerLaunch + std::max(busy, bytes / machine.deviceBytesPerCycle);
  return all;
}

Counts Counter::countLaunch(gpu::LaunchFuncOp launch, KnownValues &known) {
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
  if (!kernel)
    return instructions(1, /*isVector=*/false);
  for (auto [operand, argument] :
       llvm::zip_equal(launch.getKernelOperands(), kernel.getArguments()))
    known.copy(operand, argument);
  enterThread(kernel, launch, known);
  Counts one = count(kernel.getBody().front(), known);
  return forThreads(one, threadsOf(launch, known), known, machine);
}

//===----------------------------------------------------------------------===//
// A module
//===----------------------------------------------------------------------===//

/// The function that runs epochs, or null.
static func::FuncOp findRun(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (roleOf(function, i) == ::lci::Role::First)
        return function;
  return nullptr;
}

/// The arguments of a call that continues a run: all its epochs, and arrays that are in their
/// layouts.
static void enter(func::FuncOp run, int64_t epochs, KnownValues &known) {
  for (BlockArgument argument : run.getArguments()) {
    known.addRoot(argument);
    switch (roleOf(run, argument.getArgNumber())) {
    case ::lci::Role::Last:
      known.set(argument, epochs);
      break;
    case ::lci::Role::First:
    case ::lci::Role::Enter:
    case ::lci::Role::Leave:
      known.set(argument, 0);
      break;
    case ::lci::Role::Enable:
      known.set(argument, 1);
      break;
    default:
      break;
    }
  }
}

/// The bound: instructions, or the bytes of the level that takes longest.
static Cost finish(const Counts &counts, bool isForGPU, const CostMachine &machine) {
  Cost cost{counts.operations, counts.bytes, counts.launches, counts.cycles};
  if (isForGPU)
    return cost;
  for (auto [level, bytes] : llvm::zip_equal(machine.levels, counts.bytes))
    cost.cycles = std::max(cost.cycles, bytes / level.bytesPerCycle / machine.threads);
  return cost;
}

FailureOr<Cost> mlir::lci::estimate(ModuleOp module, int64_t epochs, const CostMachine &machine) {
  func::FuncOp run = findRun(module);
  bool hasTicks = module.walk([](TickOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!run || hasTicks)
    return module.emitError("expected linalg and loops, or kernels, to count what they cost, but "
                            "got ")
           << ErrorId::PassOrder
           << (hasTicks ? "ticks" : "no function with an argument of the role 'first'");
  KnownValues known;
  enter(run, epochs, known);
  Counts counts = Counter(module, machine).count(run, known);
  return finish(counts, !module.getOps<gpu::GPUModuleOp>().empty(), machine);
}
