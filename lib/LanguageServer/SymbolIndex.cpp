//===- SymbolIndex.cpp - The symbols of a text and their uses -------------===//
//
// One walk over the declarations with the names in scope. A free index belongs to its whole
// declaration: reductions that use the same one beside each other share it.
//
//===----------------------------------------------------------------------===//

#include "LCI/LanguageServer/SymbolIndex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace lmpm;
using Kind = Symbol::Kind;

namespace {
class Indexer {
public:
  Indexer(std::vector<Symbol> &symbols, std::vector<Occurrence> &occurrences)
      : symbols(symbols), occurrences(occurrences) {}

  void run(const Program &program);

private:
  using Names = llvm::StringMap<unsigned>;

  unsigned define(Kind kind, Ident name, Names &scope, const Clause *clause = nullptr);
  void use(Ident name, unsigned symbol);
  void useWord(Ident name);
  void useUnknown(Ident name, bool isSize);
  std::optional<unsigned> lookUp(llvm::StringRef name) const;
  std::optional<unsigned> lookUpArgument(llvm::StringRef name) const;

  void declare(const Decl &decl);
  void visit(const Decl &decl);
  void visitDecl(const ValueDecl &decl);
  void visitDecl(const VisibleDecl &decl);
  void visitClause(const Clause &clause);
  void visitType(const TypeExpr &type);
  void visitOptions(llvm::ArrayRef<Argument> options);
  void defineIndices(const Expr *target);
  void visitExpr(const Expr *expr, bool inRange = false);
  void visitCall(const CallExpr &call);
  void visitName(Ident name, bool inRange);
  void visitIfKnown(const Expr *expr);

  std::vector<Symbol> &symbols;
  std::vector<Occurrence> &occurrences;
  Names globals, words, sizes;
  /// Labels by "value label".
  Names labels;
  // Of the declaration that is visited.
  const Decl *current = nullptr;
  llvm::StringRef targetValue;
  Names indices, lets, free;
  std::vector<llvm::StringRef> reads;
};
} // namespace

llvm::ArrayRef<llvm::StringRef> lmpm::getPredefinedNames() {
  static const llvm::StringRef names[] = {"self",  "candidate", "neighbors", "prev_frame",
                                          "epoch", "e",         "pi",        "N4",
                                          "N8",    "Diagonal",  "Moore",     "VonNeumann"};
  return names;
}

static Ident identOf(const NameExpr &name) { return {name.name, name.getLoc()}; }

/// The name of the value that `V` or `V[…]` refers to; empty for anything else.
static Ident baseOf(const Expr *reference) {
  if (auto *index = llvm::dyn_cast_or_null<IndexExpr>(reference))
    reference = index->base;
  auto *name = llvm::dyn_cast_or_null<NameExpr>(reference);
  return name ? identOf(*name) : Ident{};
}

static llvm::StringRef pieceOf(Ident name) {
  return llvm::StringRef(name.loc.getPointer(), name.name.size());
}

unsigned Indexer::define(Kind kind, Ident name, Names &scope, const Clause *clause) {
  unsigned symbol = symbols.size();
  symbols.push_back({kind, name.name, pieceOf(name), current, clause});
  scope.try_emplace(name.name, symbol); // of two declarations the first counts
  use(name, symbol);
  return symbol;
}

void Indexer::use(Ident name, unsigned symbol) {
  if (name)
    occurrences.push_back({pieceOf(name), symbol});
}

void Indexer::useWord(Ident name) {
  auto [entry, isNew] = words.try_emplace(name.name, symbols.size());
  if (isNew)
    symbols.push_back({Kind::word, name.name, {}});
  use(name, entry->second);
}

/// A name without a declaration: a size of the program or a free index of the declaration.
void Indexer::useUnknown(Ident name, bool isSize) {
  auto [entry, isNew] = (isSize ? sizes : free).try_emplace(name.name, symbols.size());
  if (isNew)
    symbols.push_back({isSize ? Kind::size : Kind::freeIndex, name.name, pieceOf(name),
                       isSize ? nullptr : current});
  use(name, entry->second);
}

