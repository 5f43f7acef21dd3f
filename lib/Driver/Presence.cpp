//===- Presence.cpp - Check required inputs -------------------------------===//
#include "LCI/Driver/Presence.h"
#include "LCI/Runtime/Tokens.h"

using namespace mlir;
using namespace mlir::lci;

/// The error of the initial state of a value that must be full; empty if there is none.
static std::string problemOf(const ValueInfo &value,
                             const std::map<std::string, ::lci::Array> &inputs,
                             const std::map<std::string, std::optional<int64_t>> &onDevice) {
  auto input = inputs.find(value.name);
  auto there = onDevice.find(value.name);
  if (input == inputs.end() && there == onDevice.end())
    return value.hasInit ? "" : "it has no input and no 'init'";
  std::optional<int64_t> absent =
      there == onDevice.end() ? ::lci::firstAbsent(input->second) : there->second;
  return absent ? "its input has -1 at [" + ::lci::indexText(value.shape, *absent) + "]" : "";
}

LogicalResult
mlir::lci::checkPresence(ArrayRef<RequiredInput> required, ArrayRef<ValueInfo> values,
                         const std::map<std::string, ::lci::Array> &inputs,
                         const std::map<std::string, std::optional<int64_t>> &onDevice) {
  bool failed = false;
  for (RequiredInput need : required) {
    StringRef name = need.value.getSymName();
    const ValueInfo *value =
        llvm::find_if(values, [&](const ValueInfo &info) { return info.name == name; });
    if (value == values.end() || value->kind != Kind::Token)
      continue;
    std::string problem = problemOf(*value, inputs, onDevice);
    if (problem.empty())
      continue;
    InFlightDiagnostic error = emitError(need.loc) << ErrorId::MissingToken << need.read
                                                   << ", which needs a token at every cell of '"
                                                   << value->name << "', but " << problem;
    if (!inputs.count(value->name) && !onDevice.count(value->name))
      error.attachNote() << "give it one with --input " << value->name
                         << "=F.npy, or in 'inputs' of the bindings";
    failed = true;
  }
  return failure(failed);
}

bool mlir::lci::isEmptyWithoutInput(const ValueInfo &value) {
  return value.kind != Kind::Token && !value.ruled && !value.hasInit;
}

void mlir::lci::warnOfEmptyInputs(ArrayRef<ValueInfo> values,
                                  llvm::function_ref<bool(StringRef)> isGiven) {
  for (const ValueInfo &value : values) {
    if (!isEmptyWithoutInput(value) || isGiven(value.name))
      continue;
    InFlightDiagnostic warning = emitWarning(value.location)
                                 << ErrorId::UnboundName << "'" << value.name
                                 << "' has no input and no 'init': all its numbers are 0";
    warning.attachNote() << "give it one with --input " << value.name
                         << "=F.npy, or in 'inputs' of the bindings; 'init 0' says that zeros are "
                         << "meant";
  }
}
