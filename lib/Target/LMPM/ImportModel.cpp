//===- ImportModel.cpp - Import of model calls ----------------------------===//
//
// `Model(…)` and `ModelScore(…)`: each argument is a family of reads, collected into an operand. A
// bare name that is not exactly a read item is matched to one, with a remark that names it.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

Term Importer::model(const CallExpr &call) {
  if (!scope.reader || scope.reader->isSet() || scope.place != "a rule")
    return fail(ErrorId::WrongPlace, call.getLoc(),
                "'" + call.callee.name + "' stands in rules only");
  if (scope.depth > 0)
    return fail(ErrorId::WrongPlace, call.getLoc(),
                "a model is asked once for each cell, not for members of a family",
                "give it the family as an argument");
  bool repeats = call.arguments.size() == 1 && isa<EllipsisExpr>(call.arguments[0].value);
  if (repeats && scope.modelArguments.empty())
    return fail(ErrorId::WrongPlace, call.arguments[0].value->getLoc(),
                "'...' repeats the arguments of the emitted model call, but there is none");
  SmallVector<Value> previous = std::move(scope.modelArguments);
  scope.modelArguments.clear();
  if (repeats)
    scope.modelArguments = previous;
  for (unsigned i = 0; !repeats && i < call.arguments.size(); ++i)
    if (!addModelArgument(call, i))
      return {};
  StringAttr name = builder.getModel(at(&call), call.callee.name);
  auto evaluate =
      EvaluateOp::create(builder.ir, at(&call), TypeRange(AnswerType::get(builder.getContext())),
                         name, scope.modelArguments);
  return {evaluate.getAnswers().front(), nullptr, Sort::answer};
}

bool Importer::addModelArgument(const CallExpr &call, unsigned position) {
  const Argument &argument = call.arguments[position];
  if (argument.name) {
    fail(ErrorId::WrongArity, argument.name.loc,
         "models take no named arguments, but got '" + argument.name.name + "'");
    return false;
  }
  auto *name = dyn_cast<NameExpr>(argument.value);
  const Expr *expr = name ? matchReadItem(*name, position) : argument.value;
  return expr && collect(expr);
}

/// Matches exactly, ignoring case, as a prefix, as any other name, by position: in this order.
const Expr *Importer::matchReadItem(const NameExpr &name, unsigned position) {
  StringRef text = name.name;
  auto find = [&](auto matches) -> const ReadItem * {
    auto it = llvm::find_if(scope.reads, matches);
    return it == scope.reads.end() ? nullptr : &*it;
  };
  if (const ReadItem *item = find([&](const ReadItem &r) { return r.name == text; }))
    return item->expr;
  const ReadItem *item = find([&](const ReadItem &r) { return r.name.equals_insensitive(text); });
  if (!item)
    item = find([&](const ReadItem &r) { return r.name.starts_with_insensitive(text); });
  if (!item && resolve(text).kind != Entity::Kind::none)
    return &name;
  bool byPosition = !item && position < scope.reads.size();
  if (byPosition)
    item = &scope.reads[position];
  if (!item) {
    failUnknown(name);
    return nullptr;
  }
  remark(name.getLoc(), "'" + text + "' is taken as the read '" + item->name + "'" +
                            (byPosition ? ", by its position" : ""));
  return item->expr;
}

/// Whether an expression is a read or a family of reads, rather than computed from them.
static bool isRead(const Expr *expr, Entity entity) {
  using Kind = Entity::Kind;
  if (isa<NameExpr>(expr))
    return entity.kind == Kind::label || entity.kind == Kind::readItem ||
           entity.kind == Kind::value || entity.kind == Kind::self ||
           entity.kind == Kind::previousFrame;
  auto *compare = dyn_cast<CompareExpr>(expr);
  auto *left = compare ? dyn_cast<NameExpr>(compare->operands.front()) : nullptr;
  auto *reference = dyn_cast<IndexExpr>(expr);
  return isa<MaybeExpr>(expr) || (left && left->name == "neighbors") ||
         (reference && entity.kind == Kind::value);
}

/// Adds the members of an argument and their presence to the model's operands.
bool Importer::collect(const Expr *expr) {
  auto *reference = dyn_cast<IndexExpr>(expr);
  auto *name = dyn_cast<NameExpr>(reference ? reference->base : expr);
  Entity entity = name ? resolve(name->name) : Entity();
  if (reference && name && values.count(name->name))
    entity.kind = Entity::Kind::value;
  else if (entity.kind == Entity::Kind::readItem)
    return collect(entity.item->expr);
  std::optional<Family> reads;
  if (isRead(expr, entity) && !isComputed(expr)) {
    reads = family(expr);
    if (!reads)
      return false;
  }
  SmallVector<Value> outer = getIndexValues();
  std::optional<SmallVector<FreeLimits>> limits;
  limits = reads ? evalLimits(*reads) : SmallVector<FreeLimits>();
  if (!limits)
    return false;
  CollectOp op = builder.collect(at(expr), reads ? reads->where : Condition::always(), outer,
                                 reads ? reads->getNumFree() : 0, *limits);
  if (!fillFamily(op, expr, reads ? &*reads : nullptr))
    return false;
  builder.finishCollect(op);
  scope.modelArguments.append({op.getMembers(), op.getPresent()});
  return true;
}

/// Fills the body of a family: a read for each member, or a computed value.
bool Importer::fillFamily(Operation *op, const Expr *expr, const Family *reads) {
  OpBuilder::InsertionGuard guard(builder.ir);
  Block &block = op->getRegion(0).front();
  builder.ir.setInsertionPointToStart(&block);
  size_t numOuter = scope.indices.size();
  bool lenient = scope.lenient;
  size_t numRanks = scope.ranks.size();
  llvm::scope_exit restore([&] {
    scope.indices.truncate(numOuter);
    scope.lenient = lenient;
    scope.ranks.truncate(numRanks);
    --scope.depth;
  });
  scope.lenient = true;
  if (reads) // a computed value is the only member, and has no rank
    scope.ranks.push_back(block.getArguments().back());
  ++scope.depth;
  if (reads) {
    builder.setIndexNames(op, SmallVector<StringRef>(reads->names.begin(), reads->names.end()));
    for (unsigned i = 0; i < reads->getNumFree(); ++i)
      scope.indices.push_back({"", block.getArgument(i)});
  }
  Term member = reads ? readMember(*reads, expr->getLoc()) : eval(expr);
  if (member && (member.sort == Sort::answer || member.sort == Sort::event ||
                 (member.sort == Sort::vector && isa<CollectOp>(op))))
    member = coerce(expr, member, Sort::number);
  if (member)
    YieldOp::create(builder.ir, at(expr), member.value, member.present);
  return static_cast<bool>(member);
}
