//===- Golly.cpp - The text of a program from a rule of Golly ---------------===//
//
// Rule strings count their neighbours. Tables become a chain of conditionals, the first that fits;
// with `permute`, where only numbers of neighbours matter, each condition says between which
// numbers they lie: by Hall's theorem the places of a transition can be given to the neighbours if
// for each set of states no more neighbours have one of them than places allow one.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "LCI/Target/LMPM/Carets.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "Table.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::golly;

/// Kinds of states that a permuted transition may ask about: each union of them is a condition.
static constexpr size_t kMaxKinds = 6;

static constexpr StringRef kNames[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};
/// Offsets of the neighbours, clockwise from the north, which is at smaller y.
static constexpr std::pair<int, int> kOffsets[] = {{0, -1}, {1, -1}, {1, 0},  {1, 1},
                                                   {0, 1},  {-1, 1}, {-1, 0}, {-1, -1}};

static std::string moved(StringRef index, int by) {
  return by == 0 ? index.str() : (index + (by > 0 ? "+1" : "-1")).str();
}

static std::string getHead(StringRef comment, unsigned numStates) {
  return ("// " + comment + "\nvalue Cell : Token[" + Twine(numStates) +
          "] shape Grid2D(W, H) boundary wrap init randint(" + Twine(numStates) +
          ")\n\nvisible Cell[x,y] <- Cell[x,y]\n")
      .str();
}

static std::string getRule(StringRef lets, StringRef proposal) {
  return ("\nrule Golly:\n  on Cell[x,y]\n" + lets + "  emit proposal Cell[x,y] := " + proposal +
          "\n\ncommit Cell[*] using accept\n")
      .str();
}

static std::string getNear(unsigned numNeighbours) {
  return (Twine("visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in ") +
          (numNeighbours == 8 ? "N8" : "N4") + "\n")
      .str();
}

//===----------------------------------------------------------------------===//
// Rule strings
//===----------------------------------------------------------------------===//

static std::string getSet(StringRef digits) {
  std::string sorted = digits.str();
  llvm::sort(sorted);
  sorted.erase(llvm::unique(sorted), sorted.end());
  std::string text;
  for (char digit : sorted)
    text += (text.empty() ? "" : ", ") + std::string(1, digit);
  return "{" + text + "}";
}

namespace {
/// What a rule string says.
struct RuleString {
  StringRef birth, survival;
  unsigned numStates = 2, numNeighbours = 8;
};
} // namespace

static llvm::Error refuse(StringRef text) {
  return llvm::createStringError(
      "expected a rule as 'B3/S23' or 'B2/S345/C4', or a file with '@TABLE', but got '" + text +
      "'");
}

/// `B3/S23`, `23/3`, `B2/S34V`; of Generations `B2/S345/C4` and `345/2/4`.
static llvm::Expected<RuleString> parseString(StringRef text) {
  RuleString rule;
  StringRef rest = text;
  if (rest.ends_with_insensitive("H"))
    return llvm::createStringError("expected eight neighbours, or four ('V'), but '" + text +
                                   "' is hexagonal");
  if (rest.consume_back_insensitive("V"))
    rule.numNeighbours = 4;
  SmallVector<StringRef> parts;
  rest.split(parts, '/');
  if (parts.size() < 2 || parts.size() > 3)
    return refuse(text);
  bool hasLetters = parts[0].consume_front_insensitive("B");
  if (hasLetters && !parts[1].consume_front_insensitive("S"))
    return refuse(text);
  rule.birth = parts[hasLetters ? 0 : 1];
  rule.survival = parts[hasLetters ? 1 : 0];
  if (parts.size() == 3) {
    if (hasLetters && !parts[2].consume_front_insensitive("C") &&
        !parts[2].consume_front_insensitive("G"))
      return refuse(text);
    if (parts[2].getAsInteger(10, rule.numStates) || rule.numStates < 2 || rule.numStates > 256)
      return llvm::createStringError("expected 2 to 256 states, but got '" + parts[2] + "'");
  }
  StringRef digits = rule.numNeighbours == 4 ? "01234" : "012345678";
  for (StringRef counts : {rule.birth, rule.survival})
    if (counts.find_first_not_of(digits) != StringRef::npos)
      return refuse(text);
  return rule;
}

