//===- LargeRules.cpp - Larger than Life ----------------------------------===//
//
// `R5,C0,M1,S34..58,B34..45,NM`: radius, states, whether the cell counts itself, numbers of
// neighbours with which cells survive and are born, and the neighbourhood. `5,34,45,34,58` is K.
// Evans' notation of the same: radius, births, survivals. A weighted neighbourhood may be followed
// by weights of states, as in `R1,C3,S2-9,B4-6,NW123401323,012`.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "LargeShapes.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mlir::lci::GollyError;
using namespace mlir::lci::golly;

/// The largest radius, Golly's limit.
static constexpr unsigned kMaxRadius = 500;

namespace {
struct Counts {
  unsigned least, most;
};

struct LargeRule {
  unsigned radius = 0, numStates = 2;
  bool countsItself = false;
  SmallVector<Counts> birth, survival;
  LargeShape shape;
  std::string stateWeights; ///< a digit in base 16 for each state, or nothing
};

class LargeParser {
public:
  explicit LargeParser(StringRef text) : text(text) {}

  llvm::Expected<LargeRule> run() {
    SmallVector<StringRef> fields;
    text.split(fields, ',');
    if (llvm::isDigit(text.front()))
      parseNumbers(fields);
    else
      for (StringRef field : fields)
        parseField(field.trim());
    if (rule.radius == 0 || rule.radius > kMaxRadius)
      fail(radius, "a radius (R) from 1 to " + Twine(kMaxRadius));
    else if (std::string wanted = parseLargeShape(shapeText, rule.radius, rule.shape);
             !wanted.empty())
      fail(shape, wanted);
    else if (rule.radius > rule.shape.getMaxRadius())
      fail(radius, "a radius (R) from 1 to " + Twine(rule.shape.getMaxRadius()) +
                       " of the neighbourhood N" + Twine(rule.shape.kind));
    checkStateWeights();
    if (!error)
      return rule;
    return llvm::make_error<GollyError>(*error);
  }

private:
  /// Only the first error is kept.
  void fail(StringRef place, const Twine &expected) {
    if (!error)
      error.emplace(place, "expected " + expected + ", but got '" + shorten(text) + "'");
  }

  void parseNumbers(ArrayRef<StringRef> fields) {
    SmallVector<unsigned> numbers(fields.size());
    bool areNumbers = llvm::all_of(llvm::zip(fields, numbers), [](auto pair) {
      return !std::get<0>(pair).trim().getAsInteger(10, std::get<1>(pair));
    });
    if (!areNumbers || numbers.size() != 5)
      return fail(text, "five numbers, as in '5,34,45,34,58'");
    rule.radius = numbers[0];
    rule.birth.push_back({numbers[1], numbers[2]});
    rule.survival.push_back({numbers[3], numbers[4]});
    rule.countsItself = true;
  }

  void parseField(StringRef field) {
    if (!field.empty() && llvm::isDigit(field.front()) && list)
      return parseRange(field);
    char letter = field.empty() ? ' ' : llvm::toUpper(field.front());
    bool isBehindWeights = StringRef(shapeText).starts_with("W") && stateWeights.empty();
    if (isBehindWeights && letter != ' ' &&
        (!StringRef("RCMSBN").contains(letter) || StringRef(letters).contains(letter)))
      return parseStateWeights(field);
    StringRef value = field.drop_front(!field.empty());
    if (StringRef(letters).contains(letter))
      return fail(field, "each of R, C, M, S, B and N once");
    letters += letter;
    list = letter == 'B' ? &rule.birth : letter == 'S' ? &rule.survival : nullptr;
    if (list) {
      if (!value.empty())
        parseRange(value);
    } else if (letter == 'N' && !value.empty()) {
      shape = field;
      shapeText = value.upper();
    } else if (!parseNumber(letter, value, field)) {
      fail(field, "R (a radius), C (0 to 256 states), M (0 or 1), S and B (numbers of neighbours) "
                  "and N (a shape, such as M, N or C), as in 'R5,C0,M1,S34..58,B34..45,NM'");
    }
  }

  /// The text behind the weights is the kind of the grid.
  void parseStateWeights(StringRef field) {
    stateWeights = field;
    if (field.consume_back_insensitive("L"))
      shapeText += "L";
    else if (field.consume_back_insensitive("H"))
      shapeText += "H";
    rule.stateWeights = field.upper();
  }

