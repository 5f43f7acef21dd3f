//===- ImportDecl.cpp - Import of values, formulas, visibility ------------===//
//
// Declares names first: declarations may come in any order, so all values and parameters are known,
// and with them the sizes, before any body is imported.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "LCI/Dialect/Limits.h"
#include "LCI/Target/LMPM/Foreign.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

void Importer::enterScope(StringRef place, const Decl &decl) {
  scope = Scope();
  scope.place = place;
  scope.declaration = decl.number;
  nextOrdinal = 0;
  usesBroken = false;
}

SmallVector<Value> Importer::getIndexValues() {
  SmallVector<Value> indices;
  for (const Scope::Index &index : scope.indices)
    indices.push_back(index.value);
  return indices;
}

bool Importer::checkFresh(const Ident &name) {
  auto [it, isNew] = declared.try_emplace(name.name, name.loc);
  if (!isNew)
    diagnostics.errorWithNote(ErrorId::DeclaredTwice, name.loc,
                              "'" + name.name + "' is declared twice", it->second,
                              "the first declaration is here");
  return isNew;
}

void Importer::declareNames() {
  SmallVector<const Decl *> fresh;
  for (const auto &decl : program.decls) {
    bool isNamed = decl->kind != Decl::Kind::visible && decl->kind != Decl::Kind::schedule &&
                   decl->kind != Decl::Kind::commit;
    if (!isNamed || checkFresh(decl->name))
      fresh.push_back(decl.get());
  }
  // A name declared below is no size above.
  for (const Decl *decl : fresh) {
    enterScope("a declaration", *decl);
    auto *value = dyn_cast<ValueDecl>(decl);
    auto *param = dyn_cast<ParamDecl>(decl);
    if ((value && !declareValue(*value)) || (param && !declareParam(*param)))
      broken.insert(decl->name.name);
    else if (auto *def = dyn_cast<DefDecl>(decl))
      defs[def->name.name] =
          std::make_unique<DefInfo>(DefInfo{def, builder.addDef(at(def->loc), def->name.name)});
  }
  builder.settleSizes();
}

bool Importer::checkAxes(size_t count, llvm::SMLoc loc) {
  if (count > kMaxAxes)
    fail(ErrorId::WrongArity, loc,
         "expected at most " + Twine(kMaxAxes) + " axes, but got " + Twine(count), kAxesHint);
  return count <= kMaxAxes;
}

std::optional<SmallVector<AffineExpr>> Importer::getExtents(const ShapeExpr &shape) {
  static const std::pair<StringRef, size_t> ranks[] = {
      {"Scalar", 0}, {"Seq", 1}, {"Grid2D", 2}, {"Grid3D", 3}, {"Set", 0}};
  StringRef name = shape.name.name;
  auto *known = llvm::find_if(ranks, [&](auto entry) { return entry.first == name; });
  bool isGrid = name == "Grid";
  if (known == std::end(ranks) && !isGrid) {
    fail(ErrorId::UnknownWord, shape.name.loc, "unknown shape '" + name + "'",
         didYouMean(name, {"Scalar", "Seq", "Grid2D", "Grid3D", "Grid", "Set"},
                    "shapes are Scalar, Seq(N), Grid2D(W, H), Grid3D(T, W, H), Grid(…), Set()"));
    return std::nullopt;
  }
  size_t count = shape.sizes.size();
  if (isGrid && count < 1) {
    fail(ErrorId::WrongArity, shape.name.loc, "expected a size for each axis",
         "a value of one cell has the shape Scalar");
    return std::nullopt;
  }
  if (!isGrid && count != known->second) {
    fail(ErrorId::WrongArity, shape.name.loc,
         "'" + name + "' has " + counted(known->second, "axis", "axes") + ", but got " +
             counted(count, "size", "sizes"));
    return std::nullopt;
  }
  if (!checkAxes(count, shape.name.loc))
    return std::nullopt;
  SmallVector<AffineExpr> extents;
  for (const Expr *size : shape.sizes) {
    std::optional<AffineExpr> extent =
        sizeOf(size, "the indices of an axis begin at 0: those of 'Seq(10)' are 0..9");
    if (!extent)
      return std::nullopt;
    auto constant = dyn_cast<AffineConstantExpr>(*extent);
    if (constant && constant.getValue() < 1) {
      fail(ErrorId::LiteralOutOfRange, size->getLoc(),
           "expected a size of at least 1, but got " + Twine(constant.getValue()));
      return std::nullopt;
    }
    extents.push_back(*extent);
  }
  return extents;
}