/// State 1 counts as a neighbour. What does not survive goes on through the states above it, if
/// there are some, and is then dead.
static llvm::Expected<std::string> convertString(StringRef text) {
  llvm::Expected<RuleString> rule = parseString(text);
  if (!rule)
    return rule.takeError();
  auto condition = [](StringRef state, StringRef numbers) {
    return numbers.empty() ? std::string()
                           : "(self == " + state.str() + " and n in " + getSet(numbers) + ")";
  };
  SmallVector<std::string> cases;
  for (std::string part : {condition("0", rule->birth), condition("1", rule->survival)})
    if (!part.empty())
      cases.push_back(part);
  bool isAging = rule->numStates > 2;
  std::string otherwise =
      isAging ? "if self == 0 then 0 else (self + 1) % " + std::to_string(rule->numStates) : "0";
  std::string proposal =
      cases.empty() ? otherwise : "if " + llvm::join(cases, " or ") + " then 1 else " + otherwise;
  return getHead(text, rule->numStates) + getNear(rule->numNeighbours) +
         getRule(isAging ? "  let n = count(near == 1)\n" : "  let n = sum(near)\n", proposal);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Whether a cell has one of some states, or nothing if it always has.
static std::optional<std::string> askState(StringRef cell, const States &states) {
  if (states.all())
    return std::nullopt;
  SmallVector<std::string> members;
  for (unsigned state : states.set_bits())
    members.push_back(std::to_string(state));
  return members.size() == 1 ? (cell + " == " + members.front()).str()
                             : (cell + " in {" + llvm::join(members, ", ") + "}").str();
}

static std::string joinAll(ArrayRef<std::string> parts, StringRef otherwise) {
  return parts.empty() ? otherwise.str() : llvm::join(parts, " and ");
}

/// The neighbours in one order.
static std::string askOrder(const Table &table, const Transition &transition,
                            ArrayRef<unsigned> order) {
  unsigned step = 8 / table.numNeighbours;
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < table.numNeighbours; ++i)
    if (auto part = askState(kNames[order[i] * step], transition.inputs[i + 1]))
      parts.push_back(*part);
  return joinAll(parts, "");
}

/// How many neighbours may have some of the states, for each union of states alike (see above).
static llvm::Expected<std::string> askNumbers(const Transition &transition) {
  ArrayRef<States> places = ArrayRef(transition.inputs).drop_front();
  SmallVector<States> kinds; // states that the same places allow
  for (unsigned state = 0; state < places.front().size(); ++state) {
    auto isAlike = [&](const States &kind) {
      return llvm::all_of(places, [&](const States &place) {
        return place.test(state) == place.test(kind.find_first());
      });
    };
    auto *known = llvm::find_if(kinds, isAlike);
    if (known == kinds.end())
      kinds.push_back(States(places.front().size())), known = &kinds.back();
    known->set(state);
  }
  if (kinds.size() > kMaxKinds)
    return llvm::make_error<GollyError>(
        transition.line,
        ("expected each transition with 'permute' to tell at most " + Twine(kMaxKinds) +
         " kinds of states apart, but got " + Twine(kinds.size()))
            .str());
  SmallVector<std::string> parts;
  for (unsigned choice = 1; choice + 1 < (1u << kinds.size()); ++choice) {
    States states(places.front().size());
    for (auto [i, kind] : llvm::enumerate(kinds))
      if (choice & (1u << i))
        states |= kind;
    size_t most =
        llvm::count_if(places, [&](const States &place) { return place.anyCommon(states); });
    if (most < places.size())
      parts.push_back("count(" + *askState("near", states) + ") <= " + std::to_string(most));
  }
  // No place allows what lies outside of all.
  return joinAll(parts, "");
}

