//===- OutlineTicks.cpp - Outline ticks, halos and copies -----------------===//
//
// Ping-pong buffers are carried by loops, where nothing tells LLVM any more that they are distinct.
// As arguments of an outlined function they are `noalias`, and its loops vectorize without runtime
// checks. Equal functions are compiled once, and LLVM's compile time, superlinear in the size of a
// function, stays low. So does that of upstream's lowering of loops to branches, which moves the
// remainder of the function once for each loop: hence fills and copies at its ends are outlined
// too. Of a tick that threads share, the body of the parallel loop becomes the function.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Transforms/Bufferize/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::lci {
#define GEN_PASS_DEF_OUTLINETICKSPASS
#include "LCI/Transforms/Bufferize/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// A view of a buffer at constant offsets, sizes and strides.
static memref::SubViewOp fixedView(Value value) {
  auto view = value.getDefiningOp<memref::SubViewOp>();
  return view && view->getNumOperands() == 1 ? view : memref::SubViewOp();
}

/// An index at a constant distance from another one.
static bool isMoved(Value index) {
  auto sum = index.getDefiningOp<arith::AddIOp>();
  return sum && index.getType().isIndex() && matchPattern(sum.getRhs(), m_Constant());
}

/// A branch that copies a buffer back unless both are the same, as `lci-bufferize-state` ends a
/// function.
static bool isCopyBack(scf::IfOp branch) {
  auto differs = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  auto isPointer = [](Value value) {
    return isa_and_nonnull<memref::ExtractAlignedPointerAsIndexOp>(value.getDefiningOp());
  };
  return differs && isPointer(differs.getLhs()) && isPointer(differs.getRhs()) &&
         branch.getNumResults() == 0 && branch.getElseRegion().empty() &&
         llvm::all_of(*branch.thenBlock(), [](Operation &op) {
           return isa<memref::SubViewOp, linalg::CopyOp, scf::YieldOp>(op);
         });
}

/// A copy between buffers that can be arguments as plain pointers: whole ones, or constant views of
/// them.
static bool copiesWhole(linalg::CopyOp copy) {
  return copy.hasPureBufferSemantics() && llvm::all_of(copy->getOperands(), [](Value buffer) {
           memref::SubViewOp view = fixedView(buffer);
           auto type = view ? view.getSourceType() : cast<MemRefType>(buffer.getType());
           return type.hasStaticShape() && type.getLayout().isIdentity();
         });
}

/// A loop that only moves cells, such as between bytes and planes before the first tick and after
/// the last.
static bool movesCells(scf::ForOp loop) {
  bool moves = loop.getNumResults() == 0;
  loop.walk([&](Operation *op) {
    if (isa<TickOp, RefreshHaloOp, KeepSurestOp, linalg::LinalgOp, func::CallOp>(op) ||
        op->hasAttr("lci.name"))
      moves = false;
  });
  return moves;
}

