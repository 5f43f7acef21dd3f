//===- StorageTest.cpp - Arrays to and from padded buffers ----------------===//

#include "LCI/Runtime/Storage.h"
#include "gtest/gtest.h"

using namespace lci;

namespace {

Slot makeSlot(ElementKind kind, std::optional<int64_t> vocabulary) {
  Slot slot;
  slot.name = "A";
  slot.kind = kind;
  slot.isArray = true;
  slot.extents = {2, 3};
  slot.low = {1, 0};
  slot.high = {0, 2};
  slot.vocabulary = vocabulary;
  return slot;
}

TEST(Storage, CellsLieBetweenHalos) {
  Slot slot = makeSlot(ElementKind::I8, std::nullopt);
  Array array(DType::I64, {2, 3});
  for (int i = 0; i < 6; ++i)
    array.setInt(i, i + 1);
  ASSERT_TRUE(slot.write(array));
  auto *bytes = *static_cast<uint8_t **>(slot.argument());
  // One row of halo before, two columns after.
  EXPECT_EQ(std::vector<int>(bytes, bytes + 15),
            (std::vector<int>{0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0}));
  EXPECT_EQ(slot.read().asInt64()->bytes(), array.bytes());
}

TEST(Storage, AbsentTokensAreTheVocabularySize) {
  for (ElementKind kind : {ElementKind::I8, ElementKind::I16, ElementKind::I32, ElementKind::I64}) {
    Slot slot = makeSlot(kind, 200);
    Array array(DType::I16, {2, 3});
    array.setInt(0, -1);
    array.setInt(5, 199);
    ASSERT_TRUE(slot.write(array));
    EXPECT_EQ(slot.read(), array); // tokens up to 199 and -1 need 16 bits outside
  }
}

TEST(Storage, CellsMoveBetweenSlotsWhateverTheirHalosAndWidths) {
  Array array(DType::I16, {2, 3});
  for (int i = 0; i < 6; ++i)
    array.setInt(i, i == 4 ? -1 : i + 1);
  Slot from = makeSlot(ElementKind::I8, 200);
  ASSERT_TRUE(from.write(array));
  for (ElementKind kind : {ElementKind::I8, ElementKind::I64}) {
    Slot to;
    to.kind = kind;
    to.isArray = true;
    to.extents = {2, 3};
    to.low = {0, 3};
    to.high = {2, 1};
    to.vocabulary = 200;
    to.copyCells(from);
    EXPECT_EQ(to.read(), array);
  }
}

TEST(Storage, TheOneCellOfAScalarMovesToo) {
  Slot from, to;
  for (Slot *slot : {&from, &to}) {
    slot->kind = ElementKind::F32;
    slot->isArray = true;
  }
  Array number(DType::F32, {});
  *number.data<float>() = 0.5f;
  ASSERT_TRUE(from.write(number));
  to.copyCells(from);
  EXPECT_EQ(to.read(), number);
}

TEST(Storage, RefusesAbsentTokensWithoutRoomForThem) {
  Slot slot = makeSlot(ElementKind::I8, 256);
  Array array(DType::I16, {2, 3});
  array.setInt(4, -1);
  auto status = slot.write(array);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(), "expected a token in every cell of A, but got none at (1, 1)");
}

TEST(Storage, NumbersKeepTheirBits) {
  Slot slot = makeSlot(ElementKind::F32, std::nullopt);
  Array array(DType::F32, {2, 3});
  array.data<float>()[4] = -0.0f;
  array.data<float>()[5] = 1e-42f;
  ASSERT_TRUE(slot.write(array));
  EXPECT_EQ(slot.read(), array);
}

TEST(Storage, ABufferThatIsDroppedIsMadeAgainWithZeros) {
  for (int64_t rows : {2, 1 << 20}) { // small ones and large ones lie in different memory
    Slot slot = makeSlot(ElementKind::I8, std::nullopt);
    slot.extents[0] = rows;
    EXPECT_EQ(slot.size(), size_t(rows + 1) * 5);
    uint64_t version = slot.version();
    std::memset(slot.data(), 7, slot.size());
    slot.release();
    EXPECT_NE(slot.version(), version);
    EXPECT_EQ(slot.read(), Array(DType::I64, slot.extents));
    EXPECT_EQ(static_cast<const uint8_t *>(slot.data())[slot.size() - 1], 0);
  }
}

TEST(Storage, ABorrowedBufferIsGivenBack) {
  Array array(DType::I16, {2, 3});
  array.setInt(4, 5);
  Slot owner = makeSlot(ElementKind::I8, 200), other = makeSlot(ElementKind::I8, 200);
  ASSERT_TRUE(owner.write(array));
  other.borrow(owner);
  EXPECT_EQ(other.data(), owner.data());
  array.setInt(1, 6);
  ASSERT_TRUE(other.write(array));
  EXPECT_EQ(owner.read(), array);
  other.release();
  EXPECT_EQ(other.read(), Array(DType::I16, {2, 3}));
  EXPECT_EQ(owner.read(), array);
}

TEST(Storage, OnlyBuffersOfOneFormAreExchanged) {
  Slot slot = makeSlot(ElementKind::I8, 200);
  EXPECT_TRUE(slot.isStoredLike(makeSlot(ElementKind::I8, 200)));
  EXPECT_FALSE(slot.isStoredLike(makeSlot(ElementKind::I16, 200)));
  EXPECT_FALSE(slot.isStoredLike(makeSlot(ElementKind::I8, std::nullopt)));
  Slot shifted = makeSlot(ElementKind::I8, 200);
  shifted.high = {1, 2};
  EXPECT_FALSE(slot.isStoredLike(shifted));
}

TEST(Storage, RefusesAnotherShape) {
  Slot slot = makeSlot(ElementKind::I8, std::nullopt);
  auto status = slot.write(Array(DType::I64, {3, 2}));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(), "expected A of shape (2, 3), but got (3, 2)");
}

} // namespace
