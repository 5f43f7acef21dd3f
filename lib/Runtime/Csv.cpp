//===- Csv.cpp - Tables of observations -----------------------------------===//
#include "LCI/Runtime/Csv.h"
#include "LCI/Runtime/File.h"
#include <cerrno>
#include <charconv>
#include <cstring>

using namespace lci;

template <typename T>
static std::string shortest(T value) {
  char buffer[64];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end);
}

static std::string csvQuoted(const std::string &cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos)
    return cell;
  std::string text = "\"";
  for (char c : cell)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string lci::numberText(double value) { return shortest(value); }
std::string lci::numberText(float value) { return shortest(value); }

Result<CsvWriter> CsvWriter::open(const std::string &path, const std::vector<std::string> &columns,
                                  bool append) {
  CsvWriter writer;
  writer.path = path;
  Result<int> opened = openToWrite(path, append);
  if (!opened)
    return opened.failure();
  writer.file.reset(::fdopen(*opened, append ? "a" : "w"));
  if (!writer.file)
    return Failure{ErrorId::FileAccess, "cannot create '" + path + "': " + std::strerror(errno)};
  std::fseek(writer.file.get(), 0, SEEK_END);
  if (!append || std::ftell(writer.file.get()) == 0)
    if (Status status = writer.row(columns); !status)
      return status.failure();
  return writer;
}

Status CsvWriter::row(const std::vector<std::string> &cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += (i ? "," : "") + csvQuoted(cells[i]);
  line += '\n';
  // Flushed row by row, so that the table can be watched during a long run.
  if (std::fwrite(line.data(), 1, line.size(), file.get()) != line.size() ||
      std::fflush(file.get()) != 0)
    return Failure{ErrorId::FileAccess, "cannot write '" + path + "': " + std::strerror(errno)};
  return Done();
}
