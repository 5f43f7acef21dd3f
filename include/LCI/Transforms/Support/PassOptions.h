//===- PassOptions.h - Which numbers options of passes take -----*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_PASSOPTIONS_H
#define LCI_TRANSFORMS_SUPPORT_PASSOPTIONS_H

#include "LCI/Errors/ErrorId.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::lci {

/// More than anybody asks for, and so little that products of such numbers stay far from 64 bits.
inline constexpr int64_t kLargestOption = int64_t(1) << 40;
/// Threads of a block, of which GPUs have no more.
inline constexpr int64_t kMostThreads = 1024;
/// No machine has longer vectors.
inline constexpr int64_t kMostVectorBits = 4096;

/// An option of a pass and what its number may be, both ends included.
struct OptionRange {
  StringRef name;
  int64_t value;
  int64_t least;
  int64_t most = kLargestOption;
};

/// Whether options are what they may be; the first one that is not is named. Passes call it as they
/// are initialized, so that it holds whoever made them.
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
