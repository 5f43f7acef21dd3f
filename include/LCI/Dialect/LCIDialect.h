//===- LCIDialect.h - The lci dialect, its types, attributes and enums ----===//

#ifndef LCI_DIALECT_LCIDIALECT_H
#define LCI_DIALECT_LCIDIALECT_H

#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Dialect/Targets.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

#include "LCI/Dialect/LCIDialect.h.inc"
#include "LCI/Dialect/LCIEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "LCI/Dialect/LCITypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "LCI/Dialect/LCIAttributes.h.inc"

namespace mlir::lci {
/// The attribute by which a value or an argument requests an arrangement of its cells in memory.
inline constexpr llvm::StringLiteral kArrangement = "lci.arrangement";
/// The attribute with the value that an argument of a function will have.
inline constexpr llvm::StringLiteral kFixed = "lci.fixed";
} // namespace mlir::lci

#endif // LCI_DIALECT_LCIDIALECT_H
