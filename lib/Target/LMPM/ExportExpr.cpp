//===- ExportExpr.cpp - Export of expressions -----------------------------===//
//
// The inverse of ImportExpr.cpp: every operation is written as the operator or function that it is
// imported from. Implicit conversions are not written, nor is presence.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

std::string mlir::lci::formatNumber(const APFloat &value) {
  float number = value.convertToFloat();
  std::string text;
  for (int digits = 1; digits <= 9; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, number);
    APFloat back(APFloat::IEEEsingle());
    if (!llvm::errorToBool(
            back.convertFromString(text, APFloat::rmNearestTiesToEven).takeError()) &&
        back.bitwiseIsEqual(value))
      break;
  }
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string Exporter::at(Value value, Precedence lowest) {
  Text text = print(value);
  return text.precedence < lowest ? "(" + text.text + ")" : text.text;
}

Text Exporter::binary(StringRef sign, Precedence precedence, Value left, Value right) {
  // All these operators group to the left. Parentheses that the grammar does not need are added
  // where few readers know the precedence.
  bool unusual = precedence == Precedence::bitOr || precedence == Precedence::bitAnd ||
                 precedence == Precedence::shift;
  Precedence inner = precedence == Precedence::logicalOr ? Precedence::logicalNot
                     : unusual                           ? Precedence::unary
                                                         : precedence;
  auto same = [&](const Text &text) { return text.precedence == precedence && !unusual; };
  Text first = print(left);
  std::string text = first.precedence < inner && !same(first) ? "(" + first.text + ")" : first.text;
  return {text + " " + sign.str() + " " + at(right, std::max(inner, tighter(precedence))),
          precedence};
}

Text Exporter::binary(BinaryOp op, Value left, Value right) {
  return binary(getSpelling(op), getPrecedence(op), left, right);
}

Text Exporter::compare(StringRef sign, Value left, Value right) {
  std::string first = at(left, Precedence::range);
  return {first + " " + sign.str() + " " + at(right, Precedence::range), Precedence::compare};
}

Text Exporter::unary(UnaryOp op, Value operand) {
  bool isNot = op == UnaryOp::logicalNot;
  Precedence precedence = isNot ? Precedence::logicalNot : Precedence::unary;
  return {(isNot ? "not " : getSpelling(op).str()) + at(operand, precedence), precedence};
}

Text Exporter::call(StringRef name, ValueRange operands) {
  std::string text = name.str() + "(";
  for (auto [i, operand] : llvm::enumerate(operands))
    text += (i == 0 ? "" : ", ") + print(operand).text;
  return {text + ")"};
}

Text Exporter::printConstant(arith::ConstantOp op) {
  if (auto real = dyn_cast<FloatAttr>(op.getValue())) {
    if (!real.getValue().isFinite()) {
      fail(op, "a constant that is not finite");
      return {};
    }
    return {formatNumber(real.getValue()),
            real.getValue().isNegative() ? Precedence::unary : Precedence::postfix};
  }
  auto integer = dyn_cast<IntegerAttr>(op.getValue());
  if (!integer) {
    fail(op, "an array constant");
    return {};
  }
  if (integer.getType().isInteger(1))
    return {integer.getValue().isZero() ? "0 == 1" : "0 == 0", Precedence::compare};
  int64_t value = integer.getInt();
  return {std::to_string(value), value < 0 ? Precedence::unary : Precedence::postfix};
}

/// Whether a value is computed from presence alone.
bool Exporter::isPresence(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isInteger(1))
    return false;
  if (isa<ReadOp, ReduceOp, ApplyOp>(op))
    return cast<OpResult>(value).getResultNumber() == 1;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return matchPattern(constant.getResult(), m_One());
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    return isPresence(op->getOperand(0)) && isPresence(op->getOperand(1));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isPresence(select.getTrueValue()) && isPresence(select.getFalseValue());
  return false;
}

/// The operands of a nested conjunction that are not presence, in order, so that they read back the
/// same. A chain of comparisons is one operand.
void Exporter::splitPresence(Value value, SmallVectorImpl<Value> &conditions) {
  if (!value || isPresence(value))
    return;
  auto conjunction = value.getDefiningOp<arith::AndIOp>();
  if (!conjunction || !getChain(conjunction).empty()) {
    conditions.push_back(value);
    return;
  }
  splitPresence(conjunction.getLhs(), conditions);
  splitPresence(conjunction.getRhs(), conditions);
}

