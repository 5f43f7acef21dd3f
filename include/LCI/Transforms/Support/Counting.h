//===- Counting.h - What ticks count ----------------------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_COUNTING_H
#define LCI_TRANSFORMS_SUPPORT_COUNTING_H

namespace mlir::lci {

/// What a run of a program counts: nothing, the cells that changed (what a fixpoint needs), or also
/// what a report shows.
enum class Counting { None, Changed, Full };

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_COUNTING_H
