//===- RefusalTest.cpp - Errors of the interpreter ------------------------===//
//
// Programs that no pass has checked: missing inputs and mistakes are errors with a message, never
// crashes. Each message of the interpreter that no program of the language can provoke is provoked
// here.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/TickForm.h"
#include "Testing.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

class RefusalTest : public InterpreterTest {
protected:
  RefusalTest() : handler(&context, [this](Diagnostic &diagnostic) { said += diagnostic.str(); }) {
    context.loadDialect<vector::VectorDialect>();
  }

  ProgramOp parse(const std::string &body) {
    said.clear();
    module = parseSourceString<ModuleOp>(body, &context);
    return module ? getProgram() : ProgramOp();
  }

  /// The error for a program that is not interpreted at all.
  std::string refusal(const std::string &text) {
    ProgramOp program = parse(text);
    if (!program)
      return "no program: " + said;
    EXPECT_TRUE(failed(Interpreter::create(program)));
    return said;
  }

  /// The error for the inputs of a program.
  std::string lack(const std::string &declaration) {
    ProgramOp program = parse("lci.program @p sizes [] = [] {\n" + declaration + "\n}");
    if (!program)
      return "no program: " + said;
    auto made = Interpreter::create(program);
    EXPECT_TRUE(succeeded(made) && failed((*made)->setEnvironment({})));
    return said;
  }

  /// The error in the first epoch of a rule with this body on tokens A of four cells.
  std::string mistake(const std::string &body, const std::string &functions = "") {
    ProgramOp program =
        parse(functions +
              "lci.program @p sizes [] = [] {\nlci.value @A token vocabulary affine_map<() -> "
              "(50)> shape affine_map<() -> (4)>"
              " boundary [#lci.boundary<open>] {\n}\nlci.model \"M\"" +
              (functions.empty() ? "" : " is \"f\"") + "\nlci.rule @R on @A {\n^bb0(%i: index):\n" +
              body + "\n}\nlci.commit @A using accept {\n}\n}");
    if (!program)
      return "no program: " + said;
    start();
    EXPECT_TRUE(failed(interpreter->runEpoch(0)));
    return said;
  }

  /// The error of a function of the tick form.
  std::string tickMistake(const std::string &text, ArrayRef<Datum> arguments) {
    said.clear();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "no function: " + said;
    EXPECT_TRUE(failed(interpretTickForm(*module->getOps<func::FuncOp>().begin(), arguments)));
    return said;
  }

  static Datum tensor(ArrayRef<int64_t> shape) { return Datum::array(Tensor(shape)); }
  static bool has(const std::string &text, StringRef part) {
    return StringRef(text).contains(part);
  }

  std::string said;
  ScopedDiagnosticHandler handler;
};

#define EXPECT_SAYS(TEXT, PART)                                                                    \
  {                                                                                                \
    std::string text = TEXT;                                                                       \
    EXPECT_TRUE(has(text, PART)) << text;                                                          \
  }

TEST_F(RefusalTest, ProgramsThatAreNotBound) {
  EXPECT_SAYS(refusal("lci.program @p sizes [\"N\"] {\n}"),
              "expected a bound program; run 'lci-bind' first");
  EXPECT_SAYS(refusal("lci.program @p sizes [] = [] {\nlci.value @A i32 shape "
                      "affine_map<() -> (4 floordiv 0)> boundary [#lci.boundary<open>] {\n}\n}"),
              "expected positive divisors in a shape, but got 4 floordiv 0");
  EXPECT_SAYS(
      refusal("lci.program @p sizes [] = [] {\nlci.value @A i32 shape affine_map<() -> (4)> "
              "boundary [#lci.boundary<open>] {\n}\nlci.rule @R on @A {\n^bb0(%i: index):\n"
              "%c = arith.constant 1 : i64\nlci.emit %c : i64\n}\n}"),
      "has rules, but expected a commit for it as well");
}

TEST_F(RefusalTest, SchedulesThatDoNotFit) {
  auto schedule = [](const char *strategy) {
    return std::string("lci.program @p sizes [] = [] {\nlci.value @A i32 shape affine_map<() -> "
                       "(4)> boundary [#lci.boundary<open>] {\n}\nlci.schedule @A using ") +
           strategy + "\n}";
  };
  EXPECT_SAYS(refusal(schedule("four_color")),
              "expected a value of at least two axes for 'four_color', but got 1");
  EXPECT_SAYS(refusal(schedule("red_black tile [2, 2]")),
              "expected a tile of 1 extents, but got 2");
}

