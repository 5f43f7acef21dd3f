//===- Rules.h - Conversions of Golly's kinds of rules ----------*- C++ -*-===//
//
// One entry point for each kind of rule: rule strings, Larger than Life, tables and trees; with
// helpers that they share.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_GOLLY_RULES_H
#define LIB_TARGET_GOLLY_RULES_H

#include "ProgramText.h"
#include "Sections.h"
#include "llvm/Support/Error.h"

namespace mlir::lci::golly {

/// The text of a program, or a GollyError, whose place lies in the input.
llvm::Expected<std::string> convertString(StringRef text);        ///< B3/S23 and its kin
llvm::Expected<std::string> convertLargeRule(StringRef text);     ///< R5,C0,S34-58,B34-45,NM
llvm::Expected<std::string> convertTable(const Section &section); ///< @TABLE
llvm::Expected<std::string> convertTree(const Section &section);  ///< @TREE

/// The beginning of a text, for messages.
std::string shorten(StringRef text);

/// Whether a rule string is one of those with neighbourhoods of any radius.
bool isLargeRule(StringRef text);

/// The new state of a cell that is born and survives by a condition, and otherwise ages through the
/// states above 1, if there are any, and then dies.
std::string writeAging(StringRef lives, unsigned numStates);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_RULES_H
