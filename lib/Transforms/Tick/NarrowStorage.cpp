//===- NarrowStorage.cpp - Store tokens in the smallest integer type ------===//
//
// Changes the element type of every tensor that holds tokens, because vectors
// then hold more cells. Bodies still compute in i64, from a truncated type that
// tells upstream's range analysis the range of a token.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/TokenBits.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_NARROWSTORAGEPASS
#include "LCI/Transforms/Tick/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// All tensors that may hold one value's tokens: they share an element type.
class TokenStorage {
public:
  TokenStorage(func::FuncOp function, unsigned bits) : function(function), bits(bits) {}

  /// Traces a tensor through loops, branches and ticks. Fails on any other operation.
  LogicalResult add(Value tensor);
  /// Gives all tensors the narrow type and adapts their readers and writers.
  void narrow();

private:
  LogicalResult addUse(OpOperand &use);
  LogicalResult addSource(Value tensor);
  void reach(Value tensor) {
    if (tensors.insert(tensor))
      pending.push_back(tensor);
  }
  unsigned getStorageBits() { return std::max<unsigned>(8, llvm::PowerOf2Ceil(bits)); }

  func::FuncOp function;
  unsigned bits;
  llvm::SetVector<Value> tensors;
  SmallVector<Value> pending;
};
} // namespace

/// Adds the tensors to which a tensor flows by a use.
LogicalResult TokenStorage::addUse(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<func::ReturnOp, LoadOp>(user))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    reach(loop.getTiedLoopRegionIterArg(&use));
    reach(loop.getTiedLoopResult(&use));
    return success();
  }
  if (isa<scf::YieldOp>(user) && isa<scf::ForOp>(user->getParentOp())) {
    auto loop = cast<scf::ForOp>(user->getParentOp());
    reach(loop.getResult(use.getOperandNumber()));
    reach(loop.getRegionIterArg(use.getOperandNumber()));
    return success();
  }
  if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp())) {
    reach(user->getParentOp()->getResult(use.getOperandNumber()));
    return success();
  }
  if (auto tick = dyn_cast<TickOp>(user)) {
    if (&use == &tick.getTargetMutable())
      reach(tick.getResult(0));
    else
      reach(tick.getInputArguments()[use.getOperandNumber() -
                                     tick.getInputs().getBeginOperandIndex()]);
    return success();
  }
  if (auto choice = dyn_cast<KeepSurestOp>(user)) {
    reach(choice.getResult(0));
    return success();
  }
  return user->emitOpError("takes tokens of a value, which only loops, branches and ticks may")
         << ErrorId::NotLowered;
}

/// Adds the tensors from which a tensor flows.
LogicalResult TokenStorage::addSource(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner))
      reach(loop.getTiedLoopInit(argument)->get());
    else if (auto tick = dyn_cast<TickOp>(owner))
      reach(tick.getInputs()[argument.getArgNumber() - tick.getRank() - 3]);
    return success();
  }
  Operation *producer = tensor.getDefiningOp();
  if (auto tick = dyn_cast<TickOp>(producer))
    reach(tick.getTarget());
  else if (auto choice = dyn_cast<KeepSurestOp>(producer))
    llvm::for_each(ValueRange{choice.getBefore(), choice.getAfter()},
                   [&](Value state) { reach(state); });
  else if (auto loop = dyn_cast<scf::ForOp>(producer))
    reach(loop.getInitArgs()[cast<OpResult>(tensor).getResultNumber()]);
  else if (auto branch = dyn_cast<scf::IfOp>(producer))
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      reach(yield.getOperand(cast<OpResult>(tensor).getResultNumber()));
  else if (!isa<arith::ConstantOp>(producer))
    return producer->emitOpError(
               "makes tokens of a value, which only loops, branches and ticks may")
           << ErrorId::NotLowered;
  return success();
}

LogicalResult TokenStorage::add(Value tensor) {
  reach(tensor);
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (failed(addSource(next)))
      return failure();
    for (OpOperand &use : next.getUses())
      if (failed(addUse(use)))
        return failure();
  }
  return success();
}

void TokenStorage::narrow() {
  OpBuilder b(function.getContext());
  Type wide = b.getI64Type(), stored = b.getIntegerType(getStorageBits());
  Type token = b.getIntegerType(bits);
  for (Value tensor : tensors) {
    tensor.setType(cast<RankedTensorType>(tensor.getType()).clone(stored));
    if (auto constant = tensor.getDefiningOp<arith::ConstantOp>()) {
      auto old = cast<DenseElementsAttr>(constant.getValue());
      auto shrink = [&](const APInt &all) { return all.trunc(getStorageBits()); };
      constant.setValueAttr(cast<DenseIntElementsAttr>(old).mapValues(stored, shrink));
    }
    for (Operation *user : llvm::make_early_inc_range(tensor.getUsers())) {
      auto load = dyn_cast<LoadOp>(user);
      if (!load || load.getResult().getType() == stored)
        continue;
      b.setInsertionPointAfter(load);
      load.getResult().setType(stored);
      Value narrowed = load.getResult();
      if (token != stored) // gives the range of the token
        narrowed = arith::TruncIOp::create(b, load.getLoc(), token, narrowed);
      Value widened = arith::ExtUIOp::create(b, load.getLoc(), wide, narrowed);
      Operation *first = token != stored ? narrowed.getDefiningOp() : widened.getDefiningOp();
      load.getResult().replaceAllUsesExcept(widened, first);
    }
    if (auto tick = tensor.getDefiningOp<TickOp>();
        tick && tick.getInstall().getToken().getType() == wide) {
      InstallOp install = tick.getInstall();
      b.setInsertionPoint(install);
      install.getTokenMutable().assign(
          arith::TruncIOp::create(b, install.getLoc(), stored, install.getToken()));
    }
  }
}

/// Updates the function's type by its arguments and returned values.
static void updateFunctionType(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(), terminator->getOperandTypes()));
}

namespace {
struct NarrowStorage : mlir::lci::impl::NarrowStoragePassBase<NarrowStorage> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Operation *terminator = function.getBody().front().getTerminator();
    auto narrow = [&](Value tensor, DictionaryAttr attributes) {
      std::optional<unsigned> bits = getTokenBits(attributes);
      auto type = dyn_cast<RankedTensorType>(tensor.getType());
      if (!bits || !type || !type.getElementType().isInteger(64))
        return success();
      TokenStorage storage(function, *bits);
      if (failed(storage.add(tensor)))
        return failure();
      storage.narrow();
      ++numNarrowed;
      return success();
    };
    for (BlockArgument argument : function.getArguments())
      if (failed(narrow(argument, function.getArgAttrDict(argument.getArgNumber()))))
        return signalPassFailure();
    for (OpOperand &result : terminator->getOpOperands())
      if (failed(narrow(result.get(), function.getResultAttrDict(result.getOperandNumber()))))
        return signalPassFailure();
    updateFunctionType(function);
  }
};
} // namespace
