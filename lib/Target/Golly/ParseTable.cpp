//===- ParseTable.cpp - Parser of rule tables -----------------------------===//
//
// `n_states:`, `neighborhood:`, `symmetries:`, `var a={0,1}`, and transitions, one a line: states
// and variables between commas or blanks, or digits without separators. For blocks, the new states
// of the four cells follow a colon.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "Table.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using mlir::lci::GollyError;
using namespace mlir::lci::golly;

namespace {
/// The number of transitions, after binding variables, that can still be read in a second.
constexpr size_t kMaxTransitions = 1 << 20;

class TableParser {
public:
  llvm::Expected<Table> run(const Section &section) {
    table.name = section.name;
    for (StringRef line : section.lines)
      if (!error)
        parseLine(line);
    if (!error)
      isComplete(section.end());
    if (error)
      return llvm::make_error<GollyError>(*error);
    return table;
  }

private:
  /// Only the first error is kept.
  void fail(StringRef place, const Twine &message) {
    if (!error)
      error.emplace(place, message);
  }

  void parseLine(StringRef line) {
    auto [key, value] = line.split(':');
    std::string keyword = key.trim().lower();
    value = value.trim();
    if (keyword == "n_states")
      parseStates(line, value);
    else if (keyword == "neighborhood")
      parseNeighbourhood(line, value);
    else if (keyword == "symmetries" && symmetries)
      fail(line, "expected symmetries once");
    else if (keyword == "symmetries")
      symmetries = value;
    else if (StringRef declared = line; declared.consume_front("var") && !declared.empty() &&
                                        StringRef(" \t").contains(declared.front()))
      parseVariable(declared.ltrim());
    else
      parseTransition(line);
  }

  void parseStates(StringRef line, StringRef value) {
    if (numStates)
      fail(line, "expected n_states once");
    else if (value.getAsInteger(10, table.numStates) || table.numStates < 2 ||
             table.numStates > 256)
      fail(line, "expected from 2 to 256 states, but got '" + value + "'");
    else
      numStates = table.numStates;
  }

  void parseNeighbourhood(StringRef line, StringRef value) {
    if (table.neighbourhood)
      return fail(line, "expected a neighborhood once");
    table.neighbourhood = findNeighbourhood(value);
    if (!table.neighbourhood)
      fail(line, "expected a neighborhood (" + listNeighbourhoods() + "), but got '" + value + "'");
  }

  /// Whether everything that variables and transitions depend on is known.
  bool isComplete(StringRef line) {
    if (!numStates || !table.neighbourhood || !symmetries) {
      fail(line, "expected n_states, neighborhood and symmetries before the first variable and the "
                 "first transition");
      return false;
    }
    const Neighbourhood &near = *table.neighbourhood;
    if (table.symmetries.empty() && *symmetries != "permute" && near.getOrders(*symmetries).empty())
      fail(*symmetries, "expected symmetries of the neighborhood " + near.name + " (" +
                            near.listSymmetries() + "), but got '" + *symmetries + "'");
    table.symmetries = symmetries->str();
    return !error;
  }

  /// The states that a variable or a number denotes, in the order in which they were written; none
  /// after an error.
  SmallVector<unsigned> getStates(StringRef text) {
    auto known = variables.find(text);
    if (known != variables.end())
      return known->second;
    unsigned state;
    if (text.getAsInteger(10, state))
      fail(text, "unknown variable '" + text + "'");
    else if (state >= *numStates)
      fail(text, "expected a state below " + Twine(*numStates) + ", but got " + Twine(state));
    else
      return {state};
    return {};
  }

  /// `a={0,1}`, where members may be variables. Like Golly, allows missing braces and redefinition;
  /// later uses see the new value.
  void parseVariable(StringRef line) {
    if (!isComplete(line))
      return;
    SmallVector<StringRef> parts;
    llvm::SplitString(line, parts, "= \t,{}[]");
    if (parts.size() < 2)
      return fail(line, "expected a variable as 'var a={0,1}', but got 'var " + line + "'");
    SmallVector<unsigned> states;
    for (StringRef member : ArrayRef(parts).drop_front())
      states.append(getStates(member));
    variables[parts.front()] = states;
  }

  void parseTransition(StringRef line) {
    if (!isComplete(line))
      return;
    SmallVector<StringRef> parts;
    if (line.find_first_of(", \t") != StringRef::npos)
      llvm::SplitString(line, parts, ", \t:");
    else
      for (size_t i = 0; i < line.size(); ++i)
        parts.push_back(line.substr(i, 1));
    unsigned numPlaces = table.neighbourhood->getNumPlaces();
    unsigned expected = numPlaces + (table.neighbourhood->isBlock ? numPlaces : 1);
    if (parts.size() != expected)
      return fail(line, "expected " + Twine(expected) + " states, but got " + Twine(parts.size()));
    std::map<StringRef, size_t> bound;
    for (StringRef part : parts)
      if (variables.count(part) && llvm::count(parts, part) > 1)
        bound[part] = 0;
    bind(line, parts, bound);
  }

  /// Expands a line to one transition for each assignment of the variables that occur more than
  /// once. The order matters where symmetries make several match: as in Golly, the alphabetically
  /// first name changes fastest, through its states as they were written.
  void bind(StringRef line, ArrayRef<StringRef> parts, std::map<StringRef, size_t> &bound) {
    bool isLast = false;
    while (!isLast && !error) {
      add(line, parts, bound);
      auto next = bound.begin();
      for (; next != bound.end(); ++next) {
        if (++next->second < variables[next->first].size())
          break;
        next->second = 0;
      }
      isLast = next == bound.end();
    }
  }

  void add(StringRef line, ArrayRef<StringRef> parts, const std::map<StringRef, size_t> &bound) {
    auto getBound = [&](StringRef part) -> SmallVector<unsigned> {
      auto choice = bound.find(part);
      return choice == bound.end() ? getStates(part)
                                   : SmallVector<unsigned>{variables[part][choice->second]};
    };
    Transition transition;
    transition.line = line;
    unsigned numPlaces = table.neighbourhood->getNumPlaces();
    for (StringRef part : parts.take_front(numPlaces)) {
      States states(*numStates);
      for (unsigned state : getBound(part))
        states.set(state);
      transition.inputs.push_back(states);
    }
    for (StringRef part : parts.drop_front(numPlaces)) {
      SmallVector<unsigned> output = getBound(part);
      if (output.size() != 1)
        return fail(part, "expected one state as what becomes of a cell, or a variable that stands "
                          "before it too, but got '" +
                              part + "'");
      transition.outputs.push_back(output.front());
    }
    table.transitions.push_back(transition);
    if (table.transitions.size() > kMaxTransitions)
      fail(line, "expected at most " + Twine(kMaxTransitions) +
                     " transitions with their variables bound");
  }

  Table table{"", 0, nullptr, "", {}};
  std::optional<unsigned> numStates;
  std::optional<StringRef> symmetries;
  std::map<StringRef, SmallVector<unsigned>> variables;
  std::optional<GollyError> error;
};
} // namespace

llvm::Expected<Table> mlir::lci::golly::parseTable(const Section &section) {
  return TableParser().run(section);
}
