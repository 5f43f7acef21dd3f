//===- CompiledProgramTest.cpp - Compiled ticks against plain loops -------===//
//
// Hand-written functions of ticks, compiled, against equivalent loops in C++.
//
//===----------------------------------------------------------------------===//

#include "CompiledProgramTest.h"
#include "LCI/Numerics/Stream.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

static std::string lifeBody() {
  std::string body = "^bb0(%x: index, %y: index, %ee: i64, %p: i64, %key: i64, %in: TYPE):\n";
  int count = 0;
  std::string sum;
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy) {
      if (dx == 0 && dy == 0)
        continue;
      std::string name = "w" + std::to_string(count);
      body += window(name, dx, dy, "wrap");
      if (count > 0)
        sum += "%s" + std::to_string(count) + " = arith.addi %" +
               (count == 1 ? "w0" : "s" + std::to_string(count - 1)) + ", %" + name + " : i64\n";
      ++count;
    }
  body += window("self", 0, 0, "wrap") + sum + R"(
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %born = arith.cmpi eq, %s7, %c3 : i64
      %two = arith.cmpi eq, %s7, %c2 : i64
      %alive = arith.cmpi eq, %self, %c1 : i64
      %stays = arith.andi %two, %alive : i1
      %lives = arith.ori %born, %stays : i1
      %next = arith.extui %lives : i1 to i64
      %changed = arith.cmpi ne, %next, %self : i64
      lci.install %next if %changed tally %changed to [0] : i64)";
  return replaceAll(body, "ELEMENT", "i64");
}

/// One epoch of Life on a torus; returns the number of cells that changed.
static int64_t stepLife(std::vector<int8_t> &cells, int64_t height, int64_t width) {
  std::vector<int8_t> old = cells;
  int64_t changed = 0;
  for (int64_t x = 0; x < height; ++x)
    for (int64_t y = 0; y < width; ++y) {
      int sum = 0;
      for (int dx = -1; dx <= 1; ++dx)
        for (int dy = -1; dy <= 1; ++dy)
          if (dx != 0 || dy != 0)
            sum += old[(x + dx + height) % height * width + (y + dy + width) % width];
      int8_t next = sum == 3 || (sum == 2 && old[x * width + y] == 1);
      changed += next != old[x * width + y];
      cells[x * width + y] = next;
    }
  return changed;
}

TEST_F(CompiledProgramTest, LifeOnTori) {
  for (auto [height, width] : {std::pair<int64_t, int64_t>{64, 64}, {5, 131}, {1, 1}, {2, 3}}) {
    std::string type = "tensor<" + std::to_string(height) + "x" + std::to_string(width) + "xi64>";
    auto program = compile(replaceAll(oneValue(type, kWholeTick, lifeBody()), "TYPE", type));
    ASSERT_TRUE(program);
    Array cells = randomTokens({height, width}, 2);
    ASSERT_TRUE(program->setValue("A", cells));
    std::vector<int8_t> expected(cells.data<int8_t>(), cells.data<int8_t>() + cells.size());
    // Odd and even numbers of epochs end in different buffers.
    for (auto [first, last] : {std::pair<int64_t, int64_t>{0, 7}, {7, 8}, {8, 10}, {10, 10}}) {
      int64_t changed = 0;
      for (int64_t e = first; e < last; ++e)
        changed += stepLife(expected, height, width);
      auto counters = program->runEpochs(first, last);
      ASSERT_TRUE(counters);
      EXPECT_EQ((*counters)["A.changed"], changed);
      Array got = *program->value("A");
      EXPECT_EQ(std::vector<int8_t>(got.data<int8_t>(), got.data<int8_t>() + got.size()), expected);
    }
  }
}