std::optional<SmallVector<Boundary>> Importer::getBoundary(const ValueDecl &decl, unsigned rank) {
  SmallVector<Boundary> boundary;
  for (const Ident &word : decl.boundary) {
    std::optional<Boundary> kind = symbolizeBoundary(word.name);
    if (!kind) {
      StringRef hint = hintForBoundary(word.name);
      fail(ErrorId::UnknownWord, word.loc, "unknown boundary '" + word.name + "'",
           didYouMean(word.name, {"open", "wrap", "clamp"},
                      hint.empty() ? "boundaries are open, wrap and clamp" : hint));
      return std::nullopt;
    }
    boundary.push_back(*kind);
  }
  if (rank == 0 && !decl.boundary.empty() && decl.shape.name.name != "Set") {
    fail(ErrorId::WrongPlace, decl.boundary.front().loc,
         "'" + decl.name.name + "' is one cell, which has no boundary");
    return std::nullopt;
  }
  if (!decl.boundaryPerAxis)
    return SmallVector<Boundary>(rank, boundary.empty() ? Boundary::Open : boundary.front());
  if (boundary.size() == rank)
    return boundary;
  fail(ErrorId::WrongArity, decl.boundary.front().loc,
       "expected one boundary for each of " + counted(rank, "axis", "axes") + ", but got " +
           Twine(boundary.size()));
  return std::nullopt;
}

/// The kind of a value's cells; nothing if there is no such type.
static std::optional<Kind> getValueKind(StringRef name) {
  if (name == "Token")
    return Kind::Token;
  if (name == "I32")
    return Kind::I32;
  if (name == "F32")
    return Kind::F32;
  if (name == "Latent")
    return Kind::Latent;
  if (name == "Event")
    return Kind::Event;
  if (name == "Rule")
    return Kind::Rule;
  return std::nullopt;
}

bool Importer::declareValue(const ValueDecl &decl) {
  StringRef type = decl.type.name.name;
  std::optional<Kind> kind = getValueKind(type);
  if (!kind)
    return static_cast<bool>(
        fail(ErrorId::UnknownWord, decl.type.name.loc, "unknown type '" + type + "'",
             type == "Bool" ? "truth values are stored as Token[2]"
                            : didYouMean(type, {"Token", "I32", "F32", "Latent", "Event", "Rule"},
                                         "types are Token[V], I32, F32, Latent[D], Event, Rule")));
  bool isVector = *kind == Kind::Latent;
  size_t expected = *kind == Kind::Token || isVector ? 1 : 0;
  if (decl.type.arguments.size() != expected)
    return static_cast<bool>(
        fail(ErrorId::WrongArity, decl.type.name.loc,
             isVector   ? "expected the number of components, as in 'Latent[4]'"
             : expected ? "expected the size of the vocabulary, as in 'Token[2]'"
                        : "'" + type + "' takes no size here",
             expected ? "" : "arrays of numbers are parameters; a value has a shape"));
  std::optional<AffineExpr> vocabulary;
  if (expected) {
    vocabulary = sizeOf(decl.type.arguments[0], "tokens begin at 0: those of 'Token[3]' are 0..2; "
                                                "other integers are I32");
    if (!vocabulary)
      return false;
    auto constant = dyn_cast<AffineConstantExpr>(*vocabulary);
    if (constant && constant.getValue() < 1)
      return static_cast<bool>(
          fail(ErrorId::LiteralOutOfRange, decl.type.arguments[0]->getLoc(),
               Twine(isVector ? "expected a component at least, but got "
                              : "expected a vocabulary of at least 1, but got ") +
                   Twine(constant.getValue())));
  }
  bool isSet = *kind == Kind::Event || *kind == Kind::Rule;
  if (isSet != (decl.shape.name.name == "Set"))
    return static_cast<bool>(fail(ErrorId::WrongType, decl.shape.name.loc,
                                  isSet ? "'" + type + "' values have the shape Set()"
                                        : "a set holds Event or Rule, but got '" + type + "'"));
  if (decl.clock && decl.clock.name != "Lamport")
    return static_cast<bool>(fail(ErrorId::UnknownWord, decl.clock.loc,
                                  "unknown clock '" + decl.clock.name + "'",
                                  "the clock is 'Lamport'"));
  std::optional<SmallVector<AffineExpr>> extents = getExtents(decl.shape);
  if (!extents)
    return false;
  std::optional<SmallVector<Boundary>> boundary = getBoundary(decl, extents->size());
  if (!boundary)
    return false;
  if (isSet && (decl.init || !decl.boundary.empty()))
    return static_cast<bool>(
        fail(ErrorId::SetValue, decl.init ? decl.initLoc : decl.boundary.front().loc,
             decl.init ? "a set starts empty and has no 'init'" : "a set has no boundary"));
  ValueOp op = builder.addValue(
      at(decl.loc), decl.name.name, *kind, vocabulary,
      isSet ? std::nullopt : std::optional<ArrayRef<AffineExpr>>(*extents), *boundary);
  values[decl.name.name] = std::make_unique<ValueInfo>(
      ValueInfo{&decl, op, *extents, isVector ? *vocabulary : AffineExpr()});
  return true;
}