Text Exporter::printSelect(arith::SelectOp op) {
  if (isPresence(op.getCondition())) {
    std::string left = at(op.getTrueValue(), Precedence::coalesce);
    // The replacement may have a sign.
    bool isLiteral = op.getFalseValue().getDefiningOp<arith::ConstantOp>() != nullptr;
    Precedence lowest = isLiteral ? Precedence::unary : Precedence::postfix;
    return {left + " ?? " + at(op.getFalseValue(), lowest), Precedence::coalesce};
  }
  std::string condition = print(op.getCondition()).text;
  std::string onTrue = print(op.getTrueValue()).text;
  return {"if " + condition + " then " + onTrue + " else " + print(op.getFalseValue()).text,
          Precedence::conditional};
}

Text Exporter::printDraw(Operation *op, StringRef name, StreamAttr stream, ValueRange operands) {
  Text text = call(name, operands);
  if (stream.getDeclaration() != number || stream.getOrdinal() != nextOrdinal)
    fail(op, "a draw whose stream is not the one its place implies, <" + Twine(number) + ", " +
                 Twine(nextOrdinal) + ">");
  ++nextOrdinal;
  return text;
}

Text Exporter::print(Value value) {
  // IR made by hand may share a value or nest it deeper than a text can.
  if (++numPrinted > printLimit || depth > depthLimit) {
    fail(current, "an expression of this size");
    return {};
  }
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  if (auto it = names.find(value); it != names.end())
    return {it->second};
  if (Operation *op = value.getDefiningOp())
    return printOp(op);
  if (!value.getType().isIndex())
    return {candidate};
  fail(current, "an index without a name");
  return {};
}

static StringRef getSign(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return "<";
  case arith::CmpIPredicate::sle:
    return "<=";
  case arith::CmpIPredicate::sgt:
    return ">";
  case arith::CmpIPredicate::sge:
    return ">=";
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  default:
    return "";
  }
}

static StringRef getSign(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OLT:
    return "<";
  case arith::CmpFPredicate::OLE:
    return "<=";
  case arith::CmpFPredicate::OGT:
    return ">";
  case arith::CmpFPredicate::OGE:
    return ">=";
  case arith::CmpFPredicate::OEQ:
    return "==";
  case arith::CmpFPredicate::UNE:
    return "!=";
  default:
    return "";
  }
}

/// The operator of an operation on two integers or two numbers.
static std::optional<BinaryOp> getOperator(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<BinaryOp>>(op)
      .Case<arith::AddIOp, arith::AddFOp>([](auto) { return BinaryOp::add; })
      .Case<arith::SubIOp, arith::SubFOp>([](auto) { return BinaryOp::subtract; })
      .Case<arith::MulIOp, arith::MulFOp>([](auto) { return BinaryOp::multiply; })
      .Case<FloorDivOp, arith::DivFOp>([](auto) { return BinaryOp::divide; })
      .Case<FloorModOp>([](auto) { return BinaryOp::modulo; })
      .Case<arith::ShLIOp>([](auto) { return BinaryOp::shiftLeft; })
      .Case<arith::ShRSIOp>([](auto) { return BinaryOp::shiftRight; })
      .Case<arith::AndIOp>([](arith::AndIOp op) {
        return getElementTypeOrSelf(op).isInteger(1) ? BinaryOp::logicalAnd : BinaryOp::bitAnd;
      })
      .Case<arith::OrIOp>([](arith::OrIOp op) {
        return getElementTypeOrSelf(op).isInteger(1) ? BinaryOp::logicalOr : BinaryOp::bitOr;
      })
      .Case<arith::XOrIOp>([](auto) { return BinaryOp::bitXor; })
      .Default([](Operation *) { return std::nullopt; });
}

/// The name of the function that an operation is written as, or an empty name.
static StringRef getFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return "min"; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return "max"; })
      .Case<math::AbsFOp, math::AbsIOp>([](auto) { return "abs"; })
      .Case<math::FloorOp>([](auto) { return "floor"; })
      .Case<math::CeilOp>([](auto) { return "ceil"; })
      .Case<math::RoundEvenOp>([](auto) { return "round"; })
      .Case<math::CtPopOp>([](auto) { return "popcount"; })
      .Case<ElementaryOp>([](ElementaryOp e) { return stringifyElementary(e.getFunction()); })
      .Case<ElementaryBinaryOp>(
          [](ElementaryBinaryOp e) { return stringifyElementaryBinary(e.getFunction()); })
      .Default([](Operation *) { return StringRef(); });
}