// The state to go back to is in planes, too, whether or not a call has put it there.
TEST_F(CompiledProgramTest, LifeGoesBackToItsPlanes) {
  constexpr int64_t kHeight = 16, kWidth = 256;
  const std::string text = oneValue("tensor<16x256xi64>", kWholeTick, lifeBody());
  for (const char *lowering : {"", "persist-layouts=false"}) {
    CpuOptions options;
    options.lowering = lowering;
    auto program = compile(text, options);
    ASSERT_TRUE(program);
    Array cells = randomTokens({kHeight, kWidth}, 2);
    std::vector<int8_t> begin(cells.data<int8_t>(), cells.data<int8_t>() + cells.size());
    std::vector<int8_t> next = begin;
    stepLife(next, kHeight, kWidth);
    auto expectCells = [&](const std::vector<int8_t> &expected) {
      Array got = *program->value("A");
      EXPECT_EQ(std::vector<int8_t>(got.data<int8_t>(), got.data<int8_t>() + got.size()), expected);
    };
    ASSERT_TRUE(program->setValue("A", cells));
    EXPECT_TRUE(program->remember());
    expectCells(begin);
    ASSERT_TRUE(program->runEpochs(0, 3));
    program->recall();
    expectCells(begin);
    ASSERT_TRUE(program->runEpochs(0, 1));
    EXPECT_TRUE(program->remember());
    ASSERT_TRUE(program->runEpochs(1, 4));
    program->recall();
    expectCells(next);
    bool isKept = *lowering == 0;
    EXPECT_EQ(program->stateSize() < size_t(kHeight * kWidth / 2), isKept);
    EXPECT_GT(program->memoryNeeded(), program->stateSize());
  }
}

//===----------------------------------------------------------------------===//
// A clamped stencil of numbers
//===----------------------------------------------------------------------===//

TEST_F(CompiledProgramTest, ClampedStencil) {
  std::string body = "^bb0(%x: index, %y: index, %ee: i64, %p: i64, %key: i64, %in: TYPE):\n" +
                     window("a", -2, 0, "clamp") + window("b", 0, 1, "clamp") +
                     window("c", 3, -1, "clamp") + R"(
      %ab = arith.subf %a, %b : f32
      %half = arith.constant 0.5 : f32
      %scaled = arith.mulf %ab, %half : f32
      %v = arith.addf %scaled, %c : f32
      %yes = arith.constant true
      lci.install %v if %yes tally %yes to [0] : f32)";
  constexpr int64_t kHeight = 6, kWidth = 37;
  auto program =
      compile(oneValue("tensor<6x37xf32>", kWholeTick, replaceAll(body, "ELEMENT", "f32"), ""));
  ASSERT_TRUE(program);
  Array cells(DType::F32, {kHeight, kWidth});
  for (int64_t i = 0; i < cells.size(); ++i)
    cells.data<float>()[i] = static_cast<float>(random() % 1000) / 7.0f;
  ASSERT_TRUE(program->setValue("A", cells));
  std::vector<float> now(cells.data<float>(), cells.data<float>() + cells.size());
  for (int epoch = 0; epoch < 5; ++epoch) {
    std::vector<float> old = now;
    auto at = [&](int64_t x, int64_t y) {
      return old[std::clamp<int64_t>(x, 0, kHeight - 1) * kWidth +
                 std::clamp<int64_t>(y, 0, kWidth - 1)];
    };
    for (int64_t x = 0; x < kHeight; ++x)
      for (int64_t y = 0; y < kWidth; ++y) {
        float scaled = (at(x - 2, y) - at(x, y + 1)) * 0.5f;
        now[x * kWidth + y] = scaled + at(x + 3, y - 1);
      }
  }
  ASSERT_TRUE(program->runEpochs(0, 5));
  Array got = *program->value("A");
  EXPECT_EQ(std::memcmp(got.data<float>(), now.data(), now.size() * sizeof(float)), 0);
}

//===----------------------------------------------------------------------===//
// Ising, red and black, in place
//===----------------------------------------------------------------------===//

/// Epochs 3 to 8 of the heat bath; returns the number of spins that changed.
static int64_t sweepIsing(std::vector<int8_t> &now, int64_t height, int64_t width, uint64_t seed) {
  ::lci::numerics::Stream stream(seed, 4, 0);
  int64_t changed = 0;
  for (uint64_t epoch = 3; epoch < 9; ++epoch)
    for (int64_t phase = 0; phase < 2; ++phase)
      for (int64_t x = 0; x < height; ++x)
        for (int64_t y = (x + phase) % 2; y < width; y += 2) {
          auto at = [&](int64_t i, int64_t j) {
            return now[(i + height) % height * width + (j + width) % width];
          };
          int sum = at(x - 1, y) + at(x, y - 1) + at(x, y + 1) + at(x + 1, y);
          // Rows hold 35 cells of a colour, which takes two groups of 32.
          uint64_t cell = x * 64 + y / 2;
          bool up = stream.bernoulli({0, cell, epoch, static_cast<uint64_t>(phase)},
                                     static_cast<float>(sum) * 0.23f);
          changed += up != (now[x * width + y] == 1);
          now[x * width + y] = up;
        }
  return changed;
}

