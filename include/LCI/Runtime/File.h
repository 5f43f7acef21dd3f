//===- File.h - Whole files, replaced atomically ----------------*- C++ -*-===//
//
// Reads a file whole and replaces a file whole. A reader of the path sees the old contents or the
// new, never a part, also when the machine stops between: the new bytes go to a temporary
// neighbour, reach the disk, and are renamed.
//
// A replaced file keeps its permissions; links are followed, also to files that do not exist yet.
// Devices, FIFOs and the streams of the process (`/dev/stdout`) are written through, and a file
// with several names in place, where nothing is atomic. A file without write permissions is not
// written.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_FILE_H
#define LCI_RUNTIME_FILE_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lci {

/// The whole file; the error names the path and the reason. A FIFO without a writer is an error
/// after some seconds, and so is a file that is too large for memory.
Result<std::vector<uint8_t>> readFile(const std::string &path);

/// Reads a FIFO as above, and lets a child process write that to the next reader, which may wait
/// for ever otherwise. Any other file is left alone.
Status passOn(const std::string &path);

/// Whether a file could be written there now: checked before a long run rather than after it.
/// Temporary files of processes that no longer exist are removed: a process that is killed after
/// its file is whole, but before the rename, leaves one.
Status prepareToWrite(const std::string &path);

/// A descriptor that writes to the file from its beginning, or appends.
Result<int> openToWrite(const std::string &path, bool append);

/// Whether the file exists and can be read again: no device, FIFO or stream.
bool isPlainFile(const std::string &path);

/// The same text for all paths of one file, even if it does not exist; none for devices, FIFOs and
/// streams, which may have many writers.
std::optional<std::string> placeOf(const std::string &path);
/// The same for a file that is written: streams and FIFOs have a name, too, since they hold one
/// output; other devices have none.
std::optional<std::string> sinkOf(const std::string &path);

/// The contents of a file, part behind part: large ones are written from where they lie.
using Parts = std::vector<std::string_view>;
/// Bytes, which outlive it, as one part.
inline std::string_view partOf(const std::vector<uint8_t> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// Writes the bytes so that `path` holds either its old contents or these.
Status writeFileAtomically(const std::string &path, const Parts &parts);
Status writeFileAtomically(const std::string &path, const std::vector<uint8_t> &bytes);
Status writeFileAtomically(const std::string &path, const std::string &text);

/// `NAME.EXTENSION`, or the first of `NAME.2.EXTENSION` and so on that does not exist.
std::string unusedPath(const std::string &name, const std::string &extension);

/// `path` relative to the folder of `base` (a file); absolute paths are unchanged.
std::string resolvePath(const std::string &path, const std::string &base);

} // namespace lci

#endif // LCI_RUNTIME_FILE_H
