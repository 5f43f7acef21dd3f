//===- Image.cpp - PNG files, and values as pictures ----------------------===//
//
// Reads and writes PNG through libpng, and renders values: the tiles of a rank-3 value are placed
// in a row, tokens are drawn as codebook patches or colours, numbers as grey.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Image.h"
#include "LCI/Runtime/File.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <png.h>

using namespace lci;

//===----------------------------------------------------------------------===//
// PNG files
//===----------------------------------------------------------------------===//

Result<Array> lci::readPng(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  auto fail = [&] {
    Failure failure{ErrorId::WrongPicture,
                    "'" + path + "': cannot be read as PNG: " + image.message};
    png_image_free(&image);
    return failure;
  };
  if (!png_image_begin_read_from_memory(&image, bytes->data(), bytes->size()))
    return fail();
  bool colour = image.format & PNG_FORMAT_FLAG_COLOR;
  image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  std::vector<int64_t> shape = {image.height, image.width};
  if (colour)
    shape.push_back(3);
  Array pixels(DType::U8, shape);
  // Transparent pixels become black.
  png_color background{};
  if (!png_image_finish_read(&image, &background, pixels.bytes().data(), 0, nullptr))
    return fail();
  return pixels;
}

Result<std::vector<uint8_t>> lci::encodePng(const Array &pixels) {
  const std::vector<int64_t> &shape = pixels.shape();
  bool grey = shape.size() == 2, colour = shape.size() == 3 && shape[2] == 3;
  if (pixels.dtype() != DType::U8 || (!grey && !colour))
    return Failure{
        ErrorId::WrongPicture,
        "expected uint8 pixels of shape (height, width) or (height, width, 3), but got " +
            std::string(nameOf(pixels.dtype())) + " of shape " + shapeText(shape)};
  if (pixels.size() == 0 || shape[0] > 1 << 20 || shape[1] > 1 << 20)
    return Failure{ErrorId::WrongPicture,
                   "a picture of shape " + shapeText(shape) + " is empty or too large for PNG"};
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.height = static_cast<png_uint_32>(shape[0]);
  image.width = static_cast<png_uint_32>(shape[1]);
  image.format = grey ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  std::vector<uint8_t> bytes;
  const void *data = pixels.bytes().data();
  if (png_image_write_to_memory(&image, nullptr, &size, 0, data, 0, nullptr)) {
    bytes.resize(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, data, 0, nullptr)) {
      bytes.resize(size);
      return bytes;
    }
  }
  return Failure{ErrorId::WrongPicture, std::string("cannot encode pixels: ") + image.message};
}

Status lci::writePng(const std::string &path, const Array &pixels) {
  Result<std::vector<uint8_t>> bytes = encodePng(pixels);
  if (!bytes)
    return bytes.failure();
  return writeFileAtomically(path, *bytes);
}

//===----------------------------------------------------------------------===//
// Values as pictures
//===----------------------------------------------------------------------===//

using Colour = std::array<uint8_t, 3>;
constexpr Colour absentColour = {255, 0, 255};

/// Colour `hue` in [0, 1) of the wheel at a given lightness.
static Colour wheel(double hue, double light) {
  Colour colour;
  for (int i = 0; i < 3; ++i) {
    double x = std::fabs(std::fmod(hue * 6 + 4 - 2 * i + 6, 6) - 3) - 1;
    colour[i] = static_cast<uint8_t>(std::lround(255 * light * std::clamp(x, 0.0, 1.0)));
  }
  return colour;
}

/// Distinct colours without a codebook: two tokens are black and white, more walk round the colour
/// wheel in steps of the golden ratio, so that neighbours in the vocabulary look different.
static Colour defaultColour(int64_t token, int64_t vocabulary) {
  if (token == 0)
    return {0, 0, 0};
  if (vocabulary <= 2)
    return {255, 255, 255};
  double hue = token * 0.6180339887498949;
  return wheel(hue - std::floor(hue), token % 2 ? 1.0 : 0.75);
}

namespace {
/// The position of cell `i` of a value in the picture, in cells.
struct Placement {
  int64_t rows, columns;
  int64_t tiles, height, width;
  bool firstRight;