/// `-x`, which is imported with its zero behind x; `0 - x` has it before.
static bool isNegation(arith::SubIOp op) {
  Operation *zero = op.getLhs().getDefiningOp(), *operand = op.getRhs().getDefiningOp();
  if (!matchPattern(op.getLhs(), m_Zero()))
    return false;
  return !operand || operand->getBlock() != zero->getBlock() || operand->isBeforeInBlock(zero);
}

/// A true constant, or one spread to a vector.
static bool isAlways(Value truth) {
  auto spread = truth.getDefiningOp<SpreadOp>();
  return matchPattern(spread ? spread.getNumber() : truth, m_One());
}

/// A comparison that may be part of a chain, of integers or numbers, or null.
static Operation *getChaining(Value truth) {
  Operation *op = truth.getDefiningOp();
  if (auto cmp = dyn_cast_or_null<arith::CmpIOp>(op))
    return cmp.getPredicate() == arith::CmpIPredicate::slt ||
                   cmp.getPredicate() == arith::CmpIPredicate::sle
               ? op
               : nullptr;
  auto cmp = dyn_cast_or_null<arith::CmpFOp>(op);
  return cmp && (cmp.getPredicate() == arith::CmpFPredicate::OLT ||
                 cmp.getPredicate() == arith::CmpFPredicate::OLE)
             ? op
             : nullptr;
}

/// The operand of implicit conversions, and of those between equal types.
static Value withoutConversion(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::SIToFPOp, arith::UIToFPOp, arith::ExtUIOp, SpreadOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether one value, computed once, is the operand of two comparisons: writing it twice would
/// compute it twice.
bool Exporter::isShared(Value left, Value right) const {
  Value first = withoutConversion(left);
  return first == withoutConversion(right) && first.getDefiningOp() && !names.count(left) &&
         !names.count(first);
}

/// The comparisons of `a <= b < c …` in order; none if it is no such chain.
SmallVector<Operation *> Exporter::getChain(arith::AndIOp conjunction) const {
  SmallVector<Operation *> chain;
  if (auto before = conjunction.getLhs().getDefiningOp<arith::AndIOp>())
    chain = getChain(before);
  else if (Operation *first = getChaining(conjunction.getLhs()))
    chain.push_back(first);
  Operation *last = getChaining(conjunction.getRhs());
  if (chain.empty() || !last || !isShared(chain.back()->getOperand(1), last->getOperand(0)))
    return {};
  chain.push_back(last);
  return chain;
}

Text Exporter::printChain(ArrayRef<Operation *> chain) {
  std::string text = at(chain.front()->getOperand(0), Precedence::range);
  for (Operation *op : chain) {
    auto integers = dyn_cast<arith::CmpIOp>(op);
    StringRef sign = integers ? getSign(integers.getPredicate())
                              : getSign(cast<arith::CmpFOp>(op).getPredicate());
    text += " " + sign.str() + " " + at(op->getOperand(1), Precedence::range);
  }
  return {text, Precedence::compare};
}

/// The common member of all cases of a disjunction, if it is computed once: `x in {…}`. Null
/// otherwise.
Value Exporter::getMember(Value truth) const {
  Operation *op = truth.getDefiningOp();
  if (auto either = dyn_cast_or_null<arith::OrIOp>(op)) {
    Value left = getMember(either.getLhs()), right = getMember(either.getRhs());
    return left && right && isShared(left, right) ? left : Value();
  }
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op)) {
    SmallVector<Operation *> chain = getChain(both);
    bool isRange =
        chain.size() == 2 && llvm::all_of(chain, [](Operation *cmp) {
          auto integers = dyn_cast<arith::CmpIOp>(cmp);
          return integers ? integers.getPredicate() == arith::CmpIPredicate::sle
                          : cast<arith::CmpFOp>(cmp).getPredicate() == arith::CmpFPredicate::OLE;
        });
    return isRange ? chain.front()->getOperand(1) : Value();
  }
  if (auto integers = dyn_cast_or_null<arith::CmpIOp>(op))
    return integers.getPredicate() == arith::CmpIPredicate::eq ? integers.getLhs() : Value();
  if (auto numbers = dyn_cast_or_null<arith::CmpFOp>(op))
    return numbers.getPredicate() == arith::CmpFPredicate::OEQ ? numbers.getLhs() : Value();
  if (auto member = dyn_cast_or_null<InPaletteOp>(op))
    return member.getToken();
  return {};
}

