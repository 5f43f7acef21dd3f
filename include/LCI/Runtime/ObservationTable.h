//===- ObservationTable.h - The CSV of a run's observers --------*- C++ -*-===//
//
// One row for each observed epoch. A resumed run continues the table at the epoch of its
// checkpoint: later rows of a killed run are removed.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_OBSERVATIONTABLE_H
#define LCI_RUNTIME_OBSERVATIONTABLE_H

#include "LCI/Runtime/Backend.h"
#include "LCI/Runtime/Csv.h"

namespace lci {

/// The number of an observation as text; empty for nothing.
std::string textOf(const Observation &observation);

/// The table.
class ObservationTable {
public:
  /// Creates it, or continues after the last row before `firstEpoch`.
  static Result<ObservationTable> open(const std::string &path,
                                       const std::vector<std::string> &names, int64_t firstEpoch);
  Status row(int64_t epoch, const Observations &observations);

private:
  explicit ObservationTable(CsvWriter writer) : writer(std::move(writer)) {}
  CsvWriter writer;
};

} // namespace lci

#endif // LCI_RUNTIME_OBSERVATIONTABLE_H
