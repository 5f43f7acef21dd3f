//===- WriteFile.cpp - Replace files, or write them in place --------------===//
//
// The kind of file that a path resolves to decides how it is written: a stream of the process by
// its number, a device or a FIFO through, a file with several names in place, and any other file by
// a temporary one that is renamed.
//
//===----------------------------------------------------------------------===//
#include "Descriptor.h"
#include "LCI/Runtime/File.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/stat.h>

using namespace lci;

int lci::writeAll(int fd, const uint8_t *data, size_t size) {
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

/// 0, or the error's number.
static int writeAll(int fd, const Parts &parts) {
  int code = 0;
  for (std::string_view part : parts)
    if (!code)
      code = writeAll(fd, reinterpret_cast<const uint8_t *>(part.data()), part.size());
  return code;
}

static off_t sizeOf(const Parts &parts) {
  size_t size = 0;
  for (std::string_view part : parts)
    size += part.size();
  return static_cast<off_t>(size);
}

static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

//===----------------------------------------------------------------------===//
// Resolving a path
//===----------------------------------------------------------------------===//

namespace {
/// The file that a path resolves to, and how it is written.
struct Target {
  enum class Kind { Stream, Through, InPlace, Replaced };
  Kind kind = Kind::Replaced;
  std::string path;                 ///< after all links
  int stream = -1;                  ///< the number of a stream
  std::optional<struct stat> found; ///< of an existing file
};
} // namespace

/// The number of an open stream of the process, if the path is a name of one.
static std::optional<int> streamOf(const std::string &path) {
  if (path == "/dev/stdout" || path == "/dev/stderr")
    return path == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
  for (const char *folder : {"/dev/fd/", "/proc/self/fd/"}) {
    size_t length = std::strlen(folder);
    std::string number = path.compare(0, length, folder) == 0 ? path.substr(length) : "";
    if (!number.empty() && number.size() < 10 &&
        number.find_first_not_of("0123456789") == std::string::npos)
      return std::atoi(number.c_str());
  }
  return std::nullopt;
}

/// Follows links, also to files that do not exist yet, up to a stream or a file.
static Result<Target> follow(const std::string &given) {
  Target target;
  target.path = given;
  constexpr int kMaxLinks = 40; // as in the kernel
  for (int links = 0; links <= kMaxLinks; ++links) {
    if (std::optional<int> stream = streamOf(target.path)) {
      target.kind = Target::Kind::Stream;
      target.stream = *stream;
      return target;
    }
    char link[4096];
    ssize_t length = ::readlink(target.path.c_str(), link, sizeof link);
    if (length < 0)
      return target;
    std::string next(link, static_cast<size_t>(length));
    target.path = next.front() == '/' ? next : folderOf(target.path) + "/" + next;
  }
  return fileFailure(given, "write", ELOOP);
}

/// Resolves a path, and decides how it is written.
static Result<Target> find(const std::string &given) {
  Result<Target> target = follow(given);
  struct stat info;
  if (!target || target->kind == Target::Kind::Stream || ::stat(target->path.c_str(), &info) != 0)
    return target;
  target->found = info;
  if (S_ISDIR(info.st_mode))
    return fileFailure(given, "write", EISDIR);
  if (!S_ISREG(info.st_mode))
    target->kind = Target::Kind::Through;
  else if (info.st_nlink > 1)
    target->kind = Target::Kind::InPlace;
  return target;
}

/// Checks permissions: a file without any write permission is not written, not even by root.
static Status checkAllowed(const Target &target, const std::string &given) {
  constexpr mode_t kAnybodysWrite = 0222;
  if (target.kind == Target::Kind::Stream) {
    int flags = ::fcntl(target.stream, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
      return fileFailure(given, "write", EBADF);
    return Done();
  }
  if (!target.found)
    return Done();
  if (S_ISREG(target.found->st_mode) && (target.found->st_mode & kAnybodysWrite) == 0)
    return fileFailure(given, "write", EACCES);
  return ::access(target.path.c_str(), W_OK) == 0 ? Status(Done())
                                                  : fileFailure(given, "write", errno);
}

//===----------------------------------------------------------------------===//
// Devices, FIFOs, streams and files in place
//===----------------------------------------------------------------------===//

namespace {
/// A reader that goes away is an error of the write, not the end of the process.
class NoSignalOfPipes {
public:
  NoSignalOfPipes() : before(std::signal(SIGPIPE, SIG_IGN)) {}
  ~NoSignalOfPipes() { std::signal(SIGPIPE, before); }
  NoSignalOfPipes(const NoSignalOfPipes &) = delete;
  NoSignalOfPipes &operator=(const NoSignalOfPipes &) = delete;

private:
  void (*before)(int);
};
} // namespace

/// Opens a device or a FIFO; a FIFO needs a reader.
static int openThrough(const std::string &path) {
  int fd = -1;
  constexpr int kTriesInSecond = 20;
  for (int tries = 0; tries < kPatience * kTriesInSecond; ++tries) {
    fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 || errno != ENXIO)
      break;
    ::usleep(1000000 / kTriesInSecond);
  }
  if (fd >= 0)
    ::fcntl(fd, F_SETFL, 0);
  return fd;
}

static Failure unread(const std::string &path) {
  return Failure{ErrorId::FileAccess, "cannot write '" + path + "': nobody has read from it for " +
                                          std::to_string(kPatience) + " seconds"};
}

static Status writeThrough(const Target &target, const std::string &given, const Parts &parts) {
  NoSignalOfPipes none;
  Descriptor file(openThrough(target.path));
  if (file.get() < 0)
    return errno == ENXIO ? unread(given) : fileFailure(given, "write", errno);
  int code = writeAll(file.get(), parts);
  return code ? Status(fileFailure(given, "write", code)) : Status(Done());
}

static Status writeStream(const Target &target, const std::string &given, const Parts &parts) {
  NoSignalOfPipes none;
  int code = writeAll(target.stream, parts);
  return code ? Status(fileFailure(given, "write", code)) : Status(Done());
}

/// A file with several names keeps them all.
static Status writeInPlace(const Target &target, const std::string &given, const Parts &parts) {
  Descriptor file(::open(target.path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0)
    return fileFailure(given, "write", errno);
  int code = writeAll(file.get(), parts);
  if (!code && (::ftruncate(file.get(), sizeOf(parts)) != 0 || ::fsync(file.get()) != 0))
    code = errno;
  return code ? Status(fileFailure(given, "write", code)) : Status(Done());
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

/// A file without a name, which vanishes if the process is killed; -1 where the file system does
/// not support it.
static int openNameless(const std::string &folder) {
  if (::access("/proc/self/fd", X_OK) != 0) // through which it gets a name
    return -1;
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

static bool giveName(int file, const std::string &path) {
  std::string link = "/proc/self/fd/" + std::to_string(file);
  ::unlink(path.c_str()); // left by a former process of the same id
  return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

static int openNamed(const std::string &path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static constexpr char kTemporary[] = ".tmp";

/// The process id separates two runs that write the same file.
static std::string temporaryFor(const std::string &path) {
  return path + kTemporary + std::to_string(::getpid());
}

/// Copies permissions, and the owner if allowed, from the file that is replaced.
static bool takeOver(int file, const std::optional<struct stat> &old) {
  constexpr mode_t kPermissions = 07777;
  if (!old)
    return true;
  [[maybe_unused]] int given = ::fchown(file, old->st_uid, old->st_gid);
  return ::fchmod(file, old->st_mode & kPermissions) == 0;
}

/// Fills the temporary file for a target and syncs it to the disk.
static Status fill(const std::string &temporary, const Target &target, const std::string &given,
                   const Parts &parts) {
  int nameless = openNameless(folderOf(target.path));
  Descriptor file(nameless >= 0 ? nameless : openNamed(temporary));
  if (file.get() < 0)
    return fileFailure(given, "create", errno);
  if (int code = writeAll(file.get(), parts))
    return fileFailure(given, "write", code);
  if (!takeOver(file.get(), target.found) || ::fsync(file.get()) != 0)
    return fileFailure(given, "write", errno);
  if (nameless >= 0 && !giveName(nameless, temporary))
    return fileFailure(given, "create", errno);
  if (file.close() != 0)
    return fileFailure(given, "write", errno);
  return Done();
}

static Status replace(const Target &target, const std::string &given, const Parts &parts) {
  std::string temporary = temporaryFor(target.path);
  if (Status status = fill(temporary, target, given, parts); !status) {
    ::unlink(temporary.c_str());
    return status;
  }
  if (::rename(temporary.c_str(), target.path.c_str()) != 0) {
    int code = errno;
    ::unlink(temporary.c_str());
    return fileFailure(given, "replace", code);
  }
  // The rename itself must survive a crash; file systems that cannot sync a folder need not.
  Descriptor folder(::open(folderOf(target.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0)
    ::fsync(folder.get());
  return Done();
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

/// Whether a text is the id of a process that no longer exists.
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
  Result<Target> target = find(path);
  if (!target)
    return target.failure();
  if (Status allowed = checkAllowed(*target, path); !allowed)
    return allowed;
  if (target->kind != Target::Kind::Replaced)
    return Done();
  removeLeftovers(target->path);
  // A file is replaced, not written: its folder must be writable, where a temporary file is tried.
  if (Descriptor file(openNameless(folderOf(target->path))); file.get() >= 0)
    return Done();
  std::string temporary = temporaryFor(target->path);
  Descriptor file(openNamed(temporary));
  if (file.get() < 0)
    return fileFailure(path, "create", errno);
  ::unlink(temporary.c_str());
  return Done();
}

Result<int> lci::openToWrite(const std::string &path, bool append) {
  Result<Target> target = find(path);
  if (!target)
    return target.failure();
  if (Status allowed = checkAllowed(*target, path); !allowed)
    return allowed.failure();
  int how = O_WRONLY | O_CLOEXEC | O_CREAT | (append ? O_APPEND : O_TRUNC);
  int fd = target->kind == Target::Kind::Stream    ? ::fcntl(target->stream, F_DUPFD_CLOEXEC, 0)
           : target->kind == Target::Kind::Through ? openThrough(target->path)
                                                   : ::open(target->path.c_str(), how, 0666);
  if (fd < 0)
    return errno == ENXIO ? unread(path) : fileFailure(path, "create", errno);
  return fd;
}

bool lci::isPlainFile(const std::string &path) {
  Result<Target> target = find(path);
  return target && target->found && target->kind != Target::Kind::Through;
}

static std::string nameOf(const struct stat &file) {
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

std::optional<std::string> lci::placeOf(const std::string &path) {
  Result<Target> target = find(path);
  if (!target) // a folder, or a cycle of links: an error when it is prepared
    return path;
  if (target->kind == Target::Kind::Stream || target->kind == Target::Kind::Through)
    return std::nullopt;
  if (target->found)
    return nameOf(*target->found);
  std::error_code error;
  std::filesystem::path folder = std::filesystem::canonical(folderOf(target->path), error);
  if (error)
    return target->path;
  return (folder / std::filesystem::path(target->path).filename()).string();
}

std::optional<std::string> lci::sinkOf(const std::string &path) {
  Result<Target> target = find(path);
  struct stat info;
  bool isStream = target && target->kind == Target::Kind::Stream;
  bool isThrough = target && target->kind == Target::Kind::Through;
  if (!isStream && !isThrough)
    return placeOf(path);
  bool isKnown = isThrough || ::fstat(target->stream, &info) == 0;
  if (isThrough)
    info = *target->found;
  if (isKnown && (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode)))
    return nameOf(info);
  return isStream ? std::optional("stream " + std::to_string(target->stream)) : std::nullopt;
}

Status lci::writeFileAtomically(const std::string &path, const Parts &parts) {
  Result<Target> target = find(path);
  if (!target)
    return target.failure();
  if (Status allowed = checkAllowed(*target, path); !allowed)
    return allowed;
  switch (target->kind) {
  case Target::Kind::Stream:
    return writeStream(*target, path, parts);
  case Target::Kind::Through:
    return writeThrough(*target, path, parts);
  case Target::Kind::InPlace:
    return writeInPlace(*target, path, parts);
  case Target::Kind::Replaced:
    break;
  }
  return replace(*target, path, parts);
}

Status lci::writeFileAtomically(const std::string &path, const std::vector<uint8_t> &bytes) {
  return writeFileAtomically(path, Parts{partOf(bytes)});
}

Status lci::writeFileAtomically(const std::string &path, const std::string &text) {
  return writeFileAtomically(path, Parts{text});
}
