//===- PlaneDrawsTest.cpp - Threshold draws on planes of bits -------------===//
//
// Rows that end at, before and behind every position at which cells begin to share other random
// bits, under draws that decide the probability of others, against the interpreter. The number of
// blocks compared eagerly ranges from none to the eight bits of ordinary programs.
//
//===----------------------------------------------------------------------===//

#include "LCI/InitAllDialects.h"
#include "Rungs.h"
#include "mlir/InitAllDialects.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::lci;
using ::lci::SmithProgram;

namespace {

/// The proposal of a rule as a function of itself and the number `n` of its four neighbours, and
/// its policy.
struct Rule {
  const char *proposal, *policy;
};

constexpr Rule kRules[] = {
    {"bernoulli(0.3)", "accept"},
    {"bernoulli(0.0625 * (n + 1))", "accept"},
    // The proposal decides the probability of its acceptance.
    {"if bernoulli(0.3) then 1 - self else self", "metropolis(temperature = 1.5)"},
    {"if bernoulli(if bernoulli(0.4) then 0.3 else 0.8) then 1 - self else self", "accept"},
    {"bernoulli(if bernoulli(if bernoulli(0.6) then 0.55 else 0.2) then 0.35 else 0.85)",
     "metropolis(temperature = 0.75)"},
};
constexpr size_t kNumRules = std::size(kRules);

struct Grid {
  int64_t rows, row;
  size_t rule;
  const char *schedule;
};

SmithProgram programOf(const Grid &grid) {
  const auto &[proposal, policy] = kRules[grid.rule];
  SmithProgram program;
  program.declarations = {
      "value C : Token[2] shape Grid2D(W, H) boundary wrap init randint(2)",
      "visible C[x,y] <- C[x,y]",
      "visible near: C[x,y] <- C[x+dx,y+dy] when (dx,dy) in N4",
      "rule R:\n  on C[x,y]\n  let n = count(near == 1)\n  emit proposal C[x,y] := " +
          std::string(proposal) + "\n  score 1.0 * candidate",
      std::string("schedule C[*] using ") + grid.schedule,
      std::string("commit C[*] using ") + policy};
  program.sizes = {{"W", grid.rows}, {"H", grid.row}};
  program.epochs = 2;
  program.seed = 1000 + grid.row;
  return program;
}

class PlaneDraws : public ::testing::Test {
protected:
  PlaneDraws() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::lci::registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    prepareContext(*context);
  }

  void compare(const Grid &grid, const std::string &lowering) {
    SCOPED_TRACE(lowering + ", rows of " + std::to_string(grid.row) + ", rule " +
                 std::to_string(grid.rule) + ", " + grid.schedule);
    FailureOr<Case> test = makeCase(programOf(grid), *context);
    ASSERT_TRUE(succeeded(test));
    FailureOr<Outcome> expected = runReference(*test);
    CpuOptions options;
    options.optLevel = 0;
    options.verify = true;
    options.lowering = lowering;
    FailureOr<Outcome> got = runOnPlanes(*test, options);
    ASSERT_TRUE(succeeded(expected) && succeeded(got));
    EXPECT_EQ(findDifference(*expected, *got, /*compareCounters=*/true), "");
  }

  std::unique_ptr<MLIRContext> context;
};

/// Whether all pairs are compared, as `make test-long` does, or every second one.
bool takesAll() { return std::getenv("LCI_ALL_WAYS"); }

constexpr const char *kEager[] = {"eager-blocks=0 strip-words=1", "eager-blocks=1",
                                  "eager-blocks=1 vector-bits=256", "vector-bits=512"};

TEST_F(PlaneDraws, OfRowsOfEveryClass) {
  size_t number = 0;
  for (int64_t row : {1,   31,  32,  33,  63,  64,  65,  95,  96,  97,  127,
                      128, 129, 159, 160, 161, 191, 192, 193, 223, 224, 225}) {
    compare({3 + row % 2, row, number % kNumRules, "all"}, kEager[number % 3]);
    ++number;
  }
}

TEST_F(PlaneDraws, OfRowsInColours) {
  size_t number = 0;
  for (int64_t row : {64, 66, 128, 130, 186, 192, 194, 318, 320, 322})
    for (const char *schedule : {"red_black", "four_color"}) {
      if (takesAll() || number % 2 == number / 2 % 2)
        compare({4, row, number % 2, schedule}, kEager[number % 3]);
      ++number;
    }
}

TEST_F(PlaneDraws, ThatDecideHowLikelyOthersAre) {
  for (size_t rule = 0; rule < kNumRules; ++rule)
    for (auto [number, lowering] : llvm::enumerate(kEager))
      if (takesAll() || (rule + number) % 2 == 0)
        compare({9, 90, rule, "all"}, lowering);
}

TEST_F(PlaneDraws, BeforeWhichNothingIsLookedAt) {
  for (int64_t blocks : {-1, 3}) {
    std::string said;
    ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
      said = diagnostic.str();
      return success();
    });
    FailureOr<Case> test = makeCase(programOf({2, 8, 0, "all"}), *context);
    ASSERT_TRUE(succeeded(test));
    CpuOptions options;
    options.lowering = "eager-blocks=" + std::to_string(blocks);
    EXPECT_TRUE(failed(runOnPlanes(*test, options)));
    EXPECT_EQ(said, "--lowering: expected 'eager-blocks' from 0 to 2, but got '" +
                        std::to_string(blocks) + "'");
  }
}

} // namespace
