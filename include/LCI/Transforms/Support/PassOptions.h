//===- PassOptions.h - Range checks of pass options -------------*- C++ -*-===//
//
// Passes describe each numeric option by its inclusive range and check it as
// they are initialized, because they can be created without the command line.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_PASSOPTIONS_H
#define LCI_TRANSFORMS_SUPPORT_PASSOPTIONS_H

#include "LCI/Errors/ErrorId.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::lci {

/// Larger than any useful option, yet so small that products with it stay far below 64 bits.
inline constexpr int64_t kMaxOption = int64_t(1) << 40;

/// A pass option with its value and its inclusive range.
struct OptionRange {
  StringRef name;
  int64_t value;
  int64_t least;
  int64_t most = kMaxOption;
};

/// Checks that options are in range; the error names the first one that is not. Passes call it as
/// they are initialized, so it holds however the pass was created.
inline LogicalResult checkOptions(MLIRContext *context, ArrayRef<OptionRange> options) {
  for (const OptionRange &option : options)
    if (option.value < option.least || option.value > option.most)
      return emitError(UnknownLoc::get(context))
             << ErrorId::PassOption << "expected '" << option.name << "' from " << option.least
             << " to " << option.most << ", but got " << option.value;
  return success();
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_PASSOPTIONS_H
