//===- HoistScratch.cpp - Scratch buffers as arguments --------------------===//
//
// A function that runs once per tick must not allocate. Its scratch buffers are the same at every
// call, so they become arguments, which callers allocate or take as arguments themselves. Calls are
// sequential, so all callees of a function share scratch buffers; those called by parallel threads
// get disjoint slices of one buffer of bytes.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/ElementSize.h"
#include "LCI/Transforms/Bufferize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_HOISTSCRATCHPASS
#include "LCI/Transforms/Bufferize/Passes.h.inc"
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
      if (isCalledOnly(function) && isCalledInParallel(function))
        toSlices(function);
      else if (isCalledOnly(function))
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

  /// Private, without buffers among its results, and only called, but not by itself.
  bool isCalledOnly(func::FuncOp function) {
    return function.isPrivate() && !function.isExternal() && !hasBufferResult(function) &&
           llvm::all_of(users.getUsers(function), [&](Operation *user) {
             return isa<func::CallOp>(user) && !function->isAncestor(user);
           });
  }

  static bool hasBufferResult(func::FuncOp function) {
    return llvm::any_of(function.getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  }

  /// The buffers that a function allocates once, of constant size, in its entry block.
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

  /// The parallel loop that contains a call, if any.
  static scf::ForallOp partsOf(Operation *call) { return call->getParentOfType<scf::ForallOp>(); }

  bool isCalledInParallel(func::FuncOp function) {
    return llvm::any_of(users.getUsers(function), partsOf);
  }

  /// The number of concurrent calls of a function.
  int64_t countParts(func::FuncOp function) {
    int64_t most = 1;
    for (Operation *user : users.getUsers(function))
      if (scf::ForallOp loop = partsOf(user))
        most = std::max(most, *getConstantIntValue(loop.getMixedUpperBound().front()));
    return most;
  }

  /// Each call passes the number of its part. The argument is a buffer of bytes, rather than one
  /// with a further dimension, so that users of the buffer see its type unchanged.
  void toSlices(func::FuncOp function) {
    SmallVector<memref::AllocOp> scratch = scratchOf(function);
    if (scratch.empty())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Value part = addArgument(function, builder.getIndexType(), {});
    for (Operation *user : users.getUsers(function)) {
      OpBuilder before(user);
      scf::ForallOp loop = partsOf(user);
      Value number = loop ? loop.getInductionVar(0)
                          : arith::ConstantIndexOp::create(before, user->getLoc(), 0).getResult();
      user->insertOperands(user->getNumOperands(), number);
    }
    int64_t parts = countParts(function);
    llvm::MapVector<Type, unsigned> uses;
    for (memref::AllocOp alloc : scratch) {
      int64_t bytes = llvm::alignTo(bytesOfArray(alloc.getType()), kAlignment);
      auto type = MemRefType::get(parts * bytes, builder.getI8Type());
      unsigned number = uses[type]++;
      for (Operation *user : users.getUsers(function))
        user->insertOperands(user->getNumOperands(), bytesOfCaller(user, type, number));
      eraseFrees(alloc);
      Value all = addArgument(function, type, distinct(alloc.getContext()));
      builder.setInsertionPoint(alloc);
      Value size = arith::ConstantIndexOp::create(builder, alloc.getLoc(), bytes);
      Value place = arith::MulIOp::create(builder, alloc.getLoc(), part, size);
      alloc.replaceAllUsesWith(
          memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(), all, place, ValueRange())
              .getResult());
      alloc.erase();
      ++numHoisted;
    }
  }

  static Value addArgument(func::FuncOp function, Type type, DictionaryAttr attributes) {
    unsigned position = function.getNumArguments();
    if (failed(function.insertArgument(position, type, attributes, function.getLoc())))
      llvm_unreachable("a function takes any type of argument");
    return function.getArgument(position);
  }

  static DictionaryAttr distinct(MLIRContext *context) {
    return DictionaryAttr::get(
        context, NamedAttribute(StringAttr::get(context, "llvm.noalias"), UnitAttr::get(context)));
  }

  void toArguments(func::FuncOp function) {
    llvm::MapVector<Type, unsigned> uses; // buffers of a type so far
    for (memref::AllocOp alloc : scratchOf(function)) {
      unsigned number = uses[alloc.getType()]++;
      for (Operation *user : users.getUsers(function))
        user->insertOperands(user->getNumOperands(), callerScratch(user, alloc, number));
      eraseFrees(alloc);
      alloc.replaceAllUsesWith(
          addArgument(function, alloc.getType(), distinct(alloc.getContext())));
      alloc.erase();
      ++numHoisted;
    }
  }

  /// The caller's nth buffer of this type, shared by its callees.
  Value callerScratch(Operation *call, memref::AllocOp like, unsigned number) {
    auto caller = call->getParentOfType<func::FuncOp>();
    Value &buffer = shared[{caller, like.getType(), number}];
    if (!buffer) {
      OpBuilder builder = OpBuilder::atBlockBegin(&caller.getBody().front());
      buffer = builder.clone(*like)->getResult(0);
    }
    return buffer;
  }

  /// Frees the buffers that stay in a function with other callers where it returns.
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

  /// The caller's nth buffer of bytes of this size, shared by its callees.
  Value bytesOfCaller(Operation *call, MemRefType type, unsigned number) {
    auto caller = call->getParentOfType<func::FuncOp>();
    Value &buffer = shared[{caller, type, number}];
    if (!buffer) {
      OpBuilder builder = OpBuilder::atBlockBegin(&caller.getBody().front());
      buffer = memref::AllocOp::create(builder, call->getLoc(), type,
                                       builder.getI64IntegerAttr(kAlignment));
    }
    return buffer;
  }

  /// A cache line.
  static constexpr int64_t kAlignment = 64;

  SymbolTableCollection tables;
  SymbolUserMap users;
  llvm::DenseSet<Operation *> visited;
  SmallVector<func::FuncOp> calleesFirst;
  llvm::DenseMap<std::tuple<Operation *, Type, unsigned>, Value> shared;
  int64_t numHoisted = 0;
};

struct HoistScratch : mlir::lci::impl::HoistScratchPassBase<HoistScratch> {
  using HoistScratchPassBase::HoistScratchPassBase;
  void runOnOperation() override { numBuffers += ScratchHoister(getOperation()).run(); }
};

} // namespace
