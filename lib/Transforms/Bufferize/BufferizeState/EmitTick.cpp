//===- EmitTick.cpp - Emission of a tick on buffers -----------------------===//
//
// Rebuilds a tick on memrefs: chooses source and target buffers of its phase, rewrites its loads
// (stencils read storage with a halo, all else the cells), tests settling switches once around the
// tick instead of per cell, and refreshes the halo behind the last tick of a phase.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Dialect/TickWindows.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bufferstate;

/// The most parts into which the ticks of a phase are split.
static constexpr int64_t kMaxParts = 64;

namespace {

/// Gives the body of a tick its inputs on memrefs: storage with halo for stencils, the cells alone
/// for everything else.
class BodyInputs {
public:
  BodyInputs(Block &body, OpBuilder &builder) : body(body), builder(builder) {}

  /// The operands of the rebuilt tick.
  SmallVector<Value> operands;

  /// A scalar, or anything else that is not a state.
  void pass(BlockArgument argument, Value operand) { argument.replaceAllUsesWith(append(operand)); }

  /// A tensor that lives in `storage`.
  void bind(BlockArgument argument, Value storage, const ArrayInfo &info,
            llvm::function_ref<Value()> interior) {
    SmallVector<Operation *> others;
    Value window, cells;
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      auto load = dyn_cast<LoadOp>(user);
      if (load && readsWindow(load, info.type))
        moveWindow(load, window ? window : window = append(storage), info);
      else
        others.push_back(user);
    }
    for (Operation *user : others)
      accessCells(user, argument, cells ? cells : cells = append(interior()));
  }

  /// The body's argument for an operand; the same one for the same operand.
  Value append(Value operand) {
    Value &argument = known[operand];
    if (!argument) {
      operands.push_back(operand);
      argument = body.addArgument(operand.getType(), operand.getLoc());
    }
    return argument;
  }

private:
  /// Maps indices of cells to indices of storage; afterwards all are the tick's index arguments.
  static void moveWindow(LoadOp load, Value storage, const ArrayInfo &info) {
    auto tick = load->getParentOfType<TickOp>();
    SmallVector<AffineExpr> results;
    for (auto [move, low] : llvm::zip_equal(*load.getWindow(), info.low))
      results.push_back(getAffineDimExpr(move.first, load.getContext()) + (move.second + low));
    load.setMap(AffineMap::get(tick.getRank(), 0, results, load.getContext()));
    load.getIndicesMutable().assign(tick.getIndexArguments());
    load.getSourceMutable().assign(storage);
    load.setBoundaryAttr(getOpenBoundary(load.getContext(), info.low.size()));
  }

  void accessCells(Operation *user, BlockArgument argument, Value cells) {
    builder.setInsertionPoint(user);
    if (auto load = dyn_cast<LoadOp>(user)) {
      load.getSourceMutable().assign(cells);
      load.setBoundaryAttr(stayInside(load));
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
      Value element = memref::LoadOp::create(builder, user->getLoc(), cells, extract.getIndices());
      extract.replaceAllUsesWith(element);
      extract.erase();
    } else if (auto table = dyn_cast<TableOp>(user)) {
      SmallVector<Value> at = llvm::map_to_vector(table.getIndices(), [&](Value index) -> Value {
        Type type = builder.getIndexType();
        if (index.getType() == type)
          return index;
        return arith::IndexCastUIOp::create(builder, user->getLoc(), type, index);
      });
      Value element = memref::LoadOp::create(builder, user->getLoc(), cells, at);
      table.replaceAllUsesWith(element);
      table.erase();
    } else {
      // An operation on whole tensors, of a model: its operand is bufferized with the model.
      Value tensor = bufferization::ToTensorOp::create(builder, user->getLoc(), argument.getType(),
                                                       cells, builder.getUnitAttr());
      user->replaceUsesOfWith(argument, tensor);
    }
  }

  /// Beyond an open border any value may come back, but a load must not leave the memref.
  static ArrayAttr stayInside(LoadOp load) {
    SmallVector<Attribute> borders(load.getBoundary().begin(), load.getBoundary().end());
    for (Attribute &border : borders)
      if (cast<BoundaryAttr>(border).getValue() == Boundary::Open)
        border = BoundaryAttr::get(load.getContext(), Boundary::Clamp);
    return ArrayAttr::get(load.getContext(), borders);
  }

  Block &body;
  OpBuilder &builder;
  llvm::DenseMap<Value, Value> known;
};

} // namespace

