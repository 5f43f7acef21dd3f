//===- TweakAttribute.h - Random small changes of attributes ----*- C++ -*-===//
//
// Structure-aware mutation of attributes and types for MutateIR.cpp, driven by a seeded generator.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_FUZZ_TWEAKATTRIBUTE_H
#define LCI_FUZZ_TWEAKATTRIBUTE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include <iterator>
#include <random>

namespace fuzz {

/// A random generator, determined by its seed.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine(seed) {}

  /// 0 to sides - 1.
  size_t below(size_t sides) { return engine() % sides; }
  template <typename Range>
  auto pick(const Range &range) {
    return range[below(std::size(range))];
  }

private:
  std::mt19937_64 engine;
};

mlir::Attribute tweakAttribute(mlir::Attribute attribute, Dice &dice);
mlir::Type tweakType(mlir::Type type, Dice &dice);

} // namespace fuzz

#endif // LCI_FUZZ_TWEAKATTRIBUTE_H
