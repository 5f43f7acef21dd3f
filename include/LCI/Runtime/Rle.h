//===- Rle.h - Patterns of cellular automata --------------------*- C++ -*-===//
//
// The `.rle` files of Golly and LifeWiki: `bo$2bo$3o!`, runs of equal cells with `$` between rows.
// An array has x, which runs along a row, as its first axis and y, which runs down, as its second
// one.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RLE_H
#define LCI_RUNTIME_RLE_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/Result.h"
#include <string>
#include <vector>

namespace lci {

/// Whether a path names such a file.
bool isRlePath(const std::string &path);

/// Decodes a pattern in memory into an array of the shape, (width, height) or (width,), whose other
/// cells are 0: it begins at cell (0, 0). `name` is quoted in the messages.
Result<Array> decodeRle(const std::string &text, const std::vector<int64_t> &shape,
                        const std::string &name);
Result<Array> readRle(const std::string &path, const std::vector<int64_t> &shape);

/// Whether cells of a shape and with that many states can be written: up to two axes and 256
/// states.
Status checkRle(const std::string &path, const std::vector<int64_t> &shape, int64_t numStates);

/// The text of an array of states; with two states `b` and `o`, else `.` and `A` to `yO`.
Result<std::string> encodeRle(const Array &cells, int64_t numStates);
Status writeRle(const std::string &path, const Array &cells, int64_t numStates);
/// Writes an array as a pattern if the path names one, else as a NumPy file.
Status writeArray(const std::string &path, const Array &cells, int64_t numStates);

} // namespace lci

#endif // LCI_RUNTIME_RLE_H
