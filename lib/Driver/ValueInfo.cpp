//===- ValueInfo.cpp - The values of a bound program, as data -------------===//
#include "LCI/Driver/ValueInfo.h"
#include "LCI/Runtime/Csv.h"
#include "LCI/Runtime/Tokens.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Failure;
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

/// Numbers with one NaN, as everything that a program computes has it.
static Array toFloats(const Array &array) {
  Array numbers = array.asFloat32();
  for (int64_t i = 0; i < numbers.size(); ++i)
    if (float &number = numbers.data<float>()[i]; std::isnan(number))
      number = std::numeric_limits<float>::quiet_NaN();
  return numbers;
}

Result<Array> mlir::lci::toNumbers(const Array &array, Kind kind, const std::string &what) {
  if (kind != Kind::I32)
    return toFloats(array);
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t number = array.fitsInt64(i) ? array.intAt(i) : INT64_MAX;
    if (number < INT32_MIN || number > INT32_MAX)
      return Failure{"expected 32-bit integers for " + what + ", but got " +
                     ::lci::numberText(array.doubleAt(i)) +
                     (array.rank() ? " at [" + array.indexText(i) + "]" : std::string())};
  }
  return *array.asInt64();
}

Result<Array> mlir::lci::toCanonical(const Array &array, const ValueInfo &value) {
  if (array.shape() != value.shape)
    return Failure{"expected shape " + ::lci::shapeText(value.shape) + " for '" + value.name +
                   "', but got " + ::lci::shapeText(array.shape())};
  if (value.kind == Kind::Token)
    return ::lci::toTokens(array, value.vocabulary, value.name);
  return toNumbers(array, value.kind, "'" + value.name + "'");
}
