//===- StateFlow.cpp - Arrays, halos and phases of a function -------------===//
//
// Follows tensors through ticks, loops and branches to the array of which each is a version, widens
// halos by the stencils that reach beyond an axis, and groups consecutive ticks of an array into
// chains. Fails on operations that do not preserve the identity of arrays.
//
//===----------------------------------------------------------------------===//

#include "StateFlow.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/Ways.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bufferstate;

//===----------------------------------------------------------------------===//
// Arrays and their halos
//===----------------------------------------------------------------------===//

bool ArrayInfo::hasHalo() const {
  return llvm::any_of(low, [](int64_t width) { return width > 0; }) ||
         llvm::any_of(high, [](int64_t width) { return width > 0; });
}

bool ArrayInfo::hasLiveHalo() const {
  for (auto [below, above, border] : llvm::zip_equal(low, high, boundary))
    if (border != Boundary::Open && (below > 0 || above > 0))
      return true;
  return false;
}

MemRefType ArrayInfo::storageType() const {
  SmallVector<int64_t> shape;
  for (auto [extent, below, above] : llvm::zip_equal(type.getShape(), low, high))
    shape.push_back(below + extent + above);
  if (!shape.empty())
    shape.back() += spare;
  return MemRefType::get(shape, type.getElementType());
}

/// Distances in bytes between consecutive elements of each axis but the last, where stencils reach
/// along the axis.
static SmallVector<int64_t> windowStrides(const ArrayInfo &info, int64_t elementBytes) {
  SmallVector<int64_t> strides;
  MemRefType storage = info.storageType();
  int64_t stride = elementBytes;
  for (unsigned axis = info.type.getRank(); axis-- > 1;) {
    stride *= storage.getDimSize(axis);
    if (info.low[axis - 1] > 0 || info.high[axis - 1] > 0)
      strides.push_back(stride);
  }
  return strides;
}

/// Rows of numbers only: tokens may become planes, whose rows differ. Rows of less than a quarter
/// of the distance alias every fourth one, which does no harm.
void ArrayInfo::spareRows(int64_t aliasBytes) {
  if (aliasBytes == 0 || type.getRank() < 2 || !isa<FloatType>(type.getElementType()))
    return;
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  constexpr int64_t most = 256; // steps
  int64_t step = std::max<int64_t>(1, aliasBytes / most / elementBytes);
  auto isNear = [&](int64_t stride, int64_t bytes) {
    int64_t beyond = stride % aliasBytes;
    return stride >= aliasBytes / 4 && std::min(beyond, aliasBytes - beyond) < bytes;
  };
  auto anyNear = [&](int64_t bytes) {
    return llvm::any_of(windowStrides(*this, elementBytes),
                        [&](int64_t stride) { return isNear(stride, bytes); });
  };
  if (storageType().getShape().back() * elementBytes < aliasBytes / 4 || !anyNear(aliasBytes / 16))
    return;
  while (anyNear(aliasBytes / 12) && spare < most * step)
    spare += step;
  if (spare == most * step) // rows and planes cannot both be kept at a distance
    spare = 0;
}

namespace {
/// How far the indices of a load go beyond an axis.
struct Excess {
  int64_t low, high;
};
} // namespace

/// Widths beyond which a halo costs more in copies than it saves as a view.
static bool isReasonable(Excess excess, int64_t extent) {
  int64_t limit = std::max<int64_t>(extent, 64);
  return excess.low <= limit && excess.high <= limit;
}

static std::optional<SmallVector<Excess>> excessOf(LoadOp load, RankedTensorType source) {
  auto window = load.getWindow();
  if (!window)
    return std::nullopt;
  SmallVector<Excess> excess;
  SmallVector<IndexRange> domain = getIndexRanges(load->getParentOfType<TickOp>());
  for (auto [move, extent] : llvm::zip_equal(*window, source.getShape())) {
    auto [first, last] = domain[move.first];
    excess.push_back({std::max<int64_t>(0, -(first + move.second)),
                      std::max<int64_t>(0, last + move.second - (extent - 1))});
    if (!isReasonable(excess.back(), extent))
      return std::nullopt;
  }
  return excess;
}

