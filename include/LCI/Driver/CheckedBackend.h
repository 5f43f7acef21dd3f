//===- CheckedBackend.h - Two back ends that must agree ---------*- C++ -*-===//
//
// `--check`: whatever is asked of the one is asked of the other, epoch by
// epoch, and after each the committed states are compared bit for bit. The
// first difference ends the run with the cell and what each side holds.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_CHECKEDBACKEND_H
#define LCI_DRIVER_CHECKEDBACKEND_H

#include "LCI/Execution/Backend.h"

namespace mlir::lci {

/// Runs `subject` and compares it with `reference`.
class CheckedBackend : public Backend {
public:
  /// `values` are the names to compare.
  CheckedBackend(Backend &subject, Backend &reference, std::vector<std::string> values)
      : subject(subject), reference(reference), values(std::move(values)) {}

  const char *name() const override { return subject.name(); }
  ::lci::Status setArguments(const RunArguments &arguments) override;
  ::lci::Status initialise() override;
  ::lci::Status setValue(const std::string &name, const ::lci::Array &value) override;
  ::lci::Result<::lci::Array> value(const std::string &name) override;
  ::lci::Result<Counters> runEpochs(int64_t first, int64_t last) override;
  std::optional<::lci::Array> stamps(const std::string &name) override;
  void setStamps(const std::string &name, const ::lci::Array &stamps) override;

private:
  ::lci::Status compareStates(const std::string &when);
  ::lci::Status compareCounters(const Counters &left, const Counters &right, int64_t epoch);

  Backend &subject, &reference;
  std::vector<std::string> values;
};

/// The row-major index of the first element whose bits differ, or nothing.
std::optional<int64_t> firstDifference(const ::lci::Array &left, const ::lci::Array &right);

/// Element `i` for a person: a token, `absent`, or a number with its bits.
std::string elementText(const ::lci::Array &array, int64_t i);

} // namespace mlir::lci

#endif // LCI_DRIVER_CHECKEDBACKEND_H
