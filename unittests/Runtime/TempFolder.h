//===- TempFolder.h - A folder for one test ---------------------*- C++ -*-===//
//
// Gives a test a private folder that is removed after it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_RUNTIME_TEMPFOLDER_H
#define LCI_UNITTESTS_RUNTIME_TEMPFOLDER_H

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace lci {

/// A test with a folder.
class FolderTest : public testing::Test {
protected:
  void SetUp() override {
    const testing::TestInfo *info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::path(testing::TempDir()) /
             (std::string("lci-") + info->test_suite_name() + "-" + info->name() + "-" +
              std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const { return (folder / name).string(); }

  /// Writes a file and returns its path.
  std::string write(const std::string &name, const std::string &contents) const {
    std::ofstream(path(name), std::ios::binary) << contents;
    return path(name);
  }

  std::filesystem::path folder;
};

} // namespace lci

#endif // LCI_UNITTESTS_RUNTIME_TEMPFOLDER_H
