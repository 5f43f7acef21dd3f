//===- Classes.h - Random programs about classes of cells -------*- C++ -*-===//
//
// Rules, constraints, sights and observers whose conditions depend on the indices alone, on rows in
// which indices, their products and their sums exceed eight and sixteen bits. They exercise the
// splitting of cells into classes and arithmetic in few bits.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_CLASSES_H
#define LCI_LIB_SMITH_CLASSES_H

#include "Dice.h"
#include "LCI/Smith/Smith.h"

namespace lci {

/// Remainders and quotients of sums of indices, and bounds.
std::string makeIndexClass(Dice &dice, const std::vector<std::string> &axes);

/// Makes one program.
class Classes {
public:
  explicit Classes(uint64_t seed) : dice(seed) { program.seed = dice.below(1000); }
  SmithProgram make();

private:
  void makeSizes();
  void makeValue();
  void makeRule(int number);
  void makeConstraint();
  std::string cell() const;
  std::string when() { return " when " + makeIndexClass(dice, axes); }
  void declare(std::string text) { program.declarations.push_back(std::move(text)); }

  Dice dice;
  SmithProgram program;
  std::vector<std::string> axes, sizes;
  std::string step; ///< the increment of a rule, and the bound that it stays in
};

} // namespace lci

#endif // LCI_LIB_SMITH_CLASSES_H
