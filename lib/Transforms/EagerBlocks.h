//===- EagerBlocks.h - How far threshold draws are always looked at -*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_EAGERBLOCKS_H
#define LCI_LIB_TRANSFORMS_EAGERBLOCKS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Draws.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::lci {

/// An option of passes: so many blocks at most as are looked at if it is not given. With fewer,
/// what is rare is common, which tests need.
inline LogicalResult checkEagerBlocks(MLIRContext *context, int64_t blocks) {
  constexpr int64_t most = ::lci::numerics::kEagerBlocks;
  if (blocks >= 0 && blocks <= most)
    return success();
  return emitError(UnknownLoc::get(context)) << ErrorId::PassOption << "expected from 0 to " << most
                                             << " eager blocks, but got " << blocks;
}

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_EAGERBLOCKS_H
