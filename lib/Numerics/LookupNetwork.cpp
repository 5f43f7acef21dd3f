//===- LookupNetwork.cpp - Decompose six-input functions into look-ups ----===//
//
// Functional decomposition (Ashenhurst, Curtis): if a function depends on some of its inputs only
// through one bit, for either value of another input that is shared, that bit is a look-up, and the
// remainder a function of fewer inputs. Which of the two cases the bit stands for can be chosen for
// each value of the shared input, and the choice decides the next steps; so all are tried, for
// networks of few look-ups first.
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/LookupNetwork.h"

using namespace lci::numerics;

namespace {
/// A function of the values at some of six positions.
struct Function {
  uint64_t table;
  std::array<unsigned, kMaxInputs> operands;

  bool dependsOn(unsigned place) const {
    return ((table >> (1u << place) ^ table) & ~kInputs[place]) != 0;
  }
};

/// The positions of a look-up's operands: it absorbs all of them but the last one, if that is
/// shared.
struct Bound {
  std::array<unsigned, 3> places;
  bool isShared;

  /// The offset of a table's column for these values from its first one.
  unsigned offset(unsigned values) const {
    unsigned offset = 0;
    for (unsigned i = 0; i < 3; ++i)
      offset += (values >> (2 - i) & 1) << places[i];
    return offset;
  }
  uint64_t column(uint64_t table, unsigned values) const {
    uint64_t first = ~(kInputs[places[0]] | kInputs[places[1]] | kInputs[places[2]]);
    return table >> offset(values) & first;
  }
  /// The bit of the shared value.
  unsigned sharedOf(unsigned values) const { return isShared ? values & 1 : 0; }
};

class Search {
public:
  std::optional<LookupNetwork> run(uint64_t table, unsigned most);

private:
  bool find(const Function &function, unsigned most);
  bool finish(const Function &function, const std::vector<unsigned> &places);
  bool tryAll(const Function &function, const std::vector<unsigned> &places, unsigned most);
  bool tryBound(const Function &function, const Bound &bound, unsigned most);
  bool replace(const Function &function, const Bound &bound, unsigned table, unsigned most);

  LookupNetwork network;
};
} // namespace

std::optional<LookupNetwork> Search::run(uint64_t table, unsigned most) {
  for (unsigned lookups = 1; lookups <= most; ++lookups)
    if (find({table, {0, 1, 2, 3, 4, 5}}, lookups))
      return std::move(network);
  return std::nullopt;
}

bool Search::find(const Function &function, unsigned most) {
  std::vector<unsigned> places;
  for (unsigned place = 0; place < kMaxInputs; ++place)
    if (function.dependsOn(place))
      places.push_back(place);
  if (places.size() <= 3)
    return finish(function, places);
  // Each look-up but the last removes at most two values.
  return places.size() <= 2 * most + 1 && tryAll(function, places, most);
}

/// The remainder is a single look-up, possibly of fewer than three values.
bool Search::finish(const Function &function, const std::vector<unsigned> &places) {
  unsigned first = function.operands[places.empty() ? 0 : places.front()];
  NetworkNode node{{first, first, first}, 0};
  for (size_t i = 0; i < places.size(); ++i)
    node.operands[i] = function.operands[places[i]];
  for (unsigned values = 0; values < 8; ++values) {
    unsigned row = 0;
    for (size_t i = 0; i < places.size(); ++i)
      row |= (values >> (2 - i) & 1) << places[i];
    node.table |= (function.table >> row & 1) << values;
  }
  network.push_back(node);
  return true;
}

bool Search::tryAll(const Function &function, const std::vector<unsigned> &places, unsigned most) {
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = i + 1; j < places.size(); ++j)
      for (size_t k = j + 1; k < places.size(); ++k) {
        unsigned a = places[i], b = places[j], c = places[k];
        for (const Bound &bound : {Bound{{a, b, c}, false}, Bound{{a, b, c}, true},
                                   Bound{{a, c, b}, true}, Bound{{b, c, a}, true}})
          if (tryBound(function, bound, most))
            return true;
      }
  return false;
}

/// Tries a look-up for each choice, if there is one.
bool Search::tryBound(const Function &function, const Bound &bound, unsigned most) {
  unsigned table = 0;
  for (unsigned shared = 0; shared <= unsigned(bound.isShared); ++shared) {
    std::optional<uint64_t> zero, one;
    for (unsigned values = 0; values < 8; ++values) {
      if (bound.sharedOf(values) != shared)
        continue;
      uint64_t column = bound.column(function.table, values);
      if (!zero)
        zero = column;
      if (column == *zero)
        continue;
      if (one && column != *one)
        return false;
      one = column;
      table |= 1u << values;
    }
  }
  if (replace(function, bound, table, most))
    return true;
  constexpr unsigned kWhereSharedIsSet = 0xAA;
  return bound.isShared && replace(function, bound, table ^ kWhereSharedIsSet, most);
}

/// The look-up takes the position of its first operand; the function no longer depends on the
/// others, except for a shared one.
bool Search::replace(const Function &function, const Bound &bound, unsigned table, unsigned most) {
  Function rest = function;
  std::array<std::array<std::optional<uint64_t>, 2>, 2> columns; // by the shared value and the bit
  for (unsigned values = 0; values < 8; ++values)
    columns[bound.sharedOf(values)][table >> values & 1] = bound.column(function.table, values);
  rest.table = 0;
  for (unsigned values = 0; values < 8; ++values) {
    auto &[ifZero, ifOne] = columns[bound.sharedOf(values)];
    const std::optional<uint64_t> &column = values >> 2 ? ifOne : ifZero;
    rest.table |= (column ? *column : values >> 2 ? *ifZero : *ifOne) << bound.offset(values);
  }
  NetworkNode node{{}, table};
  for (unsigned i = 0; i < 3; ++i)
    node.operands[i] = function.operands[bound.places[i]];
  rest.operands[bound.places[0]] = kMaxInputs + static_cast<unsigned>(network.size());
  network.push_back(node);
  if (find(rest, most - 1))
    return true;
  network.pop_back();
  return false;
}

std::optional<LookupNetwork> lci::numerics::findNetwork(uint64_t table, unsigned most) {
  return Search().run(table, most);
}
