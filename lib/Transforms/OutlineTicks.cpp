//===- OutlineTicks.cpp - Each tick in a function of its own --------------===//
//
// Buffers that take turns are carried by loops, where nothing tells LLVM any more that they are
// distinct. As arguments of a function of the tick's own they are, and vectorise without tests.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
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

class TickOutliner {
public:
  TickOutliner(TickOp tick, SymbolTable &symbols) : tick(tick), symbols(symbols) {}

  void outline() {
    for (Value operand : tick->getOperands())
      if (!isa_and_nonnull<arith::ConstantOp>(operand.getDefiningOp()))
        arguments.insert(bufferOf(operand));
    func::FuncOp function = declare();
    OpBuilder builder(tick);
    func::CallOp::create(builder, tick.getLoc(), function, arguments.getArrayRef());
    fill(function);
    tick.erase();
  }

private:
  static Value bufferOf(Value value) {
    while (memref::SubViewOp view = fixedView(value))
      value = view.getSource();
    return value;
  }

  func::FuncOp declare() {
    auto outer = tick->getParentOfType<func::FuncOp>();
    OpBuilder builder(outer);
    auto type = builder.getFunctionType(TypeRange(ValueRange(arguments.getArrayRef())), {});
    std::string name = (outer.getName() + "." + tick.getName()).str();
    auto function = func::FuncOp::create(builder, tick.getLoc(), name, type);
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
    for (Value operand : tick->getOperands())
      rebuild(builder, operand, mapping);
    builder.clone(*tick, mapping);
    func::ReturnOp::create(builder, tick.getLoc());
  }

  static void rebuild(OpBuilder &builder, Value operand, IRMapping &mapping) {
    if (mapping.contains(operand))
      return;
    Operation *op = operand.getDefiningOp();
    for (Value source : op->getOperands())
      rebuild(builder, source, mapping);
    builder.clone(*op, mapping);
  }

  TickOp tick;
  SymbolTable &symbols;
  llvm::SetVector<Value> arguments;
};

struct OutlineTicks : lci::impl::OutlineTicksPassBase<OutlineTicks> {
  using OutlineTicksPassBase::OutlineTicksPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) {
      if (!tick.hasTensorSemantics())
        ticks.push_back(tick);
    });
    for (TickOp tick : ticks)
      TickOutliner(tick, symbols).outline();
    numTicks += ticks.size();
  }
};

} // namespace
