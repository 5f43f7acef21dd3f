//===- ExpandDraws.cpp - Expand draws to Philox and arithmetic ------------===//
//
// Instantiates LCI/Numerics/Draws.h with the operations that build IR, inside the bodies of ticks.
// The interpreter instantiates the same templates with numbers, so that both have the same bits.
// Keys of streams are computed outside of ticks, once each. Draws of rows by vectors are expanded
// in Transforms/CPU/VectorizeCells, those on bit planes in Transforms/Layout/Bitslice.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/EagerBlocks.h"
#include "LCI/Transforms/Support/IROps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_EXPANDDRAWSPASS
#include "LCI/Conversion/DrawsToArith/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {

using Key = numerics::Key<IROps>;
using Site = numerics::Site<IROps>;

/// Computes the key of each stream once, where its seed is known. A shared function does it,
/// because a program has as many streams as draws, and LLVM's time grows faster than a block.
class StreamKeys {
public:
  explicit StreamKeys(ModuleOp module) : module(module) {}

  std::pair<Value, Value> get(Value seed, StreamAttr stream);

private:
  func::FuncOp getFunction();

  ModuleOp module;
  func::FuncOp function;
  DenseMap<std::pair<Value, Attribute>, std::pair<Value, Value>> known;
};

/// Expands the draws of one tick.
class TickDraws {
public:
  TickDraws(TickOp tick, StreamKeys &streams, bool lazy, unsigned eagerBlocks)
      : tick(tick), streams(streams), lazy(lazy), eagerBlocks(eagerBlocks) {}

  /// Replaces every draw in the body; fails with a diagnostic.
  LogicalResult expand();

private:
  template <typename Op>
  void replace(Op op);
  Value compute(IROps &ops, BernoulliOp op, const Key &key, const Site &site);
  Value compute(IROps &ops, DrawBelowOp op, const Key &key, const Site &site);
  Value isBelow(IROps &ops, Operation *op, IROps::I64 threshold, const Key &key, const Site &site);
  Value compute(IROps &ops, UniformOp op, const Key &key, const Site &site);
  Value compute(IROps &ops, RandIntOp op, const Key &key, const Site &site);
  Value compute(IROps &ops, NormalOp op, const Key &key, const Site &site);

  /// The cell's number, by which draws are keyed.
  Value buildCellNumber();

  /// The stream's key, as arguments of the body.
  std::pair<Value, Value> keyOf(StreamAttr stream);

  TickOp tick;
  StreamKeys &streams;
  bool lazy;
  unsigned eagerBlocks;
  Value cell;
  llvm::SmallDenseMap<Attribute, std::pair<Value, Value>> keys;
};

} // namespace

func::FuncOp StreamKeys::getFunction() {
  if (function)
    return function;
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  Type i64 = builder.getI64Type();
  Location loc = builder.getUnknownLoc();
  function = func::FuncOp::create(builder, loc, "lci.stream_key",
                                  builder.getFunctionType({i64, i64, i64}, {i64, i64}));
  function.setPrivate();
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  SymbolTable(module).insert(function);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IROps ops(builder, loc, i64);
  auto argument = [&](unsigned number) { return ops.asI64(entry->getArgument(number)); };
  Key key = numerics::streamKey(ops, argument(0), argument(1), argument(2));
  func::ReturnOp::create(builder, loc, ValueRange{key.low.value, key.high.value});
  return function;
}

std::pair<Value, Value> StreamKeys::get(Value seed, StreamAttr stream) {
  auto [entry, isNew] = known.try_emplace({seed, stream});
  if (!isNew)
    return entry->second;
  OpBuilder builder(module.getContext());
  builder.setInsertionPointAfterValue(seed);
  Location loc = seed.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value operands[] = {number(stream.getDeclaration()), number(stream.getOrdinal()), seed};
  auto call = func::CallOp::create(builder, loc, getFunction(), operands);
  return entry->second = {call.getResult(0), call.getResult(1)};
}

Value TickDraws::buildCellNumber() {
  OpBuilder builder = OpBuilder::atBlockBegin(&tick.getBody().front());
  IROps ops(builder, tick.getLoc(), builder.getI64Type());
  ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
  if (shape.empty())
    return ops.i64(0).value;
  auto indices = llvm::map_to_vector(tick.getIndexArguments(), [&](Value index) {
    return ops.asI64(
        arith::IndexCastOp::create(builder, tick.getLoc(), builder.getI64Type(), index));
  });
  auto row = ops.i64(0);
  for (size_t axis = 0; axis + 1 < shape.size(); ++axis)
    row = row * ops.i64(shape[axis]) + indices[axis];
  uint64_t stride = tick.getClassStride();
  uint64_t longest = llvm::divideCeil(static_cast<uint64_t>(shape.back()), stride);
  auto rowLength = ops.i64(numerics::cellNumber(1, 0, longest));
  // Indices are not negative.
  auto rank = ops.asI64(ops.make<arith::DivUIOp>(indices.back().value, ops.i64(stride).value));
  return (row * rowLength + rank).value;
}

std::pair<Value, Value> TickDraws::keyOf(StreamAttr stream) {
  auto [entry, isNew] = keys.try_emplace(stream);
  if (!isNew)
    return entry->second;
  auto [keyLow, keyHigh] = streams.get(tick.getSeed(), stream);
  tick.getInputsMutable().append(ValueRange{keyLow, keyHigh});
  Block &body = tick.getBody().front();
  Value low = body.addArgument(keyLow.getType(), tick.getLoc());
  Value high = body.addArgument(keyHigh.getType(), tick.getLoc());
  return entry->second = {low, high};
}

