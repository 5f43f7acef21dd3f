//===- LookupNetwork.h - Decompose functions into look-ups ------*- C++ -*-===//
//
// Machines have an instruction for any function of three bits. A function of more takes several,
// and the fewest are rarely those of the circuit in which it was given.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_NUMERICS_LOOKUPNETWORK_H
#define LCI_NUMERICS_LOOKUPNETWORK_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lci::numerics {

/// The maximum number of input bits: the table of a function is a word.
inline constexpr unsigned kMaxInputs = 6;

/// The truth table of each input: bit i of a function's table is its value for the bits of i, the
/// first input the lowest.
inline constexpr std::array<uint64_t, kMaxInputs> kInputs = {
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

/// A look-up, as in `lookUp`. Operands are numbers of inputs, or kMaxInputs plus the number of an
/// earlier look-up.
struct NetworkNode {
  std::array<unsigned, 3> operands;
  unsigned table;
};

/// The last look-up is the function.
using LookupNetwork = std::vector<NetworkNode>;

/// Finds a network of at most `most` look-ups, as few as possible. Each look-up that is tried
/// replaces two or three values, and one of its operands may be used once more: so not every
/// network is found.
std::optional<LookupNetwork> findNetwork(uint64_t table, unsigned most);

/// Evaluates a network on its inputs, of which there is at least one; `lookUp` computes each
/// look-up, from three values and a table.
template <typename Values, typename LookUp>
auto evaluate(const LookupNetwork &network, Values values, LookUp lookUp) {
  values.resize(kMaxInputs, values.front());
  for (const auto &[operands, table] : network)
    values.push_back(lookUp(values[operands[0]], values[operands[1]], values[operands[2]], table));
  return values.back();
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_LOOKUPNETWORK_H
