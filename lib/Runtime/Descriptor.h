//===- Descriptor.h - An open file that closes itself -----------*- C++ -*-===//
//
// RAII of file descriptors, and writing to them, for the sources of the runtime that read and write
// files.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LIB_RUNTIME_DESCRIPTOR_H
#define LCI_LIB_RUNTIME_DESCRIPTOR_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <unistd.h>

namespace lci {

/// For how many seconds a FIFO waits for a process at its other end.
inline constexpr int kPatience = 10;

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

/// Writes bytes; returns the errno of a failure, else 0.
int writeAll(int fd, const uint8_t *data, size_t size);

/// The system's error for a file: `cannot WHAT 'PATH': …`.
Failure fileFailure(const std::string &path, const char *what, int code);

} // namespace lci

#endif // LCI_LIB_RUNTIME_DESCRIPTOR_H