bool Importer::bindIndices(ArrayRef<Ident> names, unsigned rank, Block *block, llvm::SMLoc loc,
                           StringRef what) {
  if (!names.empty() && names.size() != rank) {
    fail(ErrorId::WrongArity, names.front().loc,
         Twine(what) + " has " + counted(rank, "axis", "axes") + ", but got " +
             counted(names.size(), "index", "indices"));
    return false;
  }
  for (unsigned i = 0; i < rank; ++i) {
    StringRef name = names.empty() ? "" : names[i].name;
    bool taken = !name.empty() && llvm::any_of(scope.indices, [&](const Scope::Index &index) {
      return index.name == name;
    });
    if (taken) {
      fail(ErrorId::DeclaredTwice, names[i].loc, "the index '" + name + "' stands there twice");
      return false;
    }
    scope.indices.push_back({name, block->getArgument(i)});
  }
  return true;
}

static SmallVector<StringRef> getNames(ArrayRef<Ident> names) {
  return llvm::map_to_vector(names, [](const Ident &ident) { return ident.name; });
}

void Importer::importInit(ValueInfo &info) {
  const ValueDecl &decl = *info.decl;
  order.push_back(info.op);
  attachComments(info.op, decl);
  if (!decl.init)
    return;
  enterScope("an initial value", decl);
  scope.allowsReads = false;
  scope.allowsDraws = true;
  Block *block = builder.addBody(info.op.getInit(), at(decl.initLoc), info.getRank());
  builder.ir.setInsertionPointToStart(block);
  if (!bindIndices(decl.initIndices, info.getRank(), block, decl.initLoc,
                   "'" + decl.name.name.str() + "'"))
    return;
  builder.setIndexNames(info.op, getNames(decl.initIndices));
  if (Term term = coerceToCell(decl.init, eval(decl.init), info))
    YieldOp::create(builder.ir, at(decl.init), term.value, Value());
}

