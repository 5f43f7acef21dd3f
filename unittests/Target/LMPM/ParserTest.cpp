//===- ParserTest.cpp - Declarations, recovery, comments ------------------===//
//
// Every declaration form, every message of the declaration parser, several errors in one run, the
// attachment of comments, and all programs of the language's page.
//
//===----------------------------------------------------------------------===//

#include "SyntaxTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

using namespace lmpm;
using namespace lmpm::testing;

static std::string firstError(llvm::StringRef text) {
  Parsed parsed(text);
  return parsed.errors.empty() ? "" : parsed.errors.front();
}

TEST(Declarations, Value) {
  Parsed parsed(
      "value score : Token[V] init[i,j] i + j boundary (open, wrap) shape Grid2D(W, H/8)");
  ASSERT_TRUE(parsed.errors.empty());
  auto &value = llvm::cast<ValueDecl>(*parsed.program.decls.front());
  EXPECT_EQ(value.name.name, "score");
  EXPECT_EQ(value.type.name.name, "Token");
  EXPECT_EQ(dumpList(value.shape.sizes), "W, (H / 8)");
  EXPECT_TRUE(value.boundaryPerAxis);
  EXPECT_EQ(value.boundary.size(), 2u);
  EXPECT_EQ(value.initIndices.size(), 2u);
  EXPECT_EQ(dump(value.init), "(i + j)");
}

TEST(Declarations, ContextualWordsAreNames) {
  EXPECT_EQ(firstError("value score : F32 shape Scalar\n"
                       "rule let:\n on score\n let on = 1\n emit proposal score := on\n score on"),
            "");
}

TEST(Declarations, RuleKeepsItsClauses) {
  Parsed parsed("rule R:\n on V[x] when x > 0\n read {near, Coarse?}\n let a = 1\n"
                " emit proposal V[x] := any in 1..9\n score a");
  ASSERT_TRUE(parsed.errors.empty());
  auto &rule = llvm::cast<RuleDecl>(*parsed.program.decls.front());
  ASSERT_EQ(rule.clauses.size(), 5u);
  EXPECT_EQ(dump(rule.clauses[0]->when), "(x > 0)");
  EXPECT_EQ(dumpList(rule.clauses[1]->reads), "near, Coarse?");
  EXPECT_EQ(rule.clauses[2]->name.name, "a");
  EXPECT_EQ(dump(rule.clauses[3]->value), "any in (1 .. 9)");
  EXPECT_EQ(dump(rule.clauses[4]->value), "a");
}

TEST(Declarations, AnyBeforeParenthesisIsAReduction) {
  Parsed parsed("rule R: on V[x] emit proposal V[x] := any(near)");
  ASSERT_TRUE(parsed.errors.empty());
  auto &rule = llvm::cast<RuleDecl>(*parsed.program.decls.front());
  EXPECT_EQ(dump(rule.clauses[1]->value), "any(near)");
}

TEST(Declarations, Messages) {
  EXPECT_EQ(firstError("value V Token"),
            "1:9: expected ':' and a type after the name of the value, but got 'Token'");
  EXPECT_EQ(firstError("value V : Token[2]"), "1:7: value 'V' has no shape");
  EXPECT_EQ(firstError("value V : F32 shape Scalar shape Scalar"),
            "1:28: a value has one 'shape' clause");
  EXPECT_EQ(firstError("value V : F32 shap Scalar"),
            "1:15: expected a clause of the value (shape, clock, boundary, init) or a "
            "declaration, but got 'shap'");
  EXPECT_EQ(firstError("value rule : F32"), "1:7: expected the name of the value, but got 'rule'");
  EXPECT_EQ(firstError("value V : 3"), "1:11: expected a type, but got '3'");
  EXPECT_EQ(firstError("value V : F32 shape 3"), "1:21: expected a shape, but got '3'");
  EXPECT_EQ(firstError("value V : F32 boundary 3"), "1:24: expected a boundary, but got '3'");
  EXPECT_EQ(firstError("value V : F32 clock 3"), "1:21: expected the name of a clock, but got '3'");
  EXPECT_EQ(firstError("value V : F32 shape Seq(N) init[3] 1"),
            "1:33: expected the name of an index, but got '3'");
  EXPECT_EQ(firstError("param p F32"),
            "1:9: expected ':' and a type after the name of the parameter, but got 'F32'");
  EXPECT_EQ(firstError("def f(x) = 1"),
            "1:6: expected '=' after the name of the formula, but got '('");
  EXPECT_EQ(firstError("visible V[x] -> V[x]"), "1:14: unexpected '->'");
  EXPECT_EQ(firstError("visible V[x] <- 3"), "1:17: expected the value that is seen, but got '3'");
  EXPECT_EQ(firstError("commit V[*] with accept"),
            "1:13: expected 'using' after the value, but got 'with'");
  EXPECT_EQ(firstError("commit V[*] using 3"), "1:19: expected a policy, but got '3'");
  EXPECT_EQ(firstError("schedule V[*] using 3"), "1:21: expected a strategy, but got '3'");
  EXPECT_EQ(firstError("observe o = 1"),
            "1:11: expected ':=' after the name of the observer, but got '='");
  EXPECT_EQ(firstError("hello"), "1:1: expected a declaration, but got 'hello'");
}

