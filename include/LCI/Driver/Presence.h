//===- Presence.h - Check required inputs -----------------------*- C++ -*-===//
//
// Where a program reads a token that must be present (`lci.unwrap`), the proof assumes that the
// value is full from the start: by its `init`, or by an input without -1. Only the arrays can show
// the latter.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_PRESENCE_H
#define LCI_DRIVER_PRESENCE_H

#include "LCI/Analysis/Presence.h"
#include "LCI/Driver/ValueInfo.h"
#include <map>

namespace mlir::lci {

/// Fails where a token that the checked program requires is missing, naming the read and the cell;
/// `required` is the result of `getRequiredInputs`. Of inputs that are on a device the first cell
/// without token is given.
LogicalResult checkPresence(ArrayRef<RequiredInput> required, ArrayRef<ValueInfo> values,
                            const std::map<std::string, ::lci::Array> &inputs,
                            const std::map<std::string, std::optional<int64_t>> &onDevice = {});

/// Whether a value's numbers are all zero without an input: it has no rule and no `init`.
bool isEmptyWithoutInput(const ValueInfo &value);
/// Warns of such values that are not given: zeros are seldom meant.
void warnOfEmptyInputs(ArrayRef<ValueInfo> values, llvm::function_ref<bool(StringRef)> isGiven);

} // namespace mlir::lci

#endif // LCI_DRIVER_PRESENCE_H
