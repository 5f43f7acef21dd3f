//===- Thresholds.h - Sizes at which compilation changes --------*- C++ -*-===//
//
// The constants of Thresholds.def. Includes no MLIR header, because the
// generator of random programs needs them, too.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_THRESHOLDS_H
#define LCI_TRANSFORMS_SUPPORT_THRESHOLDS_H

#include <cstdint>

namespace mlir::lci {

#define LCI_THRESHOLD(name, number, measure, text) inline constexpr int64_t name = number;
#include "LCI/Transforms/Support/Thresholds.def"
#undef LCI_THRESHOLD

/// The property of a program that a threshold limits: cells of the last axis, rows along it, cells
/// of a value, tokens of a vocabulary, members of a family, phases of a schedule.
enum class Measure { Row, Rows, Cells, Tokens, Members, Phases };

struct SizeThreshold {
  const char *name;
  int64_t number;
  Measure measure;
  const char *text;
};

inline constexpr SizeThreshold kThresholds[] = {
#define LCI_THRESHOLD(name, number, measure, text) {#name, number, Measure::measure, text},
#include "LCI/Transforms/Support/Thresholds.def"
#undef LCI_THRESHOLD
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_THRESHOLDS_H
