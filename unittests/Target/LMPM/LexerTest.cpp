//===- LexerTest.cpp - Tokens, comments, and unreadable bytes -------------===//
//
// Boundaries between tokens that share characters, and every message of the lexer.
//
//===----------------------------------------------------------------------===//
#include "SyntaxTesting.h"
#include <gtest/gtest.h>

using namespace lmpm;
using namespace lmpm::testing;

namespace {

/// The tokens of a text as "kind:text", and the messages.
struct Lexed {
  explicit Lexed(llvm::StringRef text)
      : diagnostics([this](const Diagnostic &d) { errors.push_back(d.message); }) {
    Lexer lexer(text, diagnostics);
    for (Token token = lexer.next(); !token.is(TokenKind::eof); token = lexer.next())
      tokens += (tokens.empty() ? "" : " ") + token.text.str();
    comments = lexer.getComments().vec();
  }
  Diagnostics diagnostics;
  std::string tokens;
  std::vector<std::string> errors;
  std::vector<Comment> comments;
};

} // namespace

TEST(Lexer, LongestSignWins) {
  EXPECT_EQ(Lexed("a..b...c:=d<-e<<f<=g").tokens, "a .. b ... c := d <- e << f <= g");
  EXPECT_EQ(Lexed("x??y z? a!=b").tokens, "x ?? y z ? a != b");
}

TEST(Lexer, RangeIsNotAPoint) {
  EXPECT_EQ(Lexed("0..t-1 1..9").tokens, "0 .. t - 1 1 .. 9");
  EXPECT_EQ(Lexed("1.5..2.5").tokens, "1.5 .. 2.5");
}

TEST(Lexer, Exponents) {
  EXPECT_EQ(Lexed("1e3 1.5e-3 2E+4").tokens, "1e3 1.5e-3 2E+4");
  EXPECT_TRUE(Lexed("1e3 1.5e-3 2E+4").errors.empty());
}

TEST(Lexer, BadNumbers) {
  EXPECT_EQ(Lexed("1. + 2").errors.front(),
            "expected digits on both sides of the point, but got '1.'");
  EXPECT_EQ(Lexed(".5").errors.front(), "expected digits on both sides of the point, but got '.5'");
  EXPECT_EQ(Lexed("3x").errors.front(), "expected a number, but got '3x'");
  EXPECT_EQ(Lexed("0x1F").errors.front(), "expected a number, but got '0x1F'");
}

TEST(Lexer, BadStrings) {
  EXPECT_EQ(Lexed("\"abc\n").errors.front(), "expected '\"' before the end of the line");
  EXPECT_EQ(Lexed("\"a\\b\" c").errors.front(), "a string cannot contain '\\'");
}

TEST(Lexer, BadCharacters) {
  EXPECT_EQ(Lexed("a # b").errors.front(), "unexpected character '#'");
  EXPECT_EQ(Lexed("\xc3\xa4").errors.front(), "unexpected character '\xc3\xa4'");
  EXPECT_EQ(Lexed(llvm::StringRef("a\0b", 3)).errors.front(), "unexpected character the byte 0x0");
}

// A later message may refer to a token that an earlier one was about.
TEST(Lexer, WhatCannotBeReadHasAName) {
  EXPECT_EQ(lmpm::describe(TokenKind::error), "something unreadable");
}

TEST(Lexer, InvalidEncodingEndsTheText) {
  Lexed lexed("a // \xff\nb");
  ASSERT_EQ(lexed.errors.size(), 1u);
  EXPECT_EQ(lexed.errors.front(), "expected UTF-8, but got the byte 0xFF");
  EXPECT_EQ(lexed.tokens, "a");
}

TEST(Lexer, ByteOrderMarkAndCarriageReturns) {
  EXPECT_EQ(Lexed("\xEF\xBB\xBFvalue\r\nx").tokens, "value x");
}

TEST(Lexer, CommentsKnowTheirSurroundings) {
  Lexed lexed("// \xe8\xb0\x83\n\na // b\n//c");
  ASSERT_EQ(lexed.comments.size(), 3u);
  EXPECT_EQ(lexed.comments[0].text, "// \xe8\xb0\x83");
  EXPECT_TRUE(lexed.comments[0].ownLine);
  EXPECT_TRUE(lexed.comments[0].blankAfter);
  EXPECT_FALSE(lexed.comments[1].ownLine);
  EXPECT_EQ(lexed.comments[2].text, "//c");
  EXPECT_FALSE(lexed.comments[2].blankBefore);
}

TEST(Lexer, EmptyText) {
  EXPECT_EQ(Lexed("").tokens, "");
  EXPECT_EQ(Lexed(" \n\t").tokens, "");
}

TEST(Nearest, SuggestsOnlyWhatIsClose) {
  EXPECT_EQ(nearestName("wraap", {"open", "wrap", "clamp"}), llvm::StringRef("wrap"));
  EXPECT_EQ(nearestName("Txt", {"txt"}), llvm::StringRef("txt"));
  EXPECT_EQ(nearestName("population", {"open", "wrap"}), std::nullopt);
  EXPECT_EQ(nearestName("x", {"y"}), std::nullopt);
}
