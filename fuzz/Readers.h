//===- Readers.h - What holds of every reader of bytes ----------*- C++ -*-===//
#ifndef LCI_FUZZ_READERS_H
#define LCI_FUZZ_READERS_H

#include "LCI/Runtime/Codec.h"
#include "Targets.h"

namespace fuzz {
using lci::FileKind;
using lci::Result;

/// What stands for the name of a file.
inline constexpr const char *kName = "input";

inline std::vector<uint8_t> bytesOf(llvm::StringRef input) {
  return std::vector<uint8_t>(input.bytes_begin(), input.bytes_end());
}

/// Whether something was read; if not, the error says why.
template <typename T>
bool wasRead(const Result<T> &result) {
  check(result || !result.error().empty(), "refused without a message");
  return static_cast<bool>(result);
}

/// The same kind as a file's, whatever its version is: how bytes are sealed so that its digest does
/// not keep all of them out.
inline FileKind kindOf(std::vector<uint8_t> file) {
  FileKind kind = {};
  lci::Decoder header(file.data(), file.size());
  header.raw(kind.magic, sizeof(kind.magic));
  kind.version = header.number();
  return kind;
}

} // namespace fuzz

#endif // LCI_FUZZ_READERS_H
