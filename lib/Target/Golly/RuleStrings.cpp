//===- RuleStrings.cpp - Rule strings of one line -------------------------===//
//
// Births and survivals by numbers of neighbours (`B3/S23`), by their arrangement (`B2-a/S12`, the
// notation of A. Hensel), all 512 cases (`MAP…`), and rules of one dimension (`W110`).
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mlir::lci::GollyError;
using namespace mlir::lci::golly;

std::string mlir::lci::golly::shorten(StringRef text) {
  size_t end = 60;
  if (text.size() <= end)
    return text.str();
  while ((text[end] & 0xc0) == 0x80) // inside a UTF-8 character
    --end;
  return text.take_front(end).str() + "…";
}

/// Names of Golly's files and of other programs' rules: `WireWorld`, `LifeHistory`.
static bool isName(StringRef text) {
  return text.size() > 2 && !text.starts_with("MAP") && llvm::isAlpha(text[0]) &&
         !llvm::isDigit(text[1]) && llvm::all_of(text, [](char c) {
           return llvm::isAlnum(c) || StringRef("_-+.").contains(c);
         });
}

/// `place` is where `text` is no rule; `bounds` are its grid, with the colon.
static llvm::Error refuse(StringRef place, StringRef text, StringRef bounds = "") {
  std::string hint =
      "'" + text.str() + "' is the name of a rule: give its file, '" + text.str() + ".rule'";
  if (!bounds.empty())
    hint += ", in which '@RULE " + (text + bounds).str() + "' names the grid, too";
  return llvm::make_error<GollyError>(
      isName(text) ? text : place,
      "expected a rule as 'B3/S23', 'B2/S345/C4', 'B2-a/S12', 'R5,C0,M1,S34..58,B34..45,NM', "
      "'MAP…' or 'W110', or a file with '@TABLE' or '@TREE', but got '" +
          shorten(text) + "'",
      isName(text) ? hint : "");
}

std::string mlir::lci::golly::writeAging(StringRef lives, unsigned numStates) {
  std::string otherwise =
      numStates > 2 ? "if self == 0 then 0 else (self + 1) % " + std::to_string(numStates) : "0";
  return lives.empty() ? otherwise : ("if " + lives + " then 1 else " + otherwise).str();
}

//===----------------------------------------------------------------------===//
// Arrangements
//===----------------------------------------------------------------------===//

/// Neighbours as bits, clockwise from the north.
using Mask = unsigned;
static constexpr unsigned kNumNeighbours = 8;
static constexpr Mask kAllNeighbours = 255;

/// A representative of each letter of Hensel's notation, by the number of neighbours up to four;
/// those of more neighbours are the complements. All rotations and reflections have the same
/// letter.
static constexpr StringRef kLetters = "ceaiknjqrytwz";
static const SmallVector<Mask> kArrangements[] = {
    {},
    {0x08, 0x10},
    {0x28, 0x14, 0x18, 0x44, 0x48, 0x22},
    {0x2a, 0x54, 0x1c, 0x38, 0x52, 0x2c, 0x34, 0x32, 0x4c, 0x4a},
    {0xaa, 0x55, 0x3c, 0x6c, 0x5a, 0x3a, 0x56, 0x72, 0x5c, 0x6a, 0x4e, 0x36, 0x66}};

static Mask rotated(Mask mask) { return (mask << 2 | mask >> 6) & kAllNeighbours; }

/// Reflects east and west: the neighbour i becomes the neighbour -i.
static Mask mirrored(Mask mask) {
  Mask result = 0;
  for (unsigned i = 0; i < kNumNeighbours; ++i)
    if (mask & (1u << i))
      result |= 1u << ((kNumNeighbours - i) % kNumNeighbours);
  return result;
}

/// Whether an arrangement has the letter.
static bool isArrangedAs(Mask mask, char letter) {
  unsigned count = llvm::popcount(mask);
  if (count > kNumNeighbours / 2) {
    mask ^= kAllNeighbours;
    count = kNumNeighbours - count;
  }
  Mask wanted = kArrangements[count][kLetters.find(letter)];
  for (unsigned rotation = 0; rotation < 4; ++rotation, mask = rotated(mask))
    if (mask == wanted || mirrored(mask) == wanted)
      return true;
  return false;
}

