//===- Digest.h - SHA-256 ---------------------------------------*- C++ -*-===//
//
// Digests of programs, bindings and states. Checkpoints carry a digest of their contents and of the
// program they belong to.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_DIGEST_H
#define LCI_RUNTIME_DIGEST_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lci {

using Digest = std::array<uint8_t, 32>;

/// SHA-256 of all bytes added so far, in any number of pieces.
class Hasher {
public:
  Hasher &add(const void *data, size_t size);
  /// Adds the length too, so that ("ab", "c") and ("a", "bc") differ.
  Hasher &add(const std::string &text);
  Hasher &add(uint64_t number);
  Digest finish();

private:
  void block(const uint8_t *bytes);
  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending;
  size_t pendingSize = 0;
  uint64_t totalSize = 0;
};

/// SHA-256 of one buffer.
Digest digestOf(const void *data, size_t size);
/// Distinguishes contents that nobody forges: many times as fast.
uint64_t fingerprintOf(const void *data, size_t size);
/// 64 hexadecimal digits.
std::string hexText(const Digest &digest);

} // namespace lci

#endif // LCI_RUNTIME_DIGEST_H
