//===- CheckedBackend.cpp - Compare two back ends -------------------------===//
//
// Compares states, commit records, counters and observations of the subject, the stepper and the
// reference, and words the first difference. Counters are compared by name, because back ends need
// not count the same.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/CheckedBackend.h"
#include "LCI/Runtime/Csv.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::Failure;
using ::lci::Records;
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

Status CheckedBackend::forAll(llvm::function_ref<Status(Backend &)> action) {
  for (Backend *backend : all())
    if (Status status = action(*backend); !status)
      return status;
  return ::lci::Done();
}

Status CheckedBackend::setArguments(const RunArguments &arguments) {
  return forAll([&](Backend &backend) { return backend.setArguments(arguments); });
}

Status CheckedBackend::initialise() {
  if (Status status = forAll([](Backend &backend) { return backend.initialise(); }); !status)
    return status;
  return compareStates(subject, "in the initial state");
}

Status CheckedBackend::setValue(const std::string &name, const Array &value) {
  return forAll([&](Backend &backend) { return backend.setValue(name, value); });
}

Result<Array> CheckedBackend::value(const std::string &name) { return subject.value(name); }

Result<Counters> CheckedBackend::runEpochs(int64_t first, int64_t last) {
  Counters total;
  for (int64_t epoch = first; epoch < last; ++epoch) {
    Counters expected;
    for (int64_t phase = 0; phase < phases; ++phase)
      if (Status status = stepBoth(epoch, phase, expected); !status)
        return status.failure();
    Result<Counters> counters = subject.runEpochs(epoch, epoch + 1);
    if (!counters)
      return counters;
    std::string when = "after epoch " + std::to_string(epoch) + ", run as a whole,";
    if (Status status = compareStates(subject, when); !status)
      return status.failure();
    if (Status status = compareCounters(*counters, expected, when); !status)
      return status.failure();
    for (const auto &[name, count] : *counters)
      total[name] += count;
  }
  return total;
}

Status CheckedBackend::stepBoth(int64_t epoch, int64_t phase, Counters &expected) {
  Result<Counters> got = stepper.runTick(epoch, phase);
  if (!got)
    return got.failure();
  Result<Counters> wanted = reference.runTick(epoch, phase);
  if (!wanted)
    return wanted.failure();
  std::string when = "in epoch " + std::to_string(epoch) + ", phase " + std::to_string(phase) + ",";
  if (Status status = compareStates(stepper, when); !status)
    return status;
  if (Status status = compareCounters(*got, *wanted, when); !status)
    return status;
  for (const auto &[name, count] : *wanted)
    expected[name] += count;
  return ::lci::Done();
}

Status CheckedBackend::compareStates(Backend &other, const std::string &when) {
  for (const std::string &name : values) {
    Result<Array> got = other.value(name), expected = reference.value(name);
    if (!got)
      return got.failure();
    if (!expected)
      return expected.failure();
    if (Status same = compareArrays(other, *got, *expected, name, when); !same)
      return same;
    if (Status same = compareRecords(other, name, when); !same)
      return same;
  }
  return ::lci::Done();
}

Status CheckedBackend::compareArrays(const Backend &other, const Array &got, const Array &expected,
                                     const std::string &what, const std::string &when) {
  std::optional<int64_t> i = firstDifference(got, expected);
  if (!i)
    return ::lci::Done();
  return Failure{ErrorId::CheckFailed, "check failed " + when + " at " + what + "[" +
                                           expected.indexText(*i) + "]: " + reference.name() +
                                           " has " + elementText(expected, *i) + ", but " +
                                           other.name() + " has " + elementText(got, *i)};
}

/// Compares commit records, where both have them.
Status CheckedBackend::compareRecords(Backend &other, const std::string &name,
                                      const std::string &when) {
  std::optional<Records> got = other.keepsRecords() ? other.records(name) : std::nullopt;
  if (!got)
    return ::lci::Done();
  std::optional<Records> expected = reference.records(name);
  const std::tuple<Array Records::*, const char *> parts[] = {
      {&Records::stamps, "the stamp of "},
      {&Records::levels, "the ranks of "},
      {&Records::scores, "the score of "},
      {&Records::replicas, "the replica of "}};
  for (auto [part, what] : parts)
    if (Status same = compareArrays(other, *got.*part, *expected.*part, what + name, when); !same)
      return same;
  return ::lci::Done();
}

Status CheckedBackend::compareCounters(const Counters &left, const Counters &right,
                                       const std::string &when) {
  // A back end may have fewer counters than the other; common ones must agree.
  for (const auto &[name, count] : left)
    if (auto other = right.find(name); other != right.end() && other->second != count)
      return Failure{ErrorId::CheckFailed, "check failed " + when + " at the counter '" + name +
                                               "': " + reference.name() + " has " +
                                               std::to_string(other->second) + ", but " +
                                               subject.name() + " has " + std::to_string(count)};
  return ::lci::Done();
}

/// An observation as text.
static std::string observationText(const Observation &observation) {
  return observation.value ? elementText(*observation.value, 0) : "nothing";
}

Result<Observations> CheckedBackend::observe(int64_t epoch) {
  Result<Observations> got = subject.observe(epoch), expected = reference.observe(epoch);
  if (!got)
    return got;
  if (!expected)
    return expected;
  for (auto [left, right] : llvm::zip_equal(*got, *expected))
    if (left.value != right.value)
      return Failure{ErrorId::CheckFailed,
                     "check failed after " + std::to_string(epoch) + " epochs at the observer '" +
                         right.name + "': " + reference.name() + " has " + observationText(right) +
                         ", but " + subject.name() + " has " + observationText(left)};
  return got;
}

/// For a constraint that is known to hold, a back end has no counter; that of the other must be 0.
Result<Counters> CheckedBackend::broken(int64_t epoch) {
  Result<Counters> got = subject.broken(epoch), expected = reference.broken(epoch);
  if (!got)
    return got;
  if (!expected)
    return expected;
  Counters known = *got;
  for (const auto &[name, count] : *expected)
    known.try_emplace(name, 0);
  for (const auto &[name, count] : known)
    expected->try_emplace(name, 0);
  std::string when = "after " + std::to_string(epoch) + " epochs";
  if (Status same = compareCounters(known, *expected, when); !same)
    return same.failure();
  return got;
}

bool CheckedBackend::remember() {
  return llvm::all_of(all(), [](Backend *backend) { return backend->remember(); });
}

void CheckedBackend::recall() {
  for (Backend *backend : all())
    backend->recall();
}

std::optional<Records> CheckedBackend::records(const std::string &name) {
  std::optional<Records> recorded = subject.records(name);
  return recorded ? recorded : reference.records(name);
}

Status CheckedBackend::setRecords(const std::string &name, const Records &records) {
  return forAll([&](Backend &backend) { return backend.setRecords(name, records); });
}
