//===- File.cpp - Read whole files ----------------------------------------===//
//
// Reads a file of any kind into memory: plain files by their size, pipes and FIFOs in growing
// pieces. A FIFO is opened without blocking and polled, because a run must not wait for ever for a
// writer. Also FIFOs that are read early and passed on, and names of files that do not exist yet.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/File.h"
#include "Descriptor.h"
#include "LCI/Runtime/Memory.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>

using namespace lci;

Failure lci::fileFailure(const std::string &path, const char *what, int code) {
  return Failure{ErrorId::FileAccess,
                 "cannot " + std::string(what) + " '" + path + "': " + std::strerror(code)};
}

namespace {
/// One file while it is read.
class Reading {
public:
  Reading(int fd, const std::string &path) : fd(fd), path(path) {}

  /// Reads to the end. Pipes and devices report no size, and files may grow while being read.
  Result<std::vector<uint8_t>> all(size_t size) {
    for (;;) {
      if (filled == bytes.size())
        if (Status room = grow(std::max(size, std::max<size_t>(2 * filled, 65536))); !room)
          return room.failure();
      ssize_t got = ::read(fd, bytes.data() + filled, bytes.size() - filled);
      if (got > 0) {
        filled += static_cast<size_t>(got);
        continue;
      }
      int code = got < 0 ? errno : 0;
      if (got < 0 && code != EINTR && code != EAGAIN)
        return fileFailure(path, "read", code);
      if (got == 0 && (!isPipe || filled > 0 || hasWriter))
        break;
      if (Status more = isPipe ? await(code == EAGAIN) : Status(Done()); !more)
        return more.failure();
    }
    bytes.resize(filled);
    return std::move(bytes);
  }

  bool isPipe = false;

private:
  /// Twice the size must fit: the decoder copies it once more.
  Status grow(size_t size) {
    Status room = checkFits(saturatingMultiply(size - filled, 2), "'" + path + "'");
    if (room)
      bytes.resize(size);
    return room;
  }

  /// Waits for more data, however long that takes, but for a first writer only `kPatience` seconds.
  Status await(bool isWritten) {
    hasWriter |= isWritten;
    pollfd waits{fd, POLLIN, 0};
    int found = ::poll(&waits, 1, hasWriter ? -1 : 1000);
    hasWriter |= found > 0;
    if (!hasWriter && ++seconds == kPatience)
      return Failure{ErrorId::FileAccess, "cannot read '" + path +
                                              "': nobody has written to it for " +
                                              std::to_string(kPatience) + " seconds"};
    return Done();
  }

  int fd;
  const std::string &path;
  std::vector<uint8_t> bytes;
  size_t filled = 0;
  bool hasWriter = false;
  int seconds = 0;
};
} // namespace

Result<std::vector<uint8_t>> lci::readFile(const std::string &path) {
  // A FIFO is opened at once, whether or not it has a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0)
    return fileFailure(path, "open", errno);
  struct stat info;
  if (::fstat(file.get(), &info) != 0)
    return fileFailure(path, "read", errno);
  if (S_ISDIR(info.st_mode))
    return fileFailure(path, "read", EISDIR);
  Reading reading(file.get(), path);
  reading.isPipe = S_ISFIFO(info.st_mode);
  if (!reading.isPipe)
    ::fcntl(file.get(), F_SETFL, 0); // blocks as usual, on a terminal for example
  return reading.all(static_cast<size_t>(info.st_size));
}

Status lci::passOn(const std::string &path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISFIFO(info.st_mode))
    return Done();
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  pid_t child = ::fork();
  if (child < 0)
    return fileFailure(path, "read", errno);
  if (child > 0)
    return Done();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // it may never be read
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  bool isDone = file.get() >= 0 && writeAll(file.get(), bytes->data(), bytes->size()) == 0;
  ::_exit(isDone ? 0 : 1);
}

std::string lci::unusedPath(const std::string &name, const std::string &extension) {
  std::string path = name + "." + extension;
  struct stat info;
  for (int number = 2; ::lstat(path.c_str(), &info) == 0; ++number)
    path = name + "." + std::to_string(number) + "." + extension;
  return path;
}

std::string lci::resolvePath(const std::string &path, const std::string &base) {
  size_t slash = base.rfind('/');
  if (path.empty() || path.front() == '/' || slash == std::string::npos)
    return path;
  return base.substr(0, slash + 1) + path;
}
