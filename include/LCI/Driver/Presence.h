//===- Presence.h - Inputs that must be there -------------------*- C++ -*-===//
//
// Where a program reads a token that must be present (`lci.unwrap`), the proof
// rests on the value being full from the start: its `init`, or an input that
// is given and has no -1. This is the part that only the arrays can tell.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_PRESENCE_H
#define LCI_DRIVER_PRESENCE_H

#include "LCI/Driver/ValueInfo.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace mlir::lci {

/// The values of which some read needs a token at every cell, each with the
/// first such read. Asked before binding, which removes what it can decide.
llvm::StringMap<Location> findRequired(ProgramOp program);

/// Fails where a required token is missing, naming the read and the cell.
LogicalResult checkPresence(ArrayRef<ValueInfo> values, const llvm::StringMap<Location> &required,
                            const std::map<std::string, ::lci::Array> &inputs);

} // namespace mlir::lci

#endif // LCI_DRIVER_PRESENCE_H