TEST_F(CompiledProgramTest, IsingHeatBath) {
  std::string body = "^bb0(%x: index, %y: index, %ee: i64, %p: i64, %key: i64, %in: TYPE):\n" +
                     window("a", -1, 0, "wrap") + window("b", 0, -1, "wrap") +
                     window("c", 0, 1, "wrap") + window("d", 1, 0, "wrap") +
                     window("self", 0, 0, "wrap") + R"(
      %ab = arith.addi %a, %b : i64
      %abc = arith.addi %ab, %c : i64
      %sum = arith.addi %abc, %d : i64
      %number = arith.sitofp %sum : i64 to f32
      %quarter = arith.constant 0.23 : f32
      %prob = arith.mulf %number, %quarter : f32
      %up = lci.bernoulli %prob stream <4, 0>
      %next = arith.extui %up : i1 to i64
      %changed = arith.cmpi ne, %next, %self : i64
      lci.install %next if %changed tally %changed to [0] : i64)";
  std::string ticks = R"(
    %red:2 = lci.tick @A at %e, %zero, %seed inputs(%s : TYPE) target(%s : TYPE)
        counts(%k : tensor<1xi64>) cells affine_set<(x, y)[p] : ((x + y - p) mod 2 == 0)> class_stride 2 {
    BODY
    } -> TYPE, tensor<1xi64>
    %black:2 = lci.tick @A at %e, %one, %seed inputs(%red#0 : TYPE) target(%red#0 : TYPE)
        counts(%red#1 : tensor<1xi64>) cells affine_set<(x, y)[p] : ((x + y - p) mod 2 == 0)> class_stride 2 {
    BODY
    } -> TYPE, tensor<1xi64>
    scf.yield %black#0, %black#1 : TYPE, tensor<1xi64>)";
  constexpr int64_t kHeight = 8, kWidth = 70;
  constexpr uint64_t kSeed = 77;
  std::string text = oneValue("tensor<8x70xi64>", ticks, replaceAll(body, "ELEMENT", "i64"));
  Array cells = randomTokens({kHeight, kWidth}, 2);
  std::vector<int8_t> now(cells.data<int8_t>(), cells.data<int8_t>() + cells.size());
  int64_t changed = sweepIsing(now, kHeight, kWidth, kSeed);
  for (auto [split, threads] : {std::pair(true, 1), {true, 2}, {false, 1}, {false, 3}}) {
    CpuOptions options;
    options.lowering = split ? "grain=0" : "grain=0 split-domain=false narrow=false";
    options.threads = threads;
    auto program = compile(text, options);
    ASSERT_TRUE(program);
    RunArguments arguments;
    arguments.seed = kSeed;
    ASSERT_TRUE(program->setArguments(arguments));
    ASSERT_TRUE(program->setValue("A", cells));
    auto counters = program->runEpochs(3, 9);
    ASSERT_TRUE(counters);
    EXPECT_EQ((*counters)["A.changed"], changed);
    Array got = *program->value("A");
    EXPECT_EQ(std::vector<int8_t>(got.data<int8_t>(), got.data<int8_t>() + got.size()), now);
  }
}

TEST_F(CompiledProgramTest, ThreadsNeedALibrary) {
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      said += "; " + note.str();
    return success();
  });
  CpuOptions options;
  options.openMP = "libnowhere.so.5";
  std::string text = oneValue("tensor<8x70xi64>", kWholeTick, lifeBody());
  EXPECT_TRUE(compile(text, options)); // which one thread does not
  EXPECT_EQ(said, "");
  options.threads = 2;
  EXPECT_FALSE(compile(text, options));
  EXPECT_NE(said.find("expected LLVM's OpenMP runtime library for 2 threads, but got: "
                      "libnowhere.so.5"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("; on Debian it is in the package libomp5-14; one thread needs none"),
            std::string::npos)
      << said;
}

//===----------------------------------------------------------------------===//
// An agreement over many candidates
//===----------------------------------------------------------------------===//

