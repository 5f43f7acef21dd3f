//===- Limits.h - How much a program may be -----------------------*- C++ -*-===//
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

} // namespace mlir::lci

#endif // LCI_DIALECT_LIMITS_H
