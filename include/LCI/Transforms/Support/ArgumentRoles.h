//===- ArgumentRoles.h - What a function says of its arguments --*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_ARGUMENTROLES_H
#define LCI_TRANSFORMS_SUPPORT_ARGUMENTROLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// A text that is said of an argument of a function, or nothing.
inline StringRef textOf(BlockArgument argument, StringRef attribute) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto said = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), attribute);
  return said ? said.getValue() : "";
}

inline StringRef roleOf(BlockArgument argument) { return textOf(argument, "lci.role"); }
inline StringRef nameOf(BlockArgument argument) { return textOf(argument, "lci.name"); }

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_ARGUMENTROLES_H