TEST_F(CompiledProgramTest, AgreementOverSixteenCandidates) {
  // Level: parity against the left neighbour's; score: a hash with ties and a NaN; every third
  // candidate is proposed, and those above the cell's limit are not admissible.
  std::string body = R"(^bb0(%x: index, %y: index, %ee: i64, %p: i64, %key: i64, %in: TYPE):
      %left = lci.load %in[affine_map<(x, y) -> (x, y - 1)>](%x, %y) [#clamp, #clamp] : TYPE -> i64
      %lo = arith.constant 0 : i64
      %hi = arith.constant 16 : i64
      %row = arith.index_cast %x : index to i64
      %w, %found = lci.agree %lo to %hi {
      ^bb0(%c: i64):
        %c2 = arith.constant 2 : i64
        %c3 = arith.constant 3 : i64
        %c5 = arith.constant 5 : i64
        %sum = arith.addi %c, %left : i64
        %parity = arith.remui %sum, %c2 : i64
        %mixed = arith.muli %sum, %row : i64
        %hash = arith.remui %mixed, %c5 : i64
        %number = arith.uitofp %hash : i64 to f32
        %nan = arith.constant 0x7FC00000 : f32
        %isNaN = arith.cmpi eq, %hash, %c3 : i64
        %score = arith.select %isNaN, %nan, %number : f32
        %third = arith.remui %c, %c3 : i64
        %proposed = arith.cmpi eq, %third, %lo : i64
        %limit = arith.addi %row, %c3 : i64
        %admissible = arith.cmpi ult, %c, %limit : i64
        lci.candidate %admissible levels(%parity) score %score proposed %proposed
      }
      lci.install %w if %found tally %found to [0] : i64)";
  constexpr int64_t kHeight = 12, kWidth = 9;
  auto program =
      compile(oneValue("tensor<12x9xi64>", kWholeTick, body, ", lci.vocabulary = 16 : i64"));
  ASSERT_TRUE(program);
  Array cells = randomTokens({kHeight, kWidth}, 16);
  std::vector<int8_t> now(cells.data<int8_t>(), cells.data<int8_t>() + cells.size()), old = now;
  for (int64_t x = 0; x < kHeight; ++x)
    for (int64_t y = 0; y < kWidth; ++y) {
      int64_t left = old[x * kWidth + std::max<int64_t>(0, y - 1)];
      using Key = std::tuple<int64_t, bool, float, bool, int64_t>;
      std::optional<Key> best;
      for (int64_t c = 0; c < std::min<int64_t>(16, x + 3); ++c) {
        int64_t hash = (c + left) * x % 5;
        bool isNumber = hash != 3;
        Key key{(c + left) % 2, isNumber, isNumber ? static_cast<float>(hash) : 0.0f, c % 3 == 0,
                -c};
        best = best ? std::max(*best, key) : key;
      }
      now[x * kWidth + y] = static_cast<int8_t>(-std::get<4>(*best));
    }
  ASSERT_TRUE(program->setValue("A", cells));
  ASSERT_TRUE(program->runEpochs(0, 1));
  Array got = *program->value("A");
  EXPECT_EQ(std::vector<int8_t>(got.data<int8_t>(), got.data<int8_t>() + got.size()), now);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

TEST_F(CompiledProgramTest, ArgumentsByName) {
  auto program = compile(R"(
func.func @run(%A: tensor<4xf32> {lci.role = "state", lci.name = "A"}, %p: f32 {lci.role = "param", lci.name = "p"},
               %table: tensor<2xf32> {lci.role = "param", lci.name = "table"}, %on: i1 {lci.role = "enable", lci.name = "Rule"},
               %first: i64 {lci.role = "first"}, %last: i64 {lci.role = "last"}, %seed: i64 {lci.role = "seed"}) -> tensor<4xf32> {
  %n = lci.tick @A at %first, %first, %seed inputs(%p, %table, %on : f32, tensor<2xf32>, i1) target(%A : tensor<4xf32>) class_stride 1 {
  ^bb0(%i: index, %e: i64, %ph: i64, %s: i64, %scale: f32, %t: tensor<2xf32>, %enabled: i1):
    %c1 = arith.constant 1 : index
    %v = tensor.extract %t[%c1] : tensor<2xf32>
    %w = arith.mulf %v, %scale : f32
    lci.install %w if %enabled : f32
  } -> tensor<4xf32>
  return %n : tensor<4xf32>
}
func.func @run.init(%p: f32 {lci.role = "param", lci.name = "p"}, %seed: i64 {lci.role = "seed"})
    -> (tensor<4xf32> {lci.role = "state", lci.name = "A"}) {
  %zeros = arith.constant dense<-1.0> : tensor<4xf32>
  return %zeros : tensor<4xf32>
})");
  ASSERT_TRUE(program);
  RunArguments arguments;
  auto missing = program->setArguments(arguments);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(), "expected a param 'p', but none is given");
  arguments.params["p"] = Array(DType::F32, {2});
  EXPECT_EQ(program->setArguments(arguments).error(), "expected one number for 'p', but got (2,)");
  arguments.params["p"] = Array::scalar(3.0);
  Array table(DType::F32, {2});
  table.data<float>()[1] = 0.5f;
  arguments.params["table"] = table;
  arguments.enables["Rule"] = false;
  ASSERT_TRUE(program->setArguments(arguments));
  ASSERT_TRUE(program->initialise());
  ASSERT_TRUE(program->runEpochs(0, 1));
  EXPECT_EQ(program->value("A")->data<float>()[3], -1.0f);
  arguments.enables.clear();
  ASSERT_TRUE(program->setArguments(arguments));
  ASSERT_TRUE(program->runEpochs(1, 2));
  EXPECT_EQ(program->value("A")->data<float>()[3], 1.5f);
  auto unknown = program->value("B");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), "expected a value of the program, but got 'B'");
}

