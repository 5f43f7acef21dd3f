//===- ProgramOps.cpp - Methods of the declarations -----------------------===//
//
// Lookups and derived properties of a program's declarations: extents, sizes of vocabularies,
// element types, limits of free indices.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/DeclarationIndex.h"
#include "VerifierUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

ValueOp ProgramOp::lookupValue(StringRef name) {
  const DeclarationIndex *index = DeclarationIndex::find(*this);
  return index ? index->lookupValue(name) : lookupSymbol<ValueOp>(name);
}

int64_t ProgramOp::getDeclarationNumber(Operation *declaration) {
  return std::distance(declaration->getBlock()->begin(), Block::iterator(declaration));
}

Boundary ValueOp::getBoundaryOf(unsigned axis) {
  return cast<BoundaryAttr>((*getBoundary())[axis]).getValue();
}

/// The results of a map without symbols as constants; nothing if one still depends on a size.
static std::optional<SmallVector<int64_t>> getConstants(std::optional<AffineMap> map) {
  if (!map)
    return std::nullopt;
  SmallVector<int64_t> constants;
  for (AffineExpr result : map->getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(result);
    if (!constant)
      return std::nullopt;
    constants.push_back(constant.getValue());
  }
  return constants;
}

std::optional<SmallVector<int64_t>> ValueOp::getExtents() { return getConstants(getShape()); }

std::optional<int64_t> ValueOp::getVocabularySize() {
  std::optional<SmallVector<int64_t>> constants = getConstants(getVocabulary());
  return constants ? std::optional<int64_t>(constants->front()) : std::nullopt;
}

int64_t PaletteOp::getVocabularySize() {
  int64_t largest = 1;
  for (auto value : getProgram(*this).getOps<ValueOp>())
    if (value.getKind() == Kind::Token)
      largest = std::max(largest, value.getVocabularySize().value_or(1));
  return largest;
}

Type ValueOp::getCellType() {
  Builder builder(getContext());
  switch (getKind()) {
  case Kind::Token:
  case Kind::I32:
    return builder.getI64Type();
  case Kind::F32:
    return builder.getF32Type();
  case Kind::Latent:
    return RankedTensorType::get(getVocabularySize().value_or(ShapedType::kDynamic),
                                 builder.getF32Type());
  case Kind::Event:
  case Kind::Rule:
    return EventType::get(getContext());
  }
  llvm_unreachable("a kind without a cell type");
}

Type ParamOp::getElementType() {
  Builder builder(getContext());
  return getKind() == Kind::F32 ? Type(builder.getF32Type()) : Type(builder.getI64Type());
}

std::optional<SmallVector<int64_t>> ParamOp::getExtents() {
  return getShape() ? getConstants(getShape()) : SmallVector<int64_t>();
}

GatherOp VisibleOp::getGather() {
  return getBody().empty() ? GatherOp() : getTerminator<GatherOp>(getBody().front());
}

unsigned VisibleOp::getNumIndices() {
  GatherOp gather = getGather();
  return getMap().getNumDims() - (gather ? gather.getIndices().size() : 0);
}

SmallVector<FreeLimits> mlir::lci::getLimits(Operation *op) {
  OperandRange values(nullptr, 0);
  std::optional<ArrayRef<int64_t>> free;
  if (!op)
    return {};
  llvm::TypeSwitch<Operation *>(op).Case<ReduceOp, CollectOp, DeclareReadOp, GatherOp>(
      [&](auto family) {
        values = family.getLimits();
        free = family.getLimited();
      });
  SmallVector<FreeLimits> limits;
  for (auto [i, position] : llvm::enumerate(free.value_or(ArrayRef<int64_t>())))
    limits.push_back({static_cast<unsigned>(position), values[2 * i], values[2 * i + 1]});
  return limits;
}

bool ConstraintOp::cannotBeOutvoted() {
  return getHard() || static_cast<int64_t>(getPriority()) >=
                          static_cast<int64_t>(getProgram(*this).getHardPriority());
}
