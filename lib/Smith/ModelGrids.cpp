//===- ModelGrids.cpp - Random programs that evaluate a model in each cell -===//

#include "ModelGrids.h"
#include "Sizes.h"

using namespace lci;

/// About as many cells as one tile has, or two.
void ModelGrids::makeSizes() {
  int64_t cells = crossThreshold(dice, Measure::Cells, 200);
  std::vector<int64_t> extents{1, cells};
  for (int64_t rows : {7, 5, 3, 2})
    if (cells % rows == 0 && dice.chance(60))
      extents = {rows, cells / rows};
  program.sizes = {{"W", extents[0]}, {"H", extents[1]}};
  noteExtents(program, extents);
  static const std::vector<int64_t> parted = {48, 64, 64, 80, 96};
  vocabulary = dice.chance(40) ? dice.pick(parted)
                               : std::max<int64_t>(2, crossThreshold(dice, Measure::Tokens, 40));
  program.measures[Measure::Tokens].insert(vocabulary);
}

/// The model's result is a number for each token, or a token, or one with its score.
void ModelGrids::makeRule() {
  Network network(dice, program.coverage, "Net");
  network.addArgument(dice.chance(50) ? "i32" : "i64", members, vocabulary);
  network.addArgument("i32", 1, vocabulary);
  network.join();
  bool hasLogits = dice.chance(65);
  if (hasLogits)
    network.answerLogits(vocabulary);
  else
    network.answerToken(vocabulary, /*isSure=*/dice.chance(50));
  program.modelText = network.text();
  program.models["Model"] = {"Net", network.weights};
  program.switches.push_back("R");
  std::string text = "rule R:\n  on A[x, y]";
  if (program.sizes["H"] > 1 && dice.chance(25)) // with one row no cell would remain
    text += " when y > 0";
  declare(text + "\n  emit proposal A[x, y] := Model(near, A[x, y])" +
          (hasLogits && dice.chance(30) ? "\n  score ModelScore(...)" : ""));
}

/// A schedule and a policy, by some of which the model is evaluated for a part of the cells only.
void ModelGrids::makePicking() {
  static const std::vector<std::string> schedules = {"all", "all", "red_black", "random(0.5)",
                                                     "confidence(0.4)"};
  static const std::vector<std::string> policies = {"accept", "sample(temperature = 1.25)",
                                                    "satisfy(max_constraints_then_score)",
                                                    "satisfy(count_constraints_then_score)"};
  if (dice.chance(30)) {
    program.switches.push_back("Lock");
    declare("constraint Lock:\n  on A[x, y] when y < 9\n  forbid change(A[x, y])\n  priority hard");
  }
  declare("schedule A[*] using " + dice.pick(schedules));
  declare("commit A[*] using " + dice.pick(policies));
}

SmithProgram ModelGrids::make() {
  std::vector<std::string> boundaries = {"wrap", "clamp"};
  ++program.coverage["model grid"];
  makeSizes();
  if (program.sizes["W"] > 2 && program.sizes["H"] > 2) // else there are never four neighbours
    boundaries.emplace_back("open");
  std::string tokens = std::to_string(vocabulary);
  declare("value A : Token[" + tokens + "] shape Grid2D(W, H) boundary " + dice.pick(boundaries) +
          " init randint(" + tokens + ")");
  declare("visible A[x, y] <- A[x, y]");
  // A family of the other cells of a row is gathered cell by cell.
  bool seesRow = program.sizes["H"] > 1 && program.sizes["H"] < 24 && dice.chance(50);
  members = seesRow ? program.sizes["H"] - 1 : 4;
  declare(std::string("visible near: A[x, y] <- ") +
          (seesRow ? "A[x, k] when k != y" : "A[x+dx, y+dy] when (dx,dy) in N4"));
  makeRule();
  makePicking();
  program.aim = dice.chance(40) ? SmithProgram::Aim::Kernels : SmithProgram::Aim::Any;
  program.epochs = dice.between(1, 2);
  return std::move(program);
}
