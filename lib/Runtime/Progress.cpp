//===- Progress.cpp - A progress bar, and Ctrl-C --------------------------===//
#include "LCI/Runtime/Progress.h"
#include "LCI/Runtime/StopFlag.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace lci;

static std::string durationText(double seconds) {
  char text[32];
  if (seconds < 100)
    std::snprintf(text, sizeof(text), "%.0f s", seconds);
  else if (seconds < 6000)
    std::snprintf(text, sizeof(text), "%.0f min", seconds / 60);
  else
    std::snprintf(text, sizeof(text), "%.1f h", seconds / 3600);
  return text;
}

static int columnsOf(std::FILE *stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

static volatile std::sig_atomic_t interruptFlag = 0;

std::string lci::progressLine(uint64_t done, uint64_t total, double seconds,
                              const std::string &note, int columns) {
  double part = total ? std::min(1.0, static_cast<double>(done) / static_cast<double>(total)) : 1.0;
  std::string right = " " + std::to_string(done) + "/" + std::to_string(total);
  if (done > 0 && done < total)
    right += ", " + durationText(seconds / part - seconds) + " left";
  if (!note.empty())
    right += ", " + note;
  int width = std::min(40, columns - static_cast<int>(right.size()) - 3);
  std::string bar;
  if (width >= 5) {
    int filled = static_cast<int>(part * width);
    bar = "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
  }
  return (bar + right).substr(0, static_cast<size_t>(std::max(0, columns - 1)));
}

Progress::Progress(uint64_t total, std::FILE *stream)
    : total(total), stream(stream), terminal(::isatty(::fileno(stream))), start(Clock::now()),
      last(start) {}

void Progress::update(uint64_t done, const std::string &note) {
  if (!terminal)
    return;
  Clock::time_point now = Clock::now();
  double seconds = std::chrono::duration<double>(now - start).count();
  if (seconds < 2.0 || (drawn && now - last < std::chrono::milliseconds(100)))
    return;
  last = now;
  drawn = true;
  std::fprintf(stream, "\r\033[K%s",
               progressLine(done, total, seconds, note, columnsOf(stream)).c_str());
  std::fflush(stream);
}

void Progress::finish() {
  if (!drawn)
    return;
  std::fputs("\r\033[K", stream);
  std::fflush(stream);
  drawn = false;
}

void lci::catchInterrupt() {
  struct sigaction action{};
  action.sa_handler = [](int) {
    interruptFlag = 1;
    StopFlag::raiseAll();
  };
  // Reset: if the run does not reach its next epoch, a second Ctrl-C ends it.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
}

bool lci::interrupted() { return interruptFlag != 0; }
