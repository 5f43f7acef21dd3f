//===- ImportNames.cpp - Name resolution ----------------------------------===//
//
// The order of resolution of the language page, and the search for undeclared names: sizes and free
// indices.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "LCI/Target/LMPM/Foreign.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// The predefined names of every program.
static Entity::Kind getPredefined(StringRef name) {
  using Kind = Entity::Kind;
  return llvm::StringSwitch<Kind>(name)
      .Case("self", Kind::self)
      .Case("candidate", Kind::candidate)
      .Case("neighbors", Kind::neighbors)
      .Case("prev_frame", Kind::previousFrame)
      .Case("epoch", Kind::epoch)
      .Case("pi", Kind::pi)
      .Cases({"N4", "N8", "Diagonal", "VonNeumann", "Moore"}, Kind::offsets)
      .Default(Kind::none);
}

ValueInfo *Importer::findValue(const NameExpr &name) {
  if (auto *it = values.find(name.name); it != values.end())
    return it->second.get();
  usesBroken |= broken.contains(name.name);
  SmallVector<StringRef> names;
  for (auto &[known, info] : values)
    names.push_back(known);
  bool isSet = getPredefined(name.name) == Entity::Kind::offsets;
  fail(ErrorId::UndeclaredName, name.getLoc(), "'" + name.name + "' is not a value",
       isSet ? "as in 'visible V[x,y] <- V[x+dx,y+dy] when (dx,dy) in N8'"
             : didYouMean(name.name, names));
  return nullptr;
}

Entity Importer::resolve(StringRef name) {
  usesBroken |= broken.contains(name);
  using EntityKind = Entity::Kind;
  Entity entity;
  auto found = [&](EntityKind kind) {
    entity.kind = kind;
    return entity;
  };
  // Indices of the declaration come first, then labels, reads and lets; the indices of enclosing
  // reductions were checked against those names when they were bound.
  for (unsigned i = scope.indices.size(); i-- > 0;)
    if (scope.indices[i].name == name) {
      entity.dim = i;
      return found(EntityKind::index);
    }
  for (const Formal &formal : scope.formals)
    if (formal.name == name) {
      entity.formal = &formal;
      return found(EntityKind::formal);
    }
  for (size_t i = std::min(scope.lets.size(), scope.letsInSight); i-- > 0;)
    if (scope.lets[i].clause->name.name == name) {
      entity.let = &scope.lets[i];
      return found(EntityKind::let);
    }
  // A read item that is only a name, as `self` or `Coarse?`, keeps the meaning of that name.
  for (const ReadItem &item : scope.reads)
    if (item.name == name && isa<IndexExpr, CompareExpr>(item.expr)) {
      entity.item = &item;
      return found(EntityKind::readItem);
    }
  for (auto &visible : visibles)
    if (scope.reader && visible->reader == scope.reader && visible->decl->name.name == name) {
      entity.visible = visible.get();
      return found(EntityKind::label);
    }
  if (auto *it = values.find(name); it != values.end()) {
    entity.value = it->second.get();
    return found(EntityKind::value);
  }
  if (auto *it = params.find(name); it != params.end()) {
    entity.param = it->second.get();
    return found(EntityKind::param);
  }
  if (auto *it = defs.find(name); it != defs.end()) {
    entity.def = it->second.get();
    return found(EntityKind::def);
  }
  // Rules, constraints and observers have no value: their names hide no free index, but a
  // capitalised one is not a size either.
  if (declared.contains(name) && llvm::isUpper(name.front()))
    return found(EntityKind::other);
  if (name == "e" && scope.reader && scope.reader->isSet())
    return found(EntityKind::epoch);
  return found(getPredefined(name));
}

bool Importer::isSizeName(StringRef name) {
  return llvm::isUpper(name.front()) && resolve(name).kind == Entity::Kind::none;
}

AffineExpr Importer::getSize(const NameExpr &name) {
  // Values and parameters are imported first, so the first use in the text is not the first one
  // imported.
  auto [place, isNew] = sizePlaces.try_emplace(name.name, name.getLoc());
  if (!isNew && name.getLoc().getPointer() < place->second.getPointer())
    place->second = name.getLoc();
  return builder.getSize(name.name);
}

void Importer::placeSizes() {
  SmallVector<std::pair<StringRef, Location>> places;
  for (auto [name, loc] : sizePlaces)
    places.push_back({name, toLocation(loc)});
  builder.placeSizes(places);
}

