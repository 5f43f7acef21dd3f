//===- ObservationTable.cpp - The CSV of a run's observers ----------------===//
#include "LCI/Runtime/ObservationTable.h"
#include "LCI/Runtime/File.h"
#include <cstdlib>
#include <sstream>

using namespace lci;

std::string lci::textOf(const Observation &observation) {
  if (!observation.value)
    return "";
  const Array &value = *observation.value;
  if (value.dtype() == DType::F32)
    return numberText(value.data<float>()[0]);
  return std::to_string(value.intAt(0));
}

/// The header and the rows before `firstEpoch` of a former run's table.
static std::string rowsBefore(const std::string &table, int64_t firstEpoch) {
  std::istringstream lines(table);
  std::string kept, line;
  for (bool isHeader = true; std::getline(lines, line); isHeader = false) {
    char *end = nullptr;
    int64_t epoch = std::strtoll(line.c_str(), &end, 10);
    bool isNumber = end != line.c_str() && (*end == ',' || *end == '\0');
    if (isHeader || (isNumber && epoch < firstEpoch))
      kept += line + "\n";
  }
  return kept;
}

Result<ObservationTable> ObservationTable::open(const std::string &path,
                                                const std::vector<std::string> &names,
                                                int64_t firstEpoch) {
  std::vector<std::string> columns = {"epoch"};
  columns.insert(columns.end(), names.begin(), names.end());
  bool append = false;
  if (firstEpoch > 0 && isPlainFile(path))
    if (Result<std::vector<uint8_t>> old = readFile(path)) {
      std::string text(old->begin(), old->end());
      if (Status status = writeFileAtomically(path, rowsBefore(text, firstEpoch)); !status)
        return status.failure();
      append = true;
    }
  Result<CsvWriter> writer = CsvWriter::open(path, columns, append);
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
