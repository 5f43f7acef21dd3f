//===- ImageTest.cpp - PNG files, and values as pictures ------------------===//
#include "LCI/Runtime/Image.h"
#include "TempFolder.h"
#include <cmath>

using namespace lci;

namespace {
class ImageTest : public FolderTest {};

Array pixels(std::vector<int64_t> shape) {
  Array array(DType::U8, std::move(shape));
  for (int64_t i = 0; i < array.size(); ++i)
    array.setInt(i, i * 7);
  return array;
}

/// The picture, which must exist.
Array picture(const Array &value, const PictureOptions &options) {
  Result<Array> result = pictureOf(value, options);
  EXPECT_TRUE(result);
  return result ? *result : Array();
}

TEST_F(ImageTest, PngRoundTripsGreyAndColour) {
  for (const std::vector<int64_t> &shape : {std::vector<int64_t>{5, 9}, {4, 3, 3}, {1, 1}}) {
    Array written = pixels(shape);
    ASSERT_TRUE(writePng(path("p.png"), written));
    Result<Array> read = readPng(path("p.png"));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, written);
  }
}

TEST_F(ImageTest, BadPngsAreErrors) {
  EXPECT_FALSE(readPng(path("none.png")));
  write("text.png", "this is no picture");
  EXPECT_NE(readPng(path("text.png")).error().find("cannot be read as PNG"), std::string::npos);
  ASSERT_TRUE(writePng(path("p.png"), pixels({40, 40, 3})));
  auto size = std::filesystem::file_size(path("p.png"));
  std::filesystem::resize_file(path("p.png"), size / 2);
  EXPECT_FALSE(readPng(path("p.png")));
  auto refusal = [&](const Array &picture) { return writePng(path("q.png"), picture).error(); };
  std::string wanted = "expected uint8 pixels of shape (height, width) or (height, width, 3), but "
                       "got ";
  EXPECT_EQ(refusal(pixels({4, 4, 4})), wanted + "uint8 of shape (4, 4, 4)");
  EXPECT_EQ(refusal(Array(DType::F32, {4, 4})), wanted + "float32 of shape (4, 4)");
  // Rejected by libpng itself.
  EXPECT_EQ(refusal(pixels({1, 1 << 20})).substr(0, 22), "cannot encode pixels: ");
  EXPECT_EQ(refusal(pixels({0, 4})), "a picture of shape (0, 4) is empty or too large for PNG");
}

TEST_F(ImageTest, TheFirstAxisOfAGridRunsToTheRight) {
  Array value(DType::I8, {3, 2});
  value.setInt(2 * 2 + 1, 1); // x = 2, y = 1
  PictureOptions options;
  options.vocabulary = 2;
  Array image = picture(value, options);
  EXPECT_EQ(image.shape(), (std::vector<int64_t>{2, 3, 3}));
  EXPECT_EQ(image.intAt((1 * 3 + 2) * 3), 255);
  EXPECT_EQ(image.intAt((0 * 3 + 2) * 3), 0);
  options.firstAxisRight = false;
  EXPECT_EQ(picture(value, options).shape(), (std::vector<int64_t>{3, 2, 3}));
}

TEST_F(ImageTest, CodebooksOfColoursAndPatches) {
  Array value(DType::I8, {2}, {1, 0xff}), colours = pixels({2, 3}), patches = pixels({2, 2, 1, 3});
  PictureOptions options;
  options.vocabulary = 2;
  options.codebook = colours;
  Array image = picture(value, options);
  EXPECT_EQ(image.shape(), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(image.intAt(0), colours.intAt(3));
  // Absent is magenta.
  EXPECT_EQ(image.intAt(3), 255);
  EXPECT_EQ(image.intAt(4), 0);
  EXPECT_EQ(image.intAt(5), 255);
  options.codebook = patches;
  image = picture(value, options);
  EXPECT_EQ(image.shape(), (std::vector<int64_t>{2, 2, 3}));
  EXPECT_EQ(image.intAt(0), patches.intAt(6));
  EXPECT_EQ(image.intAt(6), patches.intAt(9));
}

TEST_F(ImageTest, FramesStandSideBySide) {
  Array value(DType::I8, {3, 4, 2});
  PictureOptions options;
  options.vocabulary = 5;
  EXPECT_EQ(picture(value, options).shape(), (std::vector<int64_t>{2, 3 * 4 + 2, 3}));
}

TEST_F(ImageTest, NumbersAreGreyBetweenTheirExtremes) {
  Array value(DType::F32, {4});
  value.setDouble(0, -1);
  value.setDouble(1, 1);
  value.setDouble(2, INFINITY);
  value.setDouble(3, NAN);
  Array image = picture(value, {});
  EXPECT_EQ(image.intAt(0), 0);
  EXPECT_EQ(image.intAt(1), 255);
  EXPECT_EQ(image.intAt(2), 255);
  EXPECT_EQ(image.intAt(3), 0);
  EXPECT_EQ(picture(Array(DType::F32, {3, 3}), {}).intAt(0), 0);
}

TEST_F(ImageTest, ARangeHoldsForPicturesThatAreCompared) {
  Array value(DType::F32, {3});
  value.setDouble(0, -1);
  value.setDouble(1, 1);
  value.setDouble(2, 9);
  PictureOptions options;
  options.range = {-1, 3};
  Array image = picture(value, options);
  EXPECT_EQ(image.intAt(0), 0);
  EXPECT_EQ(image.intAt(1), 128);
  EXPECT_EQ(image.intAt(2), 255);
}

TEST_F(ImageTest, WhatHasNoPictureIsAnError) {
  EXPECT_EQ(pictureOf(Array(DType::I8, {2, 2, 2, 2}), {}).error(),
            "expected a value of rank 1 to 3 for a picture, but got shape (2, 2, 2, 2)");
  EXPECT_FALSE(pictureOf(Array(DType::I8, {}), {}));
  PictureOptions options;
  options.vocabulary = 4;
  options.codebook = pixels({3, 3});
  EXPECT_EQ(pictureOf(Array(DType::I8, {2}), options).error(),
            "expected a uint8 codebook of shape (4, 3) or (4, height, width, 3), but got uint8 of "
            "shape (3, 3)");
  options.codebook.reset();
  EXPECT_EQ(pictureOf(Array(DType::I8, {1}, {9}), options).error(),
            "expected tokens below 4, but got 9 at [0]");
}
} // namespace
