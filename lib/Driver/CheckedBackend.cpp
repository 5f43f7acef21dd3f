//===- CheckedBackend.cpp - Two back ends that must agree -----------------===//
#include "LCI/Driver/CheckedBackend.h"
#include "LCI/Runtime/Csv.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::Failure;
using ::lci::Result;
using ::lci::Status;

std::optional<int64_t> mlir::lci::firstDifference(const Array &left, const Array &right) {
  if (left == right)
    return std::nullopt;
  size_t width = static_cast<size_t>(::lci::byteWidth(left.dtype()));
  size_t size = std::min(left.bytes().size(), right.bytes().size());
  for (size_t at = 0; at + width <= size; at += width)
    if (std::memcmp(left.bytes().data() + at, right.bytes().data() + at, width) != 0)
      return static_cast<int64_t>(at / width);
  return 0;
}

std::string mlir::lci::elementText(const Array &array, int64_t i) {
  if (array.dtype() == DType::F32) {
    uint32_t bits;
    std::memcpy(&bits, array.data<float>() + i, sizeof(bits));
    return ::lci::numberText(array.data<float>()[i]) + llvm::formatv(" (bits {0:x8})", bits).str();
  }
  // Integers that are no tokens are 64 bits wide and may be negative.
  int64_t number = array.intAt(i);
  return number == -1 && array.dtype() != DType::I64 ? "absent" : std::to_string(number);
}

Status CheckedBackend::setArguments(const RunArguments &arguments) {
  Status status = subject.setArguments(arguments);
  return status ? reference.setArguments(arguments) : status;
}

Status CheckedBackend::initialise() {
  if (Status status = subject.initialise(); !status)
    return status;
  if (Status status = reference.initialise(); !status)
    return status;
  return compareStates("in the initial state");
}

Status CheckedBackend::setValue(const std::string &name, const Array &value) {
  Status status = subject.setValue(name, value);
  return status ? reference.setValue(name, value) : status;
}

Result<Array> CheckedBackend::value(const std::string &name) { return subject.value(name); }

Result<Counters> CheckedBackend::runEpochs(int64_t first, int64_t last) {
  Counters total;
  for (int64_t epoch = first; epoch < last; ++epoch) {
    Result<Counters> counters = subject.runEpochs(epoch, epoch + 1);
    if (!counters)
      return counters;
    Result<Counters> expected = reference.runEpochs(epoch, epoch + 1);
    if (!expected)
      return expected;
    if (Status status = compareStates("after epoch " + std::to_string(epoch)); !status)
      return status.failure();
    if (Status status = compareCounters(*counters, *expected, epoch); !status)
      return status.failure();
    for (const auto &[name, count] : *counters)
      total[name] += count;
  }
  return total;
}

Status CheckedBackend::compareStates(const std::string &when) {
  for (const std::string &name : values) {
    Result<Array> got = subject.value(name), expected = reference.value(name);
    if (!got)
      return got.failure();
    if (!expected)
      return expected.failure();
    if (std::optional<int64_t> i = firstDifference(*got, *expected))
      return Failure{"check failed " + when + " at " + name + "[" + expected->indexText(*i) +
                     "]: " + reference.name() + " has " + elementText(*expected, *i) + ", but " +
                     subject.name() + " has " + elementText(*got, *i)};
  }
  return ::lci::Done();
}

Status CheckedBackend::compareCounters(const Counters &left, const Counters &right, int64_t epoch) {
  // A back end may count less than the other; what both count must agree.
  for (const auto &[name, count] : left)
    if (auto other = right.find(name); other != right.end() && other->second != count)
      return Failure{"check failed after epoch " + std::to_string(epoch) + ": " + reference.name() +
                     " counts " + std::to_string(other->second) + " for '" + name + "', but " +
                     subject.name() + " counts " + std::to_string(count)};
  return ::lci::Done();
}

std::optional<Array> CheckedBackend::stamps(const std::string &name) {
  std::optional<Array> own = subject.stamps(name);
  return own ? own : reference.stamps(name);
}

void CheckedBackend::setStamps(const std::string &name, const Array &stamps) {
  subject.setStamps(name, stamps);
  reference.setStamps(name, stamps);
}
