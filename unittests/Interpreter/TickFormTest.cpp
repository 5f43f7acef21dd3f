//===- TickFormTest.cpp - Functions of ticks on tensors -------------------===//

#include "LCI/Interpreter/TickForm.h"
#include "LCI/Numerics/Stream.h"
#include "Testing.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {

class TickFormTest : public InterpreterTest {
protected:
  FailureOr<SmallVector<Datum>> call(const std::string &text, ArrayRef<Datum> arguments) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return failure();
    return interpretTickForm(*module->getOps<func::FuncOp>().begin(), arguments);
  }
  static Datum tensor(ArrayRef<int64_t> shape, std::vector<uint64_t> elements) {
    Tensor result(shape);
    result.elements = std::move(elements);
    return Datum::array(std::move(result));
  }
};

// S-SNAPSHOT: a shift in place reads the previous state, in a strided box and inside a set.
TEST_F(TickFormTest, ticksReadTheSnapshot) {
  auto results = call(R"(
func.func @f(%s: tensor<6xi64>, %k: tensor<2xi64>) -> (tensor<6xi64>, tensor<2xi64>) {
  %e = arith.constant 0 : i64
  %n:2 = lci.tick @A at %e, %e, %e inputs(%s : tensor<6xi64>) target(%s : tensor<6xi64>)
      counts(%k : tensor<2xi64>) box [1] [3] step [2]
      cells affine_set<(d0)[s0] : (d0 + s0 - 2 >= 0)> class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %in: tensor<6xi64>):
    %v = lci.load %in[affine_map<(d0) -> (d0 + 1)>](%i) [#lci.boundary<wrap>] : tensor<6xi64> -> i64
    %five = arith.constant 5 : index
    %yes = arith.cmpi ult, %i, %five : index
    %always = arith.constant true
    lci.install %v if %yes tally %yes, %always to [1, 0] : i64
  } -> tensor<6xi64>, tensor<2xi64>
  return %n#0, %n#1 : tensor<6xi64>, tensor<2xi64>
})",
                      {tensor({6}, {10, 11, 12, 13, 14, 15}), tensor({2}, {0, 7})});
  ASSERT_TRUE(succeeded(results));
  // The box has cells 1, 3 and 5; the set leaves 3 and 5; only 3 is installed.
  EXPECT_EQ((*results)[0].tensor->elements, (std::vector<uint64_t>{10, 11, 12, 14, 14, 15}));
  EXPECT_EQ((*results)[1].tensor->elements, (std::vector<uint64_t>{2, 8}));
}

// S-COUNTER: the authors' known answers, of one cell and of vectors of two.
TEST_F(TickFormTest, drawsBlocksOfWords) {
  auto results = call(R"(
func.func @f(%a: i64, %zeros_and_ones: tensor<2xi64>) -> (i64, i64, tensor<2xi64>) {
  %one:8 = lci.philox %a, %a, %a, %a, %a, %a, %a, %a key %a, %a : i64
  %two:4 = lci.philox %zeros_and_ones, %zeros_and_ones, %zeros_and_ones, %zeros_and_ones
      key %zeros_and_ones, %zeros_and_ones : tensor<2xi64>
  return %one#0, %one#7, %two#3 : i64, i64, tensor<2xi64>
})",
                      {Datum{0xffffffff, nullptr}, tensor({2}, {0, 0xffffffff})});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ((*results)[0].bits, 0x408f276du);
  EXPECT_EQ((*results)[1].bits, 0x6d5451fdu);
  EXPECT_EQ((*results)[2].tensor->elements, (std::vector<uint64_t>{0x9b00dbd8, 0x6d5451fd}));
}

// S-FLOAT: every comparison of numbers, on a pair of each relation, as upstream folds it.
TEST_F(TickFormTest, comparesNumbersAsUpstream) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::pair<float, float> pairs[] = {{1, 1}, {0.0f, -0.0f}, {1, 2},
                                           {2, 1}, {nan, 1},      {1, nan}};
  for (uint64_t i = 0; i <= arith::getMaxEnumValForCmpFPredicate(); ++i) {
    auto predicate = static_cast<arith::CmpFPredicate>(i);
    for (auto [left, right] : pairs) {
      auto results = call("func.func @f(%x: f32, %y: f32) -> i1 {\n  %r = arith.cmpf " +
                              arith::stringifyCmpFPredicate(predicate).str() +
                              ", %x, %y : f32\n  return %r : i1\n}",
                          {Datum::number(left), Datum::number(right)});
      ASSERT_TRUE(succeeded(results));
      EXPECT_EQ((*results)[0].asTruth(),
                arith::applyCmpPredicate(predicate, APFloat(left), APFloat(right)))
          << arith::stringifyCmpFPredicate(predicate).str() << " " << left << " " << right;
    }
  }
}

