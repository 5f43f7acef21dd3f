//===- ParseTable.cpp - The text of a rule table ----------------------------===//
//
// `n_states:`, `neighborhood:`, `symmetries:`, `var a={0,1}`, and transitions, one a line: states
// and variables between commas, or digits without.
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
/// More transitions than a program can be made of.
constexpr size_t kMaxTransitions = 4096;

class TableParser {
public:
  llvm::Expected<Table> run(StringRef text) {
    bool inTable = false;
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
      error = "expected a '@TABLE' with transitions";
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
    value = value.trim();
    if (key == "n_states") {
      if (value.getAsInteger(10, table.numStates) || table.numStates < 2 || table.numStates > 256)
        fail("expected from 2 to 256 states, but got '" + value + "'");
    } else if (key == "neighborhood") {
      table.numNeighbours = value == "vonNeumann" ? 4 : 8;
      if (value != "vonNeumann" && value != "Moore")
        fail("expected the neighborhood Moore or vonNeumann, but got '" + value + "'");
    } else if (key == "symmetries") {
      table.symmetries = value.str();
      if (getVariants(table).empty())
        fail("expected symmetries none, rotate4, rotate4reflect, rotate8, rotate8reflect, "
             "reflect_horizontal or permute, but got '" +
             value + "'");
    } else if (line.consume_front("var ")) {
      parseVariable(line);
    } else {
      parseTransition(line);
    }
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
    if (line.contains(','))
      line.split(parts, ',');
    else
      for (size_t i = 0; i < line.size(); ++i)
        parts.push_back(line.substr(i, 1));
    if (parts.size() != table.numNeighbours + 2)
      return fail("expected " + Twine(table.numNeighbours + 2) + " states, but got " +
                  Twine(parts.size()));
    for (StringRef &part : parts)
      part = part.trim();
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

  void add(ArrayRef<StringRef> parts, ArrayRef<std::pair<StringRef, unsigned>> bound) {
    Transition transition;
    for (StringRef part : parts) {
      States states = getStates(part);
      for (auto [name, state] : bound)
        if (name == part) {
          states.reset();
          states.set(state);
        }
      transition.inputs.push_back(states);
    }
    States output = transition.inputs.pop_back_val();
    if (output.count() != 1)
      return fail("expected one state as the last one, or a variable that stands before it too, "
                  "but got '" +
                  parts.back() + "'");
    transition.output = output.find_first();
    transition.line = number;
    table.transitions.push_back(transition);
    if (table.transitions.size() > kMaxTransitions)
      fail("expected at most " + Twine(kMaxTransitions) +
           " transitions with their variables bound");
  }

  Table table;
  llvm::StringMap<States> variables;
  std::string error;
  unsigned number = 0;
};
} // namespace

llvm::Expected<Table> mlir::lci::golly::parseTable(StringRef text) {
  return TableParser().run(text);
}

std::vector<SmallVector<unsigned>> mlir::lci::golly::getVariants(const Table &table) {
  unsigned count = table.numNeighbours;
  StringRef name = table.symmetries;
  bool reflects = name.consume_back("reflect") || name == "reflect_horizontal";
  unsigned turns = name == "rotate4" ? 4 : name == "rotate8" ? 8 : 1;
  bool isKnown = name == "none" || name == "permute" || name == "reflect_horizontal" ||
                 name == "rotate4" || (name == "rotate8" && count == 8);
  if (!isKnown)
    return {};
  std::vector<SmallVector<unsigned>> variants;
  for (unsigned turn = 0; turn < turns; ++turn)
    for (bool isMirrored : {false, true}) {
      if (isMirrored && !reflects)
        continue;
      SmallVector<unsigned> order;
      for (unsigned i = 0; i < count; ++i) {
        unsigned from = isMirrored ? (count - i) % count : i;
        order.push_back((from + turn * (count / turns)) % count);
      }
      variants.push_back(order);
    }
  return variants;
}
