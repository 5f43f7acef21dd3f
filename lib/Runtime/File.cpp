//===- File.cpp - Whole files, replaced atomically ------------------------===//
#include "LCI/Runtime/File.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

using namespace lci;

static Failure failure(const std::string &path, const char *what, int code) {
  return Failure{ErrorId::FileAccess,
                 "cannot " + std::string(what) + " '" + path + "': " + std::strerror(code)};
}

namespace {
/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd(fd) {}
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return fd; }
  int close() {
    int result = ::close(fd);
    fd = -1;
    return result;
  }

private:
  int fd;
};
} // namespace

static int writeAll(int fd, const uint8_t *data, size_t size) {
  while (size > 0) {
    ssize_t written = ::write(fd, data, size);
    if (written < 0 && errno != EINTR)
      return errno;
    if (written > 0) {
      data += written;
      size -= static_cast<size_t>(written);
    }
  }
  return 0;
}

static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// A file without a name, of which nothing is left if the process is killed; -1 where the file
/// system knows no such thing.
static int openNameless(const std::string &folder) {
  if (::access("/proc/self/fd", X_OK) != 0) // through which it gets a name
    return -1;
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

static bool giveName(int file, const std::string &path) {
  std::string link = "/proc/self/fd/" + std::to_string(file);
  ::unlink(path.c_str()); // of a process that had this one's number
  return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

static int openNamed(const std::string &path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static constexpr char kTemporary[] = ".tmp";

/// The process id keeps two runs that write the same file apart.
static std::string temporaryFor(const std::string &path) {
  return path + kTemporary + std::to_string(::getpid());
}

/// Fills the temporary file for `path` and makes sure it is on the disk.
static Status fill(const std::string &temporary, const std::string &path, const uint8_t *data,
                   size_t size) {
  int nameless = openNameless(folderOf(path));
  Descriptor file(nameless >= 0 ? nameless : openNamed(temporary));
  if (file.get() < 0)
    return failure(path, "create", errno);
  if (int code = writeAll(file.get(), data, size))
    return failure(path, "write", code);
  if (::fsync(file.get()) != 0)
    return failure(path, "write", errno);
  if (nameless >= 0 && !giveName(nameless, temporary))
    return failure(path, "create", errno);
  if (file.close() != 0)
    return failure(path, "write", errno);
  return Done();
}

Result<std::vector<uint8_t>> lci::readFile(const std::string &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return failure(path, "open", errno);
  struct stat info;
  if (::fstat(file.get(), &info) != 0)
    return failure(path, "read", errno);
  if (S_ISDIR(info.st_mode))
    return failure(path, "read", EISDIR);
  std::vector<uint8_t> bytes(static_cast<size_t>(info.st_size));
  size_t filled = 0;
  for (;;) {
    // Pipes report no size, and files may grow while being read.
    if (filled == bytes.size())
      bytes.resize(bytes.size() + 65536);
    ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno != EINTR)
      return failure(path, "read", errno);
    if (got == 0)
      break;
    filled += static_cast<size_t>(got > 0 ? got : 0);
  }
  bytes.resize(filled);
  return bytes;
}

/// Whether a text is the number of a process that there is no more.
static bool isOfTheDead(const std::string &number) {
  bool isNumber = number.find_first_not_of("0123456789") == std::string::npos;
  errno = 0;
  long process = isNumber ? std::strtol(number.c_str(), nullptr, 10) : 0;
  return process > 0 && errno == 0 && process <= std::numeric_limits<pid_t>::max() &&
         ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

static void removeLeftovers(const std::string &path) {
  std::string begin = std::filesystem::path(path).filename().string() + kTemporary;
  std::error_code error;
  std::vector<std::filesystem::path> dead;
  for (std::filesystem::directory_iterator file(folderOf(path), error), end; !error && file != end;
       file.increment(error)) {
    std::string name = file->path().filename().string();
    if (name.compare(0, begin.size(), begin) == 0 && isOfTheDead(name.substr(begin.size())))
      dead.push_back(file->path());
  }
  for (const std::filesystem::path &file : dead)
    ::unlink(file.c_str());
}

Status lci::prepareToWrite(const std::string &path) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    if (S_ISDIR(info.st_mode))
      return failure(path, "write", EISDIR);
    return ::access(path.c_str(), W_OK) == 0 ? Status(Done()) : failure(path, "write", errno);
  }
  removeLeftovers(path);
  // A file is replaced, not written: what counts is its folder, where another is tried.
  if (Descriptor file(openNameless(folderOf(path))); file.get() >= 0)
    return Done();
  std::string temporary = temporaryFor(path);
  Descriptor file(openNamed(temporary));
  if (file.get() < 0)
    return failure(path, "create", errno);
  ::unlink(temporary.c_str());
  return Done();
}

Status lci::writeFileAtomically(const std::string &path, const uint8_t *data, size_t size) {
  // Devices and pipes (`/dev/stdout`) have nothing to replace.
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0)
      return failure(path, "write", errno);
    if (int code = writeAll(file.get(), data, size))
      return failure(path, "write", code);
    return Done();
  }
  std::string temporary = temporaryFor(path);
  if (Status status = fill(temporary, path, data, size); !status) {
    ::unlink(temporary.c_str());
    return status;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    int code = errno;
    ::unlink(temporary.c_str());
    return failure(path, "replace", code);
  }
  // The rename itself must survive a crash; file systems that cannot sync a folder need not.
  Descriptor folder(::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0)
    ::fsync(folder.get());
  return Done();
}

Status lci::writeFileAtomically(const std::string &path, const std::vector<uint8_t> &bytes) {
  return writeFileAtomically(path, bytes.data(), bytes.size());
}

Status lci::writeFileAtomically(const std::string &path, const std::string &text) {
  return writeFileAtomically(path, reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

std::string lci::resolvePath(const std::string &path, const std::string &base) {
  size_t slash = base.rfind('/');
  if (path.empty() || path.front() == '/' || slash == std::string::npos)
    return path;
  return base.substr(0, slash + 1) + path;
}
