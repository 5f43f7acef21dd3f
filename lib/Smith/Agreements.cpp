//===- Agreements.cpp - Random schedules, commits and observers -----------===//
//
// Generates the clauses by which proposals become cells: a schedule and a commit policy for each
// value with rules, and the observers of the program. Options are restricted to those that
// verifiers accept for the reads of the rules.
//
//===----------------------------------------------------------------------===//

#include "Classes.h"
#include "Forge.h"
#include "llvm/ADT/STLExtras.h"

using namespace lci;

const std::vector<SmithLimit> &lci::smithLimits() {
  static const std::vector<SmithLimit> limits;
  return limits;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// A rule on a set of events schedules the values that have no schedule.
void Forge::makePlan() {
  bool isFlat = frame.rank() < 2 ||
                llvm::any_of(values, [](const Made &v) { return v.isRuled && v.isScalar; });
  static const std::vector<std::string> strategies = {"all", "red-black", "four-color"};
  const std::string &strategy = strategies[static_cast<size_t>(dice.below(isFlat ? 2 : 3))];
  declare("value Plan : Event shape Set()");
  declare(use("rule Schedule:\n  on Plan\n  emit proposal Plan := SampleTiles(strategy=\"" +
                  strategy + "\", epoch=e)",
              "rule that schedules"));
}

/// `wavefront` or `raster` along some axes, in any order.
std::string Forge::makeSweep() {
  std::string axes = std::to_string(dice.below(frame.rank()));
  if (frame.rank() > 2 && dice.chance(40))
    axes = dice.chance(50) ? "(2, 0)" : "(0, 1)";
  std::string sweep = (dice.chance(50) ? "wavefront(axes=" : "raster(axes=") + axes;
  if (dice.chance(40))
    sweep += use(", reverse=" + axes, "sweep backwards");
  return sweep + ")";
}

void Forge::makeSchedule(const Made &value) {
  std::vector<std::string> kinds = {"all",      "red_black", "red_black", "axes",
                                    "legalize", "",          "",          ""};
  if (frame.rank() == 0)
    kinds = {"all", "red_black", ""};
  if (frame.rank() > 1) {
    kinds.push_back("four_color");
    kinds.push_back("sweep");
  }
  for (const char *limited : {"tile", "raster", "wavefront", "masked", "recolor",
                              "random(fraction)", "confidence(fraction)"})
    if (may(limited) && frame.rank() > 0)
      kinds.push_back(limited);
  // A read at computed indices may be of any cell: no two cells have the same colour.
  if (llvm::any_of(sights,
                   [](const Sight &sight) { return sight.isComputed && !sight.isGathered; }))
    llvm::erase(kinds, "recolor");
  else if (llvm::any_of(sights, [](const Sight &sight) { return sight.isGathered; }))
    kinds.insert(kinds.end(), 4, "recolor");
  const std::string &kind = dice.pick(kinds);
  if (kind.empty())
    return;
  if (kind == "recolor" && llvm::any_of(sights, [](const Sight &s) { return s.isGathered; }))
    use("", "recolor of gathered cells");
  std::string strategy = kind;
  if (kind == "axes")
    strategy = "red_black(axes=" + std::to_string(dice.below(frame.rank())) + ")";
  else if (kind == "sweep")
    strategy = makeSweep();
  else if (kind == "legalize")
    strategy = "red_black(legalize=snapshot)";
  else if (kind == "tile")
    strategy = std::string("red_black(tile=") +
               (frame.rank() == 1   ? "2"
                : frame.rank() == 2 ? "(2, 1)"
                : frame.rank() == 4 ? "(1, 2, 1, 2)"
                                    : "(1, 2, 3)") +
               ")";
  else if (size_t end = kind.find("fraction"); end != std::string::npos)
    strategy = kind.substr(0, end) + "0.5)";
  if (dice.chance(20)) { // somewhere behind the other values' phases
    std::string phase = use("phase=" + std::to_string(dice.between(1, 5)), "phase");
    bool hasOptions = strategy.back() == ')';
    if (hasOptions)
      strategy.pop_back();
    strategy += (hasOptions ? ", " : "(") + phase + ")";
  }
  declare("schedule " + value.name + "[*] using " + use(strategy, kind));
}

//===----------------------------------------------------------------------===//
// Commits
//===----------------------------------------------------------------------===//

std::string Forge::makeTemperature() {
  if (!numberParams.empty() && dice.chance(50))
    return "temperature = 0.5 + abs(" + numberParams[0] + ")";
  return dice.chance(30) ? use("temperature = 2.0 / (1 + epoch)", "temperature of the epoch")
                         : "temperature = 1.5";
}

void Forge::makeCommit(const Made &value) {
  static const std::vector<std::string> policies = {
      "accept", "satisfy max", "satisfy count", "satisfy weighted",
      "sample", "metropolis",  "quorum"};
  const std::string &policy = dice.pick(policies);
  std::string text = policy;
  std::string weighted = dice.chance(40) ? "constraints=weighted" : "";
  if (policy.rfind("satisfy ", 0) == 0) {
    text = "satisfy(" + policy.substr(8) + "_constraints_then_score)";
    weighted.clear();
  }
  std::vector<std::string> options;
  if (policy == "sample" || policy == "metropolis")
    options.push_back(makeTemperature());
  if (policy == "quorum") {
    weighted.clear();
    options.push_back(std::to_string(dice.between(1, 2)));
  }
  if (!weighted.empty())
    options.push_back(use(weighted, "constraints=weighted"));
  if (!options.empty())
    text += "(" + join(options) + ")";
  use("", policy);
  declare("commit " + value.name + "[*] using " + text);
}

//===----------------------------------------------------------------------===//
// Observers
//===----------------------------------------------------------------------===//

void Forge::makeObservers() {
  const Made &value = dice.pick(values);
  frame = frameOf(value);
  static const std::vector<std::string> kinds = {"sum", "mean", "count", "product"};
  const std::string &kind = dice.pick(kinds);
  if (value.isScalar) {
    declare(use("observe o := " + value.name, "observe a scalar"));
    return;
  }
  std::string member = cell(value.name);
  if (kind == "product" && value.cells != Cells::Number)
    member = member + " % 2"; // more cells than bits: no power of two fits
  if (kind == "count")
    member += " == " + cell(value.name);
  if (frame.rank() > 0 && dice.chance(30))
    member += use(" when " + makeIndexClass(dice, frame.axes), "observe a class of cells");
  std::string body = kind + "(" + member + ")";
  declare(use("observe o := " + (kind == "mean" ? body + " ?? 0.0" : body), "observe"));
}
