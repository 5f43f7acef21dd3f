//===- ImportCall.cpp - Import of function calls --------------------------===//
//
// Dispatches every function of the language by its name: ordinary functions, those allowed in one
// context only, and those that are known but not implemented yet, which are rejected by name rather
// than misread.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "LCI/Target/LMPM/Foreign.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

ArrayRef<StringRef> mlir::lci::getFunctionNames() {
  static const StringRef names[] = {
      "abs",         "clamp",  "floor",       "ceil",    "round",   "sqrt",      "rsqrt",
      "exp",         "exp2",   "log",         "log2",    "sin",     "cos",       "tan",
      "atan",        "atan2",  "tanh",        "sigmoid", "erf",     "relu",      "pow",
      "popcount",    "min",    "max",         "sum",     "product", "mean",      "count",
      "any",         "all",    "argmin",      "argmax",  "uniform", "bernoulli", "randint",
      "normal",      "change", "read_future", "Palette", "region",  "Model",     "ModelScore",
      "SampleTiles", "dot",    "norm",        "concat",  "softmax"};
  return names;
}

bool Importer::checkArity(const CallExpr &call, unsigned count) {
  for (const Argument &argument : call.arguments)
    if (argument.name) {
      fail(ErrorId::WrongArity, argument.name.loc,
           "'" + call.callee.name + "' takes no argument called '" + argument.name.name + "'");
      return false;
    }
  if (call.arguments.size() == count)
    return true;
  fail(ErrorId::WrongArity, call.getLoc(),
       "'" + call.callee.name + "' takes " + counted(count, "argument", "arguments") +
           ", but got " + Twine(call.arguments.size()),
       hintForArity(call.callee.name));
  return false;
}

/// Reports a call of something that is no function.
Term Importer::failCall(const CallExpr &call) {
  StringRef name = call.callee.name;
  if (values.count(name) || params.count(name) || defs.count(name))
    return fail(ErrorId::WrongType, call.getLoc(), "'" + name + "' is not a function",
                "its indices stand in brackets, as in '" + name + "[x,y]'");
  StringRef hint = hintForFunction(name);
  return fail(ErrorId::UndeclaredName, call.getLoc(), "unknown function '" + name + "'",
              !hint.empty() ? hint.str()
                            : didYouMean(name, getFunctionNames(),
                                         llvm::isUpper(name.front())
                                             ? "a model is asked as 'Model(…)', whatever its "
                                               "function is called"
                                             : "a formula is called with brackets: f[x,y]"));
}

const StringExpr *Importer::getQuotedName(const CallExpr &call, const Twine &example) {
  if (!checkArity(call, 1))
    return nullptr;
  if (auto *name = dyn_cast<StringExpr>(call.arguments[0].value))
    return name;
  fail(ErrorId::WrongType, call.getLoc(), "expected a name in quotes, as in '" + example + "'");
  return nullptr;
}

Term Importer::evalCall(const CallExpr &call) {
  StringRef name = call.callee.name;
  if (isReduction(call))
    return reduce(call, *symbolizeReduction(name));
  enum class Group { function, extremum, draw, model, tiles, constraint, set, vector, unknown };
  Group group =
      llvm::StringSwitch<Group>(name)
          .Cases({"min", "max"}, Group::extremum)
          .Cases({"uniform", "bernoulli", "randint", "normal"}, Group::draw)
          .Cases({"Model", "ModelScore"}, Group::model)
          .Case("SampleTiles", Group::tiles)
          .Cases({"change", "read_future"}, Group::constraint)
          .Cases({"Palette", "VonNeumann", "Moore", "N4", "N8", "Diagonal"}, Group::set)
          .Cases({"dot", "norm", "concat", "softmax"}, Group::vector)
          .Default(llvm::is_contained(getFunctionNames(), name) ? Group::function : Group::unknown);
  switch (group) {
  case Group::function:
    return evalFunction(call);
  case Group::extremum:
    return extremum(call, name == "min");
  case Group::draw:
    return evalDraw(call);
  case Group::model:
    return model(call);
  case Group::tiles:
    return evalSampleTiles(call);
  case Group::constraint:
    return evalConstraintCall(call);
  case Group::set:
    return fail(ErrorId::WrongPlace, call.getLoc(),
                "'" + name + "' is a set and stands right of 'in'");
  case Group::vector:
    return evalVectorCall(call);
  case Group::unknown:
    break;
  }
  return failCall(call);
}

/// The `math` operation of an exact function of a number, or null.
static Value buildExact(OpBuilder &ir, Location loc, StringRef name, Value x) {
  if (name == "abs")
    return math::AbsFOp::create(ir, loc, x);
  if (name == "floor")
    return math::FloorOp::create(ir, loc, x);
  if (name == "ceil")
    return math::CeilOp::create(ir, loc, x);
  if (name == "round")
    return math::RoundEvenOp::create(ir, loc, x);
  return {};
}

