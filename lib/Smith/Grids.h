//===- Grids.h - Random programs of one rule at awkward sizes ---*- C++ -*-===//
//
// One value, one rule, one schedule and one policy on a lattice of which one extent crosses a
// threshold of the compiler and has enough cells for rare events in each: draws that eight bits do
// not decide, remainders of rows, ends of words. Other generators use more constructs on fewer
// cells.
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
  /// Only constructs that have a circuit: no words of random bits, integer scores.
  bool isPlain = false;
  /// The cells a rule reads, and their number; a cell that is computed so often costs as much.
  std::string near;
  int64_t members = 1;
  bool isWholeRow = false;
  /// Whether every token is a candidate at each cell, and whether the cells at the border are
  /// locked.
  bool elects = false, isInner = false;
  /// Sequential phases, as many as there are cells on a line.
  bool isSweep = false;
  std::string policy, schedule;
};

} // namespace lci

#endif // LCI_LIB_SMITH_GRIDS_H
