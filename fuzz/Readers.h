//===- Readers.h - Common checks of readers of bytes ------------*- C++ -*-===//
//
// Helpers for targets that feed bytes to a reader of the runtime: a failed read must say why, and a
// digest can be made valid so that inputs get past it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_FUZZ_READERS_H
#define LCI_FUZZ_READERS_H

#include "LCI/Runtime/Codec.h"
#include "Targets.h"

namespace fuzz {
using lci::FileKind;
using lci::Result;

/// Stands for the file name in errors.
inline constexpr const char *kName = "input";

inline std::vector<uint8_t> bytesOf(llvm::StringRef input) {
  return std::vector<uint8_t>(input.bytes_begin(), input.bytes_end());
}

/// Whether the read succeeded; if not, the error must say why.
template <typename T>
bool wasRead(const Result<T> &result) {
  check(result || !result.error().empty(), "refused without a message");
  return static_cast<bool>(result);
}

/// The file kind of these bytes, whatever their version: used to give them a valid
/// digest, since a wrong one would reject nearly all inputs.
inline FileKind kindOf(std::vector<uint8_t> file) {
  FileKind kind = {};
  lci::Decoder header(file.data(), file.size());
  header.raw(kind.magic, sizeof(kind.magic));
  kind.version = header.number();
  return kind;
}

} // namespace fuzz

#endif // LCI_FUZZ_READERS_H
