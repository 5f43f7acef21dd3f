//===- LCIOps.h - The operations of the lci dialect -------------*- C++ -*-===//
//
// The generated classes of all operations, with the upstream dialects their bodies use, and the
// limits of families that several operations share.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_LCIOPS_H
#define LCI_DIALECT_LCIOPS_H

#include "LCI/Dialect/LCIDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::lci {
class ValueOp;
class InstallOp;
} // namespace mlir::lci

#define GET_OP_CLASSES
#include "LCI/Dialect/LCIOps.h.inc"

namespace mlir::lci {
/// Bounds of a free index in addition to the sets: a first and a last value.
struct FreeLimits {
  unsigned free; ///< the position of the free index
  Value low, high;
};
/// The limits of a family (`lci.reduce`, `lci.collect`, `lci.declare_read`) or of a capability's
/// `lci.gather`; none of other operations or of none.
SmallVector<FreeLimits> getLimits(Operation *op);
} // namespace mlir::lci

#endif // LCI_DIALECT_LCIOPS_H
