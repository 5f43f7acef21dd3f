//===- EagerBlocks.h - Blocks of eager threshold draws ----------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_EAGERBLOCKS_H
#define LCI_TRANSFORMS_SUPPORT_EAGERBLOCKS_H

#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/PassOptions.h"

namespace mlir::lci {

/// A pass option: the number of random blocks that are always evaluated, at most as many as by
/// default. With fewer, rare paths become common, which tests need.
inline OptionRange eagerBlocksOption(int64_t blocks) {
  return {"eager-blocks", blocks, 0, ::lci::numerics::kEagerBlocks};
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_EAGERBLOCKS_H
