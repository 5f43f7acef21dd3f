//===- Signature.cpp - Buffers as arguments of a function -----------------===//
//
// The signature of the rebuilt function: arrays become memrefs with attributes that describe their
// layout to the caller, returned arrays and second buffers become further arguments. Also fills the
// halos at function entry.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bufferstate;

DictionaryAttr Emitter::attributesOf(unsigned array, DictionaryAttr known, Role role) {
  const ArrayInfo &info = flow.arrays()[array];
  NamedAttrList attributes(known);
  if (role != Role::None)
    attributes.set(kRole, roleAttr(builder.getContext(), role));
  attributes.set("lci.extents", builder.getDenseI64ArrayAttr(info.type.getShape()));
  attributes.set("lci.halo_low", builder.getDenseI64ArrayAttr(info.low));
  SmallVector<int64_t> high(info.high); // for callers spare elements are halo
  if (!high.empty())
    high.back() += info.spare;
  attributes.set("lci.halo_high", builder.getDenseI64ArrayAttr(high));
  attributes.set("llvm.noalias", builder.getUnitAttr());
  return attributes.getDictionary(builder.getContext());
}

/// Scalars stay, arrays become their storage; then come the arrays that were results, then the
/// second buffers.
void Emitter::buildSignature() {
  SmallVector<Type> types, results;
  SmallVector<Attribute> attributes;
  auto addArray = [&](unsigned array, DictionaryAttr known, Role role = Role::None) {
    types.push_back(flow.arrays()[array].storageType());
    attributes.push_back(attributesOf(array, known, role));
  };
  for (BlockArgument argument : old.getArguments()) {
    DictionaryAttr known = old.getArgAttrDict(argument.getArgNumber());
    if (isa<RankedTensorType>(argument.getType())) {
      addArray(flow.arrayOf(argument), known);
      continue;
    }
    types.push_back(argument.getType());
    attributes.push_back(known ? known : builder.getDictionaryAttr({}));
  }
  for (auto [array, info] : llvm::enumerate(flow.arrays()))
    if (info.isResult)
      addArray(array, old.getResultAttrDict(*info.resultNumber));
  for (auto [array, info] : llvm::enumerate(flow.arrays()))
    if (info.needsScratch) {
      auto argument = dyn_cast<BlockArgument>(info.first);
      addArray(array, argument ? old.getArgAttrDict(argument.getArgNumber()) : DictionaryAttr(),
               Role::Scratch);
    }
  llvm::copy_if(old.getResultTypes(), std::back_inserter(results),
                [](Type type) { return !isa<RankedTensorType>(type); });
  rebuilt = func::FuncOp::create(builder, old.getLoc(), old.getName(),
                                 builder.getFunctionType(types, results));
  rebuilt->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  if (StringAttr visibility = old.getSymVisibilityAttr())
    rebuilt.setSymVisibilityAttr(visibility);
  rebuilt.setArgAttrsAttr(builder.getArrayAttr(attributes));
}

/// Ties arguments of the old function and arrays to arguments of the new one.
void Emitter::bindBuffers() {
  Block *entry = rebuilt.addEntryBlock();
  buffers.resize(flow.arrays().size());
  unsigned next = 0;
  for (BlockArgument argument : old.getArguments()) {
    Value replacement = entry->getArgument(next++);
    if (isa<RankedTensorType>(argument.getType()))
      buffers[flow.arrayOf(argument)] = {{replacement}, {argument}};
    else
      mapping.map(argument, replacement);
  }
  for (auto [array, info] : llvm::enumerate(flow.arrays()))
    if (info.isResult)
      buffers[array] = {{entry->getArgument(next++)}, {Value()}};
  for (auto [array, info] : llvm::enumerate(flow.arrays()))
    if (info.needsScratch) {
      buffers[array].storage.push_back(entry->getArgument(next++));
      buffers[array].held.push_back(Value());
    }
  for (const Buffers &mine : buffers)
    arguments.push_back(mine.storage);
  builder.setInsertionPointToStart(entry);
}

void Emitter::fillHalos() {
  for (auto [array, info] : llvm::enumerate(flow.arrays())) {
    if (!info.hasHalo() || !isa<BlockArgument>(info.first))
      continue;
    Value zero = arith::ConstantOp::create(builder, old.getLoc(),
                                           builder.getZeroAttr(info.type.getElementType()));
    SmallVector<Attribute> borders;
    for (Boundary boundary : info.boundary)
      borders.push_back(BoundaryAttr::get(builder.getContext(), boundary));
    bool isOpen = llvm::is_contained(info.boundary, Boundary::Open);
    for (auto [position, storage] : llvm::enumerate(buffers[array].storage))
      if (position == 0 || isOpen)
        RefreshHaloOp::create(builder, old.getLoc(), storage, info.low, info.high,
                              builder.getArrayAttr(borders), isOpen ? zero : Value(), info.spare);
  }
}
