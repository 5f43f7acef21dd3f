//===- Nest.h - How deep brackets stand in each other -----------*- C++ -*-===//
//
// What reads JSON and IR recurses, and is not ours: a text that is nested without end would end the
// process. So it is asked for before such a text is read.
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

/// The byte of the first bracket that more than `limit` others enclose, if there is one. Brackets
/// in strings and in comments (`//`) do not count; otherwise the text may be anything.
std::optional<size_t> findDeepNest(llvm::StringRef text, unsigned limit = kMaxJsonNest);

} // namespace lci

#endif // LCI_BINDINGS_NEST_H
