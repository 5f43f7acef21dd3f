//===- Presence.cpp - Inputs that must be there ---------------------------===//
#include "LCI/Driver/Presence.h"
#include "LCI/Analysis/Presence.h"
#include "LCI/Runtime/Tokens.h"

using namespace mlir;
using namespace mlir::lci;

llvm::StringMap<Location> mlir::lci::findClaims(ProgramOp program) {
  llvm::StringMap<Location> claims;
  program.walk([&](UnwrapOp claim) {
    if (auto read = claim.getPresent().getDefiningOp<ReadOp>())
      claims.try_emplace(read.getValue(), claim.getLoc());
  });
  return claims;
}

/// What is wrong with the start of a value that must be full; empty if nothing.
static std::string problemOf(const ValueInfo &value,
                             const std::map<std::string, ::lci::Array> &inputs) {
  auto input = inputs.find(value.name);
  if (input == inputs.end())
    return value.hasInit ? "" : "it has no input and no 'init'";
  if (std::optional<int64_t> absent = ::lci::firstAbsent(input->second))
    return "its input has -1 at [" + input->second.indexText(*absent) + "]";
  return "";
}

LogicalResult mlir::lci::checkPresence(ProgramOp program, ArrayRef<ValueInfo> values,
                                       const llvm::StringMap<Location> &claims,
                                       const std::map<std::string, ::lci::Array> &inputs) {
  SmallVector<RequiredInput> required = getRequiredInputs(program);
  bool failed = false;
  for (const ValueInfo &value : values) {
    if (value.kind != Kind::Token)
      continue;
    const RequiredInput *need = llvm::find_if(
        required, [&](RequiredInput &input) { return input.value.getSymName() == value.name; });
    auto claim = claims.find(value.name);
    bool proved = need != required.end();
    if (!proved && (claim == claims.end() || !value.hasInit))
      continue;
    std::string problem = problemOf(value, inputs);
    if (problem.empty())
      continue;
    emitError(proved ? need->loc : claim->second)
        << (proved ? need->read : "this read") << " needs a token at every cell of '" << value.name
        << "', but " << problem;
    failed = true;
  }
  return failure(failed);
}