/// The i1 in the body that says whether the cell is up at all; null if all are.
static Value membershipOf(OpBuilder &builder, TickOp tick) {
  std::optional<IntegerSet> cells = tick.getCells();
  if (!cells)
    return nullptr;
  return buildMembership(builder, tick.getLoc(), *cells, tick.getIndexArguments(),
                         getIndexRanges(tick), tick.getPhaseArgument());
}

/// Makes the tick install every cell of its box, with its old content where it does not change.
static void keepOldCells(OpBuilder &builder, TickOp tick, Value storage, const ArrayInfo &info) {
  foldSettled(tick);
  InstallOp install = tick.getInstall();
  builder.setInsertionPoint(install);
  Value member = membershipOf(builder, tick);
  Location loc = install.getLoc();
  auto onlyMembers = [&](Value flag) -> Value {
    return member ? arith::AndIOp::create(builder, loc, flag, member) : flag;
  };
  for (OpOperand &tally : install.getTalliesMutable())
    tally.set(onlyMembers(tally.get()));
  Value condition = onlyMembers(install.getCondition());
  if (!matchPattern(condition, m_One())) {
    SmallVector<AffineExpr> results;
    for (auto [axis, low] : llvm::enumerate(info.low))
      results.push_back(builder.getAffineDimExpr(axis) + low);
    auto map = AffineMap::get(tick.getRank(), 0, results, builder.getContext());
    Value before = loadInside(builder, loc, storage, map, tick.getIndexArguments());
    Value token = arith::SelectOp::create(builder, loc, condition, install.getToken(), before);
    install.getTokenMutable().assign(token);
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    install.getConditionMutable().assign(yes);
  }
  tick.removeCellsAttr();
}

LogicalResult Emitter::prepareTarget(Chain &chain, TickOp tick) {
  unsigned array = flow.arrayOf(chain.snapshot());
  FailureOr<unsigned> holder = find(tick, chain.snapshot());
  if (failed(holder) || failed(checkWritable(tick, array)))
    return failure();
  chain.from = from = *holder;
  chain.to = to = chain.needsScratch ? 1 - from : from;
  took(tick, !chain.needsScratch ? Way::InPlace
             : chain.coversAll   ? Way::PingPong
                                 : Way::CopiedBefore);
  Buffers &mine = buffers[array];
  if (chain.needsScratch && !chain.coversAll) {
    const ArrayInfo &info = flow.arrays()[array];
    Value source = interior(mine.storage[from], info), target = interior(mine.storage[to], info);
    linalg::CopyOp::create(builder, tick.getLoc(), source, target);
  }
  return success();
}

FailureOr<SmallVector<Value>> Emitter::tickStorage(TickOp tick, Chain &chain) {
  SmallVector<Value> storage;
  for (Value input : tick.getInputs()) {
    if (!isa<RankedTensorType>(input.getType())) {
      storage.push_back(mapping.lookupOrDefault(input));
    } else if (input == chain.snapshot()) {
      storage.push_back(buffers[flow.arrayOf(input)].storage[from]);
    } else {
      FailureOr<Value> found = storageOf(tick, input);
      if (failed(found))
        return failure();
      storage.push_back(*found);
    }
  }
  return storage;
}

void Emitter::rebuildTick(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage, Value counts) {
  unsigned array = flow.arrayOf(chain.snapshot());
  const ArrayInfo &info = flow.arrays()[array];
  Value target = interior(buffers[array].storage[to], info);
  auto rebuilt = TickOp::create(
      builder, tick.getLoc(), TypeRange(), tick.getNameAttr(), mapping.lookup(tick.getEpoch()),
      mapping.lookup(tick.getPhase()), mapping.lookup(tick.getSeed()), ValueRange(), target,
      ValueRange(), counts, scores, lookup(tick.getOffsets()), lookup(tick.getExtents()),
      tick.getStaticOffsetsAttr(), tick.getStaticExtentsAttr(), tick.getStridesAttr(),
      tick.getCellsAttr(), tick.getClassStrideAttr(), tick.getPackedAttr());
  IRMapping copied;
  tick.getBody().cloneInto(&rebuilt.getBody(), copied);
  Block &body = rebuilt.getBody().front();
  OpBuilder inside(builder.getContext());
  BodyInputs inputs(body, inside);
  unsigned first = tick.getRank() + 3, count = tick.getInputs().size();
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument argument = body.getArgument(first + i);
    Value input = tick.getInputs()[i], storage = inputStorage[i];
    if (!isa<RankedTensorType>(input.getType())) {
      inputs.pass(argument, storage);
      continue;
    }
    const ArrayInfo &source = flow.arrays()[flow.arrayOf(input)];
    builder.setInsertionPoint(rebuilt);
    inputs.bind(argument, storage, source, [&] { return interior(storage, source); });
  }
  bool keeps = chain.needsScratch && chain.coversAll;
  Value before;
  if (keeps)
    before = inputs.append(buffers[array].storage[from]);
  body.eraseArguments(first, count);
  rebuilt.getInputsMutable().assign(inputs.operands);
  builder.setInsertionPointAfter(rebuilt);
  if (keeps)
    keepOldCells(inside, rebuilt, before, info);
}

