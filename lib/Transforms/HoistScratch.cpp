//===- HoistScratch.cpp - The caller brings the scratch buffers -----------===//
//
// A function that runs once per tick must not allocate. What it allocates for its own use is the
// same at every call, so it becomes an argument; the caller allocates, or its caller in turn.
// Calls follow each other, so all that a function calls share its scratch buffers.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci {
#define GEN_PASS_DEF_HOISTSCRATCHPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Moves the scratch buffers of functions to their callers, callees first.
class ScratchHoister {
public:
  explicit ScratchHoister(ModuleOp module) : users(tables, module) {
    module.walk([&](func::FuncOp function) { order(function); });
  }

  /// The number of buffers that became arguments.
  int64_t run() {
    for (func::FuncOp function : calleesFirst) {
      if (isCalledOnly(function))
        toArguments(function);
      else
        freeAtReturns(function);
    }
    return numHoisted;
  }

private:
  /// Lists a function after all that it calls.
  void order(func::FuncOp function) {
    if (!visited.insert(function).second)
      return;
    function.walk([&](func::CallOp call) {
      if (auto callee = tables.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()))
        order(callee);
    });
    calleesFirst.push_back(function);
  }

  /// Nobody else may call it, nothing leaves it, and it does not call itself.
  bool isCalledOnly(func::FuncOp function) {
    return function.isPrivate() && !function.isExternal() && !hasBufferResult(function) &&
           llvm::all_of(users.getUsers(function), [&](Operation *user) {
             return isa<func::CallOp>(user) && !function->isAncestor(user);
           });
  }

  static bool hasBufferResult(func::FuncOp function) {
    return llvm::any_of(function.getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  }

  /// The buffers that a function allocates once and for all, each of which is the same at every
  /// call.
  static SmallVector<memref::AllocOp> scratchOf(func::FuncOp function) {
    SmallVector<memref::AllocOp> scratch;
    for (auto alloc : function.getBody().front().getOps<memref::AllocOp>())
      if (alloc->getNumOperands() == 0)
        scratch.push_back(alloc);
    return scratch;
  }

  static void eraseFrees(memref::AllocOp alloc) {
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
  }

  void toArguments(func::FuncOp function) {
    llvm::MapVector<Type, unsigned> uses; // how many of a type this function has asked for
    for (memref::AllocOp alloc : scratchOf(function)) {
      unsigned number = uses[alloc.getType()]++;
      for (Operation *user : users.getUsers(function))
        user->insertOperands(user->getNumOperands(), callerScratch(user, alloc, number));
      eraseFrees(alloc);
      auto distinct = DictionaryAttr::get(
          alloc.getContext(), NamedAttribute(StringAttr::get(alloc.getContext(), "llvm.noalias"),
                                             UnitAttr::get(alloc.getContext())));
      unsigned position = function.getNumArguments();
      if (failed(function.insertArgument(position, alloc.getType(), distinct, alloc.getLoc())))
        llvm_unreachable("a function takes any type of argument");
      alloc.replaceAllUsesWith(function.getArgument(position));
      alloc.erase();
      ++numHoisted;
    }
  }

  /// The caller's buffer for the nth of its type that one callee needs.
  Value callerScratch(Operation *call, memref::AllocOp like, unsigned number) {
    auto caller = call->getParentOfType<func::FuncOp>();
    Value &buffer = shared[{caller, like.getType(), number}];
    if (!buffer) {
      OpBuilder builder = OpBuilder::atBlockBegin(&caller.getBody().front());
      buffer = builder.clone(*like)->getResult(0);
    }
    return buffer;
  }

  /// What stays in a function that others call ends with it.
  static void freeAtReturns(func::FuncOp function) {
    if (function.isExternal() || hasBufferResult(function))
      return;
    for (memref::AllocOp alloc : scratchOf(function)) {
      eraseFrees(alloc);
      function.walk([&](func::ReturnOp end) {
        OpBuilder builder(end);
        memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
      });
    }
  }

  SymbolTableCollection tables;
  SymbolUserMap users;
  llvm::DenseSet<Operation *> visited;
  SmallVector<func::FuncOp> calleesFirst;
  llvm::DenseMap<std::tuple<Operation *, Type, unsigned>, Value> shared;
  int64_t numHoisted = 0;
};

struct HoistScratch : lci::impl::HoistScratchPassBase<HoistScratch> {
  using HoistScratchPassBase::HoistScratchPassBase;
  void runOnOperation() override { numBuffers += ScratchHoister(getOperation()).run(); }
};

} // namespace