TEST_F(RefusalTest, WhatBindingsGive) {
  EXPECT_SAYS(lack("lci.param @k f32 {\n}"), "has no value; expected one from the bindings");
  EXPECT_SAYS(lack("lci.palette \"warm\""), "has no members; expected them from the bindings");
  EXPECT_SAYS(lack("lci.region \"sky\""), "has no cells; expected them from the bindings");
}

TEST_F(RefusalTest, QuestionsAboutWhatIsNotThere) {
  readText("value A : I32 shape Seq(4) init 0\nvisible A[i] <- A[i]\nrule R:\n  on A[i]\n"
           "  emit proposal A[i] := self\ncommit A[*] using accept\n");
  EXPECT_TRUE(failed(interpreter->setRecords("A", ::lci::emptyRecords({3}, 0))));
  EXPECT_SAYS(said, "expected records of its shape and of 0 priorities");
  EXPECT_TRUE(failed(interpreter->observe("seen", 0)));
  EXPECT_SAYS(said, "has no observer 'seen'");
  EXPECT_TRUE(failed(interpreter->explain("B", {0}, 0, 0)));
  EXPECT_SAYS(said, "has no rule for a value 'B'");
  EXPECT_TRUE(failed(interpreter->explain("A", {4}, 0, 0)));
  EXPECT_SAYS(said, "has no such cell");
}

// S-UNWRAP: an absent value without a proof of presence is an error.
TEST_F(RefusalTest, WhatIsNotThere) {
  EXPECT_SAYS(mistake("%v, %p = lci.read @A[affine_map<(i) -> (i + 1)>](%i) : i64\n"
                      "%t = lci.unwrap %v, %p : i64\nlci.emit %t : i64"),
              "finds nothing where the program said that something is");
}

// S-COLLECT: the length is one of the bound form and no smaller than the family.
TEST_F(RefusalTest, CollectionsOfAnotherLength) {
  auto collect = [](const char *length) {
    return llvm::formatv(
               "%v, %p = lci.collect [affine_set<(i, k) : (k >= 0, 1 - k >= 0)>](%i) : "
               "tensor<{0}xi64>, tensor<{0}xi1> {{\n^bb0(%k: index, %rank: index):\n"
               "%w, %q = lci.read @A[affine_map<(i, k) -> (i)>](%i, %k) : i64\n"
               "lci.yield %w present %q : i64\n}\n"
               "%a = lci.evaluate \"M\"(%v, %p) : (tensor<{0}xi64>, tensor<{0}xi1>) -> i64\n"
               "lci.emit %a : i64",
               length)
        .str();
  };
  EXPECT_SAYS(mistake(collect("?")), "expected a known length; run 'lci-bind' first");
  EXPECT_SAYS(mistake(collect("1")), "has more members than its length of 1");
  EXPECT_SAYS(mistake(collect("2")), "asks 'M', which is not bound to a function");
  EXPECT_SAYS(mistake(collect("2"), "func.func @f(%m: tensor<2xi64>, %p: tensor<2xi1>, "
                                    "%w: tensor<1xi64> {lci.weight = \"w\"}) -> i64 {\n"
                                    "%c = arith.constant 0 : i64\nreturn %c : i64\n}\n"),
              "expected a weight 'M.w', but none is given");
}

TEST_F(RefusalTest, VectorsOfUnknownLength) {
  EXPECT_SAYS(mistake("%x = arith.constant 1.0 : f32\n"
                      "%v = lci.spread %x to affine_map<() -> (4 floordiv 0)> : tensor<?xf32>\n"
                      "%c = arith.constant 1 : i64\nlci.emit %c : i64"),
              "expected positive divisors in a length, but got 4 floordiv 0");
}

TEST_F(RefusalTest, OperationsThatTicksDoNotUse) {
  EXPECT_SAYS(tickMistake("func.func @f(%x: f64) -> f64 {\n%y = arith.addf %x, %x : f64\n"
                          "return %y : f64\n}",
                          Datum::number(1)),
              "expected f32, the only float the interpreter computes with");
  EXPECT_SAYS(tickMistake("func.func @f(%x: vector<2xi64>) -> i64 {\n"
                          "%y = vector.reduction <add>, %x : vector<2xi64> into i64\n"
                          "return %y : i64\n}",
                          tensor({2})),
              "expected a reduction 'and', the only one that ticks use");
  EXPECT_SAYS(tickMistake("func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                          "%c = arith.constant 0.0 : f32\n"
                          "%y = linalg.fill ins(%c : f32) outs(%x : tensor<?xf32>) -> "
                          "tensor<?xf32>\nreturn %y : tensor<?xf32>\n}",
                          tensor({2})),
              "expected static shapes");
}

