//===- TickTest.cpp - Whole programs, tick by tick ------------------------===//
//
// Small programs of the language against a few lines of C++ or results by hand.
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/Functions.h"
#include "LCI/Numerics/Stream.h"
#include "Testing.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {

class TickTest : public InterpreterTest {};

const char *const kLife = R"(
value Cell : Token[2] shape Grid2D(W, H) boundary wrap init bernoulli(0.3)
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
rule Life:
  on Cell[x,y]
  let n = sum(near)
  emit proposal Cell[x,y] := if n == 3 or (n == 2 and self == 1) then 1 else 0
commit Cell[*] using accept
observe population := sum(Cell[x,y])
)";

// S-SNAPSHOT, S-COMMIT: a blinker rotates, and rotates back.
TEST_F(TickTest, lifeBlinks) {
  readText(kLife, {{"W", 5}, {"H", 5}});
  std::vector<int64_t> lying = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
                                1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<int64_t> standing = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                   0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  set("Cell", {5, 5}, lying);
  run(0, 1);
  EXPECT_EQ(get("Cell"), standing);
  EXPECT_EQ(interpreter->counters["Cell.changed"], 4);
  run(1, 2);
  EXPECT_EQ(get("Cell"), lying);
  EXPECT_EQ((*interpreter->observe("population", 2))->asInteger(), 3);
}

// S-STAMP, S-P3: a commit is later than everything its rule read, and than the cell itself.
TEST_F(TickTest, stampsGrow) {
  readText(kLife, {{"W", 8}, {"H", 6}});
  for (int64_t epoch = 0; epoch < 6; ++epoch) {
    std::vector<int64_t> before = stamps("Cell"), held = get("Cell");
    run(epoch, epoch + 1);
    std::vector<int64_t> after = stamps("Cell"), now = get("Cell");
    for (int64_t x = 0; x < 8; ++x)
      for (int64_t y = 0; y < 6; ++y) {
        int64_t latest = 0, cell = x * 6 + y;
        for (int64_t dx = 7; dx <= 9; ++dx)
          for (int64_t dy = 5; dy <= 7; ++dy)
            latest = std::max(latest, before[(x + dx) % 8 * 6 + (y + dy) % 6]);
        EXPECT_EQ(after[cell], now[cell] == held[cell] ? before[cell] : latest + 1);
      }
  }
}

// S-STAMP: declared reads count, whether or not the rule uses them; absent or invisible ones do
// not.
TEST_F(TickTest, declaredReadsCountInStamps) {
  readText(R"(
value A : Token[9] shape Seq(N) init 0
value B : Token[9] shape Seq(N) init 0
visible near: A[i] <- B[i+d] when d in -1..1
visible B[i] <- B[i]
rule Plain: on A[i] when i < 2 emit proposal A[i] := (epoch + 1) % 9
rule Declared: on A[i] when i >= 2 read {near} emit proposal A[i] := (epoch + 1) % 9
rule Count: on B[i] when i != 1 emit proposal B[i] := (self + 1) % 9
commit A[*] using accept
commit B[*] using accept
)",
           {{"N", 4}});
  run(0, 3);
  EXPECT_EQ(stamps("B"), (std::vector<int64_t>{3, 0, 3, 3}));
  EXPECT_EQ(stamps("A"), (std::vector<int64_t>{3, 3, 3, 3})); // B's were 2 before the last epoch
  ::lci::Records records = interpreter->getRecords("B");
  records.stamps = integers({4}, {90, 0, 50, 70});
  ASSERT_TRUE(succeeded(interpreter->setRecords("B", records)));
  run(3, 4);
  EXPECT_EQ(stamps("A"), (std::vector<int64_t>{4, 4, 71, 71}));
}