/// The bits of a threshold draw from block `first` on, by a loop over their blocks: it is rarely
/// run, so its code should be small.
static Value buildRest(OpBuilder &builder, Location loc, const Key &key, const Site &site,
                       unsigned first) {
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  auto body = [&](OpBuilder &inner, Location loc, Value block, ValueRange carried) {
    IROps ops(inner, loc, inner.getI64Type());
    auto again = [&](IROps::I64 x) { return ops.asI64(x.value); };
    Site here{again(site.number), again(site.cell), again(site.epoch), again(site.phase)};
    auto digit =
        numerics::thresholdDigit(ops, Key{again(key.low), again(key.high)}, here, ops.asI64(block));
    auto bits = (ops.asI64(carried[0]) << ops.i64(4)) | digit;
    scf::YieldOp::create(inner, loc, bits.value);
  };
  auto loop = scf::ForOp::create(builder, loc, integer(first), integer(numerics::kThresholdBlocks),
                                 integer(1), integer(0), body);
  return loop.getResult(0);
}

Value TickDraws::compute(IROps &ops, BernoulliOp op, const Key &key, const Site &site) {
  auto threshold = numerics::thresholdOf(ops, ops.asF32(op.getProbability()));
  return isBelow(ops, op, threshold, key, site);
}

Value TickDraws::compute(IROps &ops, DrawBelowOp op, const Key &key, const Site &site) {
  return isBelow(ops, op, ops.asI64(op.getThreshold()), key, site);
}

/// Whether a draw is below a threshold, built before its user `op`.
Value TickDraws::isBelow(IROps &ops, Operation *op, IROps::I64 threshold, const Key &key,
                         const Site &site) {
  if (!lazy)
    return (numerics::thresholdDraw(ops, key, site) < threshold).value;
  auto test = numerics::testEagerly(ops, key, site, threshold, eagerBlocks);
  auto limit = threshold & ops.i64(numerics::remainderMask(eagerBlocks));
  OpBuilder builder(op);
  auto undecided = [&](OpBuilder &inner, Location loc) {
    IROps innerOps(inner, loc, inner.getI64Type());
    auto rest = innerOps.asI64(buildRest(inner, loc, key, site, eagerBlocks));
    scf::YieldOp::create(inner, loc, (rest < limit).value);
  };
  auto decided = [&](OpBuilder &inner, Location loc) {
    scf::YieldOp::create(inner, loc, test.isLess.value);
  };
  auto choice =
      scf::IfOp::create(builder, op->getLoc(), test.isUndecided.value, undecided, decided);
  return choice.getResult(0);
}

Value TickDraws::compute(IROps &ops, UniformOp op, const Key &key, const Site &site) {
  return numerics::uniformOf(ops, numerics::numberDraw(ops, key, site)).value;
}

Value TickDraws::compute(IROps &ops, RandIntOp op, const Key &key, const Site &site) {
  auto draw = numerics::numberDraw(ops, key, site);
  return numerics::randintOf(ops, draw, ops.asI64(op.getBound())).value;
}

Value TickDraws::compute(IROps &ops, NormalOp op, const Key &key, const Site &site) {
  return numerics::normalQuantile(ops, numerics::numberDraw(ops, key, site)).value;
}

template <typename Op>
void TickDraws::replace(Op op) {
  auto [low, high] = keyOf(op.getStream());
  OpBuilder builder(op);
  IROps ops(builder, op.getLoc(), builder.getI64Type());
  Key key{ops.asI64(low), ops.asI64(high)};
  auto number = op.getNumber() ? ops.asI64(op.getNumber()) : ops.i64(0);
  Site site{number, ops.asI64(cell), ops.asI64(tick.getEpochArgument()),
            ops.asI64(tick.getPhaseArgument())};
  op.replaceAllUsesWith(compute(ops, op, key, site));
  op.erase();
}

LogicalResult TickDraws::expand() {
  SmallVector<Operation *> draws;
  tick.getBody().walk([&](Operation *op) {
    if (isDraw(op))
      draws.push_back(op);
  });
  if (draws.empty())
    return success();
  Type target = tick.getTarget().getType();
  if (!cast<ShapedType>(target).hasStaticShape())
    return draws.front()->emitOpError("expected a tick on a static shape to count its cells, but "
                                      "the target is ")
           << ErrorId::NotLowered << target;
  cell = buildCellNumber();
  for (Operation *draw : draws)
    llvm::TypeSwitch<Operation *>(draw)
        .Case<BernoulliOp, DrawBelowOp, UniformOp, RandIntOp, NormalOp>(
            [&](auto op) { replace(op); });
  return success();
}

namespace {
struct ExpandDraws : mlir::lci::impl::ExpandDrawsPassBase<ExpandDraws> {
  using ExpandDrawsPassBase::ExpandDrawsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, eagerBlocksOption(eagerBlocks));
  }

  void runOnOperation() override {
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) { ticks.push_back(tick); });
    StreamKeys streams(getOperation());
    for (TickOp tick : ticks)
      if (failed(TickDraws(tick, streams, lazy, eagerBlocks).expand()))
        return signalPassFailure();
  }
};
} // namespace
