//===- Child.h - The process that runs candidates ---------------*- C++ -*-===//

#ifndef LCI_LIB_TUNE_CHILD_H
#define LCI_LIB_TUNE_CHILD_H

#include "LCI/Tune/Measure.h"

namespace lci {

/// A request to run a candidate, as it goes through a pipe.
struct Request {
  uint64_t candidate;
  int64_t epochs;
  uint64_t wantsDigest;
};

/// The answer, followed by `textSize` bytes: the digest, or the reason of the failure.
struct Reply {
  uint64_t isGood;
  double seconds;
  uint64_t textSize;
};

/// Reads or writes all of it; whether it did, before `seconds` were over (0: however long).
bool readAll(int file, void *bytes, size_t size, double seconds = 0);
bool writeAll(int file, const void *bytes, size_t size);

/// Serves requests until the pipe ends, and then ends the process.
[[noreturn]] void serve(const Subject &subject, const std::vector<std::string> &schedules,
                        int requests, int replies);

} // namespace lci

#endif // LCI_LIB_TUNE_CHILD_H