  void checkStateWeights() {
    bool areDigits = llvm::all_of(rule.stateWeights, [](char c) { return llvm::isHexDigit(c); });
    if (!stateWeights.empty() && (rule.stateWeights.size() != rule.numStates || !areDigits))
      fail(stateWeights, "weights of " + Twine(rule.numStates) + " states as digits in base 16");
  }

  bool parseNumber(char letter, StringRef value, StringRef field) {
    unsigned number;
    if (value.getAsInteger(10, number))
      return false;
    if (letter == 'R')
      rule.radius = number, radius = field;
    else if (letter == 'C' && number <= 256)
      rule.numStates = std::max(number, 2u); // 0 and 1 say that there is no ageing
    else if (letter == 'M' && number <= 1)
      rule.countsItself = number;
    else
      return false;
    return true;
  }

  /// `34..58`, `34-58` or `34`.
  void parseRange(StringRef value) {
    auto [first, last] = value.split(value.contains("..") ? ".." : "-");
    Counts range;
    last = last.empty() ? first : last;
    if (first.getAsInteger(10, range.least) || last.getAsInteger(10, range.most) ||
        range.least > range.most)
      return fail(value, "numbers of neighbours as '34..58'");
    list->push_back(range);
  }

  StringRef text, radius = text, shape = text; ///< all, and the fields of these
  StringRef stateWeights;
  std::string shapeText = "M";
  LargeRule rule;
  SmallVector<Counts> *list = nullptr; ///< the list that a bare number continues
  std::string letters;                 ///< of the fields read so far
  std::optional<GollyError> error;
};
} // namespace

bool mlir::lci::golly::isLargeRule(StringRef text) {
  return text.contains(',') && text.find(',') < text.find(':') &&
         (text.starts_with_insensitive("R") || llvm::isDigit(text.front()));
}

static std::string writeRangeTest(unsigned state, ArrayRef<Counts> ranges) {
  SmallVector<std::string> parts;
  for (Counts range : ranges)
    parts.push_back("n in " + std::to_string(range.least) + ".." + std::to_string(range.most));
  return parts.empty()
             ? ""
             : "(self == " + std::to_string(state) + " and (" + llvm::join(parts, " or ") + "))";
}

/// The weighted count of a cell's neighbours.
static std::string writeNeighbours(ProgramText &program, const LargeRule &rule) {
  bool countsItself = rule.countsItself && rule.shape.kind != 'W'; // as a weight there says
  std::string itself = countsItself ? " + (if self == 1 then 1 else 0)" : "";
  if (!rule.shape.isWeighted())
    return program.reduceNear("count", " == 1") + itself;
  auto weigh = [&](const std::string &cell) {
    return rule.shape.writeWeight() + " * " +
           (rule.stateWeights.empty() ? "(" + cell + " == 1)" : "StateWeight[" + cell + "]");
  };
  return program.sumNear(weigh) + itself;
}

/// The parameters that hold weights.
static void declareWeights(ProgramText &program, const LargeRule &rule) {
  if (rule.shape.hasWeights())
    program.declareParameter("Weight", rule.shape.listWeights());
  SmallVector<std::string> weights;
  for (char digit : rule.stateWeights)
    weights.push_back(std::to_string(llvm::hexDigitValue(digit)));
  if (!weights.empty())
    program.declareParameter("StateWeight", weights);
}

llvm::Expected<std::string> mlir::lci::golly::convertLargeRule(StringRef text) {
  llvm::Expected<BoundedRule> bounded = parseGrid(text);
  if (!bounded)
    return bounded.takeError();
  llvm::Expected<LargeRule> rule = LargeParser(bounded->rule).run();
  if (!rule)
    return rule.takeError();
  ProgramText program(text, rule->numStates, bounded->grid);
  declareWeights(program, *rule);
  program.seeFamily(rule->shape.writeCondition());
  program.let("n", writeNeighbours(program, *rule));
  SmallVector<std::string> cases;
  for (std::string part : {writeRangeTest(0, rule->birth), writeRangeTest(1, rule->survival)})
    if (!part.empty())
      cases.push_back(part);
  return program.finish(writeAging(llvm::join(cases, " or "), rule->numStates));
}
