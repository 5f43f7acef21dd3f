//===- File.h - Whole files, replaced atomically ----------------*- C++ -*-===//
//
// Reads a file whole and replaces a file whole. A reader of the path sees the
// old contents or the new, never a part, also when the machine stops between:
// the new bytes go to a temporary neighbour, reach the disk, and are renamed.
//
// What is replaced keeps who may read and write it; links are followed, also
// to what is not there yet. Devices, FIFOs and the streams of the process
// (`/dev/stdout`) are written through, and a file with several names in place,
// where nothing is atomic. What nobody may write is not written.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_FILE_H
#define LCI_RUNTIME_FILE_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lci {

/// The whole file; the error names the path and the reason. A FIFO that nobody writes to is one
/// after some seconds, and so is what is too large for memory.
Result<std::vector<uint8_t>> readFile(const std::string &path);

/// Reads a FIFO as above, and lets a process of its own give that to who opens it next, which may
/// wait for ever otherwise. Any other file is there.
Status passOn(const std::string &path);

/// Whether a file could be written there now: said before a long run rather than
/// after it. What processes that are no more left beside it is removed: one that
/// is killed after its file is whole, but before that has taken its place,
/// leaves it there.
Status prepareToWrite(const std::string &path);

/// A descriptor that writes there from the beginning on, or behind what is there.
Result<int> openToWrite(const std::string &path, bool append);

/// Whether a file is there that can be read again: no device, FIFO or stream.
bool isPlainFile(const std::string &path);

/// The same text for all paths of one file, be it there or not; none for devices, FIFOs and
/// streams, which many may write to.
std::optional<std::string> placeOf(const std::string &path);

/// Writes the bytes so that `path` holds either its old contents or these.
Status writeFileAtomically(const std::string &path, const uint8_t *data, size_t size);
Status writeFileAtomically(const std::string &path, const std::vector<uint8_t> &bytes);
Status writeFileAtomically(const std::string &path, const std::string &text);

/// `NAME.EXTENSION`, or the first of `NAME.2.EXTENSION` and so on that is not there.
std::string unusedPath(const std::string &name, const std::string &extension);

/// `path` as seen from the folder of `base` (a file); absolute paths stay.
std::string resolvePath(const std::string &path, const std::string &base);

} // namespace lci

#endif // LCI_RUNTIME_FILE_H
