//===- Codec.h - Serialize numbers, texts and arrays ------------*- C++ -*-===//
//
// The encoding of checkpoints and bundles. A sealed file carries its kind, its version and a
// checksum: 8 bytes of magic, a u64 version, the SHA-256 of the payload, the payload. All numbers
// are little-endian.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_CODEC_H
#define LCI_RUNTIME_CODEC_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/Digest.h"
#include "LCI/Runtime/File.h"

namespace lci {

/// Appends to `bytes`. Texts are a u64 length and the bytes, arrays a type, a rank, extents and
/// their bytes.
class Encoder {
public:
  void number(uint64_t value);
  void raw(const void *data, size_t size);
  void text(const std::string &value);
  void array(const Array &value);
  /// Encodes an array whose bytes stay where they are, and are needed as long as `parts`.
  void arrayInPlace(const Array &value);

  /// All that was encoded.
  Parts parts() const;

  /// Everything but the bytes of arrays in place.
  std::vector<uint8_t> bytes;

private:
  void head(const Array &value);

  /// Arrays in place, with the size of `bytes` when they were added.
  std::vector<std::pair<size_t, std::string_view>> inPlace;
};

/// Reads what an Encoder wrote; once it failed it stays failed and yields zeros. The bytes must
/// outlive it.
class Decoder {
public:
  Decoder(const uint8_t *data, size_t size) : at(data), left(size) {}

  uint64_t number();
  void raw(void *to, size_t size);
  std::string text();
  Array array();
  /// The number of items that follow, each of at least one byte.
  uint64_t count();
  /// Marks the input as malformed.
  void reject() { ok = false; }

  /// Whether everything was there, and nothing else.
  bool complete() const { return ok && left == 0; }
  bool good() const { return ok; }

private:
  const uint8_t *take(uint64_t size);

  const uint8_t *at;
  uint64_t left;
  bool ok = true;
};

/// A kind of sealed file.
struct FileKind {
  char magic[8];
  uint64_t version;
  const char *what; ///< in messages: `checkpoint`
};

/// The beginning of a sealed file, before the payload.
std::vector<uint8_t> headerOf(const FileKind &kind, const Parts &payload);
/// The sealed file of a payload.
std::vector<uint8_t> seal(const FileKind &kind, const std::vector<uint8_t> &payload);
/// Whether bytes begin as a file of that kind, of any version.
bool isOfKind(const FileKind &kind, const std::vector<uint8_t> &bytes);
/// The payload of a file of that kind that is whole; `name` is quoted in errors.
Result<Decoder> unseal(const FileKind &kind, const std::vector<uint8_t> &bytes,
                       const std::string &name);
/// The error of a malformed payload.
Failure malformed(const FileKind &kind, const std::string &name);

} // namespace lci

#endif // LCI_RUNTIME_CODEC_H
