//===- Counting.h - Which changes of cells are counted ----------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_COUNTING_H
#define LCI_TRANSFORMS_SUPPORT_COUNTING_H

namespace mlir::lci {

/// What a run of a program counts: nothing, the cells that changed (which a fixpoint needs), or
/// also the other numbers of a report.
enum class Counting { None, Changed, Full };

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_COUNTING_H
