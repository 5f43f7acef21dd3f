//===- Limits.cpp - Limits of memory and time of a process ----------------===//
//
// Parses limits, sets them with setrlimit and a timer, and installs handlers that print a sentence
// before the process ends. The sentences are written in advance, because nothing can be allocated
// when memory is exhausted.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Limits.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

using namespace lci;

// Printed when there is no memory left: written in advance, since nothing can be allocated then.
static char memorySentence[256], timeSentence[256];
static double secondsOfGrace = 0;
static volatile std::sig_atomic_t timeIsOver = 0;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

Result<uint64_t> lci::parseBytes(const std::string &text) {
  char *end = nullptr;
  unsigned long long number = std::strtoull(text.c_str(), &end, 10);
  static constexpr char units[] = "KMGT";
  const char *unit = *end == '\0' ? nullptr : std::strchr(units, *end);
  int shift = unit ? 10 * static_cast<int>(unit - units + 1) : 0;
  bool isWhole = *end == '\0' || (unit && end[1] == '\0');
  bool isDigit = !text.empty() && text[0] >= '0' && text[0] <= '9';
  if (isDigit && isWhole && number > (UINT64_MAX >> shift))
    return Failure{ErrorId::CommandLine, "expected bytes below 2^64, but got '" + text + "'"};
  if (!isDigit || !isWhole || number == 0)
    return Failure{ErrorId::CommandLine,
                   "expected bytes as 1000000, 512M or 2G, but got '" + text + "'"};
  return static_cast<uint64_t>(number) << shift;
}

Result<double> lci::parseSeconds(const std::string &text) {
  char *end = nullptr;
  double seconds = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(seconds >= 0.001 && seconds <= 1e9))
    return Failure{ErrorId::CommandLine, "expected seconds as 0.5 or 60, but got '" + text + "'"};
  return seconds;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The memory of the process: its private writable pages, which the kernel limits.
static uint64_t memoryTaken() {
  uint64_t kilobytes = 0;
  std::FILE *status = std::fopen("/proc/self/status", "re");
  char line[256];
  while (status && std::fgets(line, sizeof(line), status))
    if (std::strncmp(line, "VmData:", 7) == 0)
      kilobytes = std::strtoull(line + 7, nullptr, 10);
  if (status)
    std::fclose(status);
  return kilobytes * 1024;
}

[[noreturn]] static void sayAndEnd(const char *sentence, int status) {
  ssize_t written = ::write(STDERR_FILENO, sentence, std::strlen(sentence));
  ::_exit(written < 0 ? 1 : status);
}

/// Writes the sentence for exhausted memory.
static void writeSentence(const std::string &what, const std::string &tool) {
  std::snprintf(memorySentence, sizeof(memorySentence), "%s: error: %s\n", tool.c_str(),
                lmpm::withErrorId(what, ErrorId::NoMemory).c_str());
  std::set_new_handler(endOutOfMemory);
}

void lci::endWithoutMemory(const std::string &tool) {
  writeSentence("it needs more memory than there is", tool);
}

Status lci::limitMemory(uint64_t bytes, const std::string &tool) {
  constexpr uint64_t million = 1 << 20;
  std::string size = std::to_string(bytes / million) + " MiB";
  if (uint64_t taken = memoryTaken(); bytes <= taken)
    return Failure{ErrorId::CommandLine, "expected --limit-memory of more than the " +
                                             std::to_string(taken / million + 1) + " MiB that " +
                                             tool + " itself takes, but got " + size};
  writeSentence("it needs more memory than the " + size + " that --limit-memory allows", tool);
  rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_DATA, &limit) != 0)
    return Failure{ErrorId::CommandLine, "--limit-memory: " + std::string(std::strerror(errno))};
  return Done{};
}

void lci::endOutOfMemory() { sayAndEnd(memorySentence, 1); }

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

static void setAlarm(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

static void onAlarm(int) {
  if (timeIsOver)
    sayAndEnd(timeSentence, kOutOfTime);
  timeIsOver = 1;
  setAlarm(secondsOfGrace);
}

void lci::limitSeconds(double seconds, const std::string &tool) {
  char text[64];
  std::snprintf(text, sizeof(text), "the %g seconds that --limit-seconds allows are over", seconds);
  std::snprintf(timeSentence, sizeof(timeSentence), "%s: error: %s\n", tool.c_str(),
                lmpm::withErrorId(text, ErrorId::OutOfTime).c_str());
  secondsOfGrace = std::clamp(seconds, 1.0, 10.0);
  std::signal(SIGALRM, onAlarm);
  setAlarm(seconds);
}

bool lci::isTimeOver() { return timeIsOver != 0; }
