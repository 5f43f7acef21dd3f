//===- ArgumentRoles.h - The attributes lci.role and lci.name ---*- C++ -*-===//
//
// Functions in tick form and below say of each argument, and of some results, what it is to callers
// (`lci.role`) and which declaration of the program it belongs to (`lci.name`). In IR a role is a
// word of LCI/Runtime/Roles.def, which the dialect verifies; in C++ it is the enumeration.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_ARGUMENTROLES_H
#define LCI_DIALECT_ARGUMENTROLES_H

#include "LCI/Runtime/Role.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::lci {

using ::lci::Role;

inline constexpr StringLiteral kRole = "lci.role", kName = "lci.name";
/// The record of lci-record-interface on a function: for each argument its attributes, and its type
/// under this key.
inline constexpr StringLiteral kInterface = "lci.interface", kType = "lci.type";

inline StringAttr roleAttr(MLIRContext *context, Role role) {
  return StringAttr::get(context, ::lci::roleWord(role));
}

/// The role that a dictionary of an argument's attributes says.
inline Role roleIn(DictionaryAttr attributes) {
  auto word = attributes ? attributes.getAs<StringAttr>(kRole) : StringAttr();
  return word ? ::lci::findRole(word.getValue()).value_or(Role::None) : Role::None;
}

inline Role roleOf(FunctionOpInterface function, unsigned argument) {
  return roleIn(function.getArgAttrDict(argument));
}

inline StringRef nameOf(FunctionOpInterface function, unsigned argument) {
  auto name = function.getArgAttrOfType<StringAttr>(argument, kName);
  return name ? name.getValue() : "";
}

/// Of an argument of a function's entry block.
inline Role roleOf(BlockArgument argument) {
  return roleOf(cast<FunctionOpInterface>(argument.getOwner()->getParentOp()),
                argument.getArgNumber());
}
inline StringRef nameOf(BlockArgument argument) {
  return nameOf(cast<FunctionOpInterface>(argument.getOwner()->getParentOp()),
                argument.getArgNumber());
}

using ::lci::isValueRole;

} // namespace mlir::lci

#endif // LCI_DIALECT_ARGUMENTROLES_H
