//===- PersistLayouts.cpp - Arrays keep their layout between calls --------===//
//
// Layouts are chosen for the ticks, not for the caller, so a function begins and ends with
// conversion copies. A caller that runs epochs call after call needs them at its first and last
// call only. Two flag arguments guard them; the scratch buffers become persistent arrays that the
// caller keeps.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Transforms/Bufferize/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PERSISTLAYOUTSPASS
#include "LCI/Transforms/Bufferize/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The argument that a buffer is, or is a view of; null if there is none.
static BlockArgument argumentOf(Value buffer) { return dyn_cast<BlockArgument>(rootOf(buffer)); }

/// The copies of an array, also of views of it; nothing if it has other users.
static std::optional<SmallVector<linalg::CopyOp>> findCopies(Value array) {
  SmallVector<linalg::CopyOp> copies;
  SmallVector<Value> views{array};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (auto view = dyn_cast<memref::SubViewOp>(user))
        views.push_back(view);
      else if (auto copy = dyn_cast<linalg::CopyOp>(user))
        copies.push_back(copy);
      else
        return std::nullopt;
    }
  return copies;
}

namespace {

/// The copies of one array's cells into its persistent ones and back.
struct Conversions {
  SmallVector<linalg::CopyOp> in, out;
  llvm::SmallSetVector<BlockArgument, 2> persistent;
};

struct PersistLayouts : mlir::lci::impl::PersistLayoutsPassBase<PersistLayouts> {
  using PersistLayoutsPassBase::PersistLayoutsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !runsEpochs())
      return;
    SmallVector<Conversions> kept;
    for (BlockArgument argument : function.getArguments())
      if (isValueRole(roleOf(argument)))
        if (std::optional<Conversions> found = findConversions(argument))
          kept.push_back(*found);
    if (kept.empty())
      return;
    Value enters = addFlag(Role::Enter), leaves = addFlag(Role::Leave);
    for (Conversions &array : kept) {
      for (linalg::CopyOp copy : array.in)
        guard(copy, enters);
      for (linalg::CopyOp copy : array.out)
        guard(copy, leaves);
      for (BlockArgument persistent : array.persistent)
        function.setArgAttr(persistent.getArgNumber(), kRole,
                            roleAttr(&getContext(), Role::Persistent));
    }
    numKept += kept.size();
    took(function, Way::ArrayPersisted);
  }

private:
  bool runsEpochs() {
    return llvm::any_of(getOperation().getArguments(),
                        [](BlockArgument argument) { return roleOf(argument) == Role::First; });
  }

  /// Nothing if an array has users other than copies from and to scratch arguments, which hold it
  /// from the first of these copies to the last.
  std::optional<Conversions> findConversions(BlockArgument array) {
    std::optional<SmallVector<linalg::CopyOp>> copies = findCopies(array);
    if (!copies || copies->empty())
      return std::nullopt;
    Conversions found;
    for (linalg::CopyOp copy : *copies) {
      BlockArgument from = argumentOf(copy.getInputs().front());
      bool enters = from == array;
      BlockArgument other = enters ? argumentOf(copy.getOutputs().front()) : from;
      if (!other || other == array || roleOf(other) != Role::Scratch ||
          copy->getBlock() != array.getOwner())
        return std::nullopt;
      (enters ? found.in : found.out).push_back(copy);
      found.persistent.insert(other);
    }
    bool isState = roleOf(array) == Role::State;
    bool isWhole = found.in.size() == found.persistent.size() &&
                   found.out.size() == (isState ? found.persistent.size() : 0);
    for (BlockArgument persistent : found.persistent)
      isWhole &= holdsCells(persistent, found);
    return isWhole ? std::optional(found) : std::nullopt;
  }

  /// Whether an argument holds the cells from the end of a call to the beginning of the next: one
  /// copy goes into it and one out of it (or none, for arrays that are only read), and all else
  /// happens to it in between. Of ping-pong buffers one qualifies, if the cells are brought home to
  /// it after the loop.
  static bool holdsCells(BlockArgument persistent, const Conversions &array) {
    auto find = [&](ArrayRef<linalg::CopyOp> copies) -> Operation * {
      for (linalg::CopyOp copy : copies)
        if (argumentOf(copy.getInputs().front()) == persistent ||
            argumentOf(copy.getOutputs().front()) == persistent)
          return copy;
      return nullptr;
    };
    Operation *in = find(array.in), *out = find(array.out);
    return in && staysBetween(persistent, in, out);
  }

  /// Whether all uses of a buffer, and of views and of results of loops that may be it, lie behind
  /// an operation and before another one, if there is that.
  static bool staysBetween(BlockArgument buffer, Operation *in, Operation *out) {
    llvm::SmallSetVector<Value, 4> aliases;
    aliases.insert(buffer);
    for (unsigned next = 0; next < aliases.size(); ++next)
      for (Operation *user : aliases[next].getUsers()) {
        Operation *at = buffer.getOwner()->findAncestorOpInBlock(*user);
        if (user == in || user == out)
          continue;
        bool isView = isa<memref::SubViewOp>(at); // touches nothing
        if (!isView && (!in->isBeforeInBlock(at) || (out && !at->isBeforeInBlock(out))))
          return false;
        for (Value result : at->getResults())
          if (isa<MemRefType>(result.getType()))
            aliases.insert(result);
      }
    return true;
  }

  Value addFlag(Role role) {
    func::FuncOp function = getOperation();
    Builder builder(&getContext());
    unsigned number = function.getNumArguments();
    auto said =
        builder.getDictionaryAttr(builder.getNamedAttr(kRole, roleAttr(&getContext(), role)));
    if (failed(function.insertArgument(number, builder.getI1Type(), said, function.getLoc())))
      llvm_unreachable("a function takes any type of argument");
    return function.getArgument(number);
  }

  static void guard(linalg::CopyOp copy, Value flag) {
    OpBuilder builder(copy);
    auto branch = scf::IfOp::create(builder, copy.getLoc(), flag, /*withElseRegion=*/false);
    copy->moveBefore(branch.thenBlock()->getTerminator());
  }
};

} // namespace
