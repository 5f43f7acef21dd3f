//===- ImportReduce.cpp - Import of reductions ----------------------------===//
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
  if (!checkArity(call, 1))
    return {};
  Range range;
  range.loc = call.getLoc();
  range.body = call.arguments[0].value;
  if (auto *where = dyn_cast<WhereExpr>(range.body)) {
    range.body = where->body;
    range.when = where->condition;
    collectMembers(range.when, range.names);
  }
  collectFree(range.body, /*inIndex=*/false, range.names);
  if (range.when)
    collectFree(range.when, /*inIndex=*/false, range.names);
  SmallVector<const Expr *> families;
  collectFamilies(range.body, families);
  if (range.names.empty() && families.empty())
    return reduceWithoutRange(call, kind, range.body);
  if (families.size() > 1)
    return fail(ErrorId::UnreducedFamily, families.back()->getLoc(),
                "'" + call.callee.name + "' ranges over one family, but got another",
                "write the second one as a reduction of its own");
  // From here on the scope is the reduction's.
  Scope outer = scope;
  llvm::scope_exit restore([&] {
    auto arguments = std::move(scope.modelArguments);
    scope = std::move(outer);
    scope.modelArguments = std::move(arguments);
  });
  return enterRange(range, families.empty() ? nullptr : families.front())
             ? reduceRange(range, kind, outer.lenient)
             : Term();
}

/// Reduces an array parameter, which is the family of its elements, or reports an error.
Term Importer::reduceWithoutRange(const CallExpr &call, Reduction kind, const Expr *body) {
  auto *name = dyn_cast<NameExpr>(body);
  Entity entity = name ? resolve(name->name) : Entity();
  if (entity.kind == Entity::Kind::param && !entity.param->extents.empty())
    return reduceParam(call, kind, *entity.param);
  Term vector = eval(body);
  if (!vector)
    return {};
  if (vector.isVector())
    return reduceVector(body, kind, vector);
  std::string hint =
      "expected a label, a read, or free indices, as in 'sum(V[x+d] when d in -1..1)'";
  return fail(ErrorId::UnreducedFamily, call.getLoc(),
              "'" + call.callee.name + "' has nothing to range over",
              name && isSizeName(name->name) ? didYouMean(name->name, getNamesInScope(), hint)
                                             : hint);
}

/// Evaluates in the scope around the family whose free indices are the last ones.
void Importer::inOuter(llvm::function_ref<void()> evaluate) {
  SmallVector<Scope::Index> inner(llvm::drop_begin(scope.indices, scope.firstFree));
  scope.indices.truncate(scope.firstFree);
  --scope.depth;
  evaluate();
  ++scope.depth;
  scope.indices.append(inner);
}

/// Brings the free indices into scope and sets the values that they range over.
bool Importer::enterRange(Range &range, const Expr *bound) {
  // An index of something undeclared has no range for that reason.
  if (const NameExpr *unknown = findUndeclared(range.body)) {
    failReference(*unknown);
    return false;
  }
  range.outer = getIndexValues();
  range.indexNames = range.names;
  scope.firstFree = range.outer.size();
  ++scope.depth;
  for (StringRef name : range.names)
    scope.indices.push_back({name, Value()});
  SmallVector<LimitText> limits;
  if (bound) {
    std::optional<Family> members = family(bound);
    std::optional<SmallVector<FreeLimits>> ends = std::nullopt;
    if (members)
      inOuter([&] { ends = evalLimits(*members); });
    if (!ends)
      return false;
    for (FreeLimits &limit : *ends)
      limit.free += range.names.size();
    range.limits = *ends;
    range.where = members->where;
    scope.bound.push_back({bound, *members});
    ArrayRef<std::string> names = scope.bound.back().family.names;
    range.indexNames.append(names.begin(), names.end());
    // The family's index names are not in scope: the reduction does not mention them.
    scope.indices.append(names.size(), {"", Value()});
  }
  if (range.when && !split(range.when, range.where, range.dynamic, &limits))
    return false;
  addBareRanges(range.body, range.where);
  if (range.when)
    addBareRanges(range.when, range.where);
  for (const LimitText &text : limits) {
    std::optional<FreeLimits> limit;
    inOuter([&] { limit = evalLimit(text); });
    if (!limit)
      return false;
    range.limits.push_back(*limit);
  }
  return checkBounded(range.where, scope.firstFree, range.names, range.loc);
}

Term Importer::reduceRange(const Range &range, Reduction kind, bool outerLenient) {
  ReduceOp op = builder.reduce(at(range.loc), kind, range.where, range.outer,
                               range.indexNames.size(), range.limits);
  builder.setIndexNames(op, range.indexNames);
  OpBuilder::InsertionGuard guard(builder.ir);
  Block &block = op.getBody().front();
  builder.ir.setInsertionPointToStart(&block);
  for (unsigned i = 0; i < range.indexNames.size(); ++i)
    scope.indices[scope.firstFree + i].value = block.getArgument(i);
  scope.ranks.push_back(block.getArguments().back());
  scope.lenient = true;
  Term member = reduceMember(range.body, kind, range.dynamic);
  if (!member)
    return {};
  YieldOp::create(builder.ir, at(range.body), member.value, member.present);
  builder.finishReduce(op);
  builder.ir.setInsertionPointAfter(op);
  scope.lenient = outerLenient;
  return finishReduction(op, kind, range.loc, member.length);
}

/// The result of the body: for `count` of anything but booleans, whether the member is present.
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
  if (kind == Reduction::Count && member.sort == Sort::truths)
    return fail(ErrorId::WrongType, body->getLoc(),
                "'count' takes one truth value of each member, but got a vector",
                "sum(…) of it counts component by component");
  if (!wantsTruth)
    member = toNumbers(member, at(body));
  if (wantsTruth && member.sort != Sort::truths)
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

Sort Importer::getSort(Type type) {
  bool isTruth = getElementTypeOrSelf(type).isInteger(1);
  return isa<RankedTensorType>(type) ? (isTruth ? Sort::truths : Sort::vector)
         : type.isF32()              ? Sort::number
         : type.isInteger(1)         ? Sort::truth
                                     : Sort::integer;
}

Term Importer::finishReduction(ReduceOp op, Reduction kind, llvm::SMLoc loc, AffineExpr length) {
  bool mayBeAbsent = kind == Reduction::Min || kind == Reduction::Max || kind == Reduction::Mean ||
                     kind == Reduction::ArgMin || kind == Reduction::ArgMax;
  Term result{op.getResult(), mayBeAbsent ? op.getPresent() : Value(),
              getSort(op.getResult().getType()), length};
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
    return fail(ErrorId::WrongType, call.getLoc(),
                "expected a truth value, but got an element of a parameter");
  if (kind == Reduction::Count)
    value = builder.constant(loc, true);
  YieldOp::create(builder.ir, loc, value, Value());
  builder.finishReduce(op);
  builder.ir.setInsertionPointAfter(op);
  return finishReduction(op, kind, call.getLoc());
}
