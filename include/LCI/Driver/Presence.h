//===- Presence.h - Inputs that must be there -------------------*- C++ -*-===//
//
// Where a program reads a token that must be present (`lci.unwrap`), the proof
// rests on the value being full from the start: its `init`, or an input that
// is given and has no -1. This is the part that only the arrays can tell.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_PRESENCE_H
#define LCI_DRIVER_PRESENCE_H

#include "LCI/Analysis/Presence.h"
#include "LCI/Driver/ValueInfo.h"
#include <map>

namespace mlir::lci {

/// Fails where a token that the checked program requires is missing, naming the
/// read and the cell; `required` is what `getRequiredInputs` says of the program. Of inputs that
/// are on a device the first cell without token is given.
LogicalResult checkPresence(ArrayRef<RequiredInput> required, ArrayRef<ValueInfo> values,
                            const std::map<std::string, ::lci::Array> &inputs,
                            const std::map<std::string, std::optional<int64_t>> &onDevice = {});

/// Whether a value's numbers are all zero if no input gives them: no rule and no `init` does.
bool isEmptyWithoutInput(const ValueInfo &value);
/// Warns of such values that are not given: zeros are seldom meant.
void warnOfEmptyInputs(ArrayRef<ValueInfo> values, llvm::function_ref<bool(StringRef)> isGiven);

} // namespace mlir::lci

#endif // LCI_DRIVER_PRESENCE_H
