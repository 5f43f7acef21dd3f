//===- ImportFamily.cpp - Import of reads and families of reads -----------===//
//
// A label, a read item, a reference with `*` or `..`, the name of a value: each denotes the cells
// that a map gives for the solutions of a condition. With one member and no free index it is a
// read.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// `neighbors in N`, as a read item.
static const CompareExpr *asNeighbors(const Expr *expr) {
  auto *compare = dyn_cast<CompareExpr>(expr);
  if (!compare || compare->ops.front() != CompareOp::in)
    return nullptr;
  auto *name = dyn_cast<NameExpr>(compare->operands.front());
  return name && name->name == "neighbors" ? compare : nullptr;
}

static bool isRange(const Expr *expr) {
  auto *binary = dyn_cast<BinaryExpr>(expr);
  return binary && binary->op == BinaryOp::range;
}

bool Importer::isMany(const Expr *expr) {
  if (auto *maybe = dyn_cast<MaybeExpr>(expr))
    return isMany(maybe->operand);
  if (asNeighbors(expr))
    return true;
  if (auto *reference = dyn_cast<IndexExpr>(expr)) {
    auto *base = dyn_cast<NameExpr>(reference->base);
    return base && values.count(base->name) && llvm::any_of(reference->indices, [](Expr *index) {
             return isa<StarExpr>(index) || isRange(index);
           });
  }
  auto *name = dyn_cast<NameExpr>(expr);
  if (!name || expr == scope.candidateReference)
    return false;
  Entity entity = resolve(name->name);
  switch (entity.kind) {
  case Entity::Kind::label:
    return !entity.visible->family.isSingle();
  case Entity::Kind::readItem:
    return isMany(entity.item->expr);
  case Entity::Kind::value: {
    if (!scope.reader)
      return entity.value->getRank() > 0;
    auto seen = [&](const auto &visible) {
      return visible->reader == scope.reader && visible->family.source == entity.value &&
             !visible->family.isSingle();
    };
    return llvm::any_of(visibles, seen);
  }
  default:
    return false;
  }
}

Family Importer::instantiate(const VisibleInfo &visible) {
  // The reader's indices are the first in scope; the free ones follow all others.
  unsigned rank = visible.reader->getRank();
  SmallVector<AffineExpr> dims;
  for (unsigned i = 0; i < rank + visible.family.getNumFree(); ++i)
    dims.push_back(dim(i < rank ? i : i - rank + scope.indices.size()));
  Family family = visible.family;
  for (AffineExpr &result : family.map)
    result = result.replaceDims(dims);
  family.where = family.where.replace(dims, {});
  family.gathers = &visible;
  family.firstFree = scope.indices.size();
  return family;
}

Family Importer::wholeValue(ValueInfo &value) {
  Family family;
  family.source = &value;
  for (auto [axis, extent] : llvm::enumerate(value.extents)) {
    AffineExpr free = dim(scope.indices.size() + axis);
    family.map.push_back(free);
    family.where = *family.where.conjoin(Condition::isBetween(number(0), free, extent - 1));
    family.names.push_back(("i" + Twine(axis)).str());
  }
  return family;
}

/// A value by its name alone: the cells of it that the reader sees.
std::optional<Family> Importer::familyOfSeen(const NameExpr &name, ValueInfo &source) {
  if (!scope.reader || source.getRank() == 0)
    return wholeValue(source);
  const VisibleInfo *found = nullptr;
  for (const auto &visible : visibles) {
    if (visible->reader != scope.reader || visible->family.source != &source)
      continue;
    if (found) {
      diagnostics.errorWithNote(ErrorId::UnreducedFamily, name.getLoc(),
                                "'" + name.name + "' is seen by several 'visible' lines",
                                visible->decl->loc, "label them, and read the labels");
      return std::nullopt;
    }
    found = visible.get();
  }
  if (found)
    return instantiate(*found);
  usesBroken |= broken.contains(""); // which may have shown it
  fail(ErrorId::NotVisible, name.getLoc(),
       "'" + name.name + "' is seen by no 'visible' line of '" + scope.reader->decl->name.name +
           "'",
       "write '" + name.name + "[…]' with its indices, or add a 'visible' line");
  return std::nullopt;
}