// S-COUNTER, S-CLASS: the class stride gives a draw its cell's number.
TEST_F(TickFormTest, drawsCountTheClass) {
  auto results = call(R"(
func.func @f(%s: tensor<2x70xi1>) -> tensor<2x70xi1> {
  %e = arith.constant 3 : i64
  %p = arith.constant 1 : i64
  %seed = arith.constant 9 : i64
  %n = lci.tick @A at %e, %p, %seed target(%s : tensor<2x70xi1>) class_stride 2 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %key: i64):
    %half = arith.constant 0.5 : f32
    %b = lci.bernoulli %half stream <4, 2>
    %yes = arith.constant true
    lci.install %b if %yes : i1
  } -> tensor<2x70xi1>
  return %n : tensor<2x70xi1>
})",
                      tensor({2, 70}, std::vector<uint64_t>(140)));
  ASSERT_TRUE(succeeded(results));
  numerics::Stream stream(9, 4, 2);
  for (uint64_t i = 0; i < 2; ++i)
    for (uint64_t j = 0; j < 70; ++j)
      EXPECT_EQ((*results)[0].tensor->elements[i * 70 + j],
                stream.bernoulli({0, i * 64 + j / 2, 3, 1}, 0.5f));
}

// S-AGREE: levels, then score with NaN last, then proposal, then the lowest token.
TEST_F(TickFormTest, agreementIsATotalOrder) {
  std::string text = R"(
func.func @f(%levels: tensor<4xi64>, %scores: tensor<4xf32>, %ok: tensor<4xi1>, %new: tensor<4xi1>)
    -> (i64, i1) {
  %zero = arith.constant 0 : i64
  %four = arith.constant 4 : i64
  %w, %found = lci.agree %zero to %four {
  ^bb0(%k: i64):
    %i = arith.index_cast %k : i64 to index
    %l = tensor.extract %levels[%i] : tensor<4xi64>
    %s = tensor.extract %scores[%i] : tensor<4xf32>
    %a = tensor.extract %ok[%i] : tensor<4xi1>
    %n = tensor.extract %new[%i] : tensor<4xi1>
    lci.candidate %a levels(%l) score %s proposed %n
  }
  return %w, %found : i64, i1
})";
  auto bits = [](float x) { return Datum::number(x).bits; };
  auto agree = [&](std::vector<uint64_t> levels, std::vector<uint64_t> scores,
                   std::vector<uint64_t> ok, std::vector<uint64_t> proposed) {
    auto results = call(
        text, {tensor({4}, levels), tensor({4}, scores), tensor({4}, ok), tensor({4}, proposed)});
    return (*results)[1].asTruth() ? (*results)[0].asInteger() : -1;
  };
  uint64_t one = bits(1), two = bits(2), nan = bits(NAN);
  EXPECT_EQ(agree({0, 1, 1, 0}, {two, one, two, two}, {1, 1, 1, 1}, {1, 1, 1, 1}), 2);
  EXPECT_EQ(agree({0, 1, 1, 0}, {two, one, two, two}, {1, 1, 0, 1}, {1, 1, 1, 1}), 1);
  EXPECT_EQ(agree({0, 0, 0, 0}, {nan, one, one, one}, {1, 1, 1, 1}, {1, 0, 1, 1}), 2);
  EXPECT_EQ(agree({0, 0, 0, 0}, {nan, nan, nan, nan}, {1, 1, 1, 1}, {0, 0, 0, 0}), 0);
  EXPECT_EQ(agree({0, 0, 0, 0}, {nan, nan, nan, nan}, {0, 0, 0, 0}, {0, 0, 0, 0}), -1);
}