static llvm::Expected<std::string> getCondition(const Table &table, const Transition &transition) {
  std::optional<std::string> centre = askState("self", transition.inputs.front());
  SmallVector<std::string> cases;
  if (table.symmetries == "permute") {
    llvm::Expected<std::string> numbers = askNumbers(transition);
    if (!numbers)
      return numbers.takeError();
    cases.push_back(*numbers);
  } else {
    for (const SmallVector<unsigned> &order : getVariants(table)) {
      std::string one = askOrder(table, transition, order);
      if (!llvm::is_contained(cases, one))
        cases.push_back(one);
    }
  }
  if (llvm::is_contained(cases, ""))
    return centre.value_or("0 == 0");
  std::string any = cases.size() == 1 ? cases.front() : "(" + llvm::join(cases, " or ") + ")";
  return centre ? *centre + " and " + any : any;
}

static llvm::Expected<std::string> convertTable(StringRef text) {
  llvm::Expected<Table> table = parseTable(text);
  if (!table)
    return table.takeError();
  std::string program =
      getHead(table->name.empty() ? "a rule table" : table->name, table->numStates);
  bool isPermuted = table->symmetries == "permute";
  if (isPermuted)
    program += getNear(table->numNeighbours);
  for (unsigned i = 0; i < 8 && !isPermuted; i += 8 / table->numNeighbours)
    program += ("visible " + kNames[i] + ": Cell[x,y] <- Cell[" + moved("x", kOffsets[i].first) +
                "," + moved("y", kOffsets[i].second) + "]\n")
                   .str();
  std::string proposal;
  for (const Transition &transition : table->transitions) {
    llvm::Expected<std::string> condition = getCondition(*table, transition);
    if (!condition)
      return condition.takeError();
    proposal += "if " + *condition + " then " + std::to_string(transition.output) + "\n    else ";
  }
  return program + getRule("", proposal + "self");
}

char GollyError::ID = 0;

llvm::Expected<std::string> lci::convertGolly(StringRef rule) {
  if (rule.contains("@TABLE"))
    return convertTable(rule);
  StringRef text = rule.trim();
  llvm::Expected<std::string> program = convertString(text);
  if (program)
    return program;
  unsigned line = rule.take_front(rule.size() - rule.ltrim().size()).count('\n') + 1;
  return llvm::make_error<GollyError>(line, llvm::toString(program.takeError()));
}

/// Reports an error at the first character of its line.
static void report(llvm::Error error, const llvm::MemoryBuffer &buffer, MLIRContext *context) {
  llvm::handleAllErrors(std::move(error), [&](const GollyError &wrong) {
    StringRef line, rest = buffer.getBuffer();
    for (unsigned i = 0; i < wrong.getLine(); ++i)
      std::tie(line, rest) = rest.split('\n');
    unsigned column = line.size() - line.ltrim().size() + 1;
    emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(), wrong.getLine(), column))
        << ErrorId::GollyRule << wrong.getMessage();
  });
}

void lci::registerGollyTranslation() {
  static TranslateToMLIRRegistration import(
      "import-golly", "read a rule of Golly (B3/S23, or a .rule table) into the program form",
      [](const std::shared_ptr<llvm::SourceMgr> &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer = sources->getMemoryBuffer(sources->getMainFileID());
        lmpm::showCarets(*sources, llvm::errs());
        showErrorIds(context);
        llvm::Expected<std::string> text = convertGolly(buffer->getBuffer());
        if (!text) {
          report(text.takeError(), *buffer, context);
          return {};
        }
        llvm::SourceMgr converted;
        converted.AddNewSourceBuffer(
            llvm::MemoryBuffer::getMemBufferCopy(*text, buffer->getBufferIdentifier()), {});
        return importLMPM(converted, context);
      });
}
