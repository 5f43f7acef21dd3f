//===- Reduce.h - Test-case reduction of programs ---------------*- C++ -*-===//
//
// Reduces a program while a predicate holds (delta debugging). It is text in pieces: whether a
// candidate is still a program is for the predicate to judge.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_REDUCE_REDUCE_H
#define LCI_REDUCE_REDUCE_H

#include <functional>
#include <string>
#include <vector>

namespace lci {

/// Declarations of a program in the order of the text, each with all its lines.
using Declarations = std::vector<std::string>;

/// Splits a text at each line that begins without a space: there a declaration begins.
Declarations splitDeclarations(const std::string &text);
/// The inverse of `splitDeclarations`.
std::string joinDeclarations(const Declarations &declarations);

/// Drops runs of declarations, then lines of the remaining ones except their first, until none can
/// go. The input must be interesting; the result is, and is a subset of it. Deterministic: the
/// predicate is called on the same candidates in the same order each time.
Declarations reduceDeclarations(Declarations declarations,
                                const std::function<bool(const Declarations &)> &isInteresting);

} // namespace lci

#endif // LCI_REDUCE_REDUCE_H