std::optional<unsigned> Indexer::lookUp(llvm::StringRef name) const {
  for (const Names *scope : {&indices, &lets})
    if (auto found = scope->find(name); found != scope->end())
      return found->second;
  if (auto found = labels.find((targetValue + " " + name).str()); found != labels.end())
    return found->second;
  auto found = globals.find(name);
  if (found == globals.end())
    return std::nullopt;
  Kind kind = symbols[found->second].kind;
  bool hasValue = kind == Kind::value || kind == Kind::param || kind == Kind::def;
  return hasValue || llvm::isUpper(name.front()) ? std::optional(found->second) : std::nullopt;
}

/// The read that a model's argument refers to: by its name ignoring case, else by a prefix.
std::optional<unsigned> Indexer::lookUpArgument(llvm::StringRef name) const {
  for (llvm::StringRef read : reads)
    if (read.equals_insensitive(name))
      return lookUp(read);
  for (llvm::StringRef read : reads)
    if (read.starts_with_insensitive(name))
      return lookUp(read);
  return std::nullopt;
}

void Indexer::run(const Program &program) {
  for (const auto &decl : program.decls)
    declare(*decl);
  for (const auto &decl : program.decls)
    visit(*decl);
  llvm::sort(occurrences, [](const Occurrence &a, const Occurrence &b) {
    return a.piece.begin() < b.piece.begin();
  });
  for (const Occurrence &occurrence : llvm::reverse(occurrences))
    if (Symbol &symbol = symbols[occurrence.symbol]; symbol.kind == Kind::size)
      symbol.definition = occurrence.piece; // the first use
}

static Kind kindOf(const Decl &decl) {
  switch (decl.kind) {
  case Decl::Kind::value:
    return Kind::value;
  case Decl::Kind::param:
    return Kind::param;
  case Decl::Kind::def:
    return Kind::def;
  case Decl::Kind::rule:
    return Kind::rule;
  case Decl::Kind::constraint:
    return Kind::constraint;
  case Decl::Kind::observe:
    return Kind::observer;
  case Decl::Kind::visible:
  case Decl::Kind::schedule:
  case Decl::Kind::commit:
    return Kind::label;
  }
  return Kind::word;
}

void Indexer::declare(const Decl &decl) {
  current = &decl;
  if (!decl.name)
    return;
  auto *visible = llvm::dyn_cast<VisibleDecl>(&decl);
  if (!visible) {
    define(kindOf(decl), decl.name, globals);
    return;
  }
  Names alone;
  unsigned symbol = define(Kind::label, decl.name, alone);
  labels.try_emplace((baseOf(visible->target).name + " " + decl.name.name).str(), symbol);
}

void Indexer::visit(const Decl &decl) {
  current = &decl;
  targetValue = {};
  for (Names *scope : {&indices, &lets, &free})
    scope->clear();
  reads.clear();
  auto visitAll = [&](const auto &clauses) {
    for (const std::unique_ptr<Clause> &clause : clauses)
      visitClause(*clause);
  };
  if (auto *value = llvm::dyn_cast<ValueDecl>(&decl)) {
    visitDecl(*value);
  } else if (auto *param = llvm::dyn_cast<ParamDecl>(&decl)) {
    visitType(param->type);
    visitExpr(param->value);
  } else if (auto *def = llvm::dyn_cast<DefDecl>(&decl)) {
    for (Ident index : def->indices)
      define(Kind::index, index, indices);
    visitExpr(def->value);
  } else if (auto *visible = llvm::dyn_cast<VisibleDecl>(&decl)) {
    visitDecl(*visible);
  } else if (auto *rule = llvm::dyn_cast<RuleDecl>(&decl)) {
    visitAll(rule->clauses);
  } else if (auto *constraint = llvm::dyn_cast<ConstraintDecl>(&decl)) {
    visitAll(constraint->clauses);
    visitIfKnown(constraint->priority);
  } else if (auto *schedule = llvm::dyn_cast<ScheduleDecl>(&decl)) {
    visitExpr(schedule->target);
    visitOptions(schedule->options);
  } else if (auto *commit = llvm::dyn_cast<CommitDecl>(&decl)) {
    visitExpr(commit->target);
    visitOptions(commit->options);
  } else if (auto *observe = llvm::dyn_cast<ObserveDecl>(&decl)) {
    visitExpr(observe->value);
  }
}

