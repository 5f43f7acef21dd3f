//===- CheckedBackend.h - Compare two back ends -----------------*- C++ -*-===//
//
// `--check`: all calls go to both back ends, and after each tick the committed states are compared
// bit for bit. The first difference ends the run with the tick, the cell and both contents.
//
// Compiled code that can stop after each tick differs from the code that runs without --check, so
// there are three back ends: a stepper runs ticks in parallel with the reference, and the subject
// runs each epoch as usual and is compared after it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_CHECKEDBACKEND_H
#define LCI_DRIVER_CHECKEDBACKEND_H

#include "LCI/Execution/Backend.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::lci {

/// Runs `subject` and compares it with `reference`.
class CheckedBackend : public Backend {
public:
  /// `stepper` is a variant of the subject that can run single ticks, of which an epoch has
  /// `phases`; `values` are the names to compare.
  CheckedBackend(Backend &subject, Backend &stepper, Backend &reference,
                 std::vector<std::string> values, int64_t phases)
      : subject(subject), stepper(stepper), reference(reference), values(std::move(values)),
        phases(phases) {}

  const char *name() const override { return subject.name(); }
  ::lci::Status setArguments(const RunArguments &arguments) override;
  ::lci::Status initialise() override;
  ::lci::Status setValue(const std::string &name, const ::lci::Array &value) override;
  ::lci::Result<::lci::Array> value(const std::string &name) override;
  ::lci::Result<Counters> runEpochs(int64_t first, int64_t last) override;
  ::lci::Result<Observations> observe(int64_t epoch) override;
  ::lci::Result<Counters> broken(int64_t epoch) override;
  bool mayReject() const override { return subject.mayReject(); }
  bool remember() override;
  void recall() override;
  bool keepsRecords() const override { return true; }
  std::optional<::lci::Records> records(const std::string &name) override;
  ::lci::Status setRecords(const std::string &name, const ::lci::Records &records) override;

private:
  ::lci::Status forAll(llvm::function_ref<::lci::Status(Backend &)> action);
  SmallVector<Backend *, 3> all() { return {&subject, &stepper, &reference}; }
  /// Runs a tick of the stepper and of the reference, whose counts are added to `expected`.
  ::lci::Status stepBoth(int64_t epoch, int64_t phase, Counters &expected);
  ::lci::Status compareStates(Backend &other, const std::string &when);
  ::lci::Status compareArrays(const Backend &other, const ::lci::Array &got,
                              const ::lci::Array &expected, const std::string &what,
                              const std::string &when);
  ::lci::Status compareRecords(Backend &other, const std::string &name, const std::string &when);
  ::lci::Status compareCounters(const Counters &left, const Counters &right,
                                const std::string &when);

  Backend &subject, &stepper, &reference;
  std::vector<std::string> values;
  int64_t phases;
};

/// The row-major index of the first element whose bits differ, or nothing.
std::optional<int64_t> firstDifference(const ::lci::Array &left, const ::lci::Array &right);

/// Element `i` as text: a token, `absent`, or a number with its bits.
std::string elementText(const ::lci::Array &array, int64_t i);

} // namespace mlir::lci

#endif // LCI_DRIVER_CHECKEDBACKEND_H
