//===- EagerBlocks.h - How far threshold draws are always looked at --*- C++ -*===//

#ifndef LCI_TRANSFORMS_SUPPORT_EAGERBLOCKS_H
#define LCI_TRANSFORMS_SUPPORT_EAGERBLOCKS_H

#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/PassOptions.h"

namespace mlir::lci {

/// An option of passes: so many blocks at most as are looked at if it is not given. With fewer,
/// what is rare is common, which tests need.
inline OptionRange eagerBlocksOption(int64_t blocks) {
  return {"eager-blocks", blocks, 0, ::lci::numerics::kEagerBlocks};
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_EAGERBLOCKS_H
