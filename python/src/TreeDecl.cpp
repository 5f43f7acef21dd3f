//===- TreeDecl.cpp - Declarations ----------------------------------------===//

#include "LCI/Target/LMPM/LMPM.h"
#include "Tree.h"
#include "llvm/ADT/StringSwitch.h"

using namespace lmpm::python;
using namespace lmpm;

/// The name of the value that a reference is to.
static llvm::StringRef baseOf(const Expr *reference) {
  auto *index = llvm::dyn_cast<IndexExpr>(reference);
  return llvm::cast<NameExpr>(index ? index->base : reference)->name;
}

/// What a declaration is known by: its name, or the value that it is about.
static llvm::StringRef keyOf(const Decl &decl) {
  if (auto *schedule = llvm::dyn_cast<ScheduleDecl>(&decl))
    return baseOf(schedule->target);
  if (auto *commit = llvm::dyn_cast<CommitDecl>(&decl))
    return baseOf(commit->target);
  return decl.name.name;
}

/// Adds a declaration behind the others, or puts it where an earlier one was.
void Tree::addDecl(const Name &name, std::unique_ptr<Decl> decl) {
  decl->loc = locOf(name.second);
  bool wasReplacing = std::exchange(replaces, false);
  auto known = llvm::find_if(program.decls, [&](const std::unique_ptr<Decl> &other) {
    return wasReplacing && other->kind == decl->kind && keyOf(*other) == keyOf(*decl);
  });
  if (known == program.decls.end()) {
    program.decls.push_back(std::move(decl));
    return;
  }
  // What a value sees is declared with it.
  llvm::StringRef value = decl->kind == Decl::Kind::value ? decl->name.name : "";
  *known = std::move(decl);
  llvm::erase_if(program.decls, [&](const std::unique_ptr<Decl> &other) {
    auto *visible = llvm::dyn_cast<VisibleDecl>(other.get());
    return visible && baseOf(visible->target) == value;
  });
}

void Tree::addValue(const Name &name, const std::string &type, const Exprs &typeArguments,
                    const std::string &shape, const Exprs &sizes, const std::string &clock,
                    const std::vector<std::string> &boundary, bool boundaryPerAxis,
                    const std::vector<std::string> &initIndices, std::optional<ExprId> init) {
  auto decl = std::make_unique<ValueDecl>();
  decl->name = ident(name.first, name.second);
  decl->type = {ident(type, name.second), at(typeArguments)};
  decl->shape = {ident(shape, name.second), at(sizes)};
  decl->clock = ident(clock, name.second);
  decl->boundary = idents(boundary, name.second);
  decl->boundaryPerAxis = boundaryPerAxis;
  decl->initLoc = locOf(name.second);
  decl->initIndices = idents(initIndices, name.second);
  decl->init = at(init);
  addDecl(name, std::move(decl));
}

void Tree::addParam(const Name &name, const std::string &type, const Exprs &typeArguments,
                    std::optional<ExprId> value) {
  auto decl = std::make_unique<ParamDecl>();
  decl->name = ident(name.first, name.second);
  decl->type = {ident(type, name.second), at(typeArguments)};
  decl->value = at(value);
  addDecl(name, std::move(decl));
}

void Tree::addDef(const Name &name, const std::vector<std::string> &indices, ExprId value) {
  auto decl = std::make_unique<DefDecl>();
  decl->name = ident(name.first, name.second);
  decl->indices = idents(indices, name.second);
  decl->value = at(value);
  addDecl(name, std::move(decl));
}

void Tree::addVisible(const Name &label, ExprId target, ExprId source, std::optional<ExprId> when) {
  auto decl = std::make_unique<VisibleDecl>();
  decl->name = ident(label.first, label.second);
  decl->target = at(target);
  decl->source = at(source);
  decl->when = at(when);
  addDecl(label, std::move(decl));
}

std::vector<std::unique_ptr<Clause>> Tree::clauses(const std::vector<ClauseParts> &parts) {
  std::vector<std::unique_ptr<Clause>> list;
  for (const ClauseParts &part : parts) {
    auto clause = std::make_unique<Clause>();
    clause->loc = locOf(part.place);
    clause->kind = llvm::StringSwitch<Clause::Kind>(part.word)
                       .Case("on", Clause::Kind::on)
                       .Case("read", Clause::Kind::read)
                       .Case("let", Clause::Kind::let)
                       .Case("emit", Clause::Kind::emit)
                       .Case("score", Clause::Kind::score)
                       .Case("forbid", Clause::Kind::forbid)
                       .Default(Clause::Kind::require);
    clause->name = ident(part.name, part.place);
    clause->target = at(part.target);
    (clause->kind == Clause::Kind::on ? clause->when : clause->value) = at(part.value);
    clause->reads = at(part.reads);
    list.push_back(std::move(clause));
  }
  return list;
}

void Tree::addRule(const Name &name, const std::vector<ClauseParts> &parts,
                   const std::vector<std::string> &comments) {
  auto decl = std::make_unique<RuleDecl>();
  decl->name = ident(name.first, name.second);
  decl->clauses = clauses(parts);
  decl->trivia.leading = comments;
  addDecl(name, std::move(decl));
}

void Tree::addConstraint(const Name &name, const std::vector<ClauseParts> &parts,
                         std::optional<ExprId> priority, const std::vector<std::string> &comments) {
  auto decl = std::make_unique<ConstraintDecl>();
  decl->name = ident(name.first, name.second);
  decl->clauses = clauses(parts);
  decl->priority = at(priority);
  decl->trivia.leading = comments;
  addDecl(name, std::move(decl));
}

void Tree::addSchedule(const Name &strategy, ExprId target, const std::vector<std::string> &names,
                       const Exprs &options) {
  auto decl = std::make_unique<ScheduleDecl>();
  decl->target = at(target);
  decl->strategy = ident(strategy.first, strategy.second);
  decl->options = arguments(names, options, strategy.second);
  addDecl(strategy, std::move(decl));
}

void Tree::addCommit(const Name &policy, ExprId target, const std::vector<std::string> &names,
                     const Exprs &options) {
  auto decl = std::make_unique<CommitDecl>();
  decl->target = at(target);
  decl->policy = ident(policy.first, policy.second);
  decl->options = arguments(names, options, policy.second);
  addDecl(policy, std::move(decl));
}

void Tree::addObserve(const Name &name, ExprId value) {
  auto decl = std::make_unique<ObserveDecl>();
  decl->name = ident(name.first, name.second);
  decl->value = at(value);
  addDecl(name, std::move(decl));
}

std::shared_ptr<Module> Tree::import() {
  if (program.decls.empty())
    raise(ErrorId::MissingPart, "the program has no declarations");
  for (auto [number, decl] : llvm::enumerate(program.decls))
    decl->number = number;
  Collector collector(*context);
  auto op = mlir::lci::importLMPM(program, context->sources, &context->mlir);
  if (!op)
    collector.raise();
  return std::make_shared<Module>(context, std::move(op));
}
