//===- ParseExprTest.cpp - Precedence of operators ------------------------===//
//
// One line per rule of precedence, each with the parentheses that the parser saw, and the messages
// of the expression parser.
//
//===----------------------------------------------------------------------===//
#include "SyntaxTesting.h"
#include <gtest/gtest.h>

using namespace lmpm;
using namespace lmpm::testing;

/// The expression with all its parentheses, or the first message.
static std::string parse(const llvm::Twine &text) {
  Parsed parsed(("observe o := " + text).str());
  if (!parsed.errors.empty())
    return parsed.errors.front();
  return dump(llvm::cast<ObserveDecl>(*parsed.program.decls.front()).value);
}

TEST(Precedence, BitsBindTighterThanComparisons) {
  EXPECT_EQ(parse("a & 1 == 1"), "((a & 1) == 1)");
  EXPECT_EQ(parse("a | b xor c & d"), "((a | b) xor (c & d))");
  EXPECT_EQ(parse("(110 >> (4*a + 2*b + c)) & 1"), "((110 >> (((4 * a) + (2 * b)) + c)) & 1)");
}

TEST(Precedence, SumsProductsShifts) {
  EXPECT_EQ(parse("a + b * c - d / e % f"), "((a + (b * c)) - ((d / e) % f))");
  EXPECT_EQ(parse("a << b + c & d"), "((a << (b + c)) & d)");
  EXPECT_EQ(parse("W @ h + b"), "((W @ h) + b)");
}

TEST(Precedence, PowersAndSigns) {
  EXPECT_EQ(parse("-x^2"), "(- (x ^ 2))");
  EXPECT_EQ(parse("a^b^c"), "(a ^ (b ^ c))");
  EXPECT_EQ(parse("a*-b"), "(a * (- b))");
  EXPECT_EQ(parse("-~a"), "(- (~ a))");
  EXPECT_EQ(parse("2^-1"), "(2 ^ (- 1))");
  EXPECT_EQ(parse("-2.0 * beta"), "((- 2.000000) * beta)");
}

TEST(Precedence, AbsenceBindsTightest) {
  EXPECT_EQ(parse("a + b ?? c * d"), "(a + ((b ?? c) * d))");
  EXPECT_EQ(parse("x ?? -1"), "(x ?? (- 1))");
  EXPECT_EQ(parse("V[i]? ?? 0 ^ 2"), "((V[i]? ?? 0) ^ 2)");
  EXPECT_EQ(parse("a ?? b ?? c"), "((a ?? b) ?? c)");
}

TEST(Precedence, RangesLieBetweenBitsAndComparisons) {
  EXPECT_EQ(parse("i in 0..t-1"), "(i in (0 .. (t - 1)))");
  EXPECT_EQ(parse("m in start[i]..start[i+1]-1"), "(m in (start[i] .. (start[(i + 1)] - 1)))");
  EXPECT_EQ(parse("d in {1} | {2}"), "(d in ({1} | {2}))");
}

TEST(Precedence, Comparisons) {
  EXPECT_EQ(parse("0 < x < W-1 and 0 <= y"), "((0 < x < (W - 1)) and (0 <= y))");
  EXPECT_EQ(parse("not a == b"), "(not (a == b))");
  EXPECT_EQ(parse("not not a and b"), "((not (not a)) and b)");
  EXPECT_EQ(parse("a or b and c"), "(a or (b and c))");
  EXPECT_EQ(parse("a<-b"), "(a < (- b))");
  EXPECT_EQ(parse("a<-b + c"), "(a < ((- b) + c))");
  EXPECT_EQ(parse("(dx,dy) in N8"), "(<dx, dy> in N8)");
}

TEST(Precedence, ConditionalIsLoosest) {
  EXPECT_EQ(parse("if a or b then c + 1 else if d then e else f and g"),
            "(if (a or b) then (c + 1) else (if d then e else (f and g)))");
}

TEST(Expressions, Calls) {
  EXPECT_EQ(parse("f()"), "f()");
  EXPECT_EQ(parse("ModelScore(...)"), "ModelScore(...)");
  EXPECT_EQ(parse("sample(temperature = 1.0 / b, constraints=weighted)"),
            "sample(temperature=(1.000000 / b), constraints=weighted)");
  EXPECT_EQ(parse("sum(A[x+dx] when dx in N)"), "sum(A[(x + dx)] when (dx in N))");
  EXPECT_EQ(parse("Cell[*]"), "Cell[*]");
  EXPECT_EQ(parse("Vid[t, x1..x2, region(\"sky\")]"), "Vid[t, (x1 .. x2), region(\"sky\")]");
  EXPECT_EQ(parse("{(1,0), (0,1)}"), "{<1, 0>, <0, 1>}");
}

TEST(Expressions, Messages) {
  EXPECT_EQ(parse("a +"), "1:17: expected an expression, but got end of text");
  EXPECT_EQ(parse("(a"), "1:16: expected ')', but got end of text");
  EXPECT_EQ(parse("f(a]"), "1:17: expected ')', but got ']'");
  EXPECT_EQ(parse("a == b == c"), "1:21: '==' and '==' do not chain");
  EXPECT_EQ(parse("a < b > c"), "1:20: '<' and '>' do not chain");
  EXPECT_EQ(parse("1..2..3"), "1:18: a range has two ends, but got another '..'");
  EXPECT_EQ(parse("1 + if a then b else c"), "1:18: expected an expression, but got 'if'");
  EXPECT_EQ(parse("1 + not a"), "1:18: expected an expression, but got 'not'");
  EXPECT_EQ(parse("if a then b"), "1:25: expected 'else' after 'then', but got end of text");
  EXPECT_EQ(parse("if a else b"),
            "1:19: expected 'then' after the condition of 'if', but got 'else'");
  EXPECT_EQ(parse("a * *"), "1:18: expected an expression, but got '*'");
  EXPECT_EQ(parse("then"), "1:14: expected an expression, but got 'then'");
}

TEST(Expressions, Literals) {
  EXPECT_EQ(parse("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(parse("9223372036854775808"),
            "1:14: the integer 9223372036854775808 does not fit 64 bits");
  EXPECT_EQ(parse("1.0e39"), "1:14: the number 1.0e39 is too large for F32");
  EXPECT_EQ(parse("3.5e38"), "1:14: the number 3.5e38 is too large for F32");
  EXPECT_EQ(parse("1e99999999999999999999999"),
            "1:14: the number 1e99999999999999999999999 is too large for F32");
}

TEST(Expressions, DepthIsBounded) {
  std::string deep(100000, '(');
  EXPECT_EQ(parse(deep), "1:270: the expression is nested more than 256 levels deep");
  std::string brackets;
  for (int i = 0; i < 10000; ++i)
    brackets += "a[";
  EXPECT_NE(parse(brackets).find("nested more than 256 levels deep"), std::string::npos);
  for (const char *part : {"1+", "-", "not ", "1^", "1 ?? ", "a and ", "1.."}) {
    std::string chain;
    for (int i = 0; i < 100000; ++i)
      chain += part;
    EXPECT_NE(parse(chain + "1").find("1:"), std::string::npos) << part;
  }
  std::string sum;
  for (int i = 0; i < 1001; ++i)
    sum += "1+";
  Parsed parsed("observe o := " + sum + "1");
  EXPECT_NE(parsed.errors.front().find("the expression has more than 1000 nested operations"),
            std::string::npos);
  EXPECT_EQ(parsed.notes.front(), "name parts of it with 'let' or 'def'");
}
