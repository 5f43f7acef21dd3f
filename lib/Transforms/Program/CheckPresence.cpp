//===- CheckPresence.cpp - Prove that required cells are present ----------===//
//
// Proves each `lci.unwrap` by presence analysis and replaces it by its operand,
// or reports an absent cell as witness.
//
//===----------------------------------------------------------------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Presence.h"
#include "LCI/Transforms/Program/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKPRESENCEPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The name of a missing input that a claim depends on; empty if there is none.
static StringRef findMissingInput(Value present) {
  Operation *op = present.getDefiningOp();
  if (!op)
    return "";
  if (auto named = dyn_cast<NameLoc>(op->getLoc()); named && isa<arith::ConstantOp>(op))
    return named.getName();
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    auto yield = cast<YieldOp>(reduce.getBody().front().getTerminator());
    return yield.getPresent() ? findMissingInput(yield.getPresent()) : "";
  }
  for (Value operand : op->getOperands())
    if (operand.getType().isInteger(1))
      if (StringRef name = findMissingInput(operand); !name.empty())
        return name;
  return "";
}

/// `told` are missing inputs that were reported: one message for each is enough.
static void report(UnwrapOp claim, const Presence &presence, llvm::StringSet<> &reported) {
  StringRef missing = findMissingInput(claim.getPresent());
  if (!missing.empty() && !reported.insert(missing).second)
    return;
  Operation *declaration = getDeclaration(claim);
  IndexDomain domain = IndexDomain::around(claim);
  ErrorId id = missing.empty() ? ErrorId::MayBeAbsent : ErrorId::MissingToken;
  InFlightDiagnostic error = emitError(claim.getLoc()) << id << describe(declaration) << " needs ";
  if (presence.absentRead)
    error << printRead(presence.absentRead);
  else
    error << "a value";
  if (domain.getNumCellIndices() != 0) {
    ArrayRef<int64_t> cell = ArrayRef(*presence.absentAt).take_front(domain.getNumCellIndices());
    error << " at " << printCell(getValueName(declaration), cell);
  }
  if (!missing.empty()) {
    error << ", but '" << missing << "' has no input";
    error.attachNote() << "give it one with --input " << missing
                       << "=F.npy, or in 'inputs' of the bindings";
  } else {
    error << ", where nothing is there";
  }
  if (ReadOp read = presence.absentRead; read && read.getLoc() != claim.getLoc())
    error.attachNote(read.getLoc()) << "the read is here";
  error.attachNote() << "say what to take instead (… ?\? 0), or leave such cells out (on … when …)";
}

static LogicalResult check(UnwrapOp claim, llvm::StringSet<> &reported) {
  Presence presence = analyzePresence(claim);
  if (presence.absentAt) {
    report(claim, presence, reported);
    return failure();
  }
  auto program = claim->getParentOfType<ProgramOp>();
  for (ReadOp read : presence.required)
    requireInput(program.lookupValue(read.getValue()),
                 describe(getDeclaration(read)) + " reads " + printRead(read), read.getLoc());
  claim.replaceAllUsesWith(claim.getValue());
  claim.erase();
  return success();
}

namespace {
struct CheckPresence : mlir::lci::impl::CheckPresencePassBase<CheckPresence> {
  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [](ProgramOp program) {
      SmallVector<UnwrapOp> claims;
      // Formulas were inlined at their uses; the definitions claim nothing.
      program.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto claim = dyn_cast<UnwrapOp>(op))
          claims.push_back(claim);
        return isa<DefOp>(op) ? WalkResult::skip() : WalkResult::advance();
      });
      LogicalResult all = success();
      llvm::StringSet<> reported;
      for (UnwrapOp claim : claims)
        if (failed(check(claim, reported)))
          all = failure();
      return all;
    });
    if (failed(result))
      signalPassFailure();
  }
};
} // namespace
