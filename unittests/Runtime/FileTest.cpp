//===- FileTest.cpp - Reading, atomic replacement, tables -----------------===//
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Csv.h"
#include "TempFolder.h"
#include <sys/wait.h>
#include <unistd.h>

using namespace lci;

namespace {
class FileTest : public FolderTest {
protected:
  std::string text(const std::string &name) {
    Result<std::vector<uint8_t>> bytes = readFile(path(name));
    return bytes ? std::string(bytes->begin(), bytes->end()) : bytes.error();
  }
  size_t fileCount() {
    auto files = std::filesystem::directory_iterator(folder);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }
};

TEST_F(FileTest, ReplacesWholeFilesAndLeavesNothingElse) {
  ASSERT_TRUE(writeFileAtomically(path("a"), std::string("one")));
  ASSERT_TRUE(writeFileAtomically(path("a"), std::string(100000, 'x')));
  EXPECT_EQ(text("a"), std::string(100000, 'x'));
  ASSERT_TRUE(writeFileAtomically(path("a"), std::string()));
  EXPECT_EQ(text("a"), "");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(FileTest, AFailedWriteLeavesTheOldFile) {
  ASSERT_TRUE(writeFileAtomically(path("a"), std::string("old")));
  // A folder in the way of the temporary file makes its creation fail for root too.
  std::filesystem::create_directory(path("a.tmp" + std::to_string(::getpid())));
  Status status = writeFileAtomically(path("a"), std::string("new"));
  ASSERT_FALSE(status);
  // Where a file has no name before it is complete, the folder is in the way only then.
  std::string cannot = "cannot create '" + path("a") + "': ";
  EXPECT_TRUE(status.error() == cannot + "Is a directory" ||
              status.error() == cannot + "File exists")
      << status.error();
  EXPECT_EQ(text("a"), "old");
  EXPECT_FALSE(writeFileAtomically(path("no/such/folder"), std::string("x")));
}

TEST_F(FileTest, DevicesAreWrittenNotReplaced) {
  EXPECT_TRUE(writeFileAtomically("/dev/null", std::string("x")));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(FileTest, AFileHasOnePlaceWhateverItIsCalled) {
  ASSERT_TRUE(writeFileAtomically(path("a"), std::string("x")));
  std::filesystem::create_directory(path("f"));
  std::filesystem::create_symlink(path("a"), path("to-a"));
  std::filesystem::create_symlink("new", path("to-new"));
  std::filesystem::create_hard_link(path("a"), path("also-a"));
  for (const char *name : {"to-a", "also-a", "f/../a"})
    EXPECT_EQ(placeOf(path(name)), placeOf(path("a"))) << name;
  for (const char *name : {"to-new", "f/../new"})
    EXPECT_EQ(placeOf(path(name)), placeOf(path("new"))) << name;
  EXPECT_NE(placeOf(path("new")), placeOf(path("a")));
  for (const char *name : {"/dev/null", "/dev/stdout", "/dev/fd/1"})
    EXPECT_FALSE(placeOf(name)) << name;
}

TEST_F(FileTest, UnusedPathsAreNumbered) {
  EXPECT_EQ(unusedPath(path("p"), "ck"), path("p.ck"));
  ASSERT_TRUE(writeFileAtomically(path("p.ck"), std::string()));
  std::filesystem::create_symlink("nowhere", path("p.2.ck"));
  EXPECT_EQ(unusedPath(path("p"), "ck"), path("p.3.ck"));
}

TEST_F(FileTest, WhatCannotBeWrittenIsKnownBefore) {
  EXPECT_TRUE(prepareToWrite(path("new")));
  EXPECT_EQ(fileCount(), 0u);
  EXPECT_TRUE(prepareToWrite("/dev/null"));
  EXPECT_EQ(prepareToWrite(path("no/such")).error(),
            "cannot create '" + path("no/such") + "': No such file or directory");
  EXPECT_EQ(prepareToWrite(folder.string()).error(),
            "cannot write '" + folder.string() + "': Is a directory");
}

TEST_F(FileTest, WhatTheDeadLeftIsRemoved) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  std::string dead = std::to_string(child), alive = std::to_string(::getpid());
  for (const std::string &name :
       {"a.tmp" + dead, "b.tmp" + dead, "a.tmp" + alive, std::string("a.tmp"),
        std::string("a.tmpx"), "a.tmp" + dead + "x", "a.tmp" + std::string(30, '9')})
    ASSERT_TRUE(writeFileAtomically(path(name), name));
  ASSERT_EQ(fileCount(), 7u);
  EXPECT_TRUE(prepareToWrite(path("a")));
  EXPECT_EQ(fileCount(), 6u);
  EXPECT_FALSE(std::filesystem::exists(path("a.tmp" + dead)));
  EXPECT_FALSE(prepareToWrite(path("no/such")));
  EXPECT_TRUE(prepareToWrite("")); // the folder itself, in which it could be
}

TEST_F(FileTest, FoldersAreNoFiles) {
  Result<std::vector<uint8_t>> bytes = readFile(folder.string());
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error(), "cannot read '" + folder.string() + "': Is a directory");
}

TEST(PathTest, RelativePathsAreSeenFromTheOtherFile) {
  EXPECT_EQ(resolvePath("w.npy", "examples/b.json"), "examples/w.npy");
  EXPECT_EQ(resolvePath("w.npy", "b.json"), "w.npy");
  EXPECT_EQ(resolvePath("/w.npy", "examples/b.json"), "/w.npy");
}

TEST_F(FileTest, TablesQuoteAndAppend) {
  {
    Result<CsvWriter> table = CsvWriter::open(path("t.csv"), {"epoch", "a,b"});
    ASSERT_TRUE(table);
    ASSERT_TRUE(table->row({"0", "say \"hi\""}));
  }
  {
    Result<CsvWriter> table = CsvWriter::open(path("t.csv"), {"epoch", "a,b"}, /*append=*/true);
    ASSERT_TRUE(table);
    ASSERT_TRUE(table->row({"1", ""}));
  }
  EXPECT_EQ(text("t.csv"), "epoch,\"a,b\"\n0,\"say \"\"hi\"\"\"\n1,\n");
  EXPECT_FALSE(CsvWriter::open(path("no/t.csv"), {"x"}));
}

TEST(NumberTextTest, BringsBackTheSameBits) {
  for (double value : {0.1, 1.0 / 3, 1e300, -0.0, 5.0, 1e-310}) {
    EXPECT_EQ(std::strtod(numberText(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(numberText(0.1f), "0.1");
  EXPECT_EQ(numberText(3.0), "3");
}
} // namespace