/// Copies the cells of a tick's box from one buffer to another.
void Emitter::copyBox(TickOp tick, const ArrayInfo &info, Value source, Value target) {
  auto resolve = [&](OpFoldResult scalar) -> OpFoldResult {
    auto value = dyn_cast<Value>(scalar);
    return value ? OpFoldResult(mapping.lookup(value)) : scalar;
  };
  SmallVector<OpFoldResult> offsets = llvm::map_to_vector(tick.getMixedOffsets(), resolve);
  SmallVector<OpFoldResult> extents = llvm::map_to_vector(tick.getMixedExtents(), resolve);
  SmallVector<OpFoldResult> strides =
      getAsIndexOpFoldResult(builder.getContext(), SmallVector<int64_t>(tick.getStridesOrOnes()));
  auto box = [&](Value storage) -> Value {
    Value cells = interior(storage, info);
    return memref::SubViewOp::create(builder, tick.getLoc(), cells, offsets, extents, strides);
  };
  Value cells = box(source), copies = box(target);
  linalg::CopyOp::create(builder, tick.getLoc(), cells, copies);
}

/// Whether an i1 equals `expected`.
Value Emitter::equals(Location loc, Value flag, bool expected) {
  if (expected)
    return flag;
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::XOrIOp::create(builder, loc, flag, yes);
}

