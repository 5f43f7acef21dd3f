//===- Bytecode.cpp - Versions of the dialect in MLIR's bytecode ----------===//

#include "LCI/Dialect/Bytecode.h"

using namespace mlir;
using namespace mlir::lci;

ArrayRef<BytecodeUpgrade> mlir::lci::getBytecodeUpgrades() { return {}; } // version 1 is the first

LogicalResult mlir::lci::upgradeBytecode(Operation *top, uint64_t version,
                                         ArrayRef<BytecodeUpgrade> upgrades) {
  for (BytecodeUpgrade upgrade : upgrades.drop_front(std::max<uint64_t>(version, 1) - 1))
    if (failed(upgrade(top)))
      return failure();
  return success();
}

namespace {

/// Attributes and types keep upstream's encoding, which is their text.
class LCIBytecodeInterface : public BytecodeDialectInterface {
public:
  explicit LCIBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    FailureOr<const DialectVersion *> requested = writer.getDialectVersion<LCIDialect>();
    writer.writeVarInt(succeeded(requested)
                           ? static_cast<const BytecodeVersion *>(*requested)->number
                           : getBytecodeVersion());
  }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= getBytecodeVersion())
      return std::make_unique<BytecodeVersion>(number);
    reader.emitError() << ErrorId::MalformedFile << "expected bytecode of version "
                       << getBytecodeVersion()
                       << " of the lci dialect or of an older one, but got version " << number
                       << "; read it with the tools that wrote it, and hand it on as text";
    return nullptr;
  }

  LogicalResult upgradeFromVersion(Operation *top, const DialectVersion &version) const final {
    return upgradeBytecode(top, static_cast<const BytecodeVersion &>(version).number,
                           getBytecodeUpgrades());
  }
};

} // namespace

std::unique_ptr<DialectInterface> mlir::lci::createBytecodeInterface(LCIDialect *dialect) {
  return std::make_unique<LCIBytecodeInterface>(dialect);
}