Term Importer::evalFunction(const CallExpr &call) {
  StringRef name = call.callee.name;
  Location loc = at(&call);
  if (name == "region")
    return fail(ErrorId::WrongPlace, call.getLoc(),
                "'region' stands in an index of a constraint only");
  bool binary = name == "atan2" || name == "pow";
  unsigned arity = name == "clamp" ? 3 : binary ? 2 : 1;
  if (!checkArity(call, arity))
    return {};
  const Expr *first = call.arguments[0].value;
  if (binary) {
    const Expr *second = call.arguments[1].value;
    Term x = eval(first);
    Term y = x ? eval(second) : Term();
    return buildBinary(*symbolizeElementaryBinary(name), first, x, second, y, loc);
  }
  Term x = toNumbers(eval(first), loc);
  if (!x)
    return {};
  if (name == "clamp") {
    Term low = eval(call.arguments[1].value);
    if (!unify(first, x, call.arguments[1].value, low))
      return {};
    x = combineExtremum(x, low, /*isMin=*/false, loc);
    Term high = eval(call.arguments[2].value);
    if (!unify(first, x, call.arguments[2].value, high))
      return {};
    return combineExtremum(x, high, /*isMin=*/true, loc);
  }
  if (x.sort == Sort::truth)
    x = toInteger(x, loc);
  if (name == "popcount") {
    x = coerce(first, x, Sort::integer);
    if (x)
      x.value = math::CtPopOp::create(builder.ir, loc, x.value);
    return x;
  }
  if (x.sort == Sort::integer && (name == "abs" || name == "relu")) {
    if (name == "relu")
      return combineExtremum(x, {builder.constant(loc, int64_t(0)), {}, Sort::integer}, false, loc);
    x.value = math::AbsIOp::create(builder.ir, loc, x.value);
    return x;
  }
  if (x.sort != Sort::vector)
    x = coerce(first, x, Sort::number);
  if (!x)
    return {};
  if (name == "relu") {
    Term zero{builder.constant(loc, 0.0f), {}, Sort::number};
    return combineExtremum(x, x.length ? asVector(first, zero, x.length) : zero, false, loc);
  }
  if (Value exact = buildExact(builder.ir, loc, name, x.value))
    x.value = exact;
  else
    x.value = ElementaryOp::create(builder.ir, loc, *symbolizeElementary(name), x.value);
  return x;
}

/// Rejects families among the operands, as in `max(near, self)`: they must be reduced first.
bool Importer::checkSingles(const CallExpr &call) {
  for (const Argument &argument : call.arguments) {
    auto *name = dyn_cast<NameExpr>(argument.value);
    bool isBound = llvm::any_of(scope.bound, [&](const Scope::BoundFamily &bound) {
      return isSameExpr(bound.expr, argument.value);
    });
    if (name && !isBound && isMany(name))
      return static_cast<bool>(fail(ErrorId::UnreducedFamily, name->getLoc(),
                                    "expected one value, but got a family of them",
                                    "reduce it alone: '" + call.callee.name + "(" +
                                        call.callee.name + "(" + name->name + "), …)'"));
  }
  return true;
}

/// `min` and `max` of several arguments, from the left.
Term Importer::extremum(const CallExpr &call, bool isMin) {
  if (call.arguments.empty() || !checkArity(call, call.arguments.size()))
    return call.arguments.empty() ? fail(ErrorId::WrongArity, call.getLoc(),
                                         "'" + call.callee.name + "' takes at least 1 argument")
                                  : Term();
  if (call.arguments.size() > 1 && !checkSingles(call))
    return {};
  Term result = toNumbers(eval(call.arguments[0].value), at(&call));
  for (const Argument &argument : call.arguments.drop_front()) {
    Term next = result ? eval(argument.value) : Term();
    if (!unify(call.arguments[0].value, result, argument.value, next))
      return {};
    if (result.sort == Sort::truth) {
      result = toInteger(result, at(&call));
      next = toInteger(next, at(&call));
    }
    if (result.sort == Sort::answer || result.sort == Sort::event)
      return coerce(argument.value, result, Sort::number);
    result = combineExtremum(result, next, isMin, at(&call));
  }
  return result;
}

Term Importer::combineExtremum(Term left, Term right, bool isMin, Location loc) {
  OpBuilder &ir = builder.ir;
  Value value;
  if (left.sort != Sort::integer)
    value = isMin ? Value(arith::MinimumFOp::create(ir, loc, left.value, right.value))
                  : Value(arith::MaximumFOp::create(ir, loc, left.value, right.value));
  else
    value = isMin ? Value(arith::MinSIOp::create(ir, loc, left.value, right.value))
                  : Value(arith::MaxSIOp::create(ir, loc, left.value, right.value));
  return {value, both(left.present, right.present, loc), left.sort, left.length};
}

/// `change(V[…])` and `read_future(V[…])`, on the constraint's target cell.
Term Importer::evalConstraintCall(const CallExpr &call) {
  StringRef name = call.callee.name;
  if (scope.place != "a constraint" || scope.depth > 0)
    return fail(ErrorId::WrongPlace, call.getLoc(), "'" + name + "' stands in constraints only");
  if (!checkArity(call, 1))
    return {};
  const Expr *target = call.arguments[0].value;
  if (target != scope.candidateReference && !isReaderCell(target, *scope.reader))
    return fail(ErrorId::WrongPlace, target->getLoc(),
                "expected the cell that the constraint is on");
  if (name == "change")
    return {ChangesOp::create(builder.ir, at(&call), scope.candidate), nullptr, Sort::truth};
  return {ReadsFutureOp::create(builder.ir, at(&call)), nullptr, Sort::truth};
}
