//===- Checkpoint.h - A run between two epochs, on disk ---------*- C++ -*-===//
//
// Everything that a run needs to continue as if it had never stopped: the committed values, their
// stamps, the sets, the clock, the seed, and the digest of the program it belongs to. The file
// carries a digest of itself, is versioned, and is replaced atomically, so that a run killed while
// writing leaves the last good one.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_CHECKPOINT_H
#define LCI_RUNTIME_CHECKPOINT_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/Digest.h"
#include <map>

namespace lci {

/// The epochs of a run, at most: an epoch is one word of a draw's counter, and ranges of integers
/// are proved for epochs of 32 bits.
inline constexpr int64_t kMaxEpochs = int64_t(1) << 32;
/// Fails, with that identifier, where a run would have more.
Status checkEpochs(int64_t epochs, ErrorId id);

/// The state of a run before phase `phase` of epoch `epoch`.
struct Checkpoint {
  uint64_t epoch = 0;
  uint64_t phase = 0;
  uint64_t seed = 0;
  /// Digest of the program and of all that determines its meaning.
  Digest program{};
  /// Arrays by name: values, stamps, counters; the caller picks the names.
  std::map<std::string, Array> arrays;
  /// Everything that is text: sets, enabled rules.
  std::map<std::string, std::string> texts;
};

std::vector<uint8_t> encodeCheckpoint(const Checkpoint &checkpoint);
Result<Checkpoint> decodeCheckpoint(const std::vector<uint8_t> &bytes, const std::string &name);

Status writeCheckpoint(const std::string &path, const Checkpoint &checkpoint);
Result<Checkpoint> readCheckpoint(const std::string &path);

} // namespace lci

#endif // LCI_RUNTIME_CHECKPOINT_H
