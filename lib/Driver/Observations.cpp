//===- Observations.cpp - The CSV of a run's observers --------------------===//
#include "LCI/Driver/Observations.h"
#include "LCI/Runtime/File.h"
#include "llvm/ADT/StringRef.h"

using namespace mlir::lci;
using ::lci::Result;
using ::lci::Status;
using llvm::StringRef;

std::string mlir::lci::textOf(const Observation &observation) {
  if (!observation.value)
    return "";
  const ::lci::Array &value = *observation.value;
  if (value.dtype() == ::lci::DType::F32)
    return ::lci::numberText(value.data<float>()[0]);
  return std::to_string(value.intAt(0));
}

/// The header and the rows before `firstEpoch` of a former run's table.
static std::string rowsBefore(StringRef table, int64_t firstEpoch) {
  std::string kept;
  bool header = true;
  while (!table.empty()) {
    auto [line, rest] = table.split('\n');
    int64_t epoch;
    if (header || (!line.split(',').first.getAsInteger(10, epoch) && epoch < firstEpoch))
      kept += line.str() + "\n";
    header = false;
    table = rest;
  }
  return kept;
}

Result<ObservationTable> ObservationTable::open(const std::string &path,
                                                const std::vector<std::string> &names,
                                                int64_t firstEpoch) {
  std::vector<std::string> columns = {"epoch"};
  columns.insert(columns.end(), names.begin(), names.end());
  bool append = false;
  if (firstEpoch > 0)
    if (Result<std::vector<uint8_t>> old = ::lci::readFile(path)) {
      StringRef text(reinterpret_cast<const char *>(old->data()), old->size());
      if (Status status = ::lci::writeFileAtomically(path, rowsBefore(text, firstEpoch)); !status)
        return status.failure();
      append = true;
    }
  Result<::lci::CsvWriter> writer = ::lci::CsvWriter::open(path, columns, append);
  if (!writer)
    return writer.failure();
  return ObservationTable(std::move(*writer));
}

Status ObservationTable::row(int64_t epoch, const Observations &observations) {
  std::vector<std::string> cells = {std::to_string(epoch)};
  for (const Observation &observation : observations)
    cells.push_back(textOf(observation));
  return writer.row(cells);
}
