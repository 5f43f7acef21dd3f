//===- Forge.h - A random program in the making -----------------*- C++ -*-===//
//
// The generator of general programs. One class in several files, one for each concern: values,
// visibility, expressions, reductions, rules, models, constraints, agreement.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_FORGE_H
#define LCI_LIB_SMITH_FORGE_H

#include "Dice.h"
#include "LCI/Smith/Smith.h"
#include "Text.h"

namespace lci {

/// The type of the cells of a value.
enum class Cells { Token, Integer, Number };

/// The axes of a value: their names as indices, their sizes, their extents.
struct Frame {
  std::vector<std::string> axes, sizes;
  std::vector<int64_t> extents;
  unsigned rank() const { return static_cast<unsigned>(axes.size()); }
};

/// A declared value.
struct Made {
  std::string name;
  Cells cells = Cells::Token;
  int64_t vocabulary = 0;
  std::vector<std::string> boundaries;
  bool isRuled = false;
  /// Every cell is present from the start.
  bool isPresent = true;
  /// Half as long on the last axis.
  bool isCoarse = false;
  /// One cell without axes.
  bool isScalar = false;
};

/// Something that a cell may read.
struct Sight {
  const Made *source = nullptr;
  /// As a single read or as a family inside a reduction: a label, a reference or a name.
  std::string spelling;
  /// Names that the reference leaves free, as `when` binds them; empty for labels.
  std::string when;
  bool isFamily = false;
  /// A single read that may find nothing.
  bool mayBeAbsent = false;
  /// Belongs to the rules and constraints of the value: a label, or a name of one rule.
  bool isLocal = false;
  /// The largest number of members. With `reachesBack`, they run up to the reading cell on the
  /// first axis, so that their number is the cell's index.
  int64_t members = 1;
  bool reachesBack = false;
  /// The item of `read {…}` that the spelling names, if any.
  std::string item;
  /// The position of the reading cell among the neighbours: the set of offsets on the same value,
  /// or the same cell one step back on the first axis.
  std::string offsets;
  bool isPrevious = false;
  /// At indices that no set can express; such a read is no item of `read {…}`.
  bool isComputed = false;
  /// The computed indices depend on parameters that the bindings give.
  bool isGathered = false;
};

class Network;

/// Makes one program.
class Forge {
public:
  Forge(uint64_t seed, bool beyond) : dice(seed), beyond(beyond) {
    program.seed = dice.below(1000);
  }
  SmithProgram make();

private:
  // Sizes, parameters, values (Values.cpp).
  void makeSizes();
  void makeParams();
  void makeArrayParams();
  void makeLinks();
  void makeValue(bool isRuled, bool isCoarse, bool isScalar);
  std::string makeShape(Made &value);
  std::string makeInit(const Made &value);
  void makeInput(const Made &value);
  Frame frameOf(const Made &value) const;

  // Visibility (Visibility.cpp).
  void makeSights(const Made &value);
  void makeSightsOf(const Made &value, const Made &source);
  void makeFamilies(const Made &value, const Made &source);
  void seeWhole(const Made &value, const Made &source);
  void addComputedSight(const Made &source);
  void makeGathers(const Made &value, const Made &source);
  void addSight(const Made &value, Sight sight, const std::string &index, const char *construct);
  std::string makeNeighbourhood(std::string &index, Sight &sight);
  std::string makeRangeOnLine(Sight &sight);

  // Vectors (Vectors.cpp).
  void makeVectorValue();
  void makeVectorRule();
  void seeComponent(const Made &value);
  std::string vector(int depth);
  std::string vectorLeaf();
  std::string truths(int depth);

  // Rules (Rules.cpp).
  void makeNames();
  void makeDef(const Made &value);
  void makeRule(const Made &value, int number);
  std::string makeOn(const Made &value, bool callsModel);
  std::string makeReads(const Made &value);
  std::string makeLets();
  std::string makeProposal(const Made &value);
  /// A set of some of the tokens.
  std::string makeRange(int64_t vocabulary);
  std::string makeScore(const Made &value, bool isNeeded);
  std::string makeCandidateLet(const Made &value);

  // Models (Models.cpp).
  std::string makeModelClauses(const Made &value);
  std::string makeModelScore(const Made &value, Network &scorer, const std::string &arguments,
                             bool isAny);
  std::string makeAnyScoredByModel(const Made &value);
  std::string makeArguments(std::vector<Network *> networks);

  // Constraints (Constraints.cpp).
  std::string makePlace(const Made &value);
  void makeConstraints(const Made &value);
  void makeConstraint(const Made &value, const std::string &name);
  std::string makePriority();
  std::string addPalette(const Made &value);

  // Agreement and observers (Agreements.cpp).
  void makePlan();
  std::string makeSweep();
  void makeSchedule(const Made &value);
  void makeCommit(const Made &value);
  std::string makeTemperature();
  void makeObservers();

  // Expressions of one type each (Expressions.cpp).
  std::string integer(int depth);
  std::string integerLeaf();
  std::string integerFunction(int depth, const std::string &a);
  std::string number(int depth);
  std::string numberLeaf();
  std::string numberFunction(int depth);
  std::string truth(int depth);
  std::string membership();
  std::string draw(bool asNumber);
  std::string literal(bool isNumber);
  std::string parameterElement(int depth);

  // Reductions (Reductions.cpp).
  std::string integerReduction(int depth);
  std::string numberReduction(int depth);
  std::string parameterReduction(bool asNumber);
  std::string comparedWith(const Sight &sight);
  std::string memberOf(const Sight &sight) const;
  std::string whenOf(const Sight &sight, const std::string &member);
  const Sight *findSight(bool isFamily, bool isNumber);

  // Small helpers.
  std::string cell(const std::string &name) const;
  /// Counts a construct and returns its text.
  std::string use(const std::string &text, const std::string &construct);
  /// Whether a construct may be generated: not if `smithLimits` excludes it.
  bool may(const std::string &construct) const;
  void declare(std::string text) { program.declarations.push_back(std::move(text)); }

  Dice dice;
  bool beyond;
  SmithProgram program;
  /// The axes of full values, and those of the current value.
  Frame whole, frame;
  std::vector<Made> values;
  std::vector<Sight> sights;
  /// The number of `visible` lines of the current value, by source.
  std::map<std::string, int> linesTo;

  // The operands available to the current expression.
  /// Whether every read so far has the cell's index on the first of three axes.
  bool staysInTime = true;
  bool mayDraw = false, hasCells = false;
  int reductions = 0;
  int64_t visited = 1; ///< members of the enclosing reductions, multiplied
  std::vector<std::string> integerNames, numberNames, truthNames, numberParams, integerParams;
  std::string arrayParam, tableParam;
  /// Whether the cells of the last axis are linked: `links[y,0..1]`, and `ends[first[y]…]`.
  bool hasLinks = false;
  /// The value of vectors, where there is one.
  Made latent;
  /// Tokens that a palette of the current value may be tested on.
  std::vector<std::pair<std::string, const Made *>> tokenNames;

  // Facts found while generating the rules of the current value.
  /// The last index on the first axis at which the rule may apply, -1 if there is none.
  int64_t lastIndex = 0;
};

} // namespace lci

#endif // LCI_LIB_SMITH_FORGE_H
