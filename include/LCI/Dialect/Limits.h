//===- Limits.h - Limits of the size of a program ---------------*- C++ -*-===//
//
// Bounds on the expansion of a short text. They are far beyond programs that people write; a
// program beyond one gets a diagnostic before memory or patience end.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DIALECT_LIMITS_H
#define LCI_DIALECT_LIMITS_H

#include <cstdint>

namespace mlir::lci {

/// The longest chain of formulas, or parameters, each computed from the one before.
inline constexpr unsigned kMaxFormulaDepth = 1000;

/// The number of operations to which the formulas and lets of one program may be expanded, at all
/// uses of their names: a formula that uses another one twice doubles it.
inline constexpr int64_t kMaxWrittenOut = 100000;

/// The number of axes that a value or a parameter may have. Each is an index of every rule and a
/// loop of every tick.
inline constexpr unsigned kMaxAxes = 16;
inline constexpr const char *kAxesHint = "two axes of 2 and 3 cells can be one of 6";

/// The number of components of a vector in compiled code, which keeps a vector in registers and
/// writes reductions of it out: LLVM takes 7 s for 2048, and 40 s for twice as many.
inline constexpr int64_t kMaxComponents = 2048;

} // namespace mlir::lci

#endif // LCI_DIALECT_LIMITS_H
