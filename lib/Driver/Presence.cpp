//===- Presence.cpp - Inputs that must be there ---------------------------===//
#include "LCI/Driver/Presence.h"
#include "LCI/Runtime/Tokens.h"

using namespace mlir;
using namespace mlir::lci;

/// The read that decides a presence, looking into formulas; null if it is another operation.
static ReadOp findRead(Value present) {
  if (auto read = present.getDefiningOp<ReadOp>())
    return read;
  auto apply = present.getDefiningOp<ApplyOp>();
  if (!apply)
    return nullptr;
  auto formula =
      apply->getParentOfType<ProgramOp>().lookupSymbol<DefOp>(apply.getFormulaAttr().getAttr());
  auto yield = dyn_cast<YieldOp>(formula.getBody().front().getTerminator());
  return yield && yield.getPresent() ? findRead(yield.getPresent()) : nullptr;
}

llvm::StringMap<Location> mlir::lci::findRequired(ProgramOp program) {
  llvm::StringMap<Location> required;
  program.walk([&](UnwrapOp unwrap) {
    if (ReadOp read = findRead(unwrap.getPresent()))
      required.try_emplace(read.getValue(), unwrap.getLoc());
  });
  return required;
}

LogicalResult mlir::lci::checkPresence(ArrayRef<ValueInfo> values,
                                       const llvm::StringMap<Location> &required,
                                       const std::map<std::string, ::lci::Array> &inputs) {
  bool failed = false;
  for (const ValueInfo &value : values) {
    auto use = required.find(value.name);
    if (value.kind != Kind::Token || use == required.end())
      continue;
    auto input = inputs.find(value.name);
    std::string problem;
    if (input == inputs.end()) {
      if (!value.hasInit)
        problem = "it has no input and no 'init'";
    } else if (std::optional<int64_t> absent = ::lci::firstAbsent(input->second)) {
      problem = "its input has -1 at [" + input->second.indexText(*absent) + "]";
    }
    if (problem.empty())
      continue;
    emitError(use->second) << "this read needs a token of '" << value.name
                           << "' at every cell, but " << problem;
    failed = true;
  }
  return failure(failed);
}