/// Imports the body of a formula, at its first use or in the order of declarations.
bool Importer::importDef(DefInfo &info) {
  if (info.state == DefInfo::State::inProgress) {
    std::string chain = info.decl->name.name.str();
    for (DefInfo *open :
         llvm::drop_begin(llvm::make_range(llvm::find(openDefs, &info), openDefs.end())))
      chain += " <- " + open->decl->name.name.str();
    fail(ErrorId::SelfReference, info.decl->name.loc,
         "formula '" + info.decl->name.name + "' is defined by itself",
         chain + " <- " + info.decl->name.name);
    info.state = DefInfo::State::failed;
  }
  if (info.state != DefInfo::State::untouched)
    return info.state == DefInfo::State::done;
  info.state = DefInfo::State::inProgress;
  openDefs.push_back(&info);
  Scope outer = std::move(scope);
  int64_t outerOrdinal = nextOrdinal;
  OpBuilder::InsertionGuard guard(builder.ir);
  enterScope("a formula", *info.decl);
  scope.lenient = true;
  Block *block = builder.addBody(info.op.getBody(), at(info.decl->loc), info.decl->indices.size());
  builder.ir.setInsertionPointToStart(block);
  builder.setIndexNames(info.op, getNames(info.decl->indices));
  Term term;
  if (bindIndices(info.decl->indices, info.decl->indices.size(), block, info.decl->loc, "it"))
    term = eval(info.decl->value);
  if (term && (term.sort == Sort::answer || term.sort == Sort::event))
    term = coerce(info.decl->value, term, Sort::number);
  if (term)
    YieldOp::create(builder.ir, at(info.decl->value), term.value, term.present);
  info.sort = term.sort;
  info.length = term.length;
  info.mayBeAbsent = term.present != nullptr;
  bool failed = !term || info.state == DefInfo::State::failed;
  info.state = failed ? DefInfo::State::failed : DefInfo::State::done;
  scope = std::move(outer);
  nextOrdinal = outerOrdinal;
  openDefs.pop_back();
  return !failed;
}

void Importer::declareVisible() {
  for (const auto &decl : program.decls) {
    auto *visible = dyn_cast<VisibleDecl>(decl.get());
    if (!visible)
      continue;
    if (std::optional<VisibleInfo> info = getVisible(*visible))
      visibles.push_back(std::make_unique<VisibleInfo>(std::move(*info)));
    else
      broken.insert(visible->name.name);
  }
}

/// The right side of a `visible` line, without its condition.
std::optional<Family> Importer::getSeen(const VisibleDecl &decl) {
  auto *reference = dyn_cast<IndexExpr>(decl.source);
  auto *sourceName = dyn_cast<NameExpr>(reference ? reference->base : decl.source);
  ValueInfo *source = findValue(*sourceName);
  if (!source)
    return std::nullopt;
  if (source->isSet()) {
    fail(ErrorId::NotSupported, sourceName->getLoc(), "a set cannot be read yet");
    return std::nullopt;
  }
  return reference ? familyOfReference(*reference, Computing::later)
                   : std::optional<Family>(wholeValue(*source));
}

/// Adds a condition of a `visible` line: as sets where they can express it, else as limits of a
/// free index.
bool Importer::addSeenCondition(const Expr *expr, Family &family) {
  auto *binary = dyn_cast<BinaryExpr>(expr);
  if (binary && binary->op == BinaryOp::logicalAnd)
    return addSeenCondition(binary->left, family) && addSeenCondition(binary->right, family);
  if (std::optional<LimitText> limit = asLimit(expr)) {
    const Expr *data = findData(limit->low);
    data = data ? data : findData(limit->high);
    if (data || mentionsFree(limit->low) || mentionsFree(limit->high))
      return static_cast<bool>(
          fail(ErrorId::NotLinear, data ? data->getLoc() : expr->getLoc(),
               data ? "what is visible cannot depend on what cells hold or draws"
                    : "the ends of a range cannot depend on another free index",
               "its ends are about the cell's indices, sizes and parameters"));
    family.limits.push_back(*limit);
    return true;
  }
  std::optional<Condition> when = condition(expr, /*report=*/true);
  std::optional<Condition> where = when ? family.where.conjoin(*when) : std::nullopt;
  if (when && !where)
    fail(ErrorId::NotLinear, expr->getLoc(), "the condition has too many cases");
  if (where)
    family.where = *where;
  return where.has_value();
}