/// The number of letters for a number of neighbours.
static size_t getNumLetters(unsigned count) {
  return kArrangements[std::min(count, kNumNeighbours - count)].size();
}

namespace {
/// A number of neighbours with its arrangements: those listed, or all but those; without letters
/// all.
struct Count {
  unsigned number = 0;
  bool isNegated = false;
  std::string letters;

  bool holds(Mask mask) const {
    if (static_cast<unsigned>(llvm::popcount(mask)) != number)
      return false;
    bool isListed = llvm::any_of(letters, [&](char letter) { return isArrangedAs(mask, letter); });
    return letters.empty() || isListed != isNegated;
  }
};

/// Births and survivals.
struct LifeRule {
  SmallVector<Count> birth, survival;
  unsigned numStates = 2;
  char neighbours = ' '; ///< V: four, H: six

  bool hasLetters() const {
    auto has = [](const Count &count) { return !count.letters.empty(); };
    return llvm::any_of(birth, has) || llvm::any_of(survival, has);
  }
  unsigned getNumNeighbours() const { return neighbours == 'V' ? 4 : neighbours == 'H' ? 6 : 8; }
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Parses `2-a3`. Returns the part that is no count, or an empty text if all is well.
static StringRef parseCounts(StringRef text, unsigned numNeighbours,
                             SmallVectorImpl<Count> &counts) {
  while (!text.empty()) {
    unsigned number = text.front() - '0';
    if (!llvm::isDigit(text.front()) || number > numNeighbours)
      return text;
    Count count;
    count.number = number;
    text = text.drop_front();
    count.isNegated = text.consume_front("-");
    StringRef letters = text.take_while([](char c) { return kLetters.contains(llvm::toLower(c)); });
    count.letters = letters.lower();
    size_t known = count.letters.size();
    for (size_t i = letters.size(); i-- > 0;)
      if (numNeighbours != kNumNeighbours ||
          kLetters.find(count.letters[i]) >= getNumLetters(number))
        known = i;
    if (known < letters.size() || (count.isNegated && letters.empty()))
      return text.drop_front(known);
    text = text.drop_front(letters.size());
    counts.push_back(count);
  }
  return StringRef();
}

/// Splits at `/` or `_`, and before parts that begin with a letter: `B3S23`.
static SmallVector<StringRef> splitParts(StringRef text) {
  SmallVector<StringRef> parts;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    bool isBetween = StringRef("/_").contains(text[at]);
    if (isBetween || (at > begin && StringRef("bBsS").contains(text[at]))) {
      parts.push_back(text.slice(begin, at));
      begin = at + isBetween;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

static llvm::Error refuseStates(StringRef text) {
  return llvm::make_error<GollyError>(text, "expected 2 to 256 states, but got '" + text + "'");
}

/// `B3/S23`, `S23/B3`, `23/3`; of Generations `B2/S345/C4` and `345/2/4`; with `V` or `H` at the
/// end.
static llvm::Expected<LifeRule> parseLife(StringRef whole) {
  LifeRule rule;
  StringRef text = whole;
  for (StringRef suffix : {"V", "H"})
    if (rule.neighbours != 'V' && text.consume_back_insensitive(suffix))
      rule.neighbours = suffix.front();
  SmallVector<StringRef> parts = splitParts(text);
  bool isMarked = StringRef("bBsS").contains(text.empty() ? ' ' : text.front());
  if (parts.size() < (isMarked ? 1u : 2u) || parts.size() > 3)
    return refuse(whole, whole);
  StringRef birth = isMarked ? "" : parts[1], survival = isMarked ? "" : parts[0];
  unsigned numBirths = 0, numSurvivals = 0;
  for (StringRef part : ArrayRef(parts).take_front(isMarked ? parts.size() : 0)) {
    StringRef counts = part;
    if (counts.consume_front_insensitive("B"))
      birth = counts, ++numBirths;
    else if (counts.consume_front_insensitive("S"))
      survival = counts, ++numSurvivals;
    if (numBirths > 1 || numSurvivals > 1)
      return refuse(part, whole);
  }
  StringRef states = parts.back();
  bool hasStates =
      isMarked ? states.consume_front_insensitive("C") || states.consume_front_insensitive("G") ||
                     (!states.empty() && llvm::isDigit(states.front()) && parts.size() == 3)
               : parts.size() == 3;
  if (hasStates &&
      (states.getAsInteger(10, rule.numStates) || rule.numStates < 2 || rule.numStates > 256))
    return refuseStates(states);
  if (isMarked && parts.size() == 3 && !hasStates)
    return refuse(parts.back(), whole);
  for (auto [counts, result] : {std::pair(birth, &rule.birth), std::pair(survival, &rule.survival)})
    if (StringRef wrong = parseCounts(counts, rule.getNumNeighbours(), *result); wrong.data())
      return refuse(wrong, whole);
  return rule;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// `(self == 0 and n in {3})`, or nothing where no number is listed.
static std::string writeCountTest(unsigned state, ArrayRef<Count> counts) {
  std::vector<unsigned> numbers;
  for (const Count &count : counts)
    numbers.push_back(count.number);
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  auto texts = llvm::map_range(numbers, [](unsigned number) { return std::to_string(number); });
  return numbers.empty()
             ? ""
             : "(self == " + std::to_string(state) + " and n in {" + llvm::join(texts, ", ") + "})";
}

static std::string writeCounting(ProgramText &program, const LifeRule &rule) {
  StringRef six = "{(0,-1), (1,0), (1,1), (0,1), (-1,0), (-1,-1)}"; // as Neighbourhood.cpp has it
  program.seeFamily(("(dx,dy) in " + (rule.neighbours == 'V'   ? "N4"
                                      : rule.neighbours == 'H' ? six
                                                               : "N8"))
                        .str());
  program.let("n", rule.numStates > 2 ? program.reduceNear("count", " == 1")
                                      : program.reduceNear("sum"));
  SmallVector<std::string> cases;
  for (std::string part : {writeCountTest(0, rule.birth), writeCountTest(1, rule.survival)})
    if (!part.empty())
      cases.push_back(part);
  return program.finish(writeAging(llvm::join(cases, " or "), rule.numStates));
}

/// A function of two states of the cell's neighbours, clockwise from the north, and of itself.
using LifeFunction = llvm::function_ref<bool(Mask mask, bool isAlive)>;

static std::string writeFunction(ProgramText &program, unsigned numStates, LifeFunction lives) {
  const Neighbourhood &moore = *findNeighbourhood("Moore");
  program.see(moore.neighbours);
  Diagram diagram(2, kNumNeighbours + 1);
  diagram.build([&](ArrayRef<unsigned> states) -> unsigned {
    Mask mask = 0;
    for (unsigned i = 0; i < kNumNeighbours; ++i)
      mask |= states[i] << i;
    return lives(mask, states.back());
  });
  SmallVector<std::string> places;
  for (const Neighbour &one : moore.neighbours)
    places.push_back(program.writeRead(one.name));
  places.push_back("self");
  if (numStates == 2)
    return program.finish(program.follow(diagram, places));
  for (std::string &place : places) // ageing cells are no neighbours, and are not born
    place = "(if " + place + " == 1 then 1 else 0)";
  return program.finish(
      writeAging("self <= 1 and " + program.follow(diagram, places) + " == 1", numStates));
}

/// The bit of a neighbour in the numbers of MAP: by rows, north-west first, which is the highest.
static unsigned getMapBit(unsigned neighbour) {
  static constexpr unsigned bits[] = {7, 6, 3, 0, 1, 2, 5, 8};
  return bits[neighbour];
}
static constexpr unsigned kMapCentre = 4;

/// One bit for each arrangement of nine cells (86 digits in base 64), seven (22) or five (6).
static llvm::Expected<std::string> convertMap(StringRef whole, StringRef digits, const Grid &grid) {
  static constexpr StringRef alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  digits = digits.rtrim('=');
  unsigned cells = digits.size() == 86   ? 0x1ff
                   : digits.size() == 22 ? 0x1bb
                   : digits.size() == 6  ? 0x0ba
                                         : 0;
  if (!cells || digits.find_first_not_of(alphabet) != StringRef::npos)
    return llvm::make_error<GollyError>(
        digits, "expected MAP and 86, 22 or 6 digits in base 64, but got '" + shorten(whole) + "'");
  auto lives = [&](Mask mask, bool isAlive) {
    unsigned all = isAlive << kMapCentre, number = 0;
    for (unsigned i = 0; i < kNumNeighbours; ++i)
      all |= ((mask >> i) & 1) << getMapBit(i);
    for (unsigned bit = 9; bit-- > 0;)
      if (cells & (1u << bit))
        number = number << 1 | ((all >> bit) & 1);
    return ((alphabet.find(digits[number / 6]) >> (5 - number % 6)) & 1) != 0;
  };
  ProgramText program(whole, 2, grid);
  return writeFunction(program, 2, lives);
}

/// The new state is the bit of the rule's number at the index formed by left, self and right in
/// base 2. On a grid with rows these are the three cells above, and live cells stay: a picture
/// grows row by row.
static llvm::Expected<std::string> convertWolfram(StringRef whole, StringRef number, Grid grid) {
  unsigned rule;
  if (number.getAsInteger(10, rule) || rule > 255)
    return llvm::make_error<GollyError>(number, "expected W and a number up to 255, but got '" +
                                                    shorten(whole) + "'");
  grid.isLine = grid.isRow();
  ProgramText program(whole, 2, grid);
  Diagram diagram(2, 3);
  auto isSet = [rule](unsigned left, unsigned middle, unsigned right) {
    return (rule >> (left * 4 + middle * 2 + right)) & 1;
  };
  if (grid.isLine) {
    program.see(findNeighbourhood("oneDimensional")->neighbours);
    diagram.build(
        [&](ArrayRef<unsigned> states) { return isSet(states[0], states[2], states[1]); });
    return program.finish(
        program.follow(diagram, {program.writeRead("w"), program.writeRead("e"), "self"}));
  }
  for (const Neighbour &one : findNeighbourhood("Moore")->neighbours)
    if (one.dy < 0)
      program.see(one);
  diagram.build([&](ArrayRef<unsigned> states) { return isSet(states[0], states[1], states[2]); });
  std::string born = program.follow(
      diagram, {program.writeRead("nw"), program.writeRead("n"), program.writeRead("ne")});
  return program.finish("if self == 1 then 1 else " + born);
}

/// Converts a rule without its suffix behind the colon; `text` has both.
static llvm::Expected<std::string> convertRule(StringRef text, StringRef name, const Grid &grid) {
  if (name.consume_front_insensitive("MAP"))
    return convertMap(text, name, grid);
  if (name.consume_front_insensitive("W"))
    return convertWolfram(text, name, grid);
  llvm::Expected<LifeRule> rule = parseLife(name);
  if (!rule)
    return rule.takeError();
  ProgramText program(text, rule->numStates, grid);
  if (!rule->hasLetters())
    return writeCounting(program, *rule);
  return writeFunction(program, rule->numStates, [&](Mask mask, bool isAlive) {
    return llvm::any_of(isAlive ? rule->survival : rule->birth,
                        [&](const Count &count) { return count.holds(mask); });
  });
}

llvm::Expected<std::string> mlir::lci::golly::convertString(StringRef text) {
  llvm::Expected<BoundedRule> bounded = parseGrid(text);
  if (!bounded)
    return bounded.takeError();
  StringRef name = bounded->rule;
  llvm::Expected<std::string> program =
      convertRule(text, name.equals_insensitive("Life") ? "B3/S23" : name, bounded->grid);
  if (program || !isName(name))
    return program;
  llvm::consumeError(program.takeError()); // an error in its letters would not help
  return refuse(name, name, text.drop_front(name.size()).trim());
}
