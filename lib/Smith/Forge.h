//===- Forge.h - A random program in the making -----------------*- C++ -*-===//

#ifndef LCI_LIB_SMITH_FORGE_H
#define LCI_LIB_SMITH_FORGE_H

#include "LCI/Smith/Smith.h"

namespace lci {

/// A small generator of random numbers; only its own stream decides what is made.
class Dice {
public:
  explicit Dice(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 0x1234567) {}
  uint64_t next();
  /// From 0 up to n, without it.
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

/// What the cells of a value hold.
enum class Cells { Token, Integer, Number };

/// A declared value.
struct Made {
  std::string name;
  Cells cells = Cells::Token;
  int64_t vocabulary = 0;
  std::vector<std::string> boundaries;
  bool isRuled = false;
  /// Every cell holds something from the start.
  bool isPresent = true;
  /// Half as long on the last axis.
  bool isCoarse = false;
};

/// What a cell may read.
struct Sight {
  const Made *source = nullptr;
  /// As a single read or as a family inside a reduction: a label or a reference.
  std::string spelling;
  /// Names the reference leaves free, as `when` binds them; empty for labels.
  std::string when;
  bool isFamily = false;
  /// A single read that may find nothing.
  bool mayBeAbsent = false;
};

/// Makes one program.
class Forge {
public:
  explicit Forge(uint64_t seed) : dice(seed) { program.seed = dice.below(1000); }
  SmithProgram make();

private:
  // Declarations.
  void makeSizes();
  void makeParams();
  void makeValue(bool isRuled, bool isCoarse);
  void makeInput(const Made &value);
  std::string makeInit(Made &value);
  void makeNames(const Made &value, const std::string &indexed);
  void makeSights(const Made &value);
  void addSight(const Made &value, const Made &source, const std::string &offsetText,
                const std::string &when, bool isFamily, bool mayBeAbsent, const char *construct);
  std::string makeNeighbourhood(std::string &index);
  void makeDef(const Made &value);
  void makeRule(const Made &value);
  std::string makeProposal(const Made &value);
  void makeConstraints(const Made &value);
  std::string makePlace(const Made &value);
  void makeSchedule(const Made &value);
  void makeCommit(const Made &value);
  void makeObservers();

  // Expressions of one type each.
  std::string integer(int depth);
  std::string number(int depth);
  std::string truth(int depth);
  std::string integerReduction(int depth);
  std::string numberReduction(int depth);
  std::string numberFunction(int depth);
  std::string memberOf(const Sight &sight) const;
  std::string draw(bool asNumber);
  std::string literal(bool isNumber);
  const Sight *findSight(bool isFamily, bool isNumber);

  // Small helpers.
  std::string cell(const std::string &name) const;
  std::string join(const std::vector<std::string> &parts) const;
  /// Counts a construct and returns its text.
  std::string use(const std::string &text, const char *construct);
  void declare(std::string text) { program.declarations.push_back(std::move(text)); }

  Dice dice;
  SmithProgram program;
  unsigned rank = 1;
  std::vector<std::string> axes, sizes;
  std::vector<int64_t> extents;
  std::vector<Made> values;
  std::vector<Sight> sights;

  // What the expression in the making may mention.
  /// Whether every read so far is at the cell's own place on the first of three axes.
  bool staysInTime = true;
  bool mayDraw = false, hasCells = false;
  int reductions = 0;
  std::vector<std::string> integerNames, numberNames, numberParams, integerParams, defs;
  std::string arrayParam;
};

} // namespace lci

#endif // LCI_LIB_SMITH_FORGE_H
