//===- Dice.h - A small generator of random numbers -------------*- C++ -*-===//
//
// A generator whose stream depends on the seed alone, not on a library's distributions, so that a
// seed gives the same program everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_DICE_H
#define LCI_LIB_SMITH_DICE_H

#include <cstdint>
#include <vector>

namespace lci {

/// The only source of randomness of a program.
class Dice {
public:
  explicit Dice(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 0x1234567) {}
  uint64_t next();
  /// From 0 to n - 1.
  int64_t below(int64_t n) { return static_cast<int64_t>(next() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T>
  const T &pick(const std::vector<T> &from) {
    return from[below(static_cast<int64_t>(from.size()))];
  }

private:
  uint64_t state;
};

} // namespace lci

#endif // LCI_LIB_SMITH_DICE_H