TEST(Clauses, Messages) {
  EXPECT_EQ(firstError("rule R\n on V"),
            "2:2: expected ':' after the name of the rule, but got 'on'");
  EXPECT_EQ(firstError("rule R:"), "1:6: rule 'R' does not begin with 'on'");
  EXPECT_EQ(firstError("rule R: on V"), "1:6: rule 'R' proposes nothing");
  EXPECT_EQ(
      firstError("rule R: on V emitt proposal V := 1"),
      "1:14: expected a clause (on, read, let, emit, score) or a declaration, but got 'emitt'");
  EXPECT_EQ(firstError("rule R: on V emit V := 1"),
            "1:19: expected 'proposal' after 'emit', but got 'V'");
  EXPECT_EQ(firstError("rule R: on V emit proposal V = 1"),
            "1:30: expected ':=' after the value the proposal is for, but got '='");
  EXPECT_EQ(firstError("rule R: on V emit proposal V := 1 emit proposal V := 2"),
            "1:35: a rule has one 'emit' clause");
  EXPECT_EQ(firstError("rule R: on V emit proposal V := 1 score 1 score 2"),
            "1:43: a rule has one 'score' clause");
  EXPECT_EQ(firstError("rule R: on V on V emit proposal V := 1"),
            "1:14: a rule has one 'on' clause");
  EXPECT_EQ(firstError("rule R: on V read near emit proposal V := 1"),
            "1:19: expected '{' after 'read', but got 'near'");
  EXPECT_EQ(firstError("rule R: on V let 3 = 1"), "1:18: expected a name after 'let', but got '3'");
  EXPECT_EQ(firstError("constraint C: on V"), "1:12: constraint 'C' says nothing");
  EXPECT_EQ(firstError("constraint C: require a on V"), "1:25: 'on' stands first in a constraint");
  EXPECT_EQ(firstError("constraint C: require a require b"),
            "1:25: a constraint has one 'forbid' or 'require'");
}

TEST(Recovery, OneErrorPerDeclaration) {
  Parsed parsed("value V : F32\nparam p F32\nobserve o := 1\nvisibel x\nobserve q := (1\n");
  EXPECT_EQ(parsed.errors.size(), 4u);
  EXPECT_EQ(parsed.program.decls.size(), 1u);
  EXPECT_NE(llvm::join(parsed.notes, "|").find("did you mean 'visible'?"), std::string::npos);
}

TEST(Recovery, ErrorsAreCappedButCounted) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "observe o := \n";
  Parsed parsed(text);
  EXPECT_EQ(parsed.errors.size(), Diagnostics::errorLimit);
  EXPECT_EQ(parsed.notes.back(), "too many errors, the rest is not shown");
  EXPECT_EQ(parsed.errorCount, 50u);
}

TEST(Comments, BelongToWhatTheyStandAboveOrBehind) {
  Parsed parsed("// title\n\n// more\nvalue V : F32 // after\n  shape Scalar // again\n"
                "rule R:\n  // above\n  on V // behind\n  emit proposal V := V\n// end\n");
  ASSERT_TRUE(parsed.errors.empty());
  const Trivia &value = parsed.program.decls[0]->trivia;
  EXPECT_EQ(llvm::join(value.leading, "|"), "// title||// more");
  EXPECT_EQ(value.trailing, "// after // again");
  auto &rule = llvm::cast<RuleDecl>(*parsed.program.decls[1]);
  EXPECT_EQ(llvm::join(rule.clauses[0]->trivia.leading, "|"), "// above");
  EXPECT_EQ(rule.clauses[0]->trivia.trailing, "// behind");
  EXPECT_EQ(llvm::join(parsed.program.closing, "|"), "// end");
}

TEST(Comments, ReReadAfterASplitArrowCountOnce) {
  Parsed parsed("observe o := a <- // note\n b");
  ASSERT_TRUE(parsed.errors.empty());
  EXPECT_EQ(parsed.program.decls[0]->trivia.trailing, "// note");
}

TEST(Programs, AllOfThemParse) {
  std::error_code error;
  unsigned count = 0;
  for (llvm::sys::fs::directory_iterator it(LMPM_PROGRAMS, error), end; it != end && !error;
       it.increment(error)) {
    if (llvm::sys::path::extension(it->path()) != ".lmpm")
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(buffer);
    Parsed parsed((*buffer)->getBuffer());
    EXPECT_TRUE(parsed.errors.empty()) << it->path() << ": " << parsed.errors.front();
    EXPECT_FALSE(parsed.program.decls.empty());
    ++count;
  }
  EXPECT_GE(count, 12u);
}
