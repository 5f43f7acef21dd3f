//===- RejectionsTest.cpp - Warnings of rejected proposals ----------------===//
#include "LCI/Driver/Rejections.h"
#include "LCI/Dialect/LCIDialect.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {
constexpr const char *kProgram = R"(
lci.program @p sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (4)> boundary [#lci.boundary<wrap>] {
  }
})";

TEST(RejectionsTest, ThoseOfStatesThatWereNotKeptAreCounted) {
  MLIRContext context;
  context.loadDialect<LCIDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kProgram, &context);
  ASSERT_TRUE(module);
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str() + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      said += note.str() + "\n";
    return success();
  });
  ::lci::LoopOutcome outcome;
  outcome.counters = {{"A.invalid", 5}};
  Rejections().warn(*module->getOps<ProgramOp>().begin(), {{"A.invalid", 2}}, outcome);
  EXPECT_NE(said.find("'A' holds 0..2, and 3 proposals outside of that were rejected"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("which one came first is not known: its state was not kept"),
            std::string::npos)
      << said;
}
} // namespace
