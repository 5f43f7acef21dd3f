//===- Bytecode.h - The version of the dialect in MLIR's bytecode ---------===//
//
// A file of bytecode says which version of the dialect wrote it. Older ones are read and upgraded,
// newer ones are refused. What changes an operation so that the verifier refuses what the version
// before wrote adds a step to `getBytecodeUpgrades` and with it a version.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_BYTECODE_H
#define LCI_DIALECT_BYTECODE_H

#include "LCI/Dialect/LCIDialect.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

namespace mlir::lci {

/// The version that a file was written by. One without a version, or of version 0, is older than
/// version 1, which reads it as its own.
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
/// Takes the steps from `version` to the last, until one fails.
LogicalResult upgradeBytecode(Operation *top, uint64_t version, ArrayRef<BytecodeUpgrade> upgrades);

/// What teaches the dialect its version.
std::unique_ptr<DialectInterface> createBytecodeInterface(LCIDialect *dialect);

} // namespace mlir::lci

#endif // LCI_DIALECT_BYTECODE_H
