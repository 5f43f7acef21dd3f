//===- OutlineTicks.cpp - Each tick and halo in a function of its own -----===//
//
// Buffers that take turns are carried by loops, where nothing tells LLVM any more that they are
// distinct. As arguments of a function of the tick's own they are, and vectorise without tests.
// Equal functions are compiled once, and LLVM's time, which grows faster than a function, stays
// low.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::lci {
#define GEN_PASS_DEF_OUTLINETICKSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// A part of a buffer that is the same at every run.
static memref::SubViewOp fixedView(Value value) {
  auto view = value.getDefiningOp<memref::SubViewOp>();
  return view && view->getNumOperands() == 1 ? view : memref::SubViewOp();
}

namespace {

/// Moves one operation on buffers into a function.
class Outliner {
public:
  Outliner(Operation *op, std::string name, SymbolTable &symbols)
      : op(op), name(std::move(name)), symbols(symbols) {}

  /// Constants move along, except for one that shall not make this function another one.
  void outline(Value varying = nullptr) {
    for (Value operand : op->getOperands())
      if (operand == varying || !isa_and_nonnull<arith::ConstantOp>(operand.getDefiningOp()))
        arguments.insert(bufferOf(operand));
    func::FuncOp function = declare();
    OpBuilder builder(op);
    func::CallOp::create(builder, op->getLoc(), function, arguments.getArrayRef());
    fill(function);
    op->erase();
  }

private:
  static Value bufferOf(Value value) {
    while (memref::SubViewOp view = fixedView(value))
      value = view.getSource();
    return value;
  }

  func::FuncOp declare() {
    auto outer = op->getParentOfType<func::FuncOp>();
    OpBuilder builder(outer);
    auto type = builder.getFunctionType(TypeRange(ValueRange(arguments.getArrayRef())), {});
    auto function =
        func::FuncOp::create(builder, op->getLoc(), (outer.getName() + "." + name).str(), type);
    function.setPrivate();
    symbols.insert(function, Block::iterator(outer));
    // Inlined, the arguments would lose what they say about the buffers.
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    for (auto [position, argument] : llvm::enumerate(arguments))
      if (isDistinct(argument, outer))
        function.setArgAttr(position, "llvm.noalias", builder.getUnitAttr());
    return function;
  }

  /// A buffer that is one of the outer function's, or one that takes turns with another of them.
  static bool isDistinct(Value buffer, func::FuncOp outer) {
    if (!isa<MemRefType>(buffer.getType()))
      return false;
    auto argument = dyn_cast<BlockArgument>(buffer);
    if (argument && argument.getOwner() == &outer.getBody().front())
      return outer.getArgAttr(argument.getArgNumber(), "llvm.noalias") != nullptr;
    // A branch that hands on two buffers in turn folds to selects.
    return argument || isa<scf::ForOp, scf::IfOp, arith::SelectOp>(buffer.getDefiningOp());
  }

  void fill(func::FuncOp function) {
    Block *entry = function.addEntryBlock();
    OpBuilder builder = OpBuilder::atBlockEnd(entry);
    IRMapping mapping;
    for (auto [outer, inner] : llvm::zip_equal(arguments, entry->getArguments()))
      mapping.map(outer, inner);
    for (Value operand : op->getOperands())
      rebuild(builder, operand, mapping);
    builder.clone(*op, mapping);
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
  llvm::SetVector<Value> arguments;
};

struct OutlineTicks : lci::impl::OutlineTicksPassBase<OutlineTicks> {
  using OutlineTicksPassBase::OutlineTicksPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<TickOp> ticks;
    SmallVector<RefreshHaloOp> halos;
    getOperation().walk([&](TickOp tick) {
      if (!tick.hasTensorSemantics())
        ticks.push_back(tick);
    });
    getOperation().walk([&](RefreshHaloOp halo) { halos.push_back(halo); });
    for (TickOp tick : ticks) {
      // With its phase as an argument, what asks a model is compiled once for all phases.
      Value argument = tick.asksModel() ? tick.getPhase() : Value();
      Outliner(tick, tick.getName().str(), symbols).outline(argument);
    }
    for (RefreshHaloOp halo : halos)
      Outliner(halo, "halo", symbols).outline();
    numTicks += ticks.size();
    numHalos += halos.size();
  }
};

} // namespace
