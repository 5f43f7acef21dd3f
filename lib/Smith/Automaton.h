//===- Automaton.h - Random programs over small tokens ----------*- C++ -*-===//
//
// Lattices of few tokens whose rules count, compare, choose and draw: programs that are laid out in
// planes of bits, tabulated and vectorised by rows. `Forge` rarely generates such expressions, and
// its arrays are shorter than a word.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_AUTOMATON_H
#define LCI_LIB_SMITH_AUTOMATON_H

#include "Dice.h"
#include "LCI/Smith/Smith.h"

namespace lci {

/// Makes one program.
class Automaton {
public:
  explicit Automaton(uint64_t seed, bool isTorus = false) : dice(seed), isTorus(isTorus) {
    program.seed = dice.below(1000);
  }
  SmithProgram make();

private:
  struct Lattice {
    std::string name;
    int64_t vocabulary;
    /// Whether a read may be absent.
    bool isOpen = false;
  };

  int64_t makeRow();
  void makeSizes();
  void makeValue();
  void makeInput(const Lattice &value);
  void makeSights(const Lattice &value);
  std::string makeNeighbourhood();
  void makeRule(const Lattice &value, int number);
  std::string vote();
  std::string makeEmit(const Lattice &value);
  void makeConstraint(const Lattice &value);
  void makeSchedule(const Lattice &value);
  void makeCommit(const Lattice &value);

  std::string count(const Lattice &value);
  std::string condition(int depth);
  std::string comparison();
  std::string chance();
  std::string token(const Lattice &value, int depth);
  std::string leaf(const Lattice &value);
  std::string cell(const std::string &name) const;
  std::string use(const std::string &text, const std::string &construct);
  std::string number(int64_t below) { return std::to_string(dice.below(below)); }
  void declare(std::string text) { program.declarations.push_back(std::move(text)); }

  Dice dice;
  SmithProgram program;
  std::vector<std::string> axes, sizes;
  std::vector<int64_t> extents;
  std::vector<Lattice> values;
  /// The operands available to the current rule: small integers, families, and cells that are
  /// tokens.
  std::vector<std::string> integers, families;
  std::vector<std::pair<std::string, int64_t>> tokens;
  bool scores = false;
  /// Whether the rule proposes all tokens, with scores that circuits can compare.
  bool votes = false;
  /// Only constructs that have a circuit: no divisions, no words of random bits, no scores.
  bool isPlain = false;
  /// All tokens are candidates at each cell of rows as long as some vectors.
  bool isElection = false;
  /// One plane of bits with the same rule at all positions and epochs, so that several epochs may
  /// be fused into one launch.
  bool isTorus;
};

} // namespace lci

#endif // LCI_LIB_SMITH_AUTOMATON_H
