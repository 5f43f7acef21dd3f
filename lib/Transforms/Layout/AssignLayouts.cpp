//===- AssignLayouts.cpp - Choose the layout of each array ----------------===//
//
// Assigns planes to arrays of small tokens if all their uses can be computed on
// planes, because one operation on words then computes 64 cells. Only types
// change here, and copies are added at the start and the end of the function;
// `lci-bitslice` rewrites the uses.
//
//===----------------------------------------------------------------------===//

#include "Bitslice/TickSlicer.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Transforms/Layout/Passes.h"
#include "LCI/Transforms/Support/IntegerRanges.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/TokenBits.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <set>

#undef DEBUG_TYPE // of another file that is compiled with this one
#define DEBUG_TYPE "lci-assign-layouts"

namespace mlir::lci {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "LCI/Transforms/Layout/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Rows that would be split into more parts are not laid out in planes.
static constexpr int64_t kMaxSplit = 4;

namespace {

/// An array: a state and its ping-pong buffer, with all values that alias them.
class Storage {
public:
  explicit Storage(BlockArgument state) : state(state) { reach(state); }

  /// Traces the buffers; sets `obstacle` if a use cannot be computed on planes.
  void follow();
  /// Gives all values the layout, and the state a separate buffer.
  void apply(func::FuncOp function, int64_t split);

  bool contains(Value value) const { return values.contains(value); }
  unsigned numBits() {
    auto function = cast<func::FuncOp>(state.getOwner()->getParentOp());
    return *getTokenBits(function.getArgAttrDict(state.getArgNumber()));
  }
  /// The number of words of the array that a tick reads for a word of cells.
  int64_t countWords(TickOp tick);

  BlockArgument state;
  /// The width of the halo at either end of a row, at most.
  int64_t haloOfRow() {
    return std::max(getNumbers("lci.halo_low").asArrayRef().back(),
                    getNumbers("lci.halo_high").asArrayRef().back());
  }

  SmallVector<TickOp> ticks; ///< its writers and readers
  std::optional<std::string> obstacle;
  int64_t split = 1;

private:
  void dropHalo(func::FuncOp function);
  void followUse(OpOperand &use);
  void followSource(Value value);
  void reach(Value value) {
    if (values.insert(value))
      pending.push_back(value);
  }
  DenseI64ArrayAttr getNumbers(StringRef name) {
    auto function = cast<func::FuncOp>(state.getOwner()->getParentOp());
    return function.getArgAttrOfType<DenseI64ArrayAttr>(state.getArgNumber(), name);
  }
  bool isInterior(memref::SubViewOp view);

  llvm::SetVector<Value> values;
  SmallVector<Value> pending;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tracing an array
//===----------------------------------------------------------------------===//

bool Storage::isInterior(memref::SubViewOp view) {
  auto isOne = [](int64_t stride) { return stride == 1; };
  return view.getStaticOffsets() == getNumbers("lci.halo_low").asArrayRef() &&
         view.getStaticSizes() == getNumbers("lci.extents").asArrayRef() &&
         llvm::all_of(view.getStaticStrides(), isOne);
}

void Storage::followUse(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    reach(loop.getTiedLoopRegionIterArg(&use));
    reach(loop.getTiedLoopResult(&use));
  } else if (isa<scf::YieldOp>(user)) {
    unsigned number = use.getOperandNumber();
    reach(user->getParentOp()->getResult(number));
    if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp())) {
      reach(loop.getRegionIterArg(number));
      reach(loop.getInitArgs()[number]);
    }
  } else if (auto tick = dyn_cast<TickOp>(user)) {
    if (!llvm::is_contained(ticks, tick))
      ticks.push_back(tick);
    unsigned first = tick.getInputs().empty() ? 0 : tick.getInputs().getBeginOperandIndex();
    unsigned number = use.getOperandNumber();
    if (number >= first && number < first + tick.getInputs().size())
      reach(tick.getInputArguments()[number - first]);
    else if (&use != &tick.getTargetMutable())
      obstacle = "a tick that takes it otherwise than as an input or its target";
  } else if (auto view = dyn_cast<memref::SubViewOp>(user); view && isInterior(view)) {
    reach(view.getResult());
  } else if (!isa<RefreshHaloOp, linalg::CopyOp, memref::ExtractAlignedPointerAsIndexOp, LoadOp>(
                 user)) {
    obstacle = "'" + user->getName().getStringRef().str() + "'";
  }
}

void Storage::followSource(Value value) {
  if (auto loop = value.getDefiningOp<scf::ForOp>()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    reach(loop.getInitArgs()[number]);
    reach(loop.getYieldedValues()[number]);
  } else if (auto branch = value.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    reach(branch.thenYield().getOperand(number));
    reach(branch.elseYield().getOperand(number));
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
      reach(loop.getTiedLoopInit(argument)->get());
      reach(loop.getTiedLoopYieldedValue(argument)->get());
    }
  }
}

