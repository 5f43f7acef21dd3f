//===- ImportReduce.cpp - Reductions --------------------------------------===//
//
// A reduction binds the names left of an `in` in its `when`, then the free indices inside it, or
// ranges over the one family it mentions. There is no other loop in the language.
//
//===----------------------------------------------------------------------===//
#include "Importer.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

bool Importer::isReduction(const CallExpr &call) {
  std::optional<Reduction> kind = symbolizeReduction(call.callee.name);
  bool pointwise = kind && (*kind == Reduction::Min || *kind == Reduction::Max);
  return kind && (!pointwise || call.arguments.size() == 1);
}

Term Importer::reduce(const CallExpr &call, Reduction kind) {
  llvm::SMLoc loc = call.getLoc();
  if (!checkArity(call, 1))
    return {};
  const Expr *body = call.arguments[0].value, *when = nullptr;
  if (auto *where = dyn_cast<WhereExpr>(body)) {
    body = where->body;
    when = where->condition;
  }
  SmallVector<StringRef> names;
  if (when)
    collectMembers(when, names);
  collectFree(body, /*inIndex=*/false, names);
  if (when)
    collectFree(when, /*inIndex=*/false, names);
  SmallVector<const Expr *> families;
  collectFamilies(body, families);
  if (names.empty() && families.empty()) {
    auto *name = dyn_cast<NameExpr>(body);
    Entity entity = name ? resolve(name->name) : Entity();
    if (entity.kind == Entity::Kind::param && !entity.param->extents.empty())
      return reduceParam(call, kind, *entity.param);
    if (const NameExpr *unknown = findUnknown(body))
      return failUnknown(*unknown);
    return fail(loc, "'" + call.callee.name + "' has nothing to range over",
                "expected a label, a read, or free indices, as in 'sum(V[x+d] when d in -1..1)'");
  }
  if (families.size() > 1 || (!families.empty() && !names.empty()))
    return fail(families.back()->getLoc(),
                "'" + call.callee.name + "' ranges over one family, but got another",
                "write the second one as a reduction of its own");

  // From here on the scope is the reduction's.
  Scope outer = scope;
  llvm::scope_exit restore([&] {
    auto arguments = std::move(scope.modelArguments);
    scope = std::move(outer);
    scope.modelArguments = std::move(arguments);
  });
  SmallVector<Value> outerValues = getIndexValues();
  Condition where = Condition::always();
  SmallVector<StringRef> indexNames(names);
  if (!families.empty()) {
    std::optional<Family> bound = family(families.front());
    if (!bound)
      return {};
    where = bound->where;
    scope.bound.push_back({families.front(), *bound});
    // The family's own names are not in scope: nobody wrote them here.
    names.assign(bound->getNumFree(), "");
    indexNames.assign(scope.bound.back().family.names.begin(),
                      scope.bound.back().family.names.end());
  }
  scope.firstFree = outerValues.size();
  ++scope.depth;
  for (StringRef name : names)
    scope.indices.push_back({name, Value()});
  SmallVector<const Expr *> dynamic;
  if (when && !split(when, where, dynamic))
    return {};
  if (families.empty()) {
    addBareRanges(body, where);
    if (when)
      addBareRanges(when, where);
    if (!checkBounded(where, scope.firstFree, names, loc))
      return {};
  }
  ReduceOp op = builder.reduce(at(loc), kind, where, outerValues, names.size());
  builder.setIndexNames(op, indexNames);
  OpBuilder::InsertionGuard guard(builder.ir);
  Block &block = op.getBody().front();
  builder.ir.setInsertionPointToStart(&block);
  for (unsigned i = 0; i < names.size(); ++i)
    scope.indices[scope.firstFree + i].value = block.getArgument(i);
  scope.rank = block.getArguments().back();
  scope.lenient = true;
  Term member = reduceMember(body, kind, dynamic);
  if (!member)
    return {};
  YieldOp::create(builder.ir, at(body), member.value, member.present);
  builder.finishReduce(op);
  builder.ir.setInsertionPointAfter(op);
  scope.lenient = outer.lenient;
  return finishReduction(op, kind, loc);
}

/// What the body yields: for `count` of anything but truth values, that the member is there.
Term Importer::reduceMember(const Expr *body, Reduction kind, ArrayRef<const Expr *> dynamic) {
  Value condition;
  for (const Expr *expr : dynamic) {
    Term term = evalAs(expr, Sort::truth);
    if (!term)
      return {};
    condition = both(both(condition, term.value, at(expr)), term.present, at(expr));
  }
  Term member = eval(body);
  if (!member)
    return {};
  bool wantsTruth = kind == Reduction::Any || kind == Reduction::All;
  if (wantsTruth)
    member = coerce(body, member, Sort::truth);
  else if (kind == Reduction::Count && member.sort != Sort::truth)
    member = {builder.constant(at(body), true), member.present, Sort::truth};
  else if (kind != Reduction::Count && member.sort == Sort::truth)
    member = toInteger(member, at(body));
  else if (member.sort == Sort::answer || member.sort == Sort::event)
    member = coerce(body, member, Sort::number);
  if (member)
    member.present = both(condition, member.present, at(body));
  return member;
}

static Sort getSort(Type type) {
  return type.isF32() ? Sort::number : type.isInteger(1) ? Sort::truth : Sort::integer;
}

Term Importer::finishReduction(ReduceOp op, Reduction kind, llvm::SMLoc loc) {
  bool mayBeAbsent = kind == Reduction::Min || kind == Reduction::Max || kind == Reduction::Mean ||
                     kind == Reduction::ArgMin || kind == Reduction::ArgMax;
  Term result{op.getResult(), mayBeAbsent ? op.getPresent() : Value(),
              getSort(op.getResult().getType())};
  return require(result, at(loc));
}

/// An array parameter without index is the family of its elements.
Term Importer::reduceParam(const CallExpr &call, Reduction kind, ParamInfo &param) {
  SmallVector<Value> outer = getIndexValues();
  Condition where = Condition::always();
  SmallVector<std::string> names;
  for (auto [axis, extent] : llvm::enumerate(param.extents)) {
    where = *where.conjoin(Condition::isBetween(number(0), dim(outer.size() + axis), extent - 1));
    names.push_back(("i" + Twine(axis)).str());
  }
  Location loc = at(&call);
  ReduceOp op = builder.reduce(loc, kind, where, outer, names.size());
  builder.setIndexNames(op, SmallVector<StringRef>(names.begin(), names.end()));
  OpBuilder::InsertionGuard guard(builder.ir);
  builder.ir.setInsertionPointToStart(&op.getBody().front());
  SmallVector<Value> indices;
  for (Value index : op.getBody().getArguments().drop_back())
    indices.push_back(arith::IndexCastOp::create(builder.ir, loc, builder.ir.getI64Type(), index));
  Value value = ParamValueOp::create(builder.ir, loc, param.op.getElementType(),
                                     FlatSymbolRefAttr::get(param.op), indices);
  if (kind == Reduction::Any || kind == Reduction::All)
    return fail(call.getLoc(), "expected a truth value, but got an element of a parameter");
  if (kind == Reduction::Count)
    value = builder.constant(loc, true);
  YieldOp::create(builder.ir, loc, value, Value());
  builder.finishReduce(op);
  builder.ir.setInsertionPointAfter(op);
  return finishReduction(op, kind, call.getLoc());
}