std::optional<Family> Importer::neighbors(const Expr *offsets, llvm::SMLoc loc) {
  if (!scope.reader || scope.reader->getRank() == 0) {
    fail(ErrorId::WrongPlace, loc, "'neighbors' are those of the cell of a rule or a constraint");
    return std::nullopt;
  }
  unsigned rank = scope.reader->getRank(), count = rank;
  auto *name = dyn_cast<NameExpr>(offsets);
  if (name && (name->name == "N4" || name->name == "N8" || name->name == "Diagonal"))
    count = 2;
  if (auto *set = dyn_cast<SetExpr>(offsets)) {
    auto *tuple = dyn_cast<TupleExpr>(set->members.front());
    count = tuple ? tuple->members.size() : 1;
  }
  if (count > rank) {
    fail(ErrorId::WrongArity, offsets->getLoc(),
         "expected offsets of at most " + counted(rank, "axis", "axes") + ", but got " +
             Twine(count));
    return std::nullopt;
  }
  Family family;
  family.source = scope.reader;
  SmallVector<AffineExpr> tuple;
  for (unsigned i = 0; i < count; ++i) {
    tuple.push_back(dim(scope.indices.size() + i));
    family.names.push_back(("d" + Twine(i)).str());
  }
  for (unsigned axis = 0; axis < rank; ++axis)
    family.map.push_back(axis < rank - count ? dim(axis)
                                             : dim(axis) + tuple[axis - (rank - count)]);
  std::optional<Condition> where = membership(tuple, offsets, /*report=*/true);
  if (!where)
    return std::nullopt;
  family.where = *where;
  return family;
}

std::optional<Family> Importer::familyOfName(const NameExpr &name) {
  Entity entity = resolve(name.name);
  Family family;
  family.source = scope.reader;
  bool ofCell = entity.kind == Entity::Kind::self || entity.kind == Entity::Kind::previousFrame;
  if (ofCell && (!scope.reader || scope.reader->isSet())) {
    fail(ErrorId::WrongPlace, name.getLoc(),
         "'" + name.name + "' is a cell of the value that a rule or constraint is on");
    return std::nullopt;
  }
  switch (entity.kind) {
  case Entity::Kind::label:
    return instantiate(*entity.visible);
  case Entity::Kind::readItem:
    return this->family(entity.item->expr);
  case Entity::Kind::value:
    return familyOfSeen(name, *entity.value);
  case Entity::Kind::self:
    for (unsigned axis = 0; axis < scope.reader->getRank(); ++axis)
      family.map.push_back(dim(axis));
    return family;
  case Entity::Kind::previousFrame:
    for (unsigned axis = 0; axis < scope.reader->getRank(); ++axis)
      family.map.push_back(axis == 0 ? dim(0) - 1 : dim(axis));
    return family;
  case Entity::Kind::neighbors:
    fail(ErrorId::MissingPart, name.getLoc(), "'neighbors' needs its offsets",
         "say 'read {neighbors in N8}', or label a 'visible' line and read the label");
    return std::nullopt;
  default:
    failUnknown(name);
    return std::nullopt;
  }
}

/// Adds one index of a reference.
bool Importer::addIndex(const Expr *index, Family &family, Computing computing) {
  auto *call = dyn_cast<CallExpr>(index);
  if (call && call->callee.name == "region")
    return static_cast<bool>(fail(ErrorId::WrongPlace, index->getLoc(),
                                  "'region' stands in constraints without 'on' only"));
  bool mayCompute = computing != Computing::never;
  std::optional<AffineExpr> expr = affine(index, /*report=*/!mayCompute);
  if (expr || !mayCompute) {
    family.map.push_back(expr.value_or(number(0)));
    return expr.has_value();
  }
  const Expr *data = findData(index);
  bool isForbidden = computing == Computing::later ? data != nullptr : !scope.allowsReads;
  bool isKnown = isBeyondSets(index) || data;
  if (isForbidden && data)
    return static_cast<bool>(
        fail(ErrorId::NotLinear, data->getLoc(),
             "what is visible cannot depend on what cells hold or draws",
             "make all cells visible, as in 'V[i] <- V[*]': an index of a read may be computed"));
  if (!isKnown || findUnknown(index) || isForbidden)
    return affine(index, /*report=*/true).has_value();
  if (computing == Computing::later) {
    family.computed.push_back({static_cast<unsigned>(family.map.size()), index});
    family.map.push_back(number(0));
    return true;
  }
  Term position = evalPosition(index);
  if (!position)
    return false;
  scope.indices.push_back({"", position.value});
  family.indexPresent = both(family.indexPresent, position.present, at(index));
  family.map.push_back(dim(scope.indices.size() - 1));
  return true;
}

void Importer::failReference(const NameExpr &base) {
  usesBroken |= broken.contains(base.name);
  SmallVector<StringRef> names;
  for (const auto &entry : declared)
    names.push_back(entry.getKey());
  fail(ErrorId::UndeclaredName, base.getLoc(),
       "'" + base.name + "' is not a value, a parameter or a formula",
       didYouMean(base.name, names));
}