void Storage::follow() {
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    followSource(next);
    for (OpOperand &use : next.getUses())
      followUse(use);
  }
}

/// The state is only copied from now on, so it needs no halo: the functions beside this one, which
/// have none, can work on the same array.
void Storage::dropHalo(func::FuncOp function) {
  ArrayRef<int64_t> cells = getNumbers("lci.extents").asArrayRef();
  SmallVector<int64_t> none(cells.size(), 0);
  auto zeros = DenseI64ArrayAttr::get(function.getContext(), none);
  for (const char *side : {"lci.halo_low", "lci.halo_high"})
    function.setArgAttr(state.getArgNumber(), side, zeros);
  auto type = cast<MemRefType>(state.getType());
  state.setType(MemRefType::get(cells, type.getElementType()));
}

/// For each row and plane: the cells' word and one on each side.
int64_t Storage::countWords(TickOp tick) {
  constexpr int64_t wordsOfRow = 3;
  std::set<SmallVector<int64_t>> rows;
  tick.getBody().walk([&](LoadOp load) {
    auto window = load.getWindow();
    if (!contains(load.getSource()) || !window || window->empty())
      return;
    auto moves = llvm::make_second_range(ArrayRef(*window).drop_back());
    rows.insert(SmallVector<int64_t>(moves.begin(), moves.end()));
  });
  return wordsOfRow * numBits() * static_cast<int64_t>(rows.size());
}

//===----------------------------------------------------------------------===//
// Applying a layout
//===----------------------------------------------------------------------===//

