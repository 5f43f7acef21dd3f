//===- File.h - Whole files, replaced atomically ----------------*- C++ -*-===//
//
// Reads a file whole and replaces a file whole. A reader of the path sees the
// old contents or the new, never a part, also when the machine stops between:
// the new bytes go to a temporary neighbour, reach the disk, and are renamed.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_FILE_H
#define LCI_RUNTIME_FILE_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <string>
#include <vector>

namespace lci {

/// The whole file; the error names the path and the reason.
Result<std::vector<uint8_t>> readFile(const std::string &path);

/// Whether a file could be written there now: said before a long run rather than
/// after it. What processes that are no more left beside it is removed: one that
/// is killed after its file is whole, but before that has taken its place,
/// leaves it there.
Status prepareToWrite(const std::string &path);

/// Writes the bytes so that `path` holds either its old contents or these.
Status writeFileAtomically(const std::string &path, const uint8_t *data, size_t size);
Status writeFileAtomically(const std::string &path, const std::vector<uint8_t> &bytes);
Status writeFileAtomically(const std::string &path, const std::string &text);

/// `path` as seen from the folder of `base` (a file); absolute paths stay.
std::string resolvePath(const std::string &path, const std::string &base);

} // namespace lci

#endif // LCI_RUNTIME_FILE_H
