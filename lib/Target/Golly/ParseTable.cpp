//===- ParseTable.cpp - The text of a rule table ----------------------------===//
//
// `n_states:`, `neighborhood:`, `symmetries:`, `var a={0,1}`, and transitions, one a line: states
// and variables between commas or blanks, or digits without. Of blocks, what becomes of the four
// cells stands behind a colon. A `.table` file has no other sections, and no `@TABLE`.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using mlir::lci::GollyError;
using namespace mlir::lci::golly;

namespace {
/// Transitions, once variables are bound, that are still read in a second.
constexpr size_t kMaxTransitions = 1 << 20;

class TableParser {
public:
  llvm::Expected<Table> run(StringRef text) {
    bool inTable = !text.contains("@TABLE");
    while (!text.empty() && error.empty()) {
      StringRef line;
      std::tie(line, text) = text.split('\n');
      ++number;
      line = line.split('#').first.trim();
      if (line.consume_front("@RULE")) {
        table.name = line.split(' ').first.empty() ? line.trim().split(' ').first.str()
                                                   : line.split(' ').first.str();
        continue;
      }
      if (line.starts_with("@"))
        inTable = line == "@TABLE";
      else if (inTable && !line.empty())
        parseLine(line);
    }
    if (error.empty() && table.transitions.empty())
      error = "expected a table with transitions";
    if (!error.empty())
      return llvm::make_error<GollyError>(number, error);
    return table;
  }

private:
  void fail(const Twine &message) {
    if (error.empty())
      error = message.str();
  }

  void parseLine(StringRef line) {
    auto [key, value] = line.split(':');
    key = key.trim();
    value = value.trim();
    if (key == "n_states") {
      if (value.getAsInteger(10, table.numStates) || table.numStates < 2 || table.numStates > 256)
        fail("expected from 2 to 256 states, but got '" + value + "'");
    } else if (key == "neighborhood") {
      table.neighbourhood = findNeighbourhood(value);
      if (!table.neighbourhood)
        fail("expected a neighborhood (" + listNeighbourhoods() + "), but got '" + value + "'");
    } else if (key == "symmetries") {
      parseSymmetries(value);
    } else if (line.consume_front("var ")) {
      parseVariable(line);
    } else {
      parseTransition(line);
    }
  }

  void parseSymmetries(StringRef value) {
    table.symmetries = value.str();
    const Neighbourhood &near = *table.neighbourhood;
    if (value != "permute" && near.getOrders(value).empty())
      fail("expected symmetries of the neighborhood " + near.name + " (" + near.listSymmetries() +
           "), but got '" + value + "'");
  }

  /// The states that a number or a variable stands for; none after an error.
  States getStates(StringRef text) {
    text = text.trim();
    States states(table.numStates);
    unsigned state;
    if (!text.getAsInteger(10, state)) {
      if (state >= table.numStates)
        fail("expected a state below " + Twine(table.numStates) + ", but got " + Twine(state));
      else
        states.set(state);
      return states;
    }
    auto known = variables.find(text);
    if (known != variables.end())
      return known->second;
    fail("unknown variable '" + text + "'");
    return states;
  }

  void parseVariable(StringRef line) {
    auto [name, set] = line.split('=');
    set = set.trim();
    States states(table.numStates);
    bool isSet = set.consume_front("{") && set.consume_back("}");
    SmallVector<StringRef> members;
    set.split(members, ',', -1, /*KeepEmpty=*/false);
    if (members.empty() || (!isSet && members.size() > 1))
      return fail("expected a variable as 'var a={0,1}', but got 'var " + line + "'");
    for (StringRef member : members)
      states |= getStates(member);
    variables[name.trim()] = states;
  }

  void parseTransition(StringRef line) {
    SmallVector<StringRef> parts;
    if (line.find_first_of(", \t") != StringRef::npos)
      llvm::SplitString(line, parts, ", \t:");
    else
      for (size_t i = 0; i < line.size(); ++i)
        parts.push_back(line.substr(i, 1));
    unsigned numPlaces = table.neighbourhood->getNumPlaces();
    unsigned expected = numPlaces + (table.neighbourhood->isBlock ? numPlaces : 1);
    if (parts.size() != expected)
      return fail("expected " + Twine(expected) + " states, but got " + Twine(parts.size()));
    SmallVector<std::pair<StringRef, unsigned>> bound;
    bind(parts, 0, bound);
  }

  /// One transition for each choice of the variables that occur more than once.
  void bind(ArrayRef<StringRef> parts, size_t position,
            SmallVectorImpl<std::pair<StringRef, unsigned>> &bound) {
    if (!error.empty())
      return;
    if (position == parts.size())
      return add(parts, bound);
    StringRef part = parts[position];
    bool isKnown = llvm::any_of(bound, [&](auto &entry) { return entry.first == part; });
    if (!variables.count(part) || isKnown || llvm::count(parts, part) < 2)
      return bind(parts, position + 1, bound);
    for (unsigned state : variables[part].set_bits()) {
      bound.push_back({part, state});
      bind(parts, position + 1, bound);
      bound.pop_back();
    }
  }

  States getBound(StringRef part, ArrayRef<std::pair<StringRef, unsigned>> bound) {
    States states = getStates(part);
    for (auto [name, state] : bound)
      if (name == part) {
        states.reset();
        states.set(state);
      }
    return states;
  }

  void add(ArrayRef<StringRef> parts, ArrayRef<std::pair<StringRef, unsigned>> bound) {
    Transition transition;
    transition.line = number;
    unsigned numPlaces = table.neighbourhood->getNumPlaces();
    for (StringRef part : parts.take_front(numPlaces))
      transition.inputs.push_back(getBound(part, bound));
    for (StringRef part : parts.drop_front(numPlaces)) {
      States output = getBound(part, bound);
      if (output.count() != 1)
        return fail(
            "expected one state as what becomes of a cell, or a variable that stands before it "
            "too, but got '" +
            part + "'");
      transition.outputs.push_back(output.find_first());
    }
    table.transitions.push_back(transition);
    if (table.transitions.size() > kMaxTransitions)
      fail("expected at most " + Twine(kMaxTransitions) +
           " transitions with their variables bound");
  }

  Table table{"", 2, findNeighbourhood("Moore"), "none", {}};
  llvm::StringMap<States> variables;
  std::string error;
  unsigned number = 0;
};
} // namespace

llvm::Expected<Table> mlir::lci::golly::parseTable(StringRef text) {
  return TableParser().run(text);
}
