//===- Streams.cpp - Standard input, output and error ---------------------===//
#include "LCI/Runtime/Streams.h"
#include "LCI/Errors/ErrorId.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace lci;

void lci::openClosedStreams() {
  // In this order each gets the free number. /dev/full fails under its other names, too.
  constexpr struct {
    int stream;
    const char *path;
    int how;
  } instead[] = {{STDIN_FILENO, "/dev/null", O_WRONLY},
                 {STDOUT_FILENO, "/dev/full", O_RDONLY},
                 {STDERR_FILENO, "/dev/null", O_WRONLY}};
  for (const auto &[stream, path, how] : instead)
    if (::fcntl(stream, F_GETFD) < 0)
      ::open(path, how);
}

void lci::endUnprinted(const std::string &tool, const std::string &reason) {
  std::string line =
      tool + ": error: " +
      lmpm::withErrorId("cannot write the output: " + reason, lmpm::ErrorId::FileAccess) + "\n";
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(1);
}

void lci::flushOutput(const std::string &tool) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    endUnprinted(tool, std::strerror(errno));
}