void Indexer::visitDecl(const ValueDecl &decl) {
  visitType(decl.type);
  useWord(decl.shape.name);
  for (const Expr *size : decl.shape.sizes)
    visitExpr(size);
  for (Ident index : decl.initIndices)
    define(Kind::index, index, indices);
  visitExpr(decl.init);
}

void Indexer::visitDecl(const VisibleDecl &decl) {
  defineIndices(decl.target);
  visitExpr(decl.source);
  visitExpr(decl.when);
}

void Indexer::visitClause(const Clause &clause) {
  if (clause.kind == Clause::Kind::on) {
    targetValue = baseOf(clause.target).name;
    defineIndices(clause.target);
  } else {
    visitExpr(clause.target);
  }
  for (const Expr *read : clause.reads) {
    visitExpr(read);
    auto *maybe = llvm::dyn_cast<MaybeExpr>(read);
    if (Ident name = baseOf(maybe ? maybe->operand : read))
      reads.push_back(name.name);
  }
  visitExpr(clause.value);
  visitExpr(clause.when);
  if (clause.kind == Clause::Kind::let)
    define(Kind::let, clause.name, lets, &clause);
}

void Indexer::visitType(const TypeExpr &type) {
  useWord(type.name);
  for (const Expr *argument : type.arguments)
    visitExpr(argument);
}

/// The options of schedules and commits are words, unless they name something.
void Indexer::visitOptions(llvm::ArrayRef<Argument> options) {
  for (const Argument &option : options)
    visitIfKnown(option.value);
}

void Indexer::visitIfKnown(const Expr *expr) {
  auto *name = llvm::dyn_cast_or_null<NameExpr>(expr);
  if (!name || lookUp(name->name))
    visitExpr(expr);
}

/// Left of `<-` and behind `on`, names in brackets declare the indices of the clauses that follow.
void Indexer::defineIndices(const Expr *target) {
  auto *reference = llvm::dyn_cast_or_null<IndexExpr>(target);
  if (!reference)
    return visitExpr(target);
  visitExpr(reference->base);
  for (const Expr *index : reference->indices)
    if (auto *name = llvm::dyn_cast<NameExpr>(index); name && !indices.contains(name->name))
      define(Kind::index, identOf(*name), indices);
    else
      visitExpr(index);
}

void Indexer::visitName(Ident name, bool inRange) {
  if (std::optional<unsigned> symbol = lookUp(name.name))
    use(name, *symbol);
  else if (llvm::is_contained(getPredefinedNames(), name.name))
    useWord(name);
  else
    useUnknown(name, inRange || llvm::isUpper(name.name.front()));
}

void Indexer::visitCall(const CallExpr &call) {
  useWord(call.callee);
  bool isModel = call.callee.name == "Model" || call.callee.name == "ModelScore";
  for (const Argument &argument : call.arguments) {
    auto *name = llvm::dyn_cast_or_null<NameExpr>(argument.value);
    if (!isModel || !name || lookUp(name->name))
      visitExpr(argument.value);
    else if (std::optional<unsigned> symbol = lookUpArgument(name->name))
      use(identOf(*name), *symbol);
    else
      useWord(identOf(*name));
  }
}

void Indexer::visitExpr(const Expr *expr, bool inRange) {
  if (!expr)
    return;
  if (auto *name = llvm::dyn_cast<NameExpr>(expr))
    return visitName(identOf(*name), inRange);
  if (auto *call = llvm::dyn_cast<CallExpr>(expr))
    return visitCall(*call);
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(expr))
    inRange |= binary->op == BinaryOp::range;
  forEachOperand(expr, [&](const Expr *operand) { visitExpr(operand, inRange); });
}

SymbolIndex::SymbolIndex(const Program &program) { Indexer(symbols, occurrences).run(program); }

const Occurrence *SymbolIndex::find(const char *place) const {
  auto next = llvm::partition_point(
      occurrences, [&](const Occurrence &occurrence) { return occurrence.piece.begin() <= place; });
  if (next == occurrences.begin() || std::prev(next)->piece.end() < place)
    return nullptr;
  return &*std::prev(next);
}
