//===- Nest.h - What texts may not have too much of -------------*- C++ -*-===//
//
// What reads JSON and IR recurses, reads numbers of some length only, and is not ours: a text that
// is nested without end, or has a number without end, would end the process. So it is asked for
// both before such a text is read.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_BINDINGS_NEST_H
#define LCI_BINDINGS_NEST_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace lci {

/// No bindings and no headers of arrays are nested deeper than this.
inline constexpr unsigned kMaxJsonNest = 100;
/// No IR is, of those that people and passes write.
inline constexpr unsigned kMaxIRNest = 500;
/// No number of IR has more digits in a row.
inline constexpr unsigned kMaxIRDigits = 1000;

/// The byte of the first bracket of JSON that more than `kMaxJsonNest` others enclose, if there is
/// one. Brackets in strings and in comments (`//`) do not count; otherwise the text may be
/// anything.
std::optional<size_t> findDeepNest(llvm::StringRef text);

/// The same for IR and `kMaxIRNest`, where angle brackets nest, too (`tuple<tuple<`), minuses in a
/// row (`--d0`), and what names stand for (`#a = [#b]`).
std::optional<size_t> findDeepIR(llvm::StringRef text);

/// The byte where more than `limit` digits, or points, in a row begin, if there are so many. Those
/// in strings and in comments do not count.
std::optional<size_t> findLongNumber(llvm::StringRef text, unsigned limit = kMaxIRDigits);

} // namespace lci

#endif // LCI_BINDINGS_NEST_H
