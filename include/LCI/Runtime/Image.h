//===- Image.h - PNG files, and values as pictures --------------*- C++ -*-===//
//
// Reads and writes 8-bit grey or RGB PNG files, and renders a value as a picture: tokens through a
// codebook or a palette of distinct colours, numbers as grey between their extremes. Rank-1 values
// are one row, rank-3 values (t, x, y) are placed in a row along the first axis.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_IMAGE_H
#define LCI_RUNTIME_IMAGE_H

#include "LCI/Runtime/Array.h"

namespace lci {

/// An array of U8: (height, width) grey or (height, width, 3) RGB.
Result<Array> readPng(const std::string &path);
/// The PNG file of an array as readPng returns it; any other shape or type is an error.
Result<std::vector<uint8_t>> encodePng(const Array &pixels);
/// Writes them to a file.
Status writePng(const std::string &path, const Array &pixels);

/// How a picture of a value is made.
struct PictureOptions {
  /// The vocabulary of a token value; 0 for numbers.
  int64_t vocabulary = 0;
  /// Colours of the tokens, U8 (V, 3), or patches, U8 (V, h, w, 3); none: a
  /// palette of distinct colours (grey for vocabularies of two).
  std::optional<Array> codebook;
  /// The numbers that are black and white; none: the finite extremes of the value.
  std::optional<std::pair<double, double>> range;
  /// Whether the first index runs to the right (`Grid2D(W, H)` with x first),
  /// as the language's programs have it.
  bool firstAxisRight = true;
};

/// The picture of a value of rank 1 to 3. Absent tokens are magenta.
Result<Array> pictureOf(const Array &value, const PictureOptions &options);

} // namespace lci

#endif // LCI_RUNTIME_IMAGE_H
