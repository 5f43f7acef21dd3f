//===- ReportTest.cpp - The figures of a run ------------------------------===//
#include "LCI/Driver/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir::lci;

namespace {
Report sample() {
  Report report;
  report.program = "seed";
  report.backend = "cpu";
  report.firstEpoch = 2;
  report.commitsBefore = 10;
  report.phases = 3;
  report.outcome.epochs = 6;
  report.outcome.seconds = 2;
  report.outcome.counters = {{"Vid.changed", 50},        {"Vid.invalid", 4},
                             {"HardLock.satisfied", 40}, {"HardLock.violated", 1},
                             {"HardLock.decisive", 2},   {"Paint.satisfied", 9}};
  report.counting = Counting::Full;
  report.values = {"Vid"};
  report.constraints = {"HardLock", "Paint"};
  report.disabled = {"Paint"};
  report.hard = {"HardLock"};
  report.broken = {{"HardLock.broken", 3}};
  ::lci::Array mean(::lci::DType::F32, {}), nan(::lci::DType::F32, {});
  mean.setDouble(0, 0.1);
  nan.setDouble(0, NAN);
  report.observations = {{"mean", mean},
                         {"nan", nan},
                         {"none", std::nullopt},
                         {"alive", ::lci::Array::scalar(int64_t(7))}};
  return report;
}

TEST(ReportTest, Json) {
  llvm::json::Value json = toJson(sample());
  const llvm::json::Object &root = *json.getAsObject();
  EXPECT_EQ(root.getInteger("ticks"), 12);
  EXPECT_EQ(root.getInteger("commits"), 50);
  EXPECT_EQ(root.getNumber("commits_per_second"), 20.0);
  EXPECT_EQ(root.getObject("values")->getObject("Vid")->getInteger("invalid"), 4);
  const llvm::json::Object &lock = *root.getObject("constraints")->getObject("HardLock");
  EXPECT_EQ(lock.getInteger("satisfied"), 40);
  EXPECT_EQ(lock.getInteger("decisive"), 2);
  EXPECT_EQ(lock.getInteger("broken"), 3);
  EXPECT_FALSE(root.getObject("constraints")->getObject("Paint")->get("broken"));
  EXPECT_EQ(lock.getBoolean("enabled"), true);
  EXPECT_EQ(root.getObject("constraints")->getObject("Paint")->getBoolean("enabled"), false);
  EXPECT_EQ(root.getObject("observations")->getNumber("mean"), double(0.1f));
  EXPECT_EQ(root.getObject("observations")->get("none")->kind(), llvm::json::Value::Null);
  EXPECT_EQ(root.getObject("observations")->get("nan")->kind(), llvm::json::Value::Null);
  EXPECT_EQ(root.getObject("observations")->getInteger("alive"), 7);
  // It must be valid JSON whatever the numbers are.
  EXPECT_TRUE(static_cast<bool>(llvm::json::parse(llvm::formatv("{0:2}", json).str())));
}

TEST(ReportTest, NothingCounted) {
  Report report = sample();
  report.counting = Counting::None;
  llvm::json::Value json = toJson(report);
  const llvm::json::Object &root = *json.getAsObject();
  EXPECT_EQ(root.get("commits"), nullptr);
  EXPECT_EQ(root.get("commits_per_second"), nullptr);
  EXPECT_EQ(root.getObject("values")->getObject("Vid")->size(), 1u);
  EXPECT_EQ(root.getObject("values")->getObject("Vid")->getInteger("invalid"), 4);
  EXPECT_EQ(root.getObject("constraints")->getObject("HardLock")->get("satisfied"), nullptr);
}

TEST(ReportTest, Text) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(sample(), os);
  EXPECT_EQ(text, "seed: 6 epochs, 12 ticks, 50 commits on cpu, 20 commits per second\n"
                  "  Vid: 4 proposals outside the vocabulary\n"
                  "  HardLock: satisfied 40, violated 1, decisive 2, broken at 3 cells\n"
                  "  Paint: disabled\n"
                  "  mean = 0.1\n"
                  "  nan = nan\n"
                  "  none = nothing\n"
                  "  alive = 7\n");
}
} // namespace
