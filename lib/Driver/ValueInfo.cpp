//===- ValueInfo.cpp - The values of a bound program, as data -------------===//
#include "LCI/Driver/ValueInfo.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Result;

SmallVector<ValueInfo> mlir::lci::collectValues(ProgramOp program) {
  llvm::StringSet<> ruled;
  for (RuleOp rule : program.getOps<RuleOp>())
    ruled.insert(rule.getValue());
  SmallVector<ValueInfo> values;
  for (ValueOp op : program.getOps<ValueOp>()) {
    std::optional<SmallVector<int64_t>> extents = op.getExtents();
    if (!extents)
      continue;
    ValueInfo value{op.getSymName().str(),
                    op.getKind(),
                    op.getVocabularySize().value_or(0),
                    std::vector<int64_t>(extents->begin(), extents->end()),
                    ruled.contains(op.getSymName()),
                    op.hasInit(),
                    op.getLoc()};
    if (value.kind == Kind::Latent)
      value.shape.push_back(value.vocabulary);
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> mlir::lci::namesOf(ArrayRef<ValueInfo> values) {
  std::vector<std::string> names;
  for (const ValueInfo &value : values)
    names.push_back(value.name);
  return names;
}

Result<Array> mlir::lci::toNumbers(const Array &array, Kind kind, const std::string &what) {
  return kind == Kind::I32 ? ::lci::toIntegers(array, what) : ::lci::toFloats(array, what);
}

::lci::CanonicalForm mlir::lci::canonicalForm(const ValueInfo &value) {
  std::optional<int64_t> vocabulary;
  if (value.kind == Kind::Token)
    vocabulary = value.vocabulary;
  return {value.shape, vocabulary, value.kind == Kind::I32};
}

std::map<std::string, ::lci::CanonicalForm> mlir::lci::formsOf(ArrayRef<ValueInfo> values) {
  std::map<std::string, ::lci::CanonicalForm> forms;
  for (const ValueInfo &value : values)
    forms.emplace(value.name, canonicalForm(value));
  return forms;
}

Result<Array> mlir::lci::toCanonical(const Array &array, const ValueInfo &value) {
  return ::lci::toCanonical(array, canonicalForm(value), value.name);
}