std::vector<StringRef> Importer::getNamesInScope() {
  std::vector<StringRef> names = {"self", "candidate", "neighbors", "prev_frame", "epoch"};
  for (const Scope::Index &index : scope.indices)
    names.push_back(index.name);
  for (const LetInfo &let : scope.lets)
    names.push_back(let.clause->name.name);
  for (const ReadItem &item : scope.reads)
    names.push_back(item.name);
  for (const auto &visible : visibles)
    if (scope.reader == visible->reader && visible->decl->name)
      names.push_back(visible->decl->name.name);
  for (const auto &entry : declared)
    names.push_back(entry.getKey());
  return names;
}

/// What to write where only the name of a function stands.
static std::string hintForCall(StringRef name) {
  if (!llvm::is_contained(getFunctionNames(), name))
    return "";
  bool takesNothing = name == "uniform" || name == "normal";
  return ("a function is called with parentheses: '" + name + (takesNothing ? "()'" : "(…)'"))
      .str();
}

Term Importer::failUnknown(const NameExpr &name) {
  std::string hint = hintForName(name.name).str();
  if (hint.empty())
    hint = hintForCall(name.name);
  if (!hint.empty())
    return fail(ErrorId::UndeclaredName, name.getLoc(), "unknown name '" + name.name + "'", hint);
  return fail(ErrorId::UndeclaredName, name.getLoc(), "unknown name '" + name.name + "'",
              didYouMean(name.name, getNamesInScope(),
                         "sizes are capitalised, and free indices stand in an index, left of "
                         "'in' or in 'init[…]'"));
}

/// The first name that `findHere` returns for an expression or its operands, in the order of the
/// text.
static const NameExpr *findFirst(const Expr *expr,
                                 llvm::function_ref<const NameExpr *(const Expr *)> findHere) {
  const NameExpr *found = findHere(expr);
  forEachOperand(expr, [&](const Expr *operand) {
    if (!found)
      found = findFirst(operand, findHere);
  });
  return found;
}

const NameExpr *Importer::findUnknown(const Expr *expr) {
  return findFirst(expr, [&](const Expr *part) {
    auto *name = dyn_cast<NameExpr>(part);
    bool isUnknown =
        name && !isSizeName(name->name) && resolve(name->name).kind == Entity::Kind::none;
    return isUnknown ? name : nullptr;
  });
}

/// Checks that a size is made of names and moderate numbers by arithmetic alone.
bool Importer::checkSize(const Expr *expr) {
  constexpr int64_t kMost = int64_t(1) << 31;
  auto *integer = dyn_cast<IntegerExpr>(expr);
  if (integer && integer->value > kMost)
    return static_cast<bool>(
        fail(ErrorId::LiteralOutOfRange, expr->getLoc(),
             "expected a size of at most " + Twine(kMost) + ", but got " + Twine(integer->value)));
  if (integer || isa<NameExpr>(expr))
    return true;
  auto *unary = dyn_cast<UnaryExpr>(expr);
  if (unary && unary->op == UnaryOp::negate)
    return checkSize(unary->operand);
  auto *binary = dyn_cast<BinaryExpr>(expr);
  bool isNumber =
      binary && llvm::is_contained({BinaryOp::add, BinaryOp::subtract, BinaryOp::multiply,
                                    BinaryOp::divide, BinaryOp::modulo, BinaryOp::power},
                                   binary->op);
  if (isNumber)
    return checkSize(binary->left) && checkSize(binary->right);
  return static_cast<bool>(fail(ErrorId::NotLinear, expr->getLoc(),
                                "expected a size, made of numbers and other sizes by sums, "
                                "products, quotients, remainders and powers"));
}

