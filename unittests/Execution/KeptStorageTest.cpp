//===- KeptStorageTest.cpp - State of compiled code between calls ---------===//
//
// Red and black cells in separate arrays, which stay so from call to call, against a plain loop.
//
//===----------------------------------------------------------------------===//

#include "CompiledProgramTest.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;

/// Epochs of a relaxation of the inner cells, which reads nothing beyond the border.
static void relax(std::vector<float> &now, int64_t height, int64_t width, int64_t epochs) {
  for (int64_t step = 0; step < 2 * epochs; ++step)
    for (int64_t x = 1; x + 1 < height; ++x)
      for (int64_t y = 1; y + 1 < width; ++y)
        if ((x + y + step) % 2 == 0) {
          float row = now[x * width + y - 1] + now[x * width + y + 1];
          float column = now[(x - 1) * width + y] + now[(x + 1) * width + y];
          now[x * width + y] = (row + column) * 0.25f;
        }
}

/// A relaxation program, whose arrays may be kept with separate colours.
static std::string relaxation() {
  std::string body = "^bb0(%x: index, %y: index, %ee: i64, %p: i64, %key: i64, %in: TYPE):\n" +
                     window("a", 0, -1, "open") + window("b", 0, 1, "open") +
                     window("c", -1, 0, "open") + window("d", 1, 0, "open") + R"(
      %ab = arith.addf %a, %b : f32
      %cd = arith.addf %c, %d : f32
      %sum = arith.addf %ab, %cd : f32
      %quarter = arith.constant 0.25 : f32
      %v = arith.mulf %sum, %quarter : f32
      %yes = arith.constant true
      lci.install %v if %yes tally %yes to [0] : f32)";
  std::string inside = "x - 1 >= 0, 6 - x >= 0, y - 1 >= 0, 35 - y >= 0";
  std::string ticks = R"(
    %red:2 = lci.tick @A at %e, %zero, %seed inputs(%s : TYPE) target(%s : TYPE)
        counts(%k : tensor<1xi64>) cells affine_set<(x, y)[p] : (INSIDE, (x + y - p) mod 2 == 0)> class_stride 2 {
    BODY
    } -> TYPE, tensor<1xi64>
    %black:2 = lci.tick @A at %e, %one, %seed inputs(%red#0 : TYPE) target(%red#0 : TYPE)
        counts(%red#1 : tensor<1xi64>) cells affine_set<(x, y)[p] : (INSIDE, (x + y - p) mod 2 == 0)> class_stride 2 {
    BODY
    } -> TYPE, tensor<1xi64>
    scf.yield %black#0, %black#1 : TYPE, tensor<1xi64>)";
  return oneValue("tensor<8x37xf32>", replaceAll(ticks, "INSIDE", inside),
                  replaceAll(body, "ELEMENT", "f32"), "");
}

TEST_F(CompiledProgramTest, WhatIsKeptBetweenCallsDoesNotShow) {
  constexpr int64_t kHeight = 8, kWidth = 37;
  for (const char *lowering : {"", "split-colours=false", "persist-layouts=false"}) {
    CpuOptions options;
    options.lowering = lowering;
    auto program = compile(relaxation(), options);
    ASSERT_TRUE(program);
    Array cells(DType::F32, {kHeight, kWidth});
    std::vector<float> now(cells.size());
    auto begin = [&] {
      for (float &cell : now)
        cell = static_cast<float>(random() % 1000) / 7.0f;
      llvm::copy(now, cells.data<float>());
      ASSERT_TRUE(program->setValue("A", cells));
    };
    auto run = [&](int64_t first, int64_t last) {
      auto counters = program->runEpochs(first, last);
      ASSERT_TRUE(counters);
      EXPECT_EQ((*counters)["A.changed"], (last - first) * 6 * 35);
      relax(now, kHeight, kWidth, last - first);
    };
    auto expectCells = [&](const char *when) {
      Array got = *program->value("A");
      EXPECT_EQ(std::memcmp(got.data<float>(), now.data(), now.size() * sizeof(float)), 0) << when;
    };
    begin();
    expectCells("before any call");
    run(0, 3);
    run(3, 4);
    expectCells("after two calls");
    run(4, 7);
    EXPECT_TRUE(program->remember()); // not read back yet
    std::vector<float> then = now;
    run(7, 9);
    program->recall();
    now = then;
    run(7, 8);
    expectCells("after a call that was taken back");
    run(8, 9);
    begin();
    EXPECT_TRUE(program->remember()); // not used by a call yet
    then = now;
    run(0, 2);
    expectCells("after other cells were set");
    program->recall();
    now = then;
    expectCells("after going back to what was set");
    run(0, 5);
    expectCells("at the end");
  }
}