/// The set of such a disjunction; for points alone, their list without braces.
Text Exporter::printSet(Value truth, bool &isList) {
  isList = false;
  Operation *op = truth.getDefiningOp();
  if (auto either = dyn_cast<arith::OrIOp>(op)) {
    bool leftIsList = false, rightIsList = false;
    std::string left = printSet(either.getLhs(), leftIsList).text;
    std::string right = printSet(either.getRhs(), rightIsList).text;
    bool rightIsPoint = !either.getRhs().getDefiningOp<arith::OrIOp>() && rightIsList;
    isList = leftIsList && rightIsPoint;
    if (isList)
      return {left + ", " + right};
    bool isUnion = either.getRhs().getDefiningOp<arith::OrIOp>() && !rightIsList;
    auto braced = [](const std::string &text, bool list) { return list ? "{" + text + "}" : text; };
    right = braced(right, rightIsList);
    return {braced(left, leftIsList) + " | " + (isUnion ? "(" + right + ")" : right)};
  }
  if (auto both = dyn_cast<arith::AndIOp>(op)) {
    SmallVector<Operation *> chain = getChain(both);
    return {"(" + at(chain[0]->getOperand(0), tighter(Precedence::range)) + ".." +
            at(chain[1]->getOperand(1), tighter(Precedence::range)) + ")"};
  }
  if (auto member = dyn_cast<InPaletteOp>(op))
    return {"Palette(\"" + member.getPalette().str() + "\")"};
  isList = true;
  return {print(op->getOperand(1)).text};
}

Text Exporter::printMembership(arith::OrIOp either, Value member) {
  bool isList = false;
  std::string text = at(member, Precedence::range) + " in ";
  std::string set = printSet(either.getResult(), isList).text;
  return {text + (isList ? "{" + set + "}" : set), Precedence::compare};
}

Text Exporter::printOp(Operation *op) {
  if (auto both = dyn_cast<arith::AndIOp>(op))
    if (SmallVector<Operation *> chain = getChain(both); !chain.empty())
      return printChain(chain);
  if (auto either = dyn_cast<arith::OrIOp>(op))
    if (Value member = getMember(either.getResult()))
      return printMembership(either, member);
  // `-0` would be read as the literal 0.
  if (auto sub = dyn_cast<arith::SubIOp>(op);
      sub && isNegation(sub) && !matchPattern(sub.getRhs(), m_Zero()))
    return unary(UnaryOp::negate, sub.getRhs());
  if (auto flip = dyn_cast<arith::XOrIOp>(op);
      flip && getElementTypeOrSelf(flip).isInteger(1) && isAlways(flip.getRhs()))
    return unary(UnaryOp::logicalNot, flip.getLhs());
  APInt ones;
  if (auto flip = dyn_cast<arith::XOrIOp>(op);
      flip && matchPattern(flip.getRhs(), m_ConstantInt(&ones)) && ones.isAllOnes())
    return unary(UnaryOp::complement, flip.getLhs());
  if (Text vector = printVector(op); !vector.text.empty())
    return vector;
  if (std::optional<BinaryOp> sign = getOperator(op))
    return binary(*sign, op->getOperand(0), op->getOperand(1));
  if (StringRef name = getFunction(op); !name.empty())
    return call(name, op->getOperands());
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case<arith::ConstantOp>([&](arith::ConstantOp c) { return printConstant(c); })
      .Case<arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp, arith::IndexCastOp, UnwrapOp>(
          [&](Operation *conversion) { return print(conversion->getOperand(0)); })
      .Case<LetOp>([&](LetOp let) { return print(let.getValue()); })
      .Case<arith::NegFOp>([&](auto neg) { return unary(UnaryOp::negate, neg.getOperand()); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp cmp) {
        return compare(getSign(cmp.getPredicate()), cmp.getLhs(), cmp.getRhs());
      })
      .Case<arith::CmpFOp>([&](arith::CmpFOp cmp) {
        return compare(getSign(cmp.getPredicate()), cmp.getLhs(), cmp.getRhs());
      })
      .Case<arith::SelectOp>([&](arith::SelectOp select) { return printSelect(select); })
      .Case<PowerOp>([&](PowerOp power) {
        return Text{at(power.getBase(), Precedence::coalesce) + "^" +
                        std::to_string(power.getExponent()),
                    Precedence::power};
      })
      .Case<ReadOp>([&](ReadOp read) { return printRead(read); })
      .Case<ReduceOp>([&](ReduceOp reduce) { return printReduce(reduce); })
      .Case<EvaluateOp>([&](EvaluateOp evaluate) { return printEvaluate(evaluate); })
      .Case<SizeOp>([&](SizeOp size) { return Text{size.getName().str()}; })
      .Case<EpochOp>([&](EpochOp) { return Text{reader && reader.isSet() ? "e" : "epoch"}; })
      .Case<ParamValueOp>([&](ParamValueOp value) {
        std::string text = value.getParam().str();
        for (auto [i, index] : llvm::enumerate(value.getIndices()))
          text += (i == 0 ? "[" : ", ") + print(index).text;
        return Text{text + (value.getIndices().empty() ? "" : "]")};
      })
      .Case<ApplyOp>([&](ApplyOp apply) {
        return Text{cell(apply.getFormula(), namesOf(apply.getIndices()))};
      })
      .Default([&](Operation *other) { return printSpecial(other); });
}

