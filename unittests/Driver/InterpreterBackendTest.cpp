//===- InterpreterBackendTest.cpp - Failures of the interpreter -----------===//
//
// The passes prove that a program cannot fail while it runs; for an unchecked program the back end
// reports where it stopped.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/InterpreterBackend.h"
#include "CounterBackend.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;
using ::lci::CounterBackend;

namespace {

/// A rule that assumes its right neighbour present, and an observer that does so beyond the end.
constexpr const char *kUnchecked = R"(
lci.program @p sizes [] = [] {
  lci.value @A i32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(i) -> (i + 1)>](%i) : i64
    %t = lci.unwrap %v, %p : i64
    lci.emit %t : i64
  }
  lci.commit @A using accept {
  }
  lci.constraint @C require on @A priority 0 hard {
  ^bb0(%i: index, %c: i64):
    %v, %p = lci.read @A[affine_map<(i) -> (i + 1)>](%i) : i64
    %t = lci.unwrap %v, %p : i64
    %same = arith.cmpi eq, %t, %c : i64
    lci.yield %same : i1
  }
  lci.observe @o {
    %v, %p = lci.read @A[affine_map<() -> (4)>]() : i64
    %t = lci.unwrap %v, %p : i64
    lci.yield %t : i64
  }
})";

TEST(InterpreterBackendTest, SaysWhereItStopped) {
  MLIRContext context;
  context.loadDialect<LCIDialect, arith::ArithDialect>();
  std::string said;
  ScopedDiagnosticHandler handler(&context,
                                  [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
  auto module = parseSourceString<ModuleOp>(kUnchecked, &context);
  ASSERT_TRUE(module) << said;
  auto made = InterpreterBackend::create(*module->getOps<ProgramOp>().begin(), /*countAll=*/true);
  ASSERT_TRUE(succeeded(made)) << said;
  InterpreterBackend &backend = **made;
  ASSERT_TRUE(backend.setArguments({}));
  ASSERT_TRUE(backend.initialise());
  EXPECT_EQ(backend.runEpochs(0, 2).error(), "the interpreter stopped in epoch 0");
  EXPECT_EQ(backend.runTick(3, 0).error(), "the interpreter stopped in epoch 3, phase 0");
  EXPECT_EQ(backend.observe(0).error(), "the interpreter cannot evaluate the observer 'o'");
  EXPECT_EQ(backend.broken(0).error(), "the interpreter cannot look at the constraints");
  EXPECT_NE(said.find("finds nothing where the program said that something is"), std::string::npos)
      << said;
}

TEST(InterpreterBackendTest, NeedsWhatIsDeclared) {
  MLIRContext context;
  context.loadDialect<LCIDialect, arith::ArithDialect>();
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) {});
  auto module = parseSourceString<ModuleOp>(
      "lci.program @p sizes [] = [] {\nlci.param @k f32 {\n}\n}", &context);
  auto made = InterpreterBackend::create(*module->getOps<ProgramOp>().begin(), /*countAll=*/true);
  ASSERT_TRUE(succeeded(made));
  EXPECT_EQ((*made)->setArguments({}).error(), "the interpreter cannot go on");
}

TEST(BackendTest, NotEveryOneStepsByTicks) {
  CounterBackend backend("whole");
  EXPECT_EQ(backend.Backend::runTick(0, 1).error(), "whole cannot stop inside of an epoch");
}

} // namespace
