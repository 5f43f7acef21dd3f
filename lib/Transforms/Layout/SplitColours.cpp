//===- SplitColours.cpp - Store the colours of rows in separate arrays ----===//
//
// A phase of a lattice colouring takes every second cell of a row. Each row is
// stored as several, one for each residue of the stride, so that the cells of a
// phase, and their neighbours on one side, are contiguous. A tick on such
// arrays stays a tick: its box, indices and stencils become those of a part.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Transforms/Layout/Passes.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SPLITCOLOURSPASS
#include "LCI/Transforms/Layout/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Whether an array is a state or an input without a halo.
static bool isCandidate(BlockArgument array) {
  auto type = dyn_cast<MemRefType>(array.getType());
  if (!type || type.getRank() == 0 || !type.hasStaticShape() || layoutOf(type))
    return false;
  auto function = cast<func::FuncOp>(array.getOwner()->getParentOp());
  auto extents = function.getArgAttrOfType<DenseI64ArrayAttr>(array.getArgNumber(), "lci.extents");
  if (requestedArrangement(array).value_or(Arrangement::Colours) != Arrangement::Colours)
    return false;
  return isValueRole(roleOf(array)) && extents && extents.asArrayRef() == type.getShape();
}

/// Whether a tick has a known stride above one on the last axis. Draws are excluded: they depend on
/// the index of the cell in the whole row.
static bool isStrided(TickOp tick) {
  return tick.getRank() > 0 && tick.getStridesOrOnes().back() > 1 && !tick.getScores() &&
         tick.isCellwise() && !tick.getCells() &&
         getConstantIntValue(tick.getMixedOffsets().back()) &&
         getConstantIntValue(tick.getMixedExtents().back()) && !hasDraws(tick);
}

/// The offset of a stencil read on the last axis; nothing for other reads.
static std::optional<int64_t> getLastMove(LoadOp load, TickOp tick) {
  auto window = load.getWindow();
  if (!window || window->empty() || window->back().first + 1 != tick.getRank())
    return std::nullopt;
  for (Attribute boundary : load.getBoundary())
    if (cast<BoundaryAttr>(boundary).getValue() != Boundary::Open)
      return std::nullopt;
  return window->back().second;
}

namespace {

/// The arrays of a function that are split, and their numbers of parts.
class Arrays {
public:
  explicit Arrays(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      if (isCandidate(argument))
        known.insert(argument);
    function.walk([&](TickOp tick) { ticks.push_back(tick); });
  }

  /// Removes arrays until for every tick either all its arrays are split equally, or none.
  void settle() {
    for (Value array : llvm::to_vector(known))
      if (!isUsedByTicksOnly(array))
        known.remove(array);
    while (llvm::any_of(ticks, [&](TickOp tick) { return isAccessed(tick) && !settle(tick); }))
      ;
  }

  bool contains(Value array) const { return known.contains(array); }
  bool isAccessed(TickOp tick) const {
    return llvm::any_of(tick->getOperands(), [&](Value value) { return contains(value); });
  }
  ArrayRef<Value> all() const { return known.getArrayRef(); }
  ArrayRef<TickOp> allTicks() const { return ticks; }
  int64_t partsOf(Value array) const { return parts.lookup(array); }

private:
  /// Whether an array is used by ticks alone, one of them in a loop, which is worth two copies.
  static bool isUsedByTicksOnly(Value array) {
    bool isInLoop = false;
    for (OpOperand &use : array.getUses()) {
      auto tick = dyn_cast<TickOp>(use.getOwner());
      if (!tick)
        return false;
      unsigned first = tick.getInputs().empty() ? 0 : tick.getInputs().getBeginOperandIndex();
      bool isInput = !tick.getInputs().empty() && use.getOperandNumber() >= first &&
                     use.getOperandNumber() < first + tick.getInputs().size();
      if (!isInput && &use != &tick.getTargetMutable())
        return false;
      isInLoop |= tick->getParentOfType<scf::ForOp>() != nullptr;
    }
    return isInLoop;
  }

