//===- LookupNetwork.h - Functions of six bits, in look-ups -----*- C++ -*-===//
//
// Machines have an instruction for any function of three bits. A function of more takes several,
// and the fewest are rarely those of the circuit that it was written as.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_NUMERICS_LOOKUPNETWORK_H
#define LCI_NUMERICS_LOOKUPNETWORK_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lci::numerics {

/// The most bits that a function may have: its table is a word.
inline constexpr unsigned kMostInputs = 6;

/// The table of each input itself: bit i of a function's table is what it is of the bits of i, the
/// first input the lowest.
inline constexpr std::array<uint64_t, kMostInputs> kInputs = {
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

/// A look-up, as `lookUp` has it. Operands are inputs by their numbers, and kMostInputs plus the
/// number of a look-up before.
struct NetworkNode {
  std::array<unsigned, 3> operands;
  unsigned table;
};

/// The last one is the function.
using LookupNetwork = std::vector<NetworkNode>;

/// Finds a network of at most `most` look-ups, as few as it can. Each look-up that it tries takes
/// the place of two or three values, and one of its operands may be needed once more: so not every
/// network is found.
std::optional<LookupNetwork> findNetwork(uint64_t table, unsigned most);

/// What a network makes of its inputs, of which there is at least one; `lookUp` makes each look-up,
/// of three values and a table.
template <typename Values, typename LookUp>
auto evaluate(const LookupNetwork &network, Values values, LookUp lookUp) {
  values.resize(kMostInputs, values.front());
  for (const auto &[operands, table] : network)
    values.push_back(lookUp(values[operands[0]], values[operands[1]], values[operands[2]], table));
  return values.back();
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_LOOKUPNETWORK_H