/// Makes clocks that a body does not use constants: they need not be arguments.
static void dropUnusedClocks(TickOp tick) {
  WalkResult drawn = tick.getBody().walk(
      [](Operation *op) { return isDraw(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (drawn.wasInterrupted() || tick.getCells())
    return;
  OpBuilder builder(tick);
  auto drop = [&](OpOperand &clock, Value argument) {
    if (argument.use_empty())
      clock.set(arith::ConstantIntOp::create(builder, tick.getLoc(), 0, 64));
  };
  drop(tick.getEpochMutable(), tick.getEpochArgument());
  drop(tick.getPhaseMutable(), tick.getPhaseArgument());
  drop(tick.getSeedMutable(), tick.getSeedArgument());
}

namespace {

/// Moves one operation on buffers into a function; of a parallel loop its body, with the induction
/// variable as an argument.
class Outliner {
public:
  Outliner(Operation *op, std::string name, SymbolTable &symbols)
      : op(op), name(std::move(name)), symbols(symbols) {
    op->walk([](TickOp tick) { dropUnusedClocks(tick); });
    llvm::append_range(inputs, op->getOperands());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(inputs, captured);
  }

  /// Constants are cloned into the function, except `varying`, which would make it another
  /// function.
  void outline(Value varying = nullptr) {
    if (op->getNumResults() != 0) // on tensors, not bufferized
      return;
    for (Value input : inputs)
      input == varying ? void(arguments.insert(input)) : addArguments(input);
    func::FuncOp function = declare();
    fill(function);
    OpBuilder builder(op);
    SmallVector<Value> operands(arguments.getArrayRef());
    SmallVector<Operation *> moved{op};
    if (auto loop = dyn_cast<scf::ForallOp>(op)) {
      operands.insert(operands.begin(), loop.getInductionVar(0));
      builder.setInsertionPoint(loop.getTerminator());
      moved = bodyOf(loop);
    }
    func::CallOp::create(builder, op->getLoc(), function, operands);
    for (Operation *inner : llvm::reverse(moved))
      inner->erase();
  }

private:
  static SmallVector<Operation *> bodyOf(scf::ForallOp loop) {
    return llvm::map_to_vector(loop.getBody()->without_terminator(),
                               [](Operation &inner) { return &inner; });
  }

  /// Adds the arguments from which a value is rebuilt inside of the function, or the value itself.
  void addArguments(Value value) {
    Operation *made = value.getDefiningOp();
    bool isTest = isa<scf::IfOp>(op) &&
                  isa_and_nonnull<arith::CmpIOp, memref::ExtractAlignedPointerAsIndexOp>(made);
    // A view with dynamic offsets cannot be passed as a plain pointer; and the distance between two
    // views must be visible inside.
    bool isMade = isa_and_nonnull<arith::ConstantOp, memref::SubViewOp>(made) || isMoved(value);
    if (!isTest && !isMade) {
      arguments.insert(value);
      return;
    }
    for (Value source : made->getOperands())
      addArguments(source);
  }

  func::FuncOp declare() {
    auto outer = op->getParentOfType<func::FuncOp>();
    OpBuilder builder(outer);
    SmallVector<Type> types;
    if (isa<scf::ForallOp>(op))
      types.push_back(builder.getIndexType());
    llvm::append_range(types, ValueRange(arguments.getArrayRef()).getTypes());
    unsigned numBefore = types.size() - arguments.size();
    auto type = builder.getFunctionType(types, {});
    auto function =
        func::FuncOp::create(builder, op->getLoc(), (outer.getName() + "." + name).str(), type);
    function.setPrivate();
    symbols.insert(function, Block::iterator(outer));
    // Inlined, the arguments would lose their `noalias`.
    // Words are computed with one instruction each, so the widest vectors are the best.
    auto widest = builder.getStrArrayAttr({"prefer-vector-width", "512"});
    function->setAttr("passthrough",
                      builder.getArrayAttr({builder.getStringAttr("noinline"), widest}));
    for (auto [position, argument] : llvm::enumerate(arguments))
      if (!isa<scf::IfOp>(op) && isDisjointBuffer(argument)) // a copy back may alias its target
        function.setArgAttr(numBefore + position, "llvm.noalias", builder.getUnitAttr());
    return function;
  }

  /// Whether the function has an argument with a buffer that no other argument shares.
  bool isDisjointBuffer(Value buffer) {
    return isa<MemRefType>(buffer.getType()) && llvm::all_of(arguments, [&](Value other) {
             return other == buffer || !isa<MemRefType>(other.getType()) ||
                    aliases.alias(buffer, other).isNo();
           });
  }

  void fill(func::FuncOp function) {
    Block *entry = function.addEntryBlock();
    OpBuilder builder = OpBuilder::atBlockEnd(entry);
    IRMapping mapping;
    auto loop = dyn_cast<scf::ForallOp>(op);
    if (loop)
      mapping.map(loop.getInductionVar(0), entry->getArgument(0));
    for (auto [outer, inner] :
         llvm::zip_equal(arguments, entry->getArguments().take_back(arguments.size())))
      mapping.map(outer, inner);
    for (Value input : inputs)
      rebuild(builder, input, mapping);
    for (Operation *outer : loop ? bodyOf(loop) : SmallVector<Operation *>{op}) {
      Operation *moved = builder.clone(*outer, mapping);
      // The name is now the function's; as an attribute it would make equal functions differ.
      moved->walk([](Operation *inner) { inner->removeDiscardableAttr("lci.name"); });
      // The region kept a row together; within the function it may be inlined.
      if (auto row = dyn_cast<scf::ExecuteRegionOp>(moved))
        row.setNoInline(false);
    }
    func::ReturnOp::create(builder, op->getLoc());
  }

  static void rebuild(OpBuilder &builder, Value operand, IRMapping &mapping) {
    if (mapping.contains(operand))
      return;
    Operation *made = operand.getDefiningOp();
    for (Value source : made->getOperands())
      rebuild(builder, source, mapping);
    builder.clone(*made, mapping);
  }

  Operation *op;
  std::string name;
  SymbolTable &symbols;
  SmallVector<Value> inputs; ///< operands, and values that its regions capture
  llvm::SetVector<Value> arguments;
  BufferAliasAnalysis aliases;
};

struct OutlineTicks : mlir::lci::impl::OutlineTicksPassBase<OutlineTicks> {
  using OutlineTicksPassBase::OutlineTicksPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    this->symbols = &symbols;
    auto shared = find<scf::ForallOp>([](scf::ForallOp loop) { return loop->hasAttr("lci.name"); });
    auto ticks =
        find<TickOp>([](TickOp tick) { return !tick.hasTensorSemantics() && !isPartOfTick(tick); });
    auto halos = find<RefreshHaloOp>([](RefreshHaloOp halo) { return !isPartOfTick(halo); });
    auto choices = find<KeepSurestOp>();
    SmallVector<Operation *> copies = findCopies();
    outlineWords();
    for (scf::ForallOp loop : shared) {
      auto inner = loop.getBody()->getOps<TickOp>();
      Value varying = inner.empty() ? Value() : getVarying(*inner.begin());
      Outliner(loop, loop->getAttrOfType<StringAttr>("lci.name").str(), symbols).outline(varying);
    }
    for (TickOp tick : ticks)
      Outliner(tick, tick.getName().str(), symbols).outline(getVarying(tick));
    for (RefreshHaloOp halo : halos)
      Outliner(halo, "halo", symbols).outline();
    for (Operation *copy : copies)
      Outliner(copy, nameOf(copy).str(), symbols).outline();
    for (KeepSurestOp choice : choices)
      Outliner(choice, "surest", symbols).outline();
    numTicks += ticks.size() + shared.size();
    numHalos += halos.size();
    numCopies += copies.size();
  }

private:
  /// Operations inside of a part that is outlined as a whole.
  static bool isPartOfTick(Operation *op) {
    auto together = op->getParentOfType<scf::ExecuteRegionOp>();
    return op->getParentOfType<scf::ForallOp>() || (together && together->hasAttr("lci.name"));
  }

  /// With its phase as an argument, a tick that calls a model is compiled once for all phases.
  static Value getVarying(TickOp tick) { return tick.callsModel() ? tick.getPhase() : Value(); }

  template <typename Op>
  SmallVector<Op> find(function_ref<bool(Op)> isWanted = [](Op) { return true; }) {
    SmallVector<Op> found;
    getOperation().walk([&](Op op) {
      if (isWanted(op))
        found.push_back(op);
    });
    return found;
  }

  /// Operations that initialize arrays before the first tick, copy them back after the last, or
  /// keep them where a rule is switched off.
  SmallVector<Operation *> findCopies() {
    SmallVector<Operation *> copies;
    llvm::append_range(copies, find<scf::IfOp>(isCopyBack));
    for (linalg::CopyOp copy : find<linalg::CopyOp>(copiesWhole)) {
      auto branch = dyn_cast<scf::IfOp>(copy->getParentOp());
      if (!isPartOfTick(copy) && !(branch && isCopyBack(branch)))
        copies.push_back(copy);
    }
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (auto fill : function.getOps<linalg::FillOp>())
        if (fill.hasPureBufferSemantics()) // those on tensors are a model's
          copies.push_back(fill);
      for (auto loop : function.getOps<scf::ForOp>())
        if (movesCells(loop))
          copies.push_back(loop);
    }
    return copies;
  }

  static StringRef nameOf(Operation *copy) {
    return isa<linalg::FillOp>(copy) ? "fill" : isa<scf::ForOp>(copy) ? "move" : "copy";
  }

  /// Ticks and halos that were lowered to loops over words, which carry their names.
  void outlineWords() {
    auto words = find<linalg::GenericOp>([](linalg::GenericOp generic) {
      return generic.hasPureBufferSemantics() && !isPartOfTick(generic);
    });
    for (linalg::GenericOp generic : words) {
      auto name = generic->getAttrOfType<StringAttr>("lci.name");
      Outliner(generic, name ? name.str() : "words", *symbols).outline();
    }
    auto rows = find<Operation *>([](Operation *op) {
      return isa<scf::ForOp, scf::ExecuteRegionOp>(op) && op->hasAttr("lci.name") &&
             !isPartOfTick(op);
    });
    for (Operation *op : rows)
      Outliner(op, op->getAttrOfType<StringAttr>("lci.name").str(), *symbols).outline();
  }

  SymbolTable *symbols = nullptr;
};

} // namespace
