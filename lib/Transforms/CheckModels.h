//===- CheckModels.h - What a model may be made of --------------*- C++ -*-===//
//
// A model comes from a file, and every back end computes it: it is made of what all of them have,
// and reaches no element that it was not given. See docs/models.md.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CHECKMODELS_H
#define LCI_LIB_TRANSFORMS_CHECKMODELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// Brings a model to one form (the language's functions, dense constants, structured operations
/// without names) and refuses one that has another.
LogicalResult prepareModel(func::FuncOp model);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_CHECKMODELS_H