std::optional<VisibleInfo> Importer::getVisible(const VisibleDecl &decl) {
  enterScope("a 'visible' line", decl);
  VisibleInfo info{&decl, enterCells(decl.target, "visible"), {}};
  if (!info.reader)
    return std::nullopt;
  for (const auto &other : visibles)
    if (decl.name && other->reader == info.reader && other->decl->name.name == decl.name.name) {
      diagnostics.errorWithNote(ErrorId::DeclaredTwice, decl.name.loc,
                                "the label '" + decl.name.name + "' is used twice",
                                other->decl->name.loc, "the first line is here");
      return std::nullopt;
    }
  // The free indices follow the reader's: those left of an `in`, then those of the source.
  unsigned rank = info.reader->getRank();
  scope.reader = nullptr;
  SmallVector<StringRef> names;
  if (decl.when)
    collectMembers(decl.when, names);
  collectFree(decl.source, /*inIndex=*/false, names);
  scope.firstFree = rank;
  for (StringRef name : names)
    scope.indices.push_back({name, Value()});
  std::optional<Family> family = getSeen(decl);
  if (!family)
    return std::nullopt;
  for (const std::string &name : family->names)
    scope.indices.push_back({name, Value()});
  if (decl.when && !addSeenCondition(decl.when, *family))
    return std::nullopt;
  addBareRanges(decl.source, family->where);
  if (!checkBounded(family->where, rank, names, decl.loc))
    return std::nullopt;
  SmallVector<std::string> all(names.begin(), names.end());
  llvm::append_range(all, family->names);
  family->names = std::move(all);
  info.family = std::move(*family);
  return info;
}

void Importer::importVisible(VisibleInfo &info) {
  Family &family = info.family;
  unsigned rank = info.reader->getRank(), numIndices = rank + family.getNumFree();
  bool gathers = !family.computed.empty() || !family.limits.empty();
  SmallVector<AffineExpr> map(family.map);
  for (auto [position, computed] : llvm::enumerate(family.computed))
    map[computed.axis] = dim(numIndices + position);
  VisibleOp op =
      builder.addVisible(at(info.decl->loc), info.reader->op, family.source->op, map, numIndices,
                         family.computed.size(), family.where, info.decl->name.name);
  order.push_back(op);
  attachComments(op, *info.decl);
  SmallVector<StringRef> names;
  for (unsigned axis = 0; axis < rank; ++axis)
    names.push_back(info.getIndexName(axis));
  names.append(family.names.begin(), family.names.end());
  builder.setIndexNames(op, names);
  if (gathers)
    importGather(info, op);
}

void Importer::importObserve(const ObserveDecl &decl) {
  enterScope("an observer", decl);
  scope.lenient = true;
  ObserveOp op = builder.addObserve(at(decl.loc), decl.name.name);
  order.push_back(op);
  attachComments(op, decl);
  builder.ir.setInsertionPointToStart(builder.addBody(op.getBody(), at(decl.loc), 0));
  Term term = eval(decl.value);
  bool isScalar = term && (term.sort == Sort::truth || term.sort == Sort::integer);
  if (!isScalar)
    term = coerce(decl.value, term, Sort::number);
  if (term)
    YieldOp::create(builder.ir, at(decl.value), term.value, term.present);
}

void Importer::checkRuledValues() {
  usesBroken = diagnostics.getErrorCount() != 0;
  for (auto [value, loc] : ruled)
    if (!committed.count(value))
      fail(ErrorId::MissingPart, loc,
           "rule proposes for '" + value->decl->name.name + "', which has no commit",
           "for example 'commit " + value->decl->name.name + "[*] using accept'");
}

void Importer::importDecl(const Decl &decl) {
  if (auto *value = dyn_cast<ValueDecl>(&decl)) {
    auto *it = values.find(decl.name.name);
    if (it != values.end() && it->second->decl == value)
      importInit(*it->second);
  } else if (auto *param = dyn_cast<ParamDecl>(&decl)) {
    importParam(*param);
  } else if (auto *def = dyn_cast<DefDecl>(&decl)) {
    auto *it = defs.find(decl.name.name);
    if (it == defs.end() || it->second->decl != def)
      return;
    order.push_back(it->second->op);
    attachComments(it->second->op, decl);
    scope = Scope();
    importDef(*it->second);
  } else if (isa<VisibleDecl>(&decl)) {
    for (auto &visible : visibles)
      if (visible->decl == &decl)
        importVisible(*visible);
  } else if (auto *rule = dyn_cast<RuleDecl>(&decl)) {
    importRule(*rule);
  } else if (auto *constraint = dyn_cast<ConstraintDecl>(&decl)) {
    importConstraint(*constraint);
  } else if (auto *schedule = dyn_cast<ScheduleDecl>(&decl)) {
    importSchedule(*schedule);
  } else if (auto *commit = dyn_cast<CommitDecl>(&decl)) {
    importCommit(*commit);
  } else {
    importObserve(*cast<ObserveDecl>(&decl));
  }
}