TEST_F(RefusalTest, AccessOutsideOfArrays) {
  EXPECT_SAYS(tickMistake("func.func @f(%t: tensor<2xi64>, %i: index) -> tensor<1xi64> {\n"
                          "%y = tensor.extract_slice %t[%i] [1] [1] : tensor<2xi64> to "
                          "tensor<1xi64>\nreturn %y : tensor<1xi64>\n}",
                          {tensor({2}), Datum::integer(2)}),
              "reads outside of its tensor");
  EXPECT_SAYS(tickMistake("func.func @f(%t: tensor<0xi64>, %i: index) -> i64 {\n"
                          "%y = tensor.extract %t[%i] : tensor<0xi64>\nreturn %y : i64\n}",
                          {tensor({0}), Datum::integer(0)}),
              "reads from a tensor without elements");
  EXPECT_SAYS(tickMistake("func.func @f(%t: tensor<2xi64>, %s: tensor<1xi64>, %i: index) -> "
                          "tensor<2xi64> {\n%y = tensor.insert_slice %s into %t[%i] [1] [1] : "
                          "tensor<1xi64> into tensor<2xi64>\nreturn %y : tensor<2xi64>\n}",
                          {tensor({2}), tensor({1}), Datum::integer(2)}),
              "writes outside of its tensor");
  EXPECT_SAYS(tickMistake("func.func @f(%v: vector<2xi64>, %i: index) -> i64 {\n"
                          "%y = vector.extract %v[%i] : i64 from vector<2xi64>\n"
                          "return %y : i64\n}",
                          {tensor({2}), Datum::integer(2)}),
              "reads outside of its vector");
  EXPECT_SAYS(tickMistake("func.func @f(%v: vector<2xi64>) -> vector<2xi64> {\n"
                          "%y = vector.extract %v[] : vector<2xi64> from vector<2xi64>\n"
                          "return %y : vector<2xi64>\n}",
                          {tensor({2})}),
              "expected one element of a vector of one axis");
}

TEST_F(RefusalTest, TicksElsewhere) {
  EXPECT_SAYS(tickMistake("func.func @f(%a: memref<4xi64>, %e: i64) {\n"
                          "lci.tick @A at %e, %e, %e target(%a : memref<4xi64>) class_stride 1 {\n"
                          "^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64):\n"
                          "%yes = arith.constant true\nlci.install %epoch if %yes : i64\n}\n"
                          "return\n}",
                          {tensor({4}), Datum::integer(0)}),
              "expected a tick on tensors");
  EXPECT_SAYS(
      tickMistake("func.func @f(%a: tensor<4xi64>, %e: i64, %n: index) -> tensor<4xi64> {\n"
                  "%r = lci.tick @A at %e, %e, %e target(%a : tensor<4xi64>) box [0] [%n] step [1] "
                  "class_stride 1 {\n"
                  "^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64):\n"
                  "%yes = arith.constant true\nlci.install %epoch if %yes : i64\n"
                  "} -> tensor<4xi64>\nreturn %r : tensor<4xi64>\n}",
                  {tensor({4}), Datum::integer(0), Datum::integer(5)}),
      "has a box that leaves its target");
}

TEST_F(RefusalTest, BoundsOfARegionThatIsNotGiven) {
  module = parseSourceString<ModuleOp>(
      "func.func @p(%b: tensor<1x2xi64> {lci.role = \"bounds\", lci.name = \"sky\"}) {\nreturn\n}\n"
      "func.func @p.init(%b: tensor<1x2xi64> {lci.role = \"bounds\", lci.name = \"sky\"}) {\n"
      "return\n}",
      &context);
  ASSERT_TRUE(module) << said;
  FailureOr<TickProgram> program = TickProgram::create(*module, "p", {});
  ASSERT_TRUE(succeeded(program));
  EXPECT_TRUE(failed(program->initialise({})));
  EXPECT_SAYS(said, "expected a region 'sky'");
}

TEST_F(RefusalTest, ModulesWithoutEpochs) {
  module = parseSourceString<ModuleOp>("func.func @p() {\nreturn\n}", &context);
  EXPECT_TRUE(failed(TickProgram::create(*module, "p", {})));
  EXPECT_SAYS(said, "expected the functions 'p' and 'p.init'");
}

} // namespace
