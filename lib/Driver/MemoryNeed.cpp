//===- MemoryNeed.cpp - Estimate the memory of a run ----------------------===//
#include "LCI/Driver/MemoryNeed.h"
#include "LCI/Runtime/Memory.h"
#include "LCI/Runtime/Tokens.h"

using namespace mlir;
using namespace mlir::lci;

/// The width of an element in compiled code: tokens, and one more for an absent one, in the fewest
/// bytes.
static uint64_t storedBytes(const ValueInfo &value) {
  if (value.kind == Kind::I32)
    return 8;
  if (value.kind != Kind::Token)
    return 4;
  uint64_t width = 1;
  while (width < 8 && static_cast<uint64_t>(value.vocabulary) >> (8 * width) != 0)
    width *= 2;
  return width;
}

/// The width of an element that a file or a caller reads.
static uint64_t readBytes(const ValueInfo &value) {
  if (value.kind == Kind::I32)
    return 8;
  if (value.kind != Kind::Token)
    return 4;
  return static_cast<uint64_t>(::lci::byteWidth(::lci::tokenType(value.vocabulary)));
}

/// Bytes for each element of a value.
static uint64_t bytesPerElement(const ValueInfo &value, const RunOptions &options) {
  // The state as `init` makes it and others look at it, and as much for the layout in which it is
  // kept, and the copy to go back to. Compiled code says itself whether it needs more.
  uint64_t compiled = 2 * storedBytes(value);
  // 64 bits of everything, stamps as wide, and the list of commits of a tick.
  constexpr uint64_t interpreted = 80;
  // An array for a file, which holds it before it is written.
  uint64_t needed = readBytes(value);
  bool explains = !options.explain.empty();
  if (options.backend != BackendKind::Interpreter)
    needed += compiled * (1 + options.check + explains); // each has another program, which steps
  if (options.backend == BackendKind::Interpreter || options.check)
    needed += interpreted;
  if (explains)
    needed += interpreted;
  return needed;
}

/// Bytes of the results of an owner's operations, if tensors that are not constant are computed for
/// `tile` cells. Its arguments are counted elsewhere.
static uint64_t bytesOfBodies(Operation *owner, uint64_t tile) {
  uint64_t needed = 0;
  owner->walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape())
        continue;
      uint64_t bytes =
          ::lci::saturatingMultiply(sizeof(uint64_t), isa<arith::ConstantOp>(op) ? 1 : tile);
      for (int64_t extent : tensor.getShape())
        bytes = ::lci::saturatingMultiply(bytes, static_cast<uint64_t>(extent));
      needed = ::lci::saturatingAdd(needed, bytes);
    }
  });
  return needed;
}

uint64_t mlir::lci::bytesOfModels(ProgramOp program, const RunOptions &options) {
  constexpr uint64_t kTile = 64;
  bool interprets = options.backend == BackendKind::Interpreter;
  auto module = program->getParentOfType<ModuleOp>();
  uint64_t needed = bytesOfBodies(program, 1); // rules that are written as IR
  for (auto model : program.getOps<ModelOp>())
    if (auto function = module && model.getFunction()
                            ? module.lookupSymbol<func::FuncOp>(*model.getFunction())
                            : func::FuncOp())
      needed = ::lci::saturatingAdd(needed, bytesOfBodies(function, interprets ? 1 : kTile));
  return needed;
}

uint64_t mlir::lci::bytesNeeded(ArrayRef<ValueInfo> values, const RunOptions &options) {
  uint64_t needed = 0;
  for (const ValueInfo &value : values) {
    uint64_t bytes = bytesPerElement(value, options);
    for (int64_t extent : value.shape)
      bytes = ::lci::saturatingMultiply(bytes, static_cast<uint64_t>(extent));
    needed = ::lci::saturatingAdd(needed, bytes);
  }
  return needed;
}