// S-FIXPOINT, S-P5, S-IDEMPOTENT: a block is unchanged, stamps included, and ends the run.
TEST_F(TickTest, fixpointsEndARun) {
  readText(kLife, {{"W", 4}, {"H", 4}});
  EXPECT_TRUE(interpreter->canReachFixpoint());
  set("Cell", {4, 4}, {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  FailureOr<int64_t> reached = interpreter->run(0, 100);
  EXPECT_EQ(*reached, 2) << "the missing corner, then nothing";
  std::vector<int64_t> held = get("Cell"), before = stamps("Cell");
  run(2, 5);
  EXPECT_EQ(get("Cell"), held);
  EXPECT_EQ(stamps("Cell"), before);
}

const char *const kIsing = R"(
param beta : F32 = min(0.44, 0.2 + 0.05 * epoch)
value Spin : Token[2] shape Grid2D(W, H) boundary wrap init bernoulli(0.5)
visible near: Spin[x,y] <- Spin[x+dx,y+dy] when (dx,dy) in N4
rule HeatBath:
  on Spin[x,y]
  let field = 2*sum(near) - count(near)
  emit proposal Spin[x,y] := bernoulli(1.0 / (1.0 + exp(-2.0 * beta * field)))
schedule Spin[*] using red_black
commit Spin[*] using accept
)";

// S-STRATEGY, S-SCHEDULE, S-CLASS, S-COUNTER, S-STREAM, S-THRESHOLD, S-PARAM, S-INIT, S-FLOAT,
// S-ELEMENTARY: red-black Ising against a loop over its cells.
TEST_F(TickTest, isingIsALoop) {
  const int64_t width = 6, height = 70; // 35 cells of a class in a row: two groups
  environment.seed = 77;
  readText(kIsing, {{"W", width}, {"H", height}});
  EXPECT_EQ(interpreter->getNumPhases("Spin"), 2);
  EXPECT_FALSE(interpreter->canReachFixpoint());
  std::vector<int64_t> spins(width * height);
  numerics::Stream init(77, 1, 0), draws(77, 3, 0);
  for (int64_t x = 0; x < width; ++x)
    for (int64_t y = 0; y < height; ++y) {
      uint64_t n = x * 96 + y; // 70 cells are three groups of 32
      spins[x * height + y] = init.bernoulli({0, n, 0, 0}, 0.5f);
    }
  EXPECT_EQ(get("Spin"), spins);
  for (uint64_t epoch = 0; epoch < 3; ++epoch) {
    float beta = std::min(0.44f, 0.2f + 0.05f * static_cast<float>(epoch));
    for (uint64_t phase = 0; phase < 2; ++phase)
      for (int64_t x = 0; x < width; ++x)
        for (int64_t y = 0; y < height; ++y) {
          if (static_cast<uint64_t>(x + y) % 2 != phase)
            continue;
          auto at = [&](int64_t dx, int64_t dy) {
            return spins[(x + dx + width) % width * height + (y + dy + height) % height];
          };
          float field = static_cast<float>(2 * (at(-1, 0) + at(0, -1) + at(0, 1) + at(1, 0)) - 4);
          float power = -2.0f * beta;
          float e = numerics::evaluate(numerics::Unary::Exp, power * field);
          uint64_t n = x * 64 + y / 2;
          spins[x * height + y] = draws.bernoulli({0, n, epoch, phase}, 1.0f / (1.0f + e));
        }
  }
  run(0, 3);
  EXPECT_EQ(get("Spin"), spins);
}

// S-CHECK, S-CHANGE, S-CONSTRAINT, S-REGION, S-P4: locked cells keep what they hold; absent ones
// may take a first token; a soft lock is outvoted, a hard one never.
TEST_F(TickTest, locksHold) {
  std::string text = R"(
value A : Token[5] shape Grid2D(W, H)
rule Fill:
  on A[x,y]
  emit proposal A[x,y] := 2
constraint Lock: forbid change(A[0..1, *]) priority PRIORITY
constraint Paint: require A[region("right")] in Palette("p") priority 50
commit A[*] using satisfy(max_constraints_then_score)
)";
  environment.regions["right"] = mask({4, 3}, {2, 5, 8, 11});
  environment.palettes["p"] = mask({5}, {2});
  std::vector<int64_t> held = {1, 1, 1, -1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (bool isHard : {true, false}) {
    std::string mine = text;
    mine.replace(mine.find("PRIORITY"), 8, isHard ? "hard" : "10");
    readText(mine, {{"W", 4}, {"H", 3}});
    set("A", {4, 3}, held);
    run(0, 1);
    int64_t corner = isHard ? 1 : 2; // the palette, at 50, outvotes the lock at 10
    std::vector<int64_t> expected = {1, 1, corner, 2, 1, corner, 2, 2, 2, 2, 2, 2};
    EXPECT_EQ(get("A"), expected);
  }
  environment.enables["Lock"] = false; // S-ENABLE
  restart();
  set("A", {4, 3}, held);
  run(0, 1);
  EXPECT_EQ(get("A"), std::vector<int64_t>(12, 2));
}

// S-ABSENT, S-READ, S-BOUNDARY, S-REDUCE, S-EMPTY, S-KEEP: absent cells are skipped.
TEST_F(TickTest, absentCellsAreSkipped) {
  readText(R"(
value A : Token[9] shape Seq(N) boundary (open)
value S : I32 shape Seq(N)
value M : I32 shape Seq(N)
value F : I32 shape Seq(N) boundary clamp
visible near: S[i] <- A[i+d] when d in -1..1
visible seen: M[i] <- A[i+d] when d in 0..1
visible F[i] <- F[i-1]
rule Sum:
  on S[i]
  emit proposal S[i] := 100 * count(near) + sum(near)
rule Max:
  on M[i]
  emit proposal M[i] := max(seen) ?? -7
rule Clamp:
  on F[i]
  emit proposal F[i] := F[i-1] + i
commit S[*] using accept
commit M[*] using accept
commit F[*] using accept
)",
           {{"N", 4}});
  set("A", {4}, {3, -1, -1, 8});
  run(0, 1);
  EXPECT_EQ(get("S"), (std::vector<int64_t>{103, 103, 108, 108}));
  EXPECT_EQ(get("M"), (std::vector<int64_t>{3, -7, 8, 8}));
  EXPECT_EQ(get("A"), (std::vector<int64_t>{3, -1, -1, 8}));
  EXPECT_EQ(get("F"), (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(stamps("S"), (std::vector<int64_t>{1, 1, 1, 1}));
}

// S-UNWRAP: a value assumed present that is absent ends the run with an error.
TEST_F(TickTest, missingCellsAreErrors) {
  readText("value A : Token[2] shape Seq(3)\nvalue B : Token[2] shape Seq(3) init 0\n"
           "visible B[i] <- A[i]\nrule R:\n  on B[i]\n  emit proposal B[i] := A[i]\n"
           "commit B[*] using accept\n");
  std::string said;
  ScopedDiagnosticHandler handler(&context,
                                  [&](Diagnostic &diagnostic) { said = diagnostic.str(); });
  EXPECT_TRUE(failed(interpreter->runEpoch(0)));
  EXPECT_NE(said.find("finds nothing"), std::string::npos) << said;
  set("A", {3}, {1, 0, 1}); // S-INPUT
  run(0, 1);
  EXPECT_EQ(get("B"), (std::vector<int64_t>{1, 0, 1}));
}

// S-PROPOSE, S-ANY, S-SCORE, S-PALETTE, S-INDEX: every token of a range is a candidate, keep as
// well.
TEST_F(TickTest, anyProposesAll) {
  environment.params["score"] = numbers({6}, {9, 1, 2, 3, 8, 3});
  environment.palettes["low"] = mask({6}, {0, 1, 2});
  readText(R"(
param score : F32[6]
value A : Token[6] shape Seq(4) init 5
rule Any:
  on A[i]
  emit proposal A[i] := any in 1..3
  score score[candidate]
constraint P: require A[1..2] in Palette("low") priority hard
commit A[*] using satisfy(max_constraints_then_score)
)");
  run(0, 1);
  EXPECT_EQ(get("A"), (std::vector<int64_t>{3, 2, 2, 3})) << "0 and 4 are not proposed";
}

// S-TREE: a sum of an observer is a tree, which floats distinguish from a chain.
TEST_F(TickTest, observersUseATree) {
  readText("value A : F32 shape Seq(N)\nobserve total := sum(A[i])\n", {{"N", 7}});
  std::vector<float> a = {1e8f, 1.0f, -1e8f, 3.0f, 1e-3f, 7.0f, 1e7f};
  ASSERT_TRUE(succeeded(interpreter->setValue("A", numbers({7}, a))));
  float tree = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + a[6]);
  float chain = 0;
  for (float x : a)
    chain += x;
  EXPECT_NE(tree, chain);
  EXPECT_EQ((*interpreter->observe("total", 0))->asNumber(), tree);
}

// S-NAN, S-POWER, S-FLOOR, S-INTEGER: canonical numbers in commits.
TEST_F(TickTest, numbersAreCanonical) {
  readText(R"(
value A : F32 shape Seq(2) init 0.0
value B : I32 shape Seq(2)
visible A[i] <- A[i]
visible B[i] <- B[i]
rule NaN:
  on A[i]
  emit proposal A[i] := if i == 0 then -((self - self) / self) else (1.1 + self) ^ 3
rule Floor:
  on B[i]
  emit proposal B[i] := (self - 7) / 2 * 10 + (self - 7) % 2
commit A[*] using accept
commit B[*] using accept
)");
  run(0, 1);
  ::lci::Array a = interpreter->getValue("A");
  EXPECT_EQ(a.data<uint32_t>()[0], 0x7fc00000u);
  float square = 1.1f * 1.1f;
  EXPECT_EQ(number("A", 1), square * 1.1f);
  EXPECT_EQ(get("B")[0], -40 + 1);
}

// S-STRATEGY: the phases of the other strategies.
TEST_F(TickTest, strategiesHaveTheirPhases) {
  auto program = [](const std::string &strategy) {
    return "value A : I32 shape Grid2D(2, 3)\nvisible s: A[x,y] <- A[i,j] when i in 0..1 and j in "
           "0..2\nrule R:\n  on A[x,y]\n  emit proposal A[x,y] := max(s) ?? 0 + 1\nschedule A[*] "
           "using " +
           strategy + "\ncommit A[*] using accept\n";
  };
  // Every cell becomes one more than the maximum so far: its phase, counted from 1.
  auto phases = [&](const std::string &strategy) {
    std::string text = program(strategy);
    text.replace(text.find("max(s) ?? 0 + 1"), 15, "(max(s) ?? 0) + 1");
    readText(text);
    run(0, 1);
    return get("A");
  };
  EXPECT_EQ(phases("all"), (std::vector<int64_t>{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(phases("red_black"), (std::vector<int64_t>{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(phases("red_black(axes=1)"), (std::vector<int64_t>{1, 2, 1, 1, 2, 1}));
  EXPECT_EQ(phases("red_black(tile=(1,2))"), (std::vector<int64_t>{1, 1, 2, 2, 2, 1}));
  EXPECT_EQ(phases("four_color"), (std::vector<int64_t>{1, 3, 1, 2, 4, 2}));
  EXPECT_EQ(phases("raster"), (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(phases("wavefront"), (std::vector<int64_t>{1, 2, 3, 2, 3, 4}));
}

// S-NUMBER-DRAW, S-CELL: numbers drawn by `init`, and integers, from one word of a block.
TEST_F(TickTest, initDrawsNumbers) {
  environment.seed = 5;
  readText(
      "value U : F32 shape Seq(3) init uniform()\nvalue K : I32 shape Seq(3) init randint(10)\n"
      "value G : F32 shape Seq(3) init normal()\n");
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(number("U", i), numerics::Stream(5, 0, 0).uniform({0, i, 0, 0}));
    EXPECT_EQ(get("K")[i], numerics::Stream(5, 1, 0).randint({0, i, 0, 0}, 10));
    EXPECT_EQ(number("G", i), numerics::Stream(5, 2, 0).normal({0, i, 0, 0}));
  }
}

// S-DEF, S-VISIBLE: a formula is its body.
TEST_F(TickTest, formulasAreTheirBodies) {
  readText(R"(
value A : I32 shape Seq(4) boundary wrap
def twice[i] = 2 * A[i+1]
visible A[i] <- A[i+1]
rule R:
  on A[i]
  emit proposal A[i] := twice[i] + 1
commit A[*] using accept
)");
  set("A", {4}, {1, 2, 3, 4});
  run(0, 1);
  EXPECT_EQ(get("A"), (std::vector<int64_t>{5, 7, 9, 3}));
}

// S-MODEL, S-COLLECT: a model gets members and presence, padded, then its weights.
TEST_F(TickTest, modelsAreFunctions) {
  readIR(R"(
func.func @Add(%m: tensor<3xi64>, %p: tensor<3xi1>, %w: tensor<1xi64> {lci.weight = "w"}) -> i64 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %a = tensor.extract %m[%i0] : tensor<3xi64>
  %c = tensor.extract %m[%i2] : tensor<3xi64>
  %q = tensor.extract %p[%i2] : tensor<3xi1>
  %n = arith.extui %q : i1 to i64
  %b = tensor.extract %w[%i0] : tensor<1xi64>
  %x = arith.addi %a, %b : i64
  %y = arith.addi %x, %n : i64
  %z = arith.addi %y, %c : i64
  return %z : i64
}
lci.program @p sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (50)> shape affine_map<() -> (3)>
    boundary [#lci.boundary<open>] {
  }
  lci.model "Model" is "Add"
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(d0, d1) : (d1 >= 0, 1 - d1 >= 0)>](%i)
        : tensor<3xi64>, tensor<3xi1> {
    ^bb0(%d: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(d0, d1) -> (d0 + d1)>](%i, %d) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "Model"(%v, %p) : (tensor<3xi64>, tensor<3xi1>) -> i64
    lci.emit %a : i64
  }
  lci.commit @A using accept {
  }
}
)");
  environment.weights["Model.w"] = integers({1}, {-40});
  restart();
  set("A", {3}, {1, 2, 3});
  run(0, 1);
  // The third member is padding: 50, the vocabulary's size, and not present.
  EXPECT_EQ(get("A"), (std::vector<int64_t>{11, 12, 13}));
}

// S-FUTURE: decided when the program is checked, hence false while it runs.
TEST_F(TickTest, runningProgramsDoNotReadTheFuture) {
  readText("value A : Token[3] shape Seq(2) init 0\nrule R:\n  on A[t]\n  emit proposal A[t] := 2\n"
           "constraint C: forbid read_future(A[t]) priority 1000\ncommit A[*] using accept\n");
  run(0, 1);
  EXPECT_EQ(get("A"), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(interpreter->counters["C.satisfied"], 2);
}

// S-SET: rules on sets of events are schedules, not ticks. S-P1: the same seed, the same state.
TEST_F(TickTest, eventsAreSchedules) {
  readText("value A : I32 shape Seq(4)\nvalue Plan : Event shape Set()\nvisible n: A[i] <- A[k] "
           "when k != i\nrule R:\n  on A[i]\n  emit proposal A[i] := sum(n) + 1\n"
           "rule Schedule:\n  on Plan\n  emit proposal Plan := "
           "SampleTiles(strategy=\"red-black\", epoch=e)\ncommit A[*] using accept\n");
  EXPECT_EQ(interpreter->getNumPhases(), 2);
  run(0, 1);
  EXPECT_EQ(get("A"), (std::vector<int64_t>{1, 3, 1, 3}));
  restart();
  run(0, 1);
  EXPECT_EQ(get("A"), (std::vector<int64_t>{1, 3, 1, 3}));
}

} // namespace
