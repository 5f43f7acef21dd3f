//===- Reduce.h - Programs made smaller -------------------------*- C++ -*-===//
//
// A program that shows something is made smaller while it still shows it. It is text in pieces:
// whether what is left is a program is for whoever judges it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_REDUCE_REDUCE_H
#define LCI_REDUCE_REDUCE_H

#include <functional>
#include <string>
#include <vector>

namespace lci {

/// Declarations of a program in the order of the text, each with its own lines.
using Declarations = std::vector<std::string>;

/// Cuts a text where a line begins without a space: there a declaration begins.
Declarations splitDeclarations(const std::string &text);
/// The text again.
std::string joinDeclarations(const Declarations &declarations);

/// Drops runs of declarations, then lines of those that are left but their first, until none can
/// go. What is given must be interesting; the answer is, and is a part of it. The same questions
/// are asked in the same order each time.
Declarations reduceDeclarations(Declarations declarations,
                                const std::function<bool(const Declarations &)> &isInteresting);

} // namespace lci

#endif // LCI_REDUCE_REDUCE_H
