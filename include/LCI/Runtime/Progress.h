//===- Progress.h - A progress bar, and Ctrl-C ------------------*- C++ -*-===//
//
// The display of a long run at a terminal. Nothing is printed unless the stream is a terminal and
// the run has taken two seconds, so logs and tests stay clean.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_PROGRESS_H
#define LCI_RUNTIME_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace lci {

/// The line for `done` of `total` steps after `seconds`, `columns` wide.
std::string progressLine(uint64_t done, uint64_t total, double seconds, const std::string &note,
                         int columns);

/// One bar on one stream.
class Progress {
public:
  Progress(uint64_t total, std::FILE *stream = stderr);
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Redraws at most ten times a second.
  void update(uint64_t done, const std::string &note = "");
  /// Removes the bar.
  void finish();

private:
  using Clock = std::chrono::steady_clock;
  uint64_t total;
  std::FILE *stream;
  bool terminal;
  bool drawn = false;
  Clock::time_point start, last;
};

/// From now on Ctrl-C only sets the flag; a second one ends the process.
void catchInterrupt();
/// Whether Ctrl-C was pressed since.
bool interrupted();

} // namespace lci

#endif // LCI_RUNTIME_PROGRESS_H