// S-RECORD: saved records are restored unchanged, and no other state is mistaken for them.
TEST_F(CompiledProgramTest, RecordsAreStatesOfTheirOwn) {
  auto program = compile(R"(
func.func @run(%A: tensor<4xi64> {lci.role = "state", lci.name = "A"},
               %stamp: tensor<4xi64> {lci.role = "state", lci.name = "A.stamp"},
               %score: tensor<4xf32> {lci.role = "state", lci.name = "A.score"},
               %who: tensor<4xi64> {lci.role = "state", lci.name = "A.replica"},
               %l0: tensor<4xi64> {lci.role = "state", lci.name = "A.level0"},
               %l1: tensor<4xi64> {lci.role = "state", lci.name = "A.level1"},
               %r: i64 {lci.role = "replica"}, %first: i64 {lci.role = "first"},
               %last: i64 {lci.role = "last"}, %seed: i64 {lci.role = "seed"})
    -> (tensor<4xi64>, tensor<4xi64>, tensor<4xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) {
  return %A, %stamp, %score, %who, %l0, %l1
      : tensor<4xi64>, tensor<4xi64>, tensor<4xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>
})");
  ASSERT_TRUE(program);
  ASSERT_TRUE(program->setArguments(RunArguments()));
  ASSERT_TRUE(program->keepsRecords());
  ::lci::Records records = ::lci::emptyRecords({4}, 2);
  for (int64_t i = 0; i < 4; ++i) {
    records.stamps.setInt(i, 10 + i);
    records.scores.setDouble(i, 0.5 * i);
    records.replicas.setInt(i, 7);
    records.levels.setInt(2 * i, i);
    records.levels.setInt(2 * i + 1, -i);
  }
  ASSERT_TRUE(program->setRecords("A", records));
  ASSERT_TRUE(program->runEpochs(0, 1));
  EXPECT_TRUE(*program->records("A") == records);
  EXPECT_EQ(program->setRecords("A", ::lci::emptyRecords({4}, 1)).error(),
            "expected records of the shape of 'A' and of 2 priorities");
}

TEST_F(CompiledProgramTest, RefusesAModuleWithoutEpochs) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_FALSE(compile("func.func @f() { return }"));
  EXPECT_EQ(message, "expected a function with an argument of the role 'first'");
}

TEST_F(CompiledProgramTest, RefusesWhatItCannotPass) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str() + "\n"; });
  EXPECT_FALSE(compile("func.func @run(%x: complex<f32>, %first: i64 {lci.role = \"first\"}, "
                       "%last: i64 {lci.role = \"last\"}) {\n  return\n}"));
  EXPECT_NE(
      message.find("expected arguments that are numbers, integers or buffers of them, but got "
                   "'complex<f32>'"),
      std::string::npos)
      << message;
}

TEST_F(CompiledProgramTest, RefusesCallsOfWhatIsNowhere) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str() + "\n"; });
  EXPECT_FALSE(compile("func.func private @nowhere(i64)\n"
                       "func.func @run(%first: i64 {lci.role = \"first\"}, "
                       "%last: i64 {lci.role = \"last\"}) {\n"
                       "  func.call @nowhere(%first) : (i64) -> ()\n  return\n}"));
  EXPECT_NE(message.find("cannot be compiled for this machine: "), std::string::npos) << message;
}