// Functions of linalg, as models are: a matvec by fused multiply-adds in the order of the index.
TEST_F(TickFormTest, evaluatesLinalg) {
  auto results = call(
      R"(
func.func @f(%a: tensor<2x3xf32>, %x: tensor<3xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a, %x : tensor<2x3xf32>, tensor<3xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%w: f32, %v: f32, %sum: f32):
    %next = math.fma %w, %v, %sum : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
})",
      {tensor({2, 3},
              {Datum::number(1.1f).bits, Datum::number(-2.3f).bits, Datum::number(3.7f).bits,
               Datum::number(0.1f).bits, Datum::number(5.5f).bits, Datum::number(-1.9f).bits}),
       tensor({3}, {Datum::number(0.3f).bits, Datum::number(7.7f).bits, Datum::number(-0.9f).bits}),
       tensor({2}, {Datum::number(1.0f).bits, Datum::number(0.0f).bits})});
  ASSERT_TRUE(succeeded(results));
  float first = std::fma(3.7f, -0.9f, std::fma(-2.3f, 7.7f, std::fma(1.1f, 0.3f, 1.0f)));
  EXPECT_EQ((*results)[0].tensor->elements[0], Datum::number(first).bits);
}

// A table is indexed by unsigned integers; a draw below a threshold is a draw with that
// probability.
TEST_F(TickFormTest, tablesAndThresholds) {
  const char *text = R"(
func.func @f(%s: tensor<64xi64>, %t: tensor<200xi64>, %k: i8) -> tensor<64xi64> {
  %e = arith.constant 3 : i64
  %n = lci.tick @A at %e, %e, %e inputs(%t, %k : tensor<200xi64>, i8) target(%s : tensor<64xi64>)
      class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %table: tensor<200xi64>, %at: i8):
    %p = arith.constant 0.3 : f32
    %a = lci.bernoulli %p stream <1, 0>
    %limit = lci.threshold %p
    %b = lci.draw_below %limit stream <1, 0>
    %same = arith.cmpi eq, %a, %b : i1
    %v = lci.table %table[%at] : tensor<200xi64>[i8]
    lci.install %v if %same : i64
  } -> tensor<64xi64>
  return %n : tensor<64xi64>
})";
  std::vector<uint64_t> entries(200);
  std::iota(entries.begin(), entries.end(), 0);
  auto results = call(text, {tensor({64}, std::vector<uint64_t>(64, 7)), tensor({200}, entries),
                             Datum::integer(180)});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ((*results)[0].tensor->elements, std::vector<uint64_t>(64, 180));
  std::string said;
  ScopedDiagnosticHandler handler(&context,
                                  [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
  EXPECT_TRUE(failed(call(text, {tensor({64}, std::vector<uint64_t>(64, 7)), tensor({200}, entries),
                                 Datum::integer(200)})));
  EXPECT_NE(said.find("reads outside of its table"), std::string::npos);
}

// S-SELECT: of the two vectors that change in some component, the one of higher confidence stays
// changed.
TEST_F(TickFormTest, keepsTheSurestVectors) {
  uint64_t one = toBits(1.0f), two = toBits(2.0f);
  auto results =
      call(R"(
func.func @f(%before: tensor<3xvector<2xf32>>, %after: tensor<3xvector<2xf32>>,
             %scores: tensor<3xf32>) -> tensor<3xvector<2xf32>> {
  %s = lci.keep_surest 0.5 of %before, %after by %scores
      : tensor<3xvector<2xf32>>, tensor<3xvector<2xf32>>, tensor<3xf32> -> tensor<3xvector<2xf32>>
  return %s : tensor<3xvector<2xf32>>
})",
           {tensor({3, 2}, {one, one, one, one, one, one}),
            tensor({3, 2}, {one, two, one, one, two, two}), tensor({3}, {one, two, two})});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ((*results)[0].tensor->elements, (std::vector<uint64_t>{one, one, one, one, two, two}));
}

// Unknown operations are named in the error.
TEST_F(TickFormTest, unknownOperationsAreErrors) {
  std::string said;
  ScopedDiagnosticHandler handler(&context,
                                  [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
  EXPECT_TRUE(
      failed(call("func.func @f(%x: f32) -> f32 {\n%y = math.asin %x : f32\nreturn %y : f32\n}",
                  Datum::number(1))));
  EXPECT_NE(said.find("is not an operation that the interpreter evaluates"), std::string::npos);
}

// An index beyond a tensor reads its nearest element.
TEST_F(TickFormTest, elementsBesideATensor) {
  for (auto [index, element] : {std::pair(2, 8), {-1, 7}, {1, 8}}) {
    auto found = call("func.func @f(%t: tensor<2xi64>, %i: index) -> i64 {\n"
                      "%y = tensor.extract %t[%i] : tensor<2xi64>\nreturn %y : i64\n}",
                      {tensor({2}, {7, 8}), Datum::integer(index)});
    ASSERT_TRUE(succeeded(found));
    EXPECT_EQ(found->front().asInteger(), element);
  }
}

} // namespace
