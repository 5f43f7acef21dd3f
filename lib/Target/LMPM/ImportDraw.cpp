//===- ImportDraw.cpp - Import of draws and the schedule's event ----------===//
//
// A draw's stream is its declaration and its ordinal in there, fixed here; its number is the
// member's rank in a reduction, or the candidate in a score.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// The number of bits of a draw number.
static constexpr unsigned kDrawNumberBits = 32;

/// The draw number, a null value for zero, or nothing after an error. Where several numbers
/// identify a draw they share its bits, the innermost the lowest.
std::optional<Value> Importer::getDrawNumber(const CallExpr &call) {
  std::optional<Value> number = getCandidateNumber(call);
  if (!number)
    return std::nullopt;
  unsigned parts = scope.ranks.size() + scope.inScore;
  if (parts > kDrawNumberBits) {
    fail(ErrorId::WrongPlace, call.getLoc(),
         "a draw stands in " + Twine(kDrawNumberBits) + " reductions at most",
         "name the draw with 'let' outside of them");
    return std::nullopt;
  }
  Location loc = at(&call);
  OpBuilder &ir = builder.ir;
  for (Value rank : scope.ranks) {
    Value inner = arith::IndexCastOp::create(ir, loc, ir.getI64Type(), rank);
    if (!*number) {
      number = inner;
      continue;
    }
    Value bits = builder.constant(loc, static_cast<int64_t>(kDrawNumberBits / parts));
    Value outer = arith::ShLIOp::create(ir, loc, *number, bits);
    number = arith::AddIOp::create(ir, loc, outer, inner).getResult();
  }
  return number;
}

/// The candidate as a number, in a score.
std::optional<Value> Importer::getCandidateNumber(const CallExpr &call) {
  if (!scope.inScore)
    return Value();
  if (scope.candidate.getType().isInteger(64))
    return scope.candidate;
  if (isa<RankedTensorType>(scope.candidate.getType())) {
    fail(ErrorId::WrongPlace, call.getLoc(), "a draw in the score of a vector has no number",
         "name the draw with 'let' outside of it");
    return std::nullopt;
  }
  // Float candidates are distinguished by their bits.
  OpBuilder &ir = builder.ir;
  Value bits = arith::BitcastOp::create(ir, at(&call), ir.getI32Type(), scope.candidate);
  return Value(arith::ExtUIOp::create(ir, at(&call), ir.getI64Type(), bits));
}

/// `bernoulli(p, bits=8)`: the number of deciding bits, 0 for all; nothing after an error.
std::optional<unsigned> Importer::getBits(const CallExpr &call) {
  bool hasBits = call.callee.name == "bernoulli" && call.arguments.size() == 2 &&
                 !call.arguments[0].name && call.arguments[1].name.name == "bits";
  if (!hasBits)
    return 0;
  auto *integer = dyn_cast<IntegerExpr>(call.arguments[1].value);
  if (integer && integer->value >= 1 && integer->value <= 24)
    return static_cast<unsigned>(integer->value);
  fail(ErrorId::LiteralOutOfRange, call.arguments[1].value->getLoc(),
       "expected a number of bits from 1 to 24 as a literal");
  return std::nullopt;
}

/// Rounds up to a multiple of 2^-bits: that many bits of the draw then decide.
Value Importer::roundUp(Value probability, unsigned bits, Location loc) {
  Value scale = builder.constant(loc, static_cast<float>(1u << bits));
  Value scaled = arith::MulFOp::create(builder.ir, loc, probability, scale);
  Value steps = math::CeilOp::create(builder.ir, loc, scaled);
  scale = builder.constant(loc, static_cast<float>(1u << bits));
  return arith::DivFOp::create(builder.ir, loc, steps, scale);
}

Term Importer::evalDraw(const CallExpr &call) {
  StringRef name = call.callee.name;
  if (!scope.allowsDraws)
    return fail(ErrorId::WrongPlace, call.getLoc(),
                Twine(scope.place) + " cannot draw, but got '" + name + "'");
  bool hasOperand = name == "bernoulli" || name == "randint";
  std::optional<unsigned> bits = getBits(call);
  if (!bits || (*bits == 0 && !checkArity(call, hasOperand ? 1 : 0)))
    return {};
  Term operand;
  if (hasOperand) {
    operand = evalAs(call.arguments[0].value, name == "bernoulli" ? Sort::number : Sort::integer);
    if (!operand)
      return {};
  }
  if (*bits != 0)
    operand.value = roundUp(operand.value, *bits, at(&call));
  std::optional<Value> number = getDrawNumber(call);
  if (!number)
    return {};
  // An expression imported several times, as the middle of a chain, is still one draw.
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
  if (!scope.reader || !scope.reader->isSet())
    return fail(ErrorId::WrongPlace, call.getLoc(),
                "'SampleTiles' stands in a rule on a set of events only");
  if (!checkGivenOnce(call.arguments))
    return {};
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
      return fail(ErrorId::WrongArity, argument.name ? argument.name.loc : argument.value->getLoc(),
                  "expected 'strategy=\"…\"' or 'epoch=…'");
    std::string word = text->text.str();
    llvm::replace(word, '-', '_');
    strategy = symbolizeStrategy(word);
    if (!strategy)
      return fail(ErrorId::UnknownWord, text->getLoc(), "unknown strategy '" + text->text + "'",
                  didYouMean(word, {"all", "red_black", "four_color", "recolor", "random", "raster",
                                    "wavefront", "masked", "confidence"}));
  }
  if (!strategy || !epoch)
    return fail(ErrorId::MissingPart, call.getLoc(), "'SampleTiles' needs a strategy and an epoch",
                "as in 'SampleTiles(strategy=\"red-black\", epoch=e)'");
  if (*strategy == Strategy::Random || *strategy == Strategy::Confidence)
    return fail(ErrorId::MissingPart, call.getLoc(),
                "'SampleTiles' has no fraction, which the strategy '" +
                    stringifyStrategy(*strategy) + "' needs",
                "schedule each value, as in 'schedule V[*] using " + stringifyStrategy(*strategy) +
                    "(0.5)'");
  return {SampleTilesOp::create(builder.ir, at(&call), EventType::get(builder.getContext()),
                                *strategy, epoch.value),
          nullptr, Sort::event};
}
