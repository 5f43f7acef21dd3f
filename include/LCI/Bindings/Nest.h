//===- Nest.h - Limits on nesting and numbers of texts ----------*- C++ -*-===//
//
// The parsers of JSON and IR are recursive, accept numbers of limited length, and are upstream's:
// text that is nested too deep, or has a number too long, would end the process. So both are
// checked before such text is parsed.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_BINDINGS_NEST_H
#define LCI_BINDINGS_NEST_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace lci {

/// Bindings and headers of arrays are nested less deep.
inline constexpr unsigned kMaxJsonNest = 100;
/// IR of people and passes is nested less deep.
inline constexpr unsigned kMaxIRNest = 500;
/// Numbers of IR have fewer consecutive digits.
inline constexpr unsigned kMaxIRDigits = 1000;

/// The byte of the first bracket of JSON that more than `kMaxJsonNest` others enclose, if there is
/// one. Brackets in strings and in comments (`//`) do not count; otherwise the text may be
/// arbitrary.
std::optional<size_t> findDeepNest(llvm::StringRef text);

/// The same for IR and `kMaxIRNest`, where angle brackets nest, too (`tuple<tuple<`), consecutive
/// minuses (`--d0`), and the contents of aliases (`#a = [#b]`).
std::optional<size_t> findDeepIR(llvm::StringRef text);

/// The byte at which more than `limit` consecutive digits, or points, begin, if there are so many.
/// Those in strings and in comments do not count.
std::optional<size_t> findLongNumber(llvm::StringRef text, unsigned limit = kMaxIRDigits);

/// Operations have at most so many operands or results.
inline constexpr int64_t kMaxElements = int64_t(1) << 31;
/// The byte at which a shape of more than `kMaxElements` elements begins, in IR that has operations
/// with an operand or a result for each element (`tensor.from_elements`): the parser makes room for
/// all of them before it counts those that are there.
std::optional<size_t> findManyElements(llvm::StringRef text);

} // namespace lci

#endif // LCI_BINDINGS_NEST_H