/// If a switch of the whole function settles the box and nothing else writes the array, the box is
/// the same in both buffers for ever once it is so at the start. Then the whole array may be
/// copied, since other boxes are written before they are read.
bool Emitter::keepBoxForever(TickOp tick, Chain &chain, Value decides, bool settles) {
  auto argument = dyn_cast<BlockArgument>(decides);
  Block *entry = &rebuilt.getBody().front();
  bool isFixed =
      llvm::all_of(llvm::concat<Value>(lookup(tick.getOffsets()), lookup(tick.getExtents())),
                   [&](Value side) { return side.getParentBlock() == entry; });
  if (!chain.isOnly || !isFixed || !argument || argument.getOwner() != &rebuilt.getBody().front() ||
      !isa<BlockArgument>(flow.arrays()[flow.arrayOf(chain.snapshot())].first))
    return false;
  unsigned array = flow.arrayOf(chain.snapshot());
  OpBuilder::InsertionGuard guard(builder);
  if (Operation *loop = outermost()) {
    if (!keptAlike.insert({array, argument, settles}).second)
      return true;
    builder.setInsertionPoint(loop);
  }
  Location loc = tick.getLoc();
  Value isSettled = equals(loc, argument, settles);
  auto branch = scf::IfOp::create(builder, loc, isSettled, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  const ArrayInfo &info = flow.arrays()[array];
  Value cells = interior(arguments[array][0], info), copies = interior(arguments[array][1], info);
  linalg::CopyOp::create(builder, loc, cells, copies);
  return true;
}

/// Tests the settling condition once, not per cell, where possible.
void Emitter::emitUnlessSettled(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage,
                                Value counts) {
  // Each part is another copy of the body, and `lci-batch-models` picks the cells that need a call.
  int64_t numParts = (2 * tick.getRank() + 1) * chain.ticks.size();
  if (findSettlingBox(tick) && getConstantBox(tick) && !tick.callsModel() && numParts <= kMaxParts)
    emitAroundBox(tick, chain, inputStorage, counts);
  else
    emitUnlessSwitched(tick, chain, inputStorage, counts);
}

/// A switch that settles every cell of the tick is tested once, around it.
void Emitter::emitUnlessSwitched(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage,
                                 Value counts) {
  std::optional<SettlingSwitch> by = findSettlingSwitch(tick);
  if (!by)
    return rebuildTick(tick, chain, inputStorage, counts);
  took(tick, Way::BehindSwitch);
  Value decides = inputStorage[by->input];
  bool keeps =
      chain.needsScratch && chain.coversAll && !keepBoxForever(tick, chain, decides, by->settles);
  Value open = equals(tick.getLoc(), decides, !by->settles);
  auto branch = scf::IfOp::create(builder, tick.getLoc(), open, /*withElseRegion=*/keeps);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto rest = cast<TickOp>(OpBuilder(tick).clone(*tick));
  assumeOpen(rest, *by);
  emitUnlessSwitched(rest, chain, inputStorage, counts);
  rest.erase();
  if (keeps) {
    builder.setInsertionPointToStart(branch.elseBlock());
    unsigned array = flow.arrayOf(chain.snapshot());
    copyBox(tick, flow.arrays()[array], buffers[array].storage[from], buffers[array].storage[to]);
  }
  builder.setInsertionPointAfter(branch);
}

/// Notes which versions the buffers hold now.
void Emitter::finishTick(TickOp tick, Chain &chain) {
  unsigned array = flow.arrayOf(chain.snapshot());
  buffers[array].held[to] = tick.getResult(0);
  if (tick.getCounts())
    buffers[flow.arrayOf(tick.getCounts())].held[0] = tick.getCountsAfter();
  if (tick.getScores())
    buffers[flow.arrayOf(tick.getScores())].held[0] = tick.getScoresAfter();
  // With scores, some cells are undone first.
  if (tick == chain.ticks.back() && !tick.getScores())
    refreshHalo(tick.getLoc(), array, buffers[array].storage[to]);
}

void Emitter::refreshHalo(Location loc, unsigned array, Value storage) {
  const ArrayInfo &info = flow.arrays()[array];
  if (!info.hasLiveHalo())
    return;
  SmallVector<Attribute> borders;
  for (Boundary boundary : info.boundary)
    borders.push_back(BoundaryAttr::get(builder.getContext(), boundary));
  RefreshHaloOp::create(builder, loc, storage, info.low, info.high, builder.getArrayAttr(borders),
                        Value(), info.spare);
}

/// Written in place: the state before it stays in the other buffer.
LogicalResult Emitter::emitChoice(KeepSurestOp choice) {
  unsigned array = flow.arrayOf(choice.getAfter());
  FailureOr<unsigned> before = find(choice, choice.getBefore()),
                      after = find(choice, choice.getAfter());
  FailureOr<Value> scores = storageOf(choice, choice.getScores());
  if (failed(before) || failed(after) || failed(scores))
    return failure();
  Value counts;
  if (choice.getCounts()) {
    FailureOr<Value> found = storageOf(choice, choice.getCounts());
    if (failed(found))
      return failure();
    counts = *found;
    buffers[flow.arrayOf(choice.getCounts())].held[0] = choice.getResult(1);
  }
  Buffers &mine = buffers[array];
  const ArrayInfo &info = flow.arrays()[array];
  Value old = interior(mine.storage[*before], info), changed = interior(mine.storage[*after], info);
  KeepSurestOp::create(builder, choice.getLoc(), TypeRange(), choice.getFractionAttr(), old,
                       changed, *scores, counts, choice.getSlotAttr());
  mine.held[*after] = choice.getResult(0);
  refreshHalo(choice.getLoc(), array, mine.storage[*after]);
  return success();
}

LogicalResult Emitter::emitTick(TickOp tick) {
  Chain &chain = flow.chainOf(tick);
  if (tick == chain.ticks.front() && failed(prepareTarget(chain, tick)))
    return failure();
  from = chain.from;
  to = chain.to;
  FailureOr<SmallVector<Value>> inputStorage = tickStorage(tick, chain);
  if (failed(inputStorage))
    return failure();
  Value counts;
  if (tick.getCounts()) {
    FailureOr<Value> found = storageOf(tick, tick.getCounts());
    if (failed(found) || failed(checkWritable(tick, flow.arrayOf(tick.getCounts()))))
      return failure();
    counts = *found;
  }
  scores = Value();
  if (tick.getScores()) {
    FailureOr<Value> found = storageOf(tick, tick.getScores());
    if (failed(found))
      return failure();
    scores = *found;
  }
  emitUnlessSettled(tick, chain, *inputStorage, counts);
  finishTick(tick, chain);
  return success();
}