  Placement(const std::vector<int64_t> &shape, bool firstRight) : firstRight(firstRight) {
    size_t rank = shape.size();
    tiles = rank == 3 ? shape[0] : 1;
    int64_t a = rank >= 2 ? shape[rank - 2] : 1, b = rank >= 1 ? shape[rank - 1] : 1;
    // A rank-1 value is one row in both cases.
    this->firstRight = firstRight && rank >= 2;
    height = this->firstRight ? b : a;
    width = this->firstRight ? a : b;
    rows = height;
    // One column of background between the frames of a rank-3 value.
    columns = tiles * width + (tiles - 1);
  }

  void place(int64_t i, int64_t &row, int64_t &column) const {
    int64_t tile = i / (height * width), cell = i % (height * width);
    row = firstRight ? cell % height : cell / width;
    column = (firstRight ? cell / height : cell % width) + tile * (width + 1);
  }
};
} // namespace

/// The least and the greatest finite number.
static std::pair<double, double> findExtremes(const Array &value) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int64_t i = 0; i < value.size(); ++i)
    if (double x = value.doubleAt(i); std::isfinite(x))
      low = std::min(low, x), high = std::max(high, x);
  return {low, high};
}

/// Draws numbers: grey, darkest and lightest at the ends of the range.
static void paintNumbers(const Array &value, const PictureOptions &options,
                         const Placement &placement, Array &pixels) {
  auto [low, high] = options.range ? *options.range : findExtremes(value);
  double scale = high > low ? 255 / (high - low) : 0;
  for (int64_t i = 0; i < value.size(); ++i) {
    int64_t row, column;
    placement.place(i, row, column);
    double x = value.doubleAt(i);
    double grey = std::isnan(x) ? 0 : std::clamp((x - low) * scale, 0.0, 255.0);
    pixels.bytes()[row * placement.columns + column] = static_cast<uint8_t>(std::lround(grey));
  }
}

/// Copies the patch of one token to its position.
static void paintToken(int64_t token, const PictureOptions &options, int64_t ph, int64_t pw,
                       int64_t row, int64_t column, Array &pixels) {
  Colour plain = token < 0 ? absentColour : defaultColour(token, options.vocabulary);
  const uint8_t *patch = token >= 0 && options.codebook
                             ? options.codebook->bytes().data() + token * ph * pw * 3
                             : nullptr;
  int64_t stride = pixels.shape()[1];
  for (int64_t y = 0; y < ph; ++y)
    for (int64_t x = 0; x < pw; ++x) {
      const uint8_t *from = patch ? patch + (y * pw + x) * 3 : plain.data();
      std::copy_n(from, 3, &pixels.bytes()[((row * ph + y) * stride + column * pw + x) * 3]);
    }
}

Result<Array> lci::pictureOf(const Array &value, const PictureOptions &options) {
  if (value.size() == 0)
    return Failure{ErrorId::WrongPicture, "expected cells for a picture, but got none of shape " +
                                              shapeText(value.shape())};
  if (value.rank() < 1 || value.rank() > 3)
    return Failure{ErrorId::WrongPicture,
                   "expected a value of rank 1 to 3 for a picture, but got shape " +
                       shapeText(value.shape())};
  Placement placement(value.shape(), options.firstAxisRight);
  if (options.vocabulary == 0) {
    Array pixels(DType::U8, {placement.rows, placement.columns});
    paintNumbers(value, options, placement, pixels);
    return pixels;
  }
  int64_t ph = 1, pw = 1;
  if (options.codebook) {
    const std::vector<int64_t> &shape = options.codebook->shape();
    bool colours = shape.size() == 2, patches = shape.size() == 4;
    if (options.codebook->dtype() != DType::U8 || (!colours && !patches) || shape.back() != 3 ||
        shape[0] < options.vocabulary)
      return Failure{ErrorId::WrongPicture,
                     "expected a uint8 codebook of shape (" + std::to_string(options.vocabulary) +
                         ", 3) or (" + std::to_string(options.vocabulary) +
                         ", height, width, 3), but got " + nameOf(options.codebook->dtype()) +
                         " of shape " + shapeText(shape)};
    if (patches)
      ph = shape[1], pw = shape[2];
  }
  Array pixels(DType::U8, {placement.rows * ph, placement.columns * pw, 3});
  for (int64_t i = 0; i < value.size(); ++i) {
    int64_t row, column, token = value.intAt(i);
    if (token >= options.vocabulary)
      return Failure{ErrorId::WrongPicture,
                     "expected tokens below " + std::to_string(options.vocabulary) + ", but got " +
                         std::to_string(token) + " at [" + value.indexText(i) + "]"};
    placement.place(i, row, column);
    paintToken(token, options, ph, pw, row, column, pixels);
  }
  return pixels;
}
