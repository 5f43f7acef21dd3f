//===- ImportDraw.cpp - Draws and the schedule's event --------------------===//
//
// A draw's stream is the declaration it stands in and its ordinal there, fixed here; its number is
// the member's rank in a reduction, or the candidate in a score.
//
//===----------------------------------------------------------------------===//
#include "Importer.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// The draw number, a null value for zero, or nothing after an error.
std::optional<Value> Importer::getDrawNumber(const CallExpr &call) {
  if (scope.depth + scope.inScore > 1) {
    fail(call.getLoc(),
         "a draw inside a reduction inside another, or inside a score's reduction, "
         "is not supported yet",
         "name the draw with 'let' outside of it");
    return std::nullopt;
  }
  if (scope.depth > 0)
    return Value(
        arith::IndexCastOp::create(builder.ir, at(&call), builder.ir.getI64Type(), scope.rank));
  if (!scope.inScore)
    return Value();
  if (scope.candidate.getType().isInteger(64))
    return scope.candidate;
  // Numbers are told apart by their bits.
  OpBuilder &ir = builder.ir;
  Value bits = arith::BitcastOp::create(ir, at(&call), ir.getI32Type(), scope.candidate);
  return Value(arith::ExtUIOp::create(ir, at(&call), ir.getI64Type(), bits));
}

Term Importer::evalDraw(const CallExpr &call) {
  StringRef name = call.callee.name;
  if (!scope.allowsDraws)
    return fail(call.getLoc(), Twine(scope.place) + " cannot draw, but got '" + name + "'");
  bool hasOperand = name == "bernoulli" || name == "randint";
  if (!checkArity(call, hasOperand ? 1 : 0))
    return {};
  Term operand;
  if (hasOperand) {
    operand = evalAs(call.arguments[0].value, name == "bernoulli" ? Sort::number : Sort::integer);
    if (!operand)
      return {};
  }
  std::optional<Value> number = getDrawNumber(call);
  if (!number)
    return {};
  // An expression that stands for several, as the middle of a chain, is still one draw.
  auto [ordinal, isNew] = ordinals.try_emplace(&call, nextOrdinal);
  nextOrdinal += isNew;
  auto stream = StreamAttr::get(builder.getContext(), scope.declaration, ordinal->second);
  OpBuilder &ir = builder.ir;
  Location loc = at(&call);
  if (name == "bernoulli")
    return {BernoulliOp::create(ir, loc, ir.getI1Type(), operand.value, *number, stream),
            operand.present, Sort::truth};
  if (name == "randint")
    return {RandIntOp::create(ir, loc, ir.getI64Type(), operand.value, *number, stream),
            operand.present, Sort::integer};
  Value value = name == "uniform"
                    ? Value(UniformOp::create(ir, loc, ir.getF32Type(), *number, stream))
                    : Value(NormalOp::create(ir, loc, ir.getF32Type(), *number, stream));
  return {value, nullptr, Sort::number};
}

/// `SampleTiles(strategy="red-black", epoch=e)`.
Term Importer::evalSampleTiles(const CallExpr &call) {
  if (!scope.own || !scope.own->isSet())
    return fail(call.getLoc(), "'SampleTiles' stands in a rule on a set of events only");
  std::optional<Strategy> strategy;
  Term epoch;
  for (const Argument &argument : call.arguments) {
    if (argument.name.name == "epoch") {
      epoch = evalAs(argument.value, Sort::integer);
      if (!epoch)
        return {};
      continue;
    }
    auto *text = dyn_cast<StringExpr>(argument.value);
    if (argument.name.name != "strategy" || !text)
      return fail(argument.name ? argument.name.loc : argument.value->getLoc(),
                  "expected 'strategy=\"…\"' or 'epoch=…'");
    std::string word = text->text.str();
    llvm::replace(word, '-', '_');
    strategy = symbolizeStrategy(word);
    if (!strategy)
      return fail(text->getLoc(), "unknown strategy '" + text->text + "'",
                  didYouMean(word, {"all", "red_black", "four_color", "recolor", "random", "raster",
                                    "wavefront", "masked", "confidence"}));
  }
  if (!strategy || !epoch)
    return fail(call.getLoc(), "'SampleTiles' needs a strategy and an epoch",
                "as in 'SampleTiles(strategy=\"red-black\", epoch=e)'");
  return {SampleTilesOp::create(builder.ir, at(&call), EventType::get(builder.getContext()),
                                *strategy, epoch.value),
          nullptr, Sort::event};
}
