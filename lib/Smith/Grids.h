//===- Grids.h - Random programs of one rule at awkward sizes ---*- C++ -*-===//
//
// One value, one rule, one schedule and one policy on a lattice of which one axis crosses a
// threshold of the compiler and holds enough cells for what is rare in each: draws that eight bits
// do not decide, rows that are left over, ends of words. Other programs have more constructs on
// fewer cells.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_GRIDS_H
#define LCI_LIB_SMITH_GRIDS_H

#include "Dice.h"
#include "LCI/Smith/Smith.h"

namespace lci {

/// Makes one program.
class Grids {
public:
  explicit Grids(uint64_t seed) : dice(seed) { program.seed = dice.below(1000); }
  SmithProgram make();

private:
  enum class Kind { Number, Integer, Token };

  void makeKind();
  void makeSight();
  void makeSizes();
  void makeValue();
  void makeRule();
  void makeConstraint();
  void makePlan();
  std::string makeBody();
  std::string makeTokens();
  std::string makeNumbers();
  std::string chance();
  std::string makeScore();
  std::string cell() const;
  int64_t countCells() const;
  std::string use(const std::string &text, const std::string &construct);
  void declare(std::string text) { program.declarations.push_back(std::move(text)); }

  Dice dice;
  SmithProgram program;
  Kind kind = Kind::Token;
  int64_t vocabulary = 0;
  std::vector<std::string> axes, sizes;
  std::vector<int64_t> extents;
  /// Nothing but what has a circuit: no words of random bits, whole numbers for scores.
  bool isPlain = false;
  /// Which cells a rule reads, and how many; a cell that is computed so often costs as much.
  std::string near;
  int64_t members = 1;
  bool isWholeRow = false;
  /// Whether every token stands at each cell, and whether the cells at the border stay as they are.
  bool elects = false, isInner = false;
  /// Phases that go on from cell to cell, of which there are as many as cells on a line.
  bool isSweep = false;
  std::string policy, schedule;
};

} // namespace lci

#endif // LCI_LIB_SMITH_GRIDS_H