/// An extent: of sizes and constants.
std::optional<AffineExpr> Importer::sizeOf(const Expr *expr, const Twine &rangeHint) {
  auto *binary = dyn_cast<BinaryExpr>(expr);
  if (binary && binary->op == BinaryOp::range) {
    fail(ErrorId::WrongType, expr->getLoc(), "expected a size, but got a range", rangeHint);
    return std::nullopt;
  }
  if (isa<RealExpr>(expr)) {
    fail(ErrorId::WrongType, expr->getLoc(), "expected an integer as size, but got a number",
         "sizes count cells or tokens, and have no point: 8, not 8.0");
    return std::nullopt;
  }
  const NameExpr *other = findFirst(expr, [&](const Expr *part) {
    auto *name = dyn_cast<NameExpr>(part);
    return name && !isSizeName(name->name) ? name : nullptr;
  });
  if (!other)
    return checkSize(expr) ? affine(expr, /*report=*/true) : std::nullopt;
  fail(ErrorId::WrongPlace, other->getLoc(), "expected a size, but got '" + other->name + "'",
       "sizes are capitalised names that nothing declares, such as 'N'; the bindings give numbers");
  return std::nullopt;
}

const NameExpr *Importer::findUndeclared(const Expr *expr) {
  return findFirst(expr, [&](const Expr *part) {
    auto *reference = dyn_cast<IndexExpr>(part);
    auto *base = reference ? dyn_cast<NameExpr>(reference->base) : nullptr;
    return base && resolve(base->name).kind == Entity::Kind::none ? base : nullptr;
  });
}

/// The unbound names of an expression that occur inside an index, in the order of the text. Nested
/// reductions bind their names themselves.
void Importer::collectFree(const Expr *expr, bool inIndex, SmallVectorImpl<StringRef> &names) {
  if (auto *name = dyn_cast<NameExpr>(expr)) {
    bool isFree = inIndex && !llvm::isUpper(name->name.front()) &&
                  resolve(name->name).kind == Entity::Kind::none;
    if (isFree && !llvm::is_contained(names, name->name))
      names.push_back(name->name);
    return;
  }
  if (auto *call = dyn_cast<CallExpr>(expr); call && isReduction(*call))
    return;
  // Names inside an end of `..` are sizes.
  if (auto *binary = dyn_cast<BinaryExpr>(expr); binary && binary->op == BinaryOp::range)
    inIndex = false;
  if (auto *index = dyn_cast<IndexExpr>(expr)) {
    if (!isa<NameExpr>(index->base)) // a component
      collectFree(index->base, inIndex, names);
    for (const Expr *position : index->indices)
      collectFree(position, true, names);
    return;
  }
  forEachOperand(expr, [&](const Expr *operand) { collectFree(operand, inIndex, names); });
}

/// The unbound names left of an `in`, except those that a nested reduction binds.
void Importer::collectMembers(const Expr *expr, SmallVectorImpl<StringRef> &names) {
  if (auto *call = dyn_cast<CallExpr>(expr); call && isReduction(*call))
    return;
  auto *compare = dyn_cast<CompareExpr>(expr);
  if (compare && compare->ops.front() == CompareOp::in)
    return collectFree(compare->operands.front(), true, names);
  forEachOperand(expr, [&](const Expr *operand) { collectMembers(operand, names); });
}

bool Importer::mentionsCandidate(const Expr *expr) {
  if (auto *name = dyn_cast<NameExpr>(expr)) {
    Entity entity = resolve(name->name);
    return entity.kind == Entity::Kind::candidate ||
           (entity.kind == Entity::Kind::let && entity.let->needsCandidate);
  }
  bool found = false;
  forEachOperand(expr, [&](const Expr *operand) { found |= mentionsCandidate(operand); });
  return found;
}

bool Importer::mentionsFamily(const Expr *expr) {
  SmallVector<const Expr *> families;
  collectFamilies(expr, families);
  return !families.empty();
}

/// The families that an expression uses members of, each once, outside of reductions.
void Importer::collectFamilies(const Expr *expr, SmallVectorImpl<const Expr *> &families) {
  if (auto *call = dyn_cast<CallExpr>(expr); call && isReduction(*call))
    return;
  if (auto *name = dyn_cast<NameExpr>(expr)) {
    Entity entity = resolve(name->name);
    if (entity.kind == Entity::Kind::let && entity.let->isFamily)
      return inLet(*entity.let, [&](const Expr *text) { collectFamilies(text, families); });
  }
  if (isMany(expr)) {
    auto same = [&](const Expr *other) { return isSameExpr(expr, other); };
    if (llvm::none_of(families, same))
      families.push_back(expr);
    return;
  }
  auto *reference = dyn_cast<IndexExpr>(expr);
  forEachOperand(expr, [&](const Expr *operand) {
    if (!reference || operand != reference->base || isVectorName(operand))
      collectFamilies(operand, families);
  });
}
