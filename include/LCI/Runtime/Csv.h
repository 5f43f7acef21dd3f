//===- Csv.h - Tables of observations ---------------------------*- C++ -*-===//
//
// A comma-separated table, written row by row; numbers have as many digits as restore the same
// bits.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_CSV_H
#define LCI_RUNTIME_CSV_H

#include "LCI/Runtime/Result.h"
#include <cstdio>
#include <memory>
#include <vector>

namespace lci {

/// The shortest decimal that parses to the same number.
std::string numberText(double value);
std::string numberText(float value);

/// One open table; rows reach the file as they are written.
class CsvWriter {
public:
  /// Creates or replaces the file and writes the header; with `append`, rows are added to those of
  /// a former run (the header is then not repeated).
  static Result<CsvWriter> open(const std::string &path, const std::vector<std::string> &columns,
                                bool append = false);
  /// One row of already formatted cells, quoted where they need it.
  Status row(const std::vector<std::string> &cells);

private:
  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file;
  std::string path;
};

} // namespace lci

#endif // LCI_RUNTIME_CSV_H
