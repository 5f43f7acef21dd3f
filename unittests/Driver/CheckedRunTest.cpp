//===- CheckedRunTest.cpp - Miscompiled code is detected ------------------===//
//
// The check on two real back ends: the interpreter runs one program, and the compiled code is that
// of another, which differs in one cell of one phase.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/CheckedBackend.h"
#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/InitAllDialects.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {
class CheckedRunTest : public testing::Test {
protected:
  CheckedRunTest() : context(makeRegistry()) { prepareContext(context); }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::lci::registerAllDialects(registry);
    return registry;
  }

  /// Six cells in two phases, each with a rule's `proposal`.
  ProgramOp load(const std::string &proposal) {
    std::string text = "value A : Token[90] shape Seq(6) init 0\n"
                       "visible A[i] <- A[i]\n"
                       "rule R: on A[i] emit proposal A[i] := " +
                       proposal + "\nschedule A[*] using red_black\ncommit A[*] using accept\n" +
                       "observe total := sum(A[i])\n";
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "p.lmpm"), llvm::SMLoc());
    modules.push_back(importLMPM(sources, &context));
    ProgramOp program = *modules.back()->getOps<ProgramOp>().begin();
    EXPECT_TRUE(succeeded(bindWithBindings(program, {})));
    EXPECT_TRUE(succeeded(checkProgram(*modules.back())));
    return program;
  }

  std::unique_ptr<Backend> make(BackendKind kind, ProgramOp program, bool steps) {
    RunOptions options;
    options.backend = kind;
    options.counters = Counting::Full;
    auto made = makeBackend(options, program, {}, steps);
    EXPECT_TRUE(succeeded(made));
    return std::move(*made);
  }

  /// The message of a check of compiled code with one rule against an interpreter with another.
  std::string check(const std::string &compiled, const std::string &stepped,
                    const std::string &interpreted) {
    auto subject = make(BackendKind::CPU, load(compiled), /*steps=*/false);
    auto stepper = make(BackendKind::CPU, load(stepped), /*steps=*/true);
    auto reference = make(BackendKind::Interpreter, load(interpreted), /*steps=*/false);
    CheckedBackend checked(*subject, *stepper, *reference, {"A"}, /*phases=*/2);
    EXPECT_TRUE(checked.setArguments({}));
    EXPECT_TRUE(checked.initialise());
    auto ran = checked.runEpochs(0, 3);
    if (!ran)
      return ran.error();
    auto seen = checked.observe(3);
    return seen ? "" : seen.error();
  }

  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> modules;
};

const char *const right = "self + 1";
const char *const wrong = "if i == 3 then self + 2 else self + 1";

TEST_F(CheckedRunTest, TheSameProgramAgrees) { EXPECT_EQ(check(right, right, right), ""); }

TEST_F(CheckedRunTest, AnotherTickIsFoundInItsPhase) {
  EXPECT_EQ(check(right, wrong, right),
            "check failed in epoch 0, phase 1, at A[3]: interp has 1, but cpu has 2");
}

TEST_F(CheckedRunTest, AnotherRunIsFoundAfterItsEpoch) {
  EXPECT_EQ(check(wrong, right, right),
            "check failed after epoch 0, run as a whole, at A[3]: interp has 1, but cpu has 2");
}

TEST_F(CheckedRunTest, SwitchingRecompilesNothing) {
  auto compiled = make(BackendKind::CPU, load(right), /*steps=*/false);
  RunArguments arguments;
  arguments.enables["R"] = false;
  ASSERT_TRUE(compiled->setArguments(arguments) && compiled->initialise());
  ASSERT_TRUE(compiled->runEpochs(0, 2));
  EXPECT_EQ(compiled->value("A")->intAt(3), 0);
  arguments.enables["R"] = true;
  ASSERT_TRUE(compiled->setArguments(arguments));
  ASSERT_TRUE(compiled->runEpochs(2, 4));
  EXPECT_EQ(compiled->value("A")->intAt(3), 2);
}

TEST_F(CheckedRunTest, CodeThatCannotStepSaysSo) {
  auto subject = make(BackendKind::CPU, load(right), /*steps=*/false);
  ASSERT_TRUE(subject->setArguments({}) && subject->initialise());
  EXPECT_EQ(subject->runTick(0, 0).error(), "'program' is not compiled to stop inside of an epoch");
}
} // namespace
