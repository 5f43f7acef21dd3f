//===- Bytecode.cpp - Versions of the dialect in MLIR's bytecode ----------===//
//
// The version that a file was written by, the steps that lead from older versions to today's, and
// the properties of ticks, whose layout differs between versions.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/Bytecode.h"
#include "LCI/Dialect/LCIOps.h"

using namespace mlir;
using namespace mlir::lci;

/// Version 2: ticks have several targets and boxed arrays. Properties of the old ones are converted
/// when they are read.
static LogicalResult leadToSeveralTargets(Operation *) { return success(); }

ArrayRef<BytecodeUpgrade> mlir::lci::getBytecodeUpgrades() {
  static constexpr BytecodeUpgrade steps[] = {leadToSeveralTargets};
  return steps;
}

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

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// From version 2 on properties are a dictionary: a further optional attribute is no new layout.
template <typename Op>
static void writeDictionary(Op op, DialectBytecodeWriter &writer) {
  writer.writeAttribute(op->getPropertiesAsAttribute());
}

template <typename Op>
static LogicalResult readDictionary(DialectBytecodeReader &reader, OperationState &state) {
  DictionaryAttr attributes;
  if (failed(reader.readAttribute(attributes)))
    return failure();
  return Op::setPropertiesFromAttr(state.getOrAddProperties<typename Op::Properties>(), attributes,
                                   [&] { return reader.emitError() << ErrorId::MalformedFile; });
}

/// Whether a file was written before properties were dictionaries.
static bool isVersion1(DialectBytecodeReader &reader) {
  FailureOr<const DialectVersion *> version = reader.getDialectVersion<LCIDialect>();
  return failed(version) || static_cast<const BytecodeVersion *>(*version)->number < 2;
}

/// The numbers of operands of each kind in version 1, as upstream's reader expects them before the
/// optional attributes behind them, or after all attributes.
template <size_t number>
static LogicalResult readSegments(DialectBytecodeReader &reader, bool isBehind,
                                  std::array<int32_t, number> &segments) {
  constexpr uint64_t firstBehind = 6; // version of MLIR's format
  if (isBehind != (reader.getBytecodeVersion() >= firstBehind))
    return success();
  if (isBehind)
    return reader.readSparseArray(MutableArrayRef<int32_t>(segments));
  DenseI32ArrayAttr attribute;
  if (failed(reader.readAttribute(attribute)))
    return failure();
  llvm::copy(attribute.asArrayRef().take_front(number), segments.begin());
  return success();
}

/// Copies segments, with none for the kind of operands at a position.
template <size_t number>
static void insertNone(const std::array<int32_t, number> &from, size_t position,
                       std::array<int32_t, number + 1> &to) {
  to[position] = 0;
  std::copy_n(from.begin(), position, to.begin());
  std::copy(from.begin() + position, from.end(), to.begin() + position + 1);
}

void TickOp::writeProperties(DialectBytecodeWriter &writer) { writeDictionary(*this, writer); }

LogicalResult TickOp::readProperties(DialectBytecodeReader &reader, OperationState &state) {
  if (!isVersion1(reader))
    return readDictionary<TickOp>(reader, state);
  auto &to = state.getOrAddProperties<Properties>();
  std::array<int32_t, 9> segments = {};
  if (failed(reader.readOptionalAttribute(to.cells)) ||
      failed(reader.readOptionalAttribute(to.class_stride)) ||
      failed(reader.readAttribute(to.name)) ||
      failed(readSegments(reader, /*isBehind=*/false, segments)) ||
      failed(reader.readOptionalAttribute(to.static_extents)) ||
      failed(reader.readOptionalAttribute(to.static_offsets)) ||
      failed(reader.readOptionalAttribute(to.strides)) ||
      failed(readSegments(reader, /*isBehind=*/true, segments)))
    return failure();
  insertNone(segments, /*position=*/5, to.operandSegmentSizes); // boxed arrays
  return success();
}

void InstallOp::writeProperties(DialectBytecodeWriter &writer) { writeDictionary(*this, writer); }

LogicalResult InstallOp::readProperties(DialectBytecodeReader &reader, OperationState &state) {
  if (!isVersion1(reader))
    return readDictionary<InstallOp>(reader, state);
  auto &to = state.getOrAddProperties<Properties>();
  std::array<int32_t, 5> segments = {};
  if (failed(readSegments(reader, /*isBehind=*/false, segments)) ||
      failed(reader.readOptionalAttribute(to.slots)) ||
      failed(readSegments(reader, /*isBehind=*/true, segments)))
    return failure();
  insertNone(segments, /*position=*/1, to.operandSegmentSizes); // boxed values
  return success();
}

std::unique_ptr<DialectInterface> mlir::lci::createBytecodeInterface(LCIDialect *dialect) {
  return std::make_unique<LCIBytecodeInterface>(dialect);
}
