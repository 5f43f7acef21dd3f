//===- Bytecode.h - Versions of the dialect in MLIR's bytecode --*- C++ -*-===//
//
// A bytecode file stores the version of the dialect that wrote it. Older ones are read and
// upgraded, newer ones are rejected. A change after which the verifier rejects operations of the
// previous version adds a step to `getBytecodeUpgrades`, and with it a version.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_BYTECODE_H
#define LCI_DIALECT_BYTECODE_H

#include "LCI/Dialect/LCIDialect.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

namespace mlir::lci {

/// The version that a file was written by. One without a version, or of version 0, is older than
/// version 1 and is read like it.
struct BytecodeVersion : DialectVersion {
  explicit BytecodeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// Changes the operations under `top` from one version to the next.
using BytecodeUpgrade = LogicalResult (*)(Operation *top);

/// Step i leads from version i + 1 to version i + 2.
ArrayRef<BytecodeUpgrade> getBytecodeUpgrades();
/// The version that is written, after all steps.
inline uint64_t getBytecodeVersion() { return getBytecodeUpgrades().size() + 1; }
/// Applies the steps from `version` to the last, until one fails.
LogicalResult upgradeBytecode(Operation *top, uint64_t version, ArrayRef<BytecodeUpgrade> upgrades);

/// The interface that reads and writes the dialect's version.
std::unique_ptr<DialectInterface> createBytecodeInterface(LCIDialect *dialect);

} // namespace mlir::lci

#endif // LCI_DIALECT_BYTECODE_H
