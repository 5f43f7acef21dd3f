//===- Ways.h - Strategies chosen by passes ---------------------*- C++ -*-===//
//
// A pass reports the strategy that it takes by an optimization remark of
// upstream's (`mlir/IR/Remarks.h`), and to `--debug-only`. Nothing is reported
// unless it is requested, by `lmpm-opt --remarks-filter=lci` or a test that
// counts remarks.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_WAYS_H
#define LCI_TRANSFORMS_SUPPORT_WAYS_H

#include "mlir/IR/Operation.h"

namespace mlir::lci {

enum class Way {
#define LCI_WAY(name, pass, text) name,
#include "LCI/Transforms/Support/Ways.def"
#undef LCI_WAY
};

struct WayInfo {
  StringRef name, pass, text;
};

/// All of them, in their order.
ArrayRef<WayInfo> getWays();

/// Reports the strategy used for an operation: a remark of the pass's category and the way's name.
void took(Operation *op, Way way);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_WAYS_H