  /// Whether a tick is compatible; else its arrays are removed.
  bool settle(TickOp tick) {
    int64_t step = tick.getRank() > 0 ? tick.getStridesOrOnes().back() : 1;
    bool fits = isStrided(tick) && contains(tick.getTarget());
    for (auto [argument, input] : llvm::zip_equal(tick.getInputArguments(), tick.getInputs()))
      fits = fits && fitsInput(tick, argument, input);
    for (Value operand : tick->getOperands())
      if (contains(operand))
        fits &= parts.try_emplace(operand, step).first->second == step;
    if (!fits)
      for (Value operand : tick->getOperands())
        known.remove(operand);
    return fits;
  }

  bool fitsInput(TickOp tick, BlockArgument argument, Value input) {
    return llvm::all_of(argument.getUsers(), [&](Operation *user) {
      auto load = dyn_cast<LoadOp>(user);
      if (contains(input))
        return load && getLastMove(load, tick);
      // A whole array must not be read with a stride.
      return !load || !llvm::is_contained(load.getIndices(), tick.getIndexArguments().back()) ||
             !dependsOnLast(load, tick);
    });
  }

  static bool dependsOnLast(LoadOp load, TickOp tick) {
    for (auto [place, index] : llvm::enumerate(load.getIndices()))
      if (index == tick.getIndexArguments().back() && load.getMap().isFunctionOfDim(place))
        return true;
    return false;
  }

  llvm::SetVector<Value> known;
  llvm::DenseMap<Value, int64_t> parts;
  SmallVector<TickOp> ticks;
};

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

using Parts = llvm::DenseMap<Value, SmallVector<Value>>;

/// Rewrites a tick for the parts of rows that contain its cells.
class TickSplitter {
public:
  TickSplitter(TickOp tick, const Arrays &arrays, const Parts &parts)
      : tick(tick), arrays(arrays), parts(parts), builder(tick), last(tick.getRank() - 1),
        step(tick.getStridesOrOnes().back()),
        first(*getConstantIntValue(tick.getMixedOffsets().back())) {}

  void split() {
    splitBox();
    Block &body = tick.getBody().front();
    builder.setInsertionPointToStart(&body);
    restoreIndex();
    splitInputs();
    tick.getTargetMutable().assign(parts.find(tick.getTarget())->second[first % step]);
  }

private:
  void splitBox() {
    SmallVector<int64_t> offsets(tick.getStaticOffsets()), strides(tick.getStridesOrOnes());
    offsets[last] = first / step;
    strides[last] = 1;
    tick.setStaticOffsets(offsets);
    tick.setStrides(strides);
  }

  /// The body continues to use the index in the whole row.
  void restoreIndex() {
    BlockArgument index = tick.getIndexArguments()[last];
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : index.getUses())
      if (!isa<LoadOp>(use.getOwner()))
        uses.push_back(&use);
    if (uses.empty())
      return;
    Location loc = tick.getLoc();
    Value by = arith::ConstantIndexOp::create(builder, loc, step);
    Value from = arith::ConstantIndexOp::create(builder, loc, first % step);
    Value wholeIndex = arith::MulIOp::create(builder, loc, index, by);
    wholeIndex = arith::AddIOp::create(builder, loc, wholeIndex, from);
    for (OpOperand *use : uses)
      use->set(wholeIndex);
  }

  void splitInputs() {
    SmallVector<Value> inputs(tick.getInputs());
    for (unsigned number = inputs.size(); number-- > 0;)
      if (arrays.contains(tick.getInputs()[number]))
        splitInput(number, inputs);
    tick.getInputsMutable().assign(inputs);
  }

  /// Replaces an input by those of its parts that are read.
  void splitInput(unsigned number, SmallVectorImpl<Value> &inputs) {
    Block &body = tick.getBody().front();
    BlockArgument whole = tick.getInputArguments()[number];
    ArrayRef<Value> storage = parts.find(tick.getInputs()[number])->second;
    inputs.erase(inputs.begin() + number);
    llvm::SmallMapVector<int64_t, BlockArgument, 4> used;
    for (LoadOp load : loadsOf(whole)) {
      int64_t place = first % step + *getLastMove(load, tick);
      int64_t cells = llvm::divideFloorSigned(place, step), part = place - cells * step;
      if (!used.count(part)) {
        used[part] = body.addArgument(storage[part].getType(), whole.getLoc());
        inputs.push_back(storage[part]);
      }
      moveLoad(load, used[part], cells);
    }
    body.eraseArgument(whole.getArgNumber());
  }

  SmallVector<LoadOp> loadsOf(BlockArgument whole) {
    SmallVector<LoadOp> loads;
    tick.getBody().walk([&](LoadOp load) {
      if (load.getSource() == whole)
        loads.push_back(load);
    });
    return loads;
  }

