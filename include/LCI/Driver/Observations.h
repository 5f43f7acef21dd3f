//===- Observations.h - The CSV of a run's observers ------------*- C++ -*-===//
//
// One row for each epoch that is looked at. A resumed run takes the table up
// where its checkpoint stands: rows that a killed run wrote beyond it go.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_OBSERVATIONS_H
#define LCI_DRIVER_OBSERVATIONS_H

#include "LCI/Execution/Backend.h"
#include "LCI/Runtime/Csv.h"

namespace mlir::lci {

/// The number of an observation as text; empty for nothing.
std::string textOf(const Observation &observation);

/// The table.
class ObservationTable {
public:
  /// Creates it, or goes on after the last row before `firstEpoch`.
  static ::lci::Result<ObservationTable>
  open(const std::string &path, const std::vector<std::string> &names, int64_t firstEpoch);
  ::lci::Status row(int64_t epoch, const Observations &observations);

private:
  explicit ObservationTable(::lci::CsvWriter writer) : writer(std::move(writer)) {}
  ::lci::CsvWriter writer;
};

} // namespace mlir::lci

#endif // LCI_DRIVER_OBSERVATIONS_H
