//===- ExternalToolsTest.cpp - Tools that are not there -------------------===//

#include "LCI/Codegen/ExternalTools.h"
#include "gtest/gtest.h"
#include <cstdlib>

/// The sentence of a machine without MLIR's compiler of patterns, which all tests have.
TEST(ExternalTools, SaysWhichToolIsMissing) {
  std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", /*overwrite=*/1);
  auto compiled = lci::compilePatterns("mine.pdll", {}, "/nowhere");
  setenv("PATH", path.c_str(), /*overwrite=*/1);
  ASSERT_FALSE(bool(compiled));
  EXPECT_EQ(
      llvm::toString(compiled.takeError()),
      "expected MLIR's compiler of patterns 'mlir-pdll' on PATH to read 'mine.pdll'; Debian's "
      "package mlir-22-tools has it");
}