  /// Redirects a load to a part, moved by some of its cells.
  void moveLoad(LoadOp load, Value part, int64_t cells) {
    SmallVector<AffineExpr> results(load.getMap().getResults());
    int64_t before = *getLastMove(load, tick);
    results.back() = results.back() + (cells - before);
    AffineMap map = load.getMap();
    load.setMap(AffineMap::get(map.getNumDims(), 0, results, map.getContext()));
    load.getSourceMutable().assign(part);
  }

  TickOp tick;
  const Arrays &arrays;
  const Parts &parts;
  OpBuilder builder;
  unsigned last;
  int64_t step, first;
};

struct SplitColours : mlir::lci::impl::SplitColoursPassBase<SplitColours> {
  using SplitColoursPassBase::SplitColoursPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Arrays arrays(function);
    arrays.settle();
    if (failed(checkRequests(arrays)))
      return signalPassFailure();
    Parts parts;
    for (Value array : arrays.all())
      parts[array] = makeParts(cast<BlockArgument>(array), arrays.partsOf(array));
    for (TickOp tick : arrays.allTicks())
      if (arrays.isAccessed(tick))
        TickSplitter(tick, arrays, parts).split();
    for (Value array : arrays.all())
      copy(cast<BlockArgument>(array), parts[array]);
    numSplit += arrays.all().size();
    if (!arrays.all().empty())
      took(function, Way::ColoursSplit);
  }

  LogicalResult checkRequests(const Arrays &arrays) {
    for (BlockArgument array : getOperation().getArguments()) {
      if (requestedArrangement(array) != Arrangement::Colours || arrays.contains(array))
        continue;
      return emitError(array.getLoc())
             << ErrorId::NotLowered << "'" << nameOf(array)
             << "' is to have its rows' colours side by side, which takes ticks alone that "
                "touch it, all in equal steps along the last axis, without draws, sets or halos, "
                "one of them in a loop";
    }
    return success();
  }

  /// Makes arguments, allocated by callers, for every `count`th cell of each row.
  SmallVector<Value> makeParts(BlockArgument array, int64_t count) {
    func::FuncOp function = getOperation();
    Builder builder(&getContext());
    auto type = cast<MemRefType>(array.getType());
    SmallVector<Value> made;
    for (int64_t part = 0; part < count; ++part) {
      SmallVector<int64_t> shape(type.getShape());
      // An empty part is unused; its buffer has a cell because LLVM arguments need one.
      shape.back() = llvm::divideCeil(std::max<int64_t>(shape.back() - part, 1), count);
      NamedAttrList attributes(function.getArgAttrDict(array.getArgNumber()));
      attributes.set(kRole, roleAttr(builder.getContext(), Role::Scratch));
      attributes.erase(kArrangement);
      attributes.set("lci.extents", builder.getDenseI64ArrayAttr(shape));
      unsigned number = function.getNumArguments();
      (void)function.insertArgument(number, MemRefType::get(shape, type.getElementType()),
                                    attributes.getDictionary(&getContext()), array.getLoc());
      made.push_back(function.getArgument(number));
    }
    return made;
  }

  /// Copies at the start and the end of the function.
  void copy(BlockArgument array, ArrayRef<Value> parts) {
    Block &body = getOperation().getBody().front();
    OpBuilder begin = OpBuilder::atBlockBegin(&body), end(body.getTerminator());
    auto cells = cast<MemRefType>(array.getType()).getShape().back();
    for (auto [part, storage] : llvm::enumerate(parts.take_front(cells))) {
      linalg::CopyOp::create(begin, array.getLoc(),
                             viewOf(begin, array, part, parts.size(), storage), storage);
      if (roleOf(array) == Role::State)
        linalg::CopyOp::create(end, array.getLoc(), storage,
                               viewOf(end, array, part, parts.size(), storage));
    }
  }

  static Value viewOf(OpBuilder &builder, BlockArgument array, int64_t part, int64_t count,
                      Value storage) {
    auto type = cast<MemRefType>(storage.getType());
    SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
    offsets.back() = part;
    strides.back() = count;
    return memref::SubViewOp::create(builder, array.getLoc(), array, offsets, type.getShape(),
                                     strides);
  }
};

} // namespace
