//===- MeasureTest.cpp - Candidates in a process of their own -------------===//

#include "LCI/InitAllDialects.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "LCI/Tune/Tune.h"
#include "mlir/InitAllDialects.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace mlir;
using namespace mlir::lci;
using ::lci::Measurer;
using ::lci::Sample;

/// Cells that never come to rest.
static constexpr const char *kProgram = R"(value A : Token[5] shape Seq(N) init randint(5)
visible A[i] <- A[i-1] when i > 0
rule Next:
  on A[i]
  emit proposal A[i] := randint(5)
schedule A[*] using all
commit A[*] using accept
)";

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

namespace {
class MeasureTest : public testing::Test {
protected:
  MeasureTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::lci::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(kProgram), {});
    module = importLMPM(sources, &context);
    subject.module = textOf(*module);
    EXPECT_TRUE(bool(subject.bindings.set("N=64")));
    subject.options.program = "noise.lmpm";
  }

  /// The schedule of a pipeline.
  std::string scheduleOf(StringRef pipeline) {
    return textOf(*readDefaultSchedule(pipeline, &context));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ::lci::Subject subject;
};
} // namespace

TEST_F(MeasureTest, ACandidateThatTakesTooLongIsKilled) {
  std::string schedule = scheduleOf("lci-to-linalg-pipeline");
  std::unique_ptr<Measurer> measurer =
      ::lci::measureInChild(subject, {schedule, schedule}, /*seconds=*/3);
  ASSERT_TRUE(bool(measurer->run(0, 4, /*wantsDigest=*/false)));
  ::lci::Result<Sample> endless = measurer->run(1, int64_t(1) << 50, /*wantsDigest=*/false);
  ASSERT_FALSE(bool(endless));
  EXPECT_EQ(endless.error(), "took more than 3 seconds");
  // Another process goes on.
  EXPECT_TRUE(bool(measurer->run(0, 4, /*wantsDigest=*/false)));
}

TEST_F(MeasureTest, BitsAreTheInterpretersWhateverTheSchedule) {
  std::unique_ptr<Measurer> measurer = ::lci::measureInChild(
      subject, {scheduleOf("lci-to-linalg-pipeline"), scheduleOf("lci-to-llvm-pipeline")},
      /*seconds=*/60);
  ::lci::Result<Sample> first = measurer->run(0, 7, true), second = measurer->run(1, 7, true),
                        truth = measurer->run(::lci::kInterpreter, 7, true),
                        later = measurer->run(0, 8, true);
  ASSERT_TRUE(first && second && truth && later);
  EXPECT_EQ(first->digest, truth->digest);
  EXPECT_EQ(second->digest, truth->digest);
  EXPECT_NE(later->digest, truth->digest);
}

TEST_F(MeasureTest, WhyACandidateCannotBeCompiledIsSaid) {
  std::unique_ptr<Measurer> measurer =
      ::lci::measureInChild(subject, {scheduleOf("lci-to-kernels-pipeline")}, /*seconds=*/60);
  ::lci::Result<Sample> sample = measurer->run(0, 1, false);
  ASSERT_FALSE(bool(sample));
  EXPECT_NE(sample.error().find("expected a schedule for a CPU"), std::string::npos)
      << sample.error();
}

TEST_F(MeasureTest, WithoutAProcessNothingIsMeasured) {
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit none = before;
  none.rlim_cur = 3; // the streams, so that no pipe can be opened
  setrlimit(RLIMIT_NOFILE, &none);
  std::unique_ptr<Measurer> measurer = ::lci::measureInChild(subject, {""}, /*seconds=*/60);
  ::lci::Result<Sample> sample = measurer->run(0, 1, false);
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(bool(sample));
  EXPECT_EQ(sample.error(), "no process can be started to measure candidates");
}