void Storage::apply(func::FuncOp function, int64_t split) {
  auto cells = getNumbers("lci.extents"), low = getNumbers("lci.halo_low"),
       high = getNumbers("lci.halo_high");
  auto layout = LayoutAttr::get(function.getContext(), split, numBits(), cells.asArrayRef(),
                                low.asArrayRef(), high.asArrayRef());
  auto laidOut = [&](Type type) -> Type {
    return MemRefType::Builder(cast<MemRefType>(type)).setMemorySpace(layout);
  };
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  NamedAttrList attributes(function.getArgAttrDict(state.getArgNumber()));
  attributes.set(kRole, roleAttr(builder.getContext(), Role::Scratch));
  attributes.erase(kArrangement);
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, state.getType(),
                                attributes.getDictionary(function.getContext()), state.getLoc());
  BlockArgument home = function.getArgument(number);
  state.replaceAllUsesWith(home);
  values.remove(state);
  values.insert(home);
  for (Value value : values)
    value.setType(laidOut(value.getType()));
  dropHalo(function);
  auto interior = [&](Value storage) -> Value {
    SmallVector<OpFoldResult> ones(cells.size(), builder.getIndexAttr(1));
    if (cast<MemRefType>(storage.getType()).getShape() == cells.asArrayRef())
      return storage;
    return memref::SubViewOp::create(
        builder, state.getLoc(), storage,
        getAsIndexOpFoldResult(builder.getContext(), low.asArrayRef()),
        getAsIndexOpFoldResult(builder.getContext(), cells.asArrayRef()), ones);
  };
  auto copy = [&](Value from, Value to) {
    Value source = interior(from), target = interior(to);
    linalg::CopyOp::create(builder, state.getLoc(), source, target);
  };
  copy(state, home);
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  copy(home, state);
  SmallVector<Type> inputs(function.getBody().getArgumentTypes());
  function.setFunctionType(builder.getFunctionType(inputs, function.getResultTypes()));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct AssignLayouts : mlir::lci::impl::AssignLayoutsPassBase<AssignLayouts> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;

  static bool isState(BlockArgument argument) {
    return roleOf(argument) == Role::State && isa<MemRefType>(argument.getType());
  }

  static bool isCandidate(func::FuncOp function, BlockArgument argument) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    std::optional<unsigned> bits = getTokenBits(function.getArgAttrDict(argument.getArgNumber()));
    return isState(argument) && type.getRank() > 0 && type.getElementType().isInteger() &&
           type.hasStaticShape() && !layoutOf(type) && bits &&
           *bits <= llvm::Log2_64(kMaxPlaneTokens) && hasCellAttributes(function, argument);
  }

  static bool hasCellAttributes(func::FuncOp function, BlockArgument argument) {
    return llvm::all_of(ArrayRef{"lci.extents", "lci.halo_low", "lci.halo_high"},
                        [&](const char *name) -> bool {
                          return function.getArgAttr(argument.getArgNumber(), name) != nullptr;
                        });
  }

  /// The least common multiple of two strides, or a number above the limit.
  static int64_t combineStrides(int64_t one, int64_t other) {
    return std::max(one, other) > kMaxSplit ? kMaxSplit + 1 : std::lcm(one, other);
  }

  /// The arrays that a tick writes or reads through stencils; null for one that is no candidate.
  static SmallVector<Storage *> getAccessedArrays(TickOp tick, MutableArrayRef<Storage> all) {
    SmallVector<Storage *> found;
    auto add = [&](Value value) {
      if (!isa<MemRefType>(value.getType()))
        return;
      auto *owner = llvm::find_if(all, [&](Storage &one) { return one.contains(value); });
      found.push_back(owner == all.end() ? nullptr : owner);
    };
    add(tick.getTarget());
    auto isWindow = [](Operation *user) { return isa<LoadOp>(user); };
    for (auto [argument, input] : llvm::zip_equal(tick.getInputArguments(), tick.getInputs()))
      if (llvm::any_of(argument.getUsers(), isWindow)) // others are tables
        add(input);
    return found;
  }

  /// Updates an array from its ticks and the other arrays that they access; whether it changed.
  bool update(Storage &storage, MutableArrayRef<Storage> all, DataFlowSolver &solver) {
    bool wasPossible = !storage.obstacle;
    int64_t before = storage.split;
    for (TickOp tick : storage.ticks) {
      storage.split = combineStrides(storage.split, tick.getStridesOrOnes().back());
      for (Storage *other : getAccessedArrays(tick, all)) {
        if (!other || other->obstacle)
          storage.obstacle = "a tick that touches an array of another layout";
        else
          storage.split = combineStrides(storage.split, other->split);
      }
      if (!bitslice::findDraws(tick).empty() &&
          static_cast<int64_t>(tick.getClassStride()) != storage.split)
        storage.obstacle = "draws whose cells do not lie together";
    }
    if (storage.split > kMaxSplit)
      storage.obstacle = "strides that split rows into many parts";
    return (wasPossible && storage.obstacle) || (!storage.obstacle && storage.split != before);
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    SmallVector<Storage> all;
    for (BlockArgument argument : function.getArguments())
      if (isCandidate(function, argument))
        all.emplace_back(argument).follow();
      else if (isState(argument) && requestsPlanes(argument))
        return refuse(argument, "cells that are no tokens, or too many of them for four bits");
    if (all.empty())
      return;
    DataFlowSolver solver;
    if (failed(bitslice::analyzeBodies(solver, function)))
      return signalPassFailure();
    for (Storage &storage : all)
      findObstacle(storage, solver);
    while (llvm::any_of(
        all, [&](Storage &storage) { return !storage.obstacle && update(storage, all, solver); }))
      ;
    for (Storage &storage : all) {
      LDBG() << nameOf(storage.state)
             << (storage.obstacle ? ": no planes because of " + *storage.obstacle
                                  : ": planes of bits: " + std::to_string(storage.numBits()));
      if (storage.obstacle) {
        if (requestsPlanes(storage.state))
          return refuse(storage.state, *storage.obstacle);
        if (remarks)
          explain(storage);
        continue;
      }
      took(function, storage.numBits() == 1 ? Way::OnePlane : Way::SeveralPlanes);
      if (storage.split > 1)
        took(function, Way::SplitPlanes);
      storage.apply(function, storage.split);
      ++numSliced;
    }
  }

  static bool requestsPlanes(BlockArgument array) {
    return requestedArrangement(array) == Arrangement::Planes;
  }

  void refuse(BlockArgument array, const std::string &obstacle) {
    emitError(array.getLoc()) << ErrorId::NotLowered << "'" << nameOf(array)
                              << "' is to be laid out in planes, but got " << obstacle;
    signalPassFailure();
  }

  static void explain(Storage &storage) {
    emitRemark(storage.state.getLoc())
        << "'" << nameOf(storage.state) << "' is not laid out in planes because of "
        << *storage.obstacle;
  }

  static void findObstacle(Storage &storage, DataFlowSolver &solver) {
    auto isInLoop = [](TickOp tick) { return tick->getParentOfType<scf::ForOp>() != nullptr; };
    if (requestedArrangement(storage.state).value_or(Arrangement::Planes) != Arrangement::Planes)
      storage.obstacle = "another arrangement that is asked for";
    if (!storage.obstacle && llvm::none_of(storage.ticks, isInLoop))
      storage.obstacle = "no loop that would be worth two copies";
    if (!storage.obstacle && storage.haloOfRow() > kMaxPlaneHalo)
      storage.obstacle = "a halo of more words than are copied one by one";
    for (TickOp tick : storage.ticks) {
      if (!storage.obstacle)
        storage.obstacle = bitslice::findObstacle(tick, solver);
      if (!storage.obstacle && !requestsPlanes(storage.state) &&
          storage.countWords(tick) > kMaxAccesses)
        storage.obstacle = "windows of more words than a loop by vectors can read";
    }
  }
};

} // namespace