bool bufferstate::readsWindow(LoadOp load, RankedTensorType source) {
  return excessOf(load, source).has_value();
}

LogicalResult StateFlow::addHalo(TickOp tick, LoadOp load, ArrayInfo &info) {
  std::optional<SmallVector<Excess>> excess = excessOf(load, info.type);
  if (!excess)
    return success();
  for (auto [axis, widths] : llvm::enumerate(*excess)) {
    Boundary boundary = load.getBoundaryOf(axis);
    info.low[axis] = std::max(info.low[axis], widths.low);
    info.high[axis] = std::max(info.high[axis], widths.high);
    if ((widths.low == 0 && widths.high == 0) || boundary == Boundary::Open)
      continue;
    if (info.boundary[axis] != Boundary::Open && info.boundary[axis] != boundary)
      return tick.emitOpError("expected one boundary on axis ")
             << ErrorId::NotLowered << axis << " of an input, but got "
             << stringifyBoundary(info.boundary[axis]) << " and " << stringifyBoundary(boundary);
    info.boundary[axis] = boundary;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Following tensors through a function
//===----------------------------------------------------------------------===//

void StateFlow::addArray(Value first) {
  ArrayInfo info;
  info.first = first;
  info.type = cast<RankedTensorType>(first.getType());
  info.low.assign(info.type.getRank(), 0);
  info.high.assign(info.type.getRank(), 0);
  info.boundary.assign(info.type.getRank(), Boundary::Open);
  owner[first] = infos.size();
  infos.push_back(std::move(info));
}

LogicalResult StateFlow::sameArray(Operation *op, Value a, Value b) {
  if (owner.lookup(a) == owner.lookup(b))
    return success();
  return op->emitOpError("expected to hand on versions of one array, but got two arrays of type ")
         << ErrorId::NotLowered << a.getType();
}

void StateFlow::addChain(TickOp tick) {
  if (chainIndex.contains(tick))
    return;
  Chain chain;
  while (tick) {
    chain.ticks.push_back(tick);
    chainIndex[tick] = chains.size();
    Value result = tick.getResult(0);
    if (!result.hasOneUse())
      break;
    auto next = dyn_cast<TickOp>(*result.user_begin());
    bool continues = next && next.getTarget() == result && next->getBlock() == tick->getBlock();
    tick = continues ? next : TickOp();
  }
  chains.push_back(std::move(chain));
}

LogicalResult StateFlow::followTick(TickOp tick) {
  if (!tick.hasTensorSemantics())
    return success();
  owner[tick.getResult(0)] = owner.lookup(tick.getTarget());
  if (tick.getCounts())
    owner[tick.getCountsAfter()] = owner.lookup(tick.getCounts());
  if (tick.getScores())
    owner[tick.getScoresAfter()] = owner.lookup(tick.getScores());
  addChain(tick);
  LogicalResult result = success();
  tick.getBody().walk([&](LoadOp load) {
    auto argument = dyn_cast<BlockArgument>(load.getSource());
    if (!argument || argument.getOwner() != &tick.getBody().front())
      return;
    Value input = tick.getInputs()[argument.getArgNumber() - tick.getRank() - 3];
    if (failed(addHalo(tick, load, infos[owner.lookup(input)])))
      result = failure();
  });
  return result;
}

LogicalResult StateFlow::followLoop(scf::ForOp loop) {
  for (auto [init, argument] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
    if (isa<RankedTensorType>(init.getType()))
      owner[argument] = owner.lookup(init);
  if (failed(follow(*loop.getBody())))
    return failure();
  for (auto [argument, yielded, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    if (failed(sameArray(loop, argument, yielded)))
      return failure();
    owner[result] = owner.lookup(argument);
  }
  return success();
}

LogicalResult StateFlow::followBranch(scf::IfOp branch) {
  for (Region &region : branch->getRegions())
    if (!region.empty() && failed(follow(region.front())))
      return failure();
  if (branch.getNumResults() == 0)
    return success();
  for (auto [yes, no, result] : llvm::zip_equal(
           branch.thenYield().getResults(), branch.elseYield().getResults(), branch.getResults())) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    if (failed(sameArray(branch, yes, no)))
      return failure();
    owner[result] = owner.lookup(yes);
  }
  return success();
}

LogicalResult StateFlow::followReturn(func::ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    ArrayInfo &info = infos[owner.lookup(operand.get())];
    if (info.resultNumber)
      return op.emitOpError("expected each array to be returned once, but results ")
             << ErrorId::NotLowered << *info.resultNumber << " and " << operand.getOperandNumber()
             << " are one array";
    info.resultNumber = operand.getOperandNumber();
    info.isResult = !isa<BlockArgument>(info.first);
  }
  return success();
}

LogicalResult StateFlow::followChoice(KeepSurestOp choice) {
  owner[choice.getResult(0)] = owner.lookup(choice.getAfter());
  if (choice.getCounts())
    owner[choice.getResult(1)] = owner.lookup(choice.getCounts());
  return sameArray(choice, choice.getBefore(), choice.getAfter());
}

LogicalResult StateFlow::followOp(Operation *op) {
  if (auto tick = dyn_cast<TickOp>(op))
    return followTick(tick);
  if (auto choice = dyn_cast<KeepSurestOp>(op))
    return followChoice(choice);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return followLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return followBranch(branch);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return followReturn(end);
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    owner[insert.getResult()] = owner.lookup(insert.getDest());
    return success();
  }
  if (isa<tensor::EmptyOp, tensor::SplatOp, tensor::FromElementsOp, arith::ConstantOp>(op)) {
    if (isa<RankedTensorType>(op->getResult(0).getType()))
      addArray(op->getResult(0));
    return success();
  }
  if (auto table = dyn_cast<tensor::GenerateOp>(op)) {
    addArray(table.getResult());
    return follow(table.getBody().front());
  }
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  bool isFollowed = isa<tensor::ExtractOp, scf::YieldOp>(op);
  if (!isFollowed && (llvm::any_of(op->getOperandTypes(), isTensor) ||
                      llvm::any_of(op->getResultTypes(), isTensor) || op->getNumRegions() > 0))
    return op->emitOpError("cannot be given storage: expected ticks, loops, branches and "
                           "accesses to elements")
           << ErrorId::NotLowered;
  return success();
}

LogicalResult StateFlow::follow(Block &block) {
  for (Operation &op : block)
    if (failed(followOp(&op)))
      return failure();
  return success();
}

FailureOr<StateFlow> StateFlow::compute(func::FuncOp function, int64_t aliasBytes) {
  StateFlow flow;
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("expected one block, but got ")
           << ErrorId::NotLowered << function.getBody().getBlocks().size();
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && !type.hasStaticShape())
      return function.emitOpError("expected tensors of static shape, but got ")
             << ErrorId::NotLowered << type;
    if (type)
      flow.addArray(argument);
  }
  if (failed(flow.follow(function.getBody().front())))
    return failure();
  SmallVector<unsigned> numChains(flow.infos.size(), 0);
  for (Chain &chain : flow.chains)
    ++numChains[flow.arrayOf(chain.snapshot())];
  for (Chain &chain : flow.chains) {
    analyzeChain(chain);
    chain.isOnly = numChains[flow.arrayOf(chain.snapshot())] == 1;
    flow.infos[flow.arrayOf(chain.snapshot())].needsScratch |= chain.needsScratch;
  }
  for (ArrayInfo &info : flow.infos) {
    info.spareRows(aliasBytes);
    if (info.spare > 0)
      took(function, Way::SpareElements);
  }
  return flow;
}
