//===- LargeRules.cpp - Larger than Life ------------------------------------===//
//
// `R5,C0,M1,S34..58,B34..45,NM`: radius, states, whether the cell counts itself, numbers of
// neighbours with which cells survive and are born, and the neighbourhood: a square (M), a diamond
// (N) or a disc (C). `5,34,45,34,58` is K. Evans' notation of the same: radius, births, survivals.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci::golly;

/// The largest radius: a disc of more has more offsets than are worth to be written down.
static constexpr unsigned kMaxRadius = 50;

namespace {
struct Counts {
  unsigned least, most;
};

struct LargeRule {
  unsigned radius = 0, numStates = 2;
  bool countsItself = false;
  SmallVector<Counts> birth, survival;
  char shape = 'M';
};

class LargeParser {
public:
  explicit LargeParser(StringRef text) : text(text) { text.split(fields, ','); }

  llvm::Expected<LargeRule> run() {
    if (llvm::isDigit(text.front()))
      parseNumbers();
    else
      for (StringRef field : fields)
        parseField(field.trim());
    if (rule.radius == 0 || rule.radius > kMaxRadius)
      fail("a radius (R) from 1 to " + Twine(kMaxRadius));
    if (error.empty())
      return rule;
    return llvm::createStringError("expected " + error + ", but got '" + text + "'");
  }

private:
  void fail(const Twine &expected) {
    if (error.empty())
      error = expected.str();
  }

  void parseNumbers() {
    SmallVector<unsigned> numbers(fields.size());
    bool areNumbers = llvm::all_of(llvm::zip(fields, numbers), [](auto pair) {
      return !std::get<0>(pair).trim().getAsInteger(10, std::get<1>(pair));
    });
    if (!areNumbers || numbers.size() != 5)
      return fail("five numbers, as in '5,34,45,34,58'");
    rule.radius = numbers[0];
    rule.birth.push_back({numbers[1], numbers[2]});
    rule.survival.push_back({numbers[3], numbers[4]});
    rule.countsItself = true;
  }

  void parseField(StringRef field) {
    if (!field.empty() && llvm::isDigit(field.front()) && list)
      return parseRange(field);
    char letter = field.empty() ? ' ' : llvm::toUpper(field.front());
    StringRef value = field.drop_front(!field.empty());
    list = letter == 'B' ? &rule.birth : letter == 'S' ? &rule.survival : nullptr;
    unsigned number = 0;
    bool isNumber = !value.getAsInteger(10, number);
    if (list) {
      if (!value.empty())
        parseRange(value);
    } else if (letter == 'R' && isNumber) {
      rule.radius = number;
    } else if (letter == 'C' && isNumber && number <= 256) {
      rule.numStates = std::max(number, 2u); // 0 and 1 say that there is no ageing
    } else if (letter == 'M' && isNumber && number <= 1) {
      rule.countsItself = number;
    } else if (letter == 'N' && value.size() == 1 && StringRef("MNCmnc").contains(value.front())) {
      rule.shape = llvm::toUpper(value.front());
    } else {
      fail("R (a radius), C (0 to 256 states), M (0 or 1), S and B (numbers of neighbours) and N "
           "(M, N or "
           "C), as in 'R5,C0,M1,S34..58,B34..45,NM'");
    }
  }

  /// `34..58`, `34-58` or `34`.
  void parseRange(StringRef value) {
    auto [first, last] = value.split(value.contains("..") ? ".." : "-");
    Counts range;
    last = last.empty() ? first : last;
    if (first.getAsInteger(10, range.least) || last.getAsInteger(10, range.most) ||
        range.least > range.most)
      return fail("numbers of neighbours as '34..58'");
    list->push_back(range);
  }

  StringRef text;
  SmallVector<StringRef> fields;
  LargeRule rule;
  SmallVector<Counts> *list = nullptr; ///< what a field that is a number goes on with
  std::string error;
};
} // namespace

bool mlir::lci::golly::isLargeRule(StringRef text) {
  return text.contains(',') && (text.starts_with_insensitive("R") || llvm::isDigit(text.front()));
}

/// The columns of a disc: offsets whose squares add up to the radius and its square at most, but
/// (0,0).
static std::string writeDisc(int radius) {
  SmallVector<std::string> columns;
  for (int dx = -radius; dx <= radius; ++dx) {
    int dy = radius;
    while (dx * dx + dy * dy > radius * radius + radius)
      --dy;
    std::string half = std::to_string(dy), column = "(dx == " + std::to_string(dx) + " and ";
    if (dx == 0)
      columns.append({column + "-" + half + " <= dy <= -1)", column + "1 <= dy <= " + half + ")"});
    else
      columns.push_back(column + "-" + half + " <= dy <= " + half + ")");
  }
  return llvm::join(columns, " or ");
}

static std::string askRanges(unsigned state, ArrayRef<Counts> ranges) {
  SmallVector<std::string> parts;
  for (Counts range : ranges)
    parts.push_back("n in " + std::to_string(range.least) + ".." + std::to_string(range.most));
  return parts.empty()
             ? ""
             : "(self == " + std::to_string(state) + " and (" + llvm::join(parts, " or ") + "))";
}

llvm::Expected<std::string> mlir::lci::golly::convertLargeRule(StringRef text) {
  llvm::Expected<BoundedRule> bounded = parseGrid(text);
  if (!bounded)
    return bounded.takeError();
  llvm::Expected<LargeRule> rule = LargeParser(bounded->rule).run();
  if (!rule)
    return rule.takeError();
  ProgramText program(text, rule->numStates, bounded->grid);
  std::string radius = "(" + std::to_string(rule->radius) + ")";
  program.seeFamily(rule->shape == 'C'   ? writeDisc(rule->radius)
                    : rule->shape == 'M' ? "(dx,dy) in Moore" + radius
                                         : "(dx,dy) in VonNeumann" + radius);
  program.let("n", rule->countsItself ? "count(near == 1) + (if self == 1 then 1 else 0)"
                                      : "count(near == 1)");
  SmallVector<std::string> cases;
  for (std::string part : {askRanges(0, rule->birth), askRanges(1, rule->survival)})
    if (!part.empty())
      cases.push_back(part);
  return program.finish(writeAging(llvm::join(cases, " or "), rule->numStates));
}
