//===- BytecodeTest.cpp - Bytecode versions: write, read, upgrade, reject -===//

#include "LCI/Dialect/Bytecode.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {

class BytecodeTest : public ::testing::Test {
protected:
  BytecodeTest() { context.loadDialect<LCIDialect>(); }

  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>("lci.program @p sizes [\"N\"] {}", &context);
  }

  /// A program as bytecode that claims this version; the current one if none is given.
  std::string write(std::optional<uint64_t> version) {
    BytecodeWriterConfig config;
    if (version)
      config.setDialectVersion<LCIDialect>(std::make_unique<BytecodeVersion>(*version));
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*parse(), stream, config)));
    return bytes;
  }

  /// Whether such bytecode is read; the diagnostics are in `said`.
  bool reads(const std::string &bytes) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str() + "\n";
      return success();
    });
    Block block;
    bool isRead = succeeded(
        readBytecodeFile(llvm::MemoryBufferRef(bytes, "file"), &block, ParserConfig(&context)));
    return isRead && isa<ProgramOp>(cast<ModuleOp>(block.front()).getBody()->front());
  }

  MLIRContext context;
  std::string said;
};

TEST_F(BytecodeTest, EveryVersionUpToTheLastIsRead) {
  for (uint64_t version = 0; version <= getBytecodeVersion(); ++version)
    EXPECT_TRUE(reads(write(version))) << version << ": " << said;
  EXPECT_EQ(write(std::nullopt), write(getBytecodeVersion()));
  EXPECT_NE(write(0), write(1));
}

TEST_F(BytecodeTest, ANewerVersionIsRefused) {
  EXPECT_FALSE(reads(write(getBytecodeVersion() + 1)));
  EXPECT_NE(said.find("of the lci dialect or of an older one, but got version " +
                      std::to_string(getBytecodeVersion() + 1)),
            std::string::npos)
      << said;
}

template <char step>
LogicalResult append(Operation *top) {
  auto name = top->getAttrOfType<StringAttr>("steps");
  std::string steps = (name ? name.str() : "") + step;
  top->setAttr("steps", StringAttr::get(top->getContext(), steps));
  return success(step != 'x');
}

/// The upgrade steps taken from a version to the last, and whether all succeeded.
std::pair<std::string, bool> upgrade(ModuleOp module, uint64_t version,
                                     ArrayRef<BytecodeUpgrade> steps) {
  module->removeAttr("steps");
  bool isDone = succeeded(upgradeBytecode(module, version, steps));
  auto taken = module->getAttrOfType<StringAttr>("steps");
  return {taken ? taken.str() : "", isDone};
}

TEST_F(BytecodeTest, UpgradesTakeEachLaterStepInOrder) {
  OwningOpRef<ModuleOp> module = parse();
  BytecodeUpgrade steps[] = {append<'a'>, append<'b'>, append<'c'>};
  EXPECT_EQ(upgrade(*module, 0, steps), std::pair(std::string("abc"), true));
  EXPECT_EQ(upgrade(*module, 1, steps), std::pair(std::string("abc"), true));
  EXPECT_EQ(upgrade(*module, 3, steps), std::pair(std::string("c"), true));
  EXPECT_EQ(upgrade(*module, 4, steps), std::pair(std::string(), true));
  BytecodeUpgrade failing[] = {append<'a'>, append<'x'>, append<'c'>};
  EXPECT_EQ(upgrade(*module, 1, failing), std::pair(std::string("ax"), false));
}

// The hook itself, which the reader calls with the version in the bytecode.
TEST_F(BytecodeTest, TheHookUpgradesByTheDialectsOwnSteps) {
  OwningOpRef<ModuleOp> module = parse();
  auto *interface =
      context.getLoadedDialect<LCIDialect>()->getRegisteredInterface<BytecodeDialectInterface>();
  ASSERT_NE(interface, nullptr);
  for (uint64_t version = 0; version <= getBytecodeVersion(); ++version) {
    ASSERT_TRUE(succeeded(interface->upgradeFromVersion(*module, BytecodeVersion(version))));
    EXPECT_TRUE(succeeded(module->verify()));
  }
}

} // namespace
