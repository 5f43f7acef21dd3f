//===- RleTest.cpp - Patterns of cellular automata ------------------------===//
#include "LCI/Runtime/Rle.h"
#include "TempFolder.h"
#include <random>

using namespace lci;

namespace {
std::string errorOfPattern(const std::string &text, const std::vector<int64_t> &shape) {
  Result<Array> array = decodeRle(text, shape, "f.rle");
  return array ? "no error" : array.error();
}

/// The cells of a pattern by rows, as displayed.
std::string rows(const std::string &text, int64_t width, int64_t height) {
  Result<Array> array = decodeRle(text, {width, height}, "f.rle");
  std::string seen;
  for (int64_t y = 0; array && y < height; ++y, seen += "/")
    for (int64_t x = 0; x < width; ++x)
      seen += std::to_string(array->intAt(x * height + y));
  return array ? seen : array.error();
}

TEST(RleTest, ReadsAGlider) {
  EXPECT_EQ(rows("#C a glider\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!", 4, 4),
            "0100/0010/1110/0000/");
  EXPECT_EQ(rows("bo$2bo\r\n$ 3o !anything", 3, 3), "010/001/111/");
}

TEST(RleTest, ReadsManyStatesAndEmptyRows) {
  EXPECT_EQ(rows("x=2,y=4\n.A$B3$X!", 2, 5), "01/20/00/00/240/");
  Result<Array> far = decodeRle("pApXqAyO!", {4}, "f.rle");
  ASSERT_TRUE(far) << far.error();
  EXPECT_EQ(far->intAt(0), 25);
  EXPECT_EQ(far->intAt(1), 48);
  EXPECT_EQ(far->intAt(2), 49);
  EXPECT_EQ(far->intAt(3), 255);
}

TEST(RleTest, ReadsWhatProgramsWrite) {
  // a comment between rows, blanks before one, and a `$` for the `!`
  EXPECT_EQ(rows("  #N one\nx = 2, y = 2, rule = B3/S23\n2o$\n#C two\nbo$\n", 2, 2), "11/01/");
  // sizes of no meaning
  EXPECT_EQ(rows("x = 0, y = 0, rule = LifeHistory\n2A$.A!", 2, 2), "11/01/");
  // state 217 at the beginning of a line, behind a head and without one
  EXPECT_EQ(rows("x = 2, y = 2\nxAA$\nxBA!", 2, 2), "2171/2181/");
  EXPECT_EQ(rows("xAA!", 2, 1), "2171/");
}

TEST(RleTest, ReadsBehindAByteOrderMark) {
  EXPECT_EQ(rows("\xEF\xBB\xBFx = 2, y = 1\n2o!", 2, 1), "11/");
  EXPECT_EQ(rows("\xEF\xBB\xBF"
                 "bo!",
                 2, 1),
            "01/");
}

TEST(RleTest, RefusesPlaintext) {
  const char *refused =
      "'f.rle', line 1: expected runs of cells, but got a pattern in plaintext, of "
      "rows such as '.O.'; Golly saves it as RLE";
  EXPECT_EQ(errorOfPattern("!Name: Glider\n.O.\n..O\nOOO\n", {3, 3}), refused);
  EXPECT_EQ(errorOfPattern("!Name: Row\r\n!\r\nO\r\n", {3, 3}), refused);
  // an empty pattern, and what programs write behind one
  EXPECT_EQ(rows("!", 2, 1), "00/");
  EXPECT_EQ(rows("!\nsaved today\n", 2, 1), "00/");
  EXPECT_EQ(rows("x = 0, y = 0\n!\nO\n", 2, 1), "00/");
}

TEST(RleTest, MissesRows) {
  EXPECT_EQ(errorOfPattern("x = 2, y = 3\n2o$bo$\n", {2, 3}),
            "'f.rle', line 3: expected '!' at the end of the pattern");
  EXPECT_EQ(errorOfPattern("x = 2\n2o$bo$", {2, 3}),
            "'f.rle', line 2: expected '!' at the end of the pattern");
  EXPECT_EQ(errorOfPattern("2o$bo$", {2, 3}),
            "'f.rle', line 1: expected '!' at the end of the pattern");
}

TEST(RleTest, SaysWhichCellIsBeside) {
  auto beside = [](const std::string &where) {
    return "'f.rle', line 1: expected a pattern within 9 x 7 cells, but got a cell in " + where +
           ", both from 0";
  };
  EXPECT_EQ(errorOfPattern("7$o!", {9, 7}), beside("column 0, row 7"));
  EXPECT_EQ(errorOfPattern("9$4b2o!", {9, 7}), beside("column 4, row 9"));
  EXPECT_EQ(errorOfPattern("7b3o!", {9, 7}), beside("column 9, row 0"));
  EXPECT_EQ(errorOfPattern("6$20bo!", {9, 7}), beside("column 20, row 6"));
  EXPECT_EQ(errorOfPattern("99999999999$99999999999$o!", {9, 7}),
            beside("column 0, row 199999999998"));
  EXPECT_EQ(errorOfPattern("99999999999999999999$9$o!", {9, 7}),
            beside("column 0, row 1099511627776 or later"));
  EXPECT_EQ(errorOfPattern("99999999999999999999bo!", {9, 7}),
            beside("column 1099511627776 or later, row 0"));
}

TEST(RleTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(errorOfPattern("x = 3, y = 1\n3o", {3, 1}),
            "'f.rle', line 2: expected '!' at the end of the pattern");
  EXPECT_EQ(errorOfPattern("\n\n3z!", {3, 1}),
            "'f.rle', line 3: expected 'b', 'o', '.', 'A' to 'X', 'pA' to "
            "'yO', '$' or '!', but got 'z'");
  EXPECT_EQ(errorOfPattern("3\no!", {3, 1}),
            "'f.rle', line 1: expected what there is 3 times right behind "
            "the number, but got a blank");
  EXPECT_EQ(errorOfPattern("yP!", {3, 1}).substr(0, 27), "'f.rle', line 1: expected '");
  EXPECT_EQ(errorOfPattern("4o!", {3, 2}),
            "'f.rle', line 1: expected a pattern within 3 x 2 cells, but got "
            "a cell in column 3, row 0, both from 0");
  EXPECT_EQ(errorOfPattern("2$o!", {3, 2}),
            "'f.rle', line 1: expected a pattern within 3 x 2 cells, but got "
            "a cell in column 0, row 2, both from 0");
  EXPECT_EQ(errorOfPattern("99999999999999999999999999o!", {3, 2}).substr(0, 40),
            "'f.rle', line 1: expected a pattern with");
  EXPECT_EQ(errorOfPattern("99999999999999999999999999b!", {3, 2}), "no error");
}

TEST(RleTest, RoundTripsRandomPatterns) {
  std::mt19937 random(5);
  for (int64_t states : {2, 3, 26, 50, 256})
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{1}, {40}, {1, 9}, {33, 17}, {200, 3}}) {
      Array cells(DType::I16, shape);
      for (int64_t i = 0; i < cells.size(); ++i)
        cells.setInt(i, random() % 3 ? 0 : random() % states);
      Result<std::string> text = encodeRle(cells, states);
      ASSERT_TRUE(text) << text.error();
      Result<Array> back = decodeRle(*text, shape, "f.rle");
      ASSERT_TRUE(back) << back.error();
      EXPECT_EQ(*back, cells);
    }
}

TEST(RleTest, RefusesWhatIsNoPattern) {
  EXPECT_FALSE(checkRle("f.rle", {2, 2, 2}, 2));
  EXPECT_FALSE(checkRle("f.rle", {2, 2}, 257));
  EXPECT_FALSE(checkRle("f.rle", {2, 2}, 0));
  EXPECT_TRUE(checkRle("f.rle", {2, 2}, 256));
  Array cells(DType::I16, {2, 2});
  cells.setInt(2, -1);
  EXPECT_EQ(encodeRle(cells, 2).error(),
            "expected a token in every cell of a pattern, but got -1 at [1, 0]");
}
} // namespace
