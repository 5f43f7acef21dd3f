//===- CellNameTest.cpp - Cells on the command line -----------------------===//
#include "LCI/Driver/CellName.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {
TEST(CellNameTest, ReadsCellsWithAndWithoutAnEpoch) {
  auto cell = parseCellName("Vid[2, 5,7]@e=3");
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->value, "Vid");
  EXPECT_EQ(cell->indices, (std::vector<int64_t>{2, 5, 7}));
  EXPECT_EQ(cell->epoch, 3);
  EXPECT_EQ(parseCellName("A[0]")->epoch, 0);
  EXPECT_TRUE(parseCellName("Scalar[]")->indices.empty());
}

TEST(CellNameTest, MalformedNamesAreErrors) {
  for (const char *text : {"", "Vid", "Vid[", "[1]", "Vid[1,x]", "Vid[1]@3", "Vid[1]@e=", "Vid[1]@",
                           "Vid[1]@e=-1", "Vid[1]x", "Vid[1,,2]"})
    EXPECT_FALSE(parseCellName(text)) << text;
  EXPECT_EQ(parseCellName("Vid").error(),
            "expected a cell such as 'Vid[2,5,7]@e=3', but got 'Vid'");
}

TEST(CellNameTest, OnlyCellsThatExist) {
  MLIRContext context;
  Location here = UnknownLoc::get(&context);
  SmallVector<ValueInfo> values;
  values.push_back({"Vid", Kind::Token, 4, {2, 3}, true, false, here});
  values.push_back({"S", Kind::Latent, 16, {5, 16}, true, false, here});
  EXPECT_TRUE(checkCellName({"Vid", {1, 2}, 0}, values));
  EXPECT_TRUE(checkCellName({"S", {4}, 0}, values));
  EXPECT_EQ(checkCellName({"Vid", {1, 3}, 0}, values).error(),
            "expected a cell of 'Vid' inside (2, 3), but got (1, 3)");
  EXPECT_FALSE(checkCellName({"Vid", {1}, 0}, values));
  EXPECT_FALSE(checkCellName({"Vid", {-1, 0}, 0}, values));
  EXPECT_EQ(checkCellName({"vid", {1, 2}, 0}, values).error(),
            "the program has no value 'vid'; did you mean 'Vid'?");
}

TEST(ValueInfoTest, ArraysAreCheckedAgainstTheirValue) {
  MLIRContext context;
  Location here = UnknownLoc::get(&context);
  ValueInfo tokens{"Vid", Kind::Token, 200, {2, 2}, true, false, here};
  ValueInfo numbers{"U", Kind::F32, 0, {2}, true, false, here};
  ValueInfo integers{"I", Kind::I32, 0, {2}, true, false, here};
  using ::lci::Array;
  using ::lci::DType;
  EXPECT_EQ(toCanonical(Array(DType::U8, {2, 2}), tokens)->dtype(), DType::I16);
  EXPECT_EQ(toCanonical(Array(DType::U8, {4}), tokens).error(),
            "expected shape (2, 2) for 'Vid', but got (4,)");
  EXPECT_EQ(toCanonical(Array(DType::F64, {2}), numbers)->dtype(), DType::F32);
  EXPECT_EQ(toCanonical(Array(DType::F64, {2}), integers)->dtype(), DType::I64);
  // Every NaN is canonical from the start.
  Array odd(DType::F32, {2}, {0x01, 0x00, 0xc0, 0xff, 0, 0, 0, 0});
  EXPECT_EQ(toCanonical(odd, numbers)->bytes(),
            std::vector<uint8_t>({0x00, 0x00, 0xc0, 0x7f, 0, 0, 0, 0}));
  Array half(DType::F64, {2});
  half.setDouble(1, 0.5);
  EXPECT_EQ(toCanonical(half, integers).error(),
            "expected 32-bit integers for 'I', but got 0.5 at [1]");
  Array large(DType::I64, {2});
  large.setInt(0, int64_t(1) << 31);
  EXPECT_FALSE(toCanonical(large, integers));
}
} // namespace
