//===- ProgressTest.cpp - The bar's text, silence, and Ctrl-C -------------===//
#include "LCI/Runtime/Progress.h"
#include "TempFolder.h"
#include <csignal>

using namespace lci;

namespace {
class ProgressTest : public FolderTest {};

TEST_F(ProgressTest, TheLineFitsItsColumns) {
  EXPECT_EQ(progressLine(5, 10, 3.0, "", 30), "[######......] 5/10, 3 s left");
  EXPECT_EQ(progressLine(10, 10, 3.0, "done", 80), "[" + std::string(40, '#') + "] 10/10, done");
  EXPECT_EQ(progressLine(1, 1000000, 1.0, "", 20).size(), 19u);
  EXPECT_EQ(progressLine(0, 0, 0.0, "", 0), "");
}

TEST_F(ProgressTest, AFileIsNoTerminal) {
  std::FILE *file = std::fopen(path("log").c_str(), "w");
  {
    Progress progress(10, file);
    for (int i = 0; i < 10; ++i)
      progress.update(i);
  }
  std::fclose(file);
  EXPECT_EQ(std::filesystem::file_size(path("log")), 0u);
}

TEST_F(ProgressTest, TheFirstCtrlCIsAFlag) {
  catchInterrupt();
  EXPECT_FALSE(interrupted());
  std::raise(SIGINT);
  EXPECT_TRUE(interrupted());
  // The second one would end the process: its handler is the default again.
  struct sigaction action;
  sigaction(SIGINT, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}
} // namespace
