//===- Limits.h - How much a program may be ----------------------*- C++ -*===//
//
// Bounds on what a short text can stand for. They are far beyond what people write; whoever goes
// over one is told so in a sentence, before memory or patience end.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DIALECT_LIMITS_H
#define LCI_DIALECT_LIMITS_H

#include <cstdint>

namespace mlir::lci {

/// How many formulas, or parameters, may each be computed from the one before.
inline constexpr unsigned kMaxFormulaDepth = 1000;

/// To how many operations the formulas and lets of one program may be written out, in all places
/// where their names stand: a formula that uses another one twice doubles it.
inline constexpr int64_t kMaxWrittenOut = 100000;

/// How many axes a value or a parameter may have. Each is an index of every rule and a loop of
/// every tick.
inline constexpr unsigned kMaxAxes = 16;
inline constexpr const char *kAxesHint = "two axes of 2 and 3 cells can be one of 6";

} // namespace mlir::lci

#endif // LCI_DIALECT_LIMITS_H