/// Operations of vectors alone; an empty text for all others.
Text Exporter::printVector(Operation *op) {
  auto root = dyn_cast<ElementaryOp>(op); // norm(v)
  auto square = root ? root.getOperand().getDefiningOp<DotOp>() : DotOp();
  if (square && root.getFunction() == Elementary::Sqrt && square.getLhs() == square.getRhs())
    return call("norm", square.getLhs());
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case<SpreadOp>([&](SpreadOp spread) { return print(spread.getNumber()); })
      .Case<DotOp>([&](DotOp dot) { return call("dot", dot->getOperands()); })
      .Case<ConcatOp>([&](ConcatOp parts) { return call("concat", parts->getOperands()); })
      .Case<SoftmaxOp>([&](SoftmaxOp softmax) { return call("softmax", softmax.getVector()); })
      .Case<MatVecOp>([&](MatVecOp product) {
        return binary(BinaryOp::matmul, product.getMatrix(), product.getVector());
      })
      .Case<ComponentOp>([&](ComponentOp part) {
        std::string index = compact(print(part.getIndex()).text);
        return Text{at(part.getVector(), Precedence::postfix) + "[" + index + "]"};
      })
      .Default([](Operation *) { return Text(); });
}

/// Operations of rules, constraints and schedules alone.
Text Exporter::printSpecial(Operation *op) {
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case<ChangesOp>([&](ChangesOp) { return Text{"change(" + candidateCell + ")"}; })
      .Case<ReadsFutureOp>(
          [&](ReadsFutureOp) { return Text{"read_future(" + candidateCell + ")"}; })
      .Case<InPaletteOp>([&](InPaletteOp in) {
        return Text{at(in.getToken(), Precedence::range) + " in Palette(\"" +
                        in.getPalette().str() + "\")",
                    Precedence::compare};
      })
      .Case<BernoulliOp>([&](BernoulliOp d) {
        return printDraw(d, "bernoulli", d.getStream(), d.getProbability());
      })
      .Case<RandIntOp>(
          [&](RandIntOp d) { return printDraw(d, "randint", d.getStream(), d.getBound()); })
      .Case<UniformOp>([&](UniformOp d) { return printDraw(d, "uniform", d.getStream(), {}); })
      .Case<NormalOp>([&](NormalOp d) { return printDraw(d, "normal", d.getStream(), {}); })
      .Case<SampleTilesOp>([&](SampleTilesOp tiles) {
        std::string strategy = stringifyStrategy(tiles.getStrategy()).str();
        llvm::replace(strategy, '_', '-');
        return Text{"SampleTiles(strategy=\"" + strategy +
                    "\", epoch=" + print(tiles.getEpoch()).text + ")"};
      })
      .Default([&](Operation *unknown) {
        fail(unknown, "'" + unknown->getName().getStringRef() + "'");
        return Text();
      });
}