std::optional<Family> Importer::familyOfReference(const IndexExpr &reference, Computing computing) {
  auto *base = cast<NameExpr>(reference.base);
  auto *it = values.find(base->name);
  if (it == values.end()) {
    failReference(*base);
    return std::nullopt;
  }
  ValueInfo &value = *it->second;
  bool whole = reference.indices.size() == 1 && isa<StarExpr>(reference.indices[0]);
  if (whole)
    return wholeValue(value);
  if (reference.indices.size() != value.getRank()) {
    fail(ErrorId::WrongArity, reference.getLoc(),
         "'" + base->name + "' has " + counted(value.getRank(), "axis", "axes") + ", but got " +
             counted(reference.indices.size(), "index", "indices"));
    return std::nullopt;
  }
  Family family;
  family.source = &value;
  for (auto [index, extent] : llvm::zip(reference.indices, value.extents)) {
    if (!isa<StarExpr>(index) && !isRange(index)) {
      bool isMember = llvm::any_of(reference.indices, [](const Expr *other) {
        return isa<StarExpr>(other) || isRange(other);
      });
      bool isLate = computing == Computing::now && isMember;
      if (!addIndex(index, family, isLate ? Computing::never : computing))
        return std::nullopt;
      continue;
    }
    AffineExpr free = dim(scope.indices.size() + family.getNumFree());
    Condition range = Condition::isBetween(number(0), free, extent - 1);
    if (auto *ends = dyn_cast<BinaryExpr>(index)) {
      std::optional<AffineExpr> low = affine(ends->left, /*report=*/true, /*inRange=*/true);
      std::optional<AffineExpr> high =
          low ? affine(ends->right, /*report=*/true, /*inRange=*/true) : std::nullopt;
      if (!high)
        return std::nullopt;
      range = Condition::isBetween(*low, free, *high);
    }
    family.map.push_back(free);
    family.where = *family.where.conjoin(range);
    family.names.push_back(("i" + Twine(family.getNumFree())).str());
  }
  return family;
}

std::optional<Family> Importer::family(const Expr *expr, Computing computing) {
  if (auto *maybe = dyn_cast<MaybeExpr>(expr)) {
    std::optional<Family> inner = family(maybe->operand, computing);
    if (inner)
      inner->isOptional = true;
    return inner;
  }
  if (auto *compare = asNeighbors(expr))
    return neighbors(compare->operands[1], expr->getLoc());
  if (auto *name = dyn_cast<NameExpr>(expr))
    return familyOfName(*name);
  auto *reference = dyn_cast<IndexExpr>(expr);
  if (reference && isa<NameExpr>(reference->base))
    return familyOfReference(*reference, computing);
  fail(ErrorId::WrongPlace, expr->getLoc(), "'?' marks a read that may be unbound");
  return std::nullopt;
}

Term Importer::readMember(Family family, llvm::SMLoc loc) {
  if (!scope.allowsReads)
    return fail(ErrorId::WrongPlace, loc, Twine(scope.place) + " cannot read values");
  if (family.source->isSet())
    return fail(ErrorId::NotSupported, loc,
                "'" + family.source->decl->name.name + "' is a set and cannot be read yet");
  size_t numIndices = scope.indices.size();
  llvm::scope_exit restore([&] { scope.indices.truncate(numIndices); });
  for (const Family::Computed &computed : family.computed) {
    Term position = inVisible(family, [&] { return evalPosition(computed.index); });
    if (!position)
      return {};
    scope.indices.push_back({"", position.value});
    family.map[computed.axis] = dim(scope.indices.size() - 1);
  }
  ReadOp read = builder.read(at(loc), family.source->op, family.map, getIndexValues());
  if (family.isOptional)
    read->setAttr(optionalReadAttr, builder.ir.getUnitAttr());
  Value present = both(family.indexPresent, read.getPresent(), at(loc));
  return require({read.getResult(), present, family.source->getSort(), family.source->length},
                 at(loc));
}

Term Importer::evalFamily(const Expr *expr) {
  if (expr == scope.candidateReference)
    return {scope.candidate, nullptr, scope.reader->getSort(), scope.reader->length};
  for (const Scope::BoundFamily &bound : llvm::reverse(scope.bound))
    if (isSameExpr(bound.expr, expr))
      return readMember(bound.family, expr->getLoc());
  // Computed indices are in scope for this read only.
  size_t numIndices = scope.indices.size();
  llvm::scope_exit restore([&] { scope.indices.truncate(numIndices); });
  std::optional<Family> single = family(expr, Computing::now);
  if (!single)
    return {};
  if (single->isSingle())
    return readMember(*single, expr->getLoc());
  return fail(ErrorId::UnreducedFamily, expr->getLoc(),
              "expected one value, but got a family of them",
              "reduce it: sum, product, min, max, mean, count, any, all, argmin, argmax");
}
