//===- LargeShapes.cpp - Neighbourhoods of any radius ---------------------===//
//
// Parses the letter and digits of a neighbourhood, and writes the condition on the offsets `dx` and
// `dy` of its cells, or the weights of a weighted one.
//
//===----------------------------------------------------------------------===//

#include "LargeShapes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>

using namespace mlir;
using namespace mlir::lci::golly;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::string readDigits(StringRef digits, LargeShape &shape, ArrayRef<size_t> numbers) {
  shape.digits = digits.str();
  bool areDigits = llvm::is_contained(numbers, digits.size()) &&
                   llvm::all_of(digits, [](char c) { return llvm::isHexDigit(c); });
  // Without a cell, `@` is in the end a grid of which only pictures know.
  if (areDigits && (shape.kind == 'W' || digits.find_first_not_of('0') != StringRef::npos))
    return "";
  auto texts = llvm::map_range(numbers, [](size_t number) { return std::to_string(number); });
  return std::string(1, shape.kind) + " and " + llvm::join(texts, " or ") + " digits in base 16" +
         (shape.kind == '@' ? ", not all of which are 0" : "");
}

std::string mlir::lci::golly::parseLargeShape(StringRef text, int radius, LargeShape &shape) {
  size_t width = 2 * radius + 1, numCells = width * width;
  shape = {text.front(), radius, "", text.front() == 'L'};
  if (shape.kind == '@' || shape.kind == 'W') {
    StringRef digits = text.drop_front();
    shape.isFlipped = digits.consume_back("L");
    if (!shape.isFlipped)
      digits.consume_back("H"); // how a grid is drawn
    if (shape.kind == '@')
      return readDigits(digits, shape, {numCells / 4});
    return readDigits(digits, shape, {numCells, 2 * numCells});
  }
  if (text.size() == 1 && StringRef("MNC2BD+X*#HA3LG").contains(shape.kind))
    return "";
  return "a neighbourhood (N) of M, N, C, 2, B, D, +, X, *, #, H, A, 3, L or G, or @ or W and "
         "digits in base 16";
}

unsigned LargeShape::getMaxRadius() const {
  return kind == 'L' ? 250 : StringRef("MNBD").contains(kind) ? 500 : 50;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Whether an offset lies in the shape.
using Inside = std::function<bool(int dx, int dy)>;

/// The columns of a shape as conditions, without (0,0).
static std::string writeColumns(int radius, const Inside &isInside) {
  SmallVector<std::string> columns;
  for (int dx = -radius; dx <= radius; ++dx)
    for (int dy = -radius; dy <= radius; ++dy) {
      int begin = dy;
      while (dy <= radius && isInside(dx, dy) && (dx != 0 || dy != 0))
        ++dy;
      if (dy > begin)
        columns.push_back("(dx == " + std::to_string(dx) + " and " + std::to_string(begin) +
                          " <= dy <= " + std::to_string(dy - 1) + ")");
    }
  return llvm::join(columns, " or ");
}

/// Cells of a square with odd or even offset sum: a checkerboard.
static std::string writeChecks(const std::string &radius, unsigned parity) {
  std::string condition = "(dx,dy) in Moore(" + radius + ")";
  return condition + " and (dx + dy) % 2 == " + std::to_string(parity);
}

static std::string writeBox(int columns, int rows) {
  std::string x = std::to_string(columns), y = std::to_string(rows);
  return "dx in -" + x + ".." + x + " and dy in -" + y + ".." + y;
}

/// Tests one bit for each cell of a square but its centre, by rows from the north-west, as digits
/// in base 16.
static bool isCustom(StringRef digits, int radius, int dx, int dy) {
  int width = 2 * radius + 1, cell = (dy + radius) * width + dx + radius;
  if (dx == 0 && dy == 0)
    return false;
  cell -= cell > width * width / 2;
  return (llvm::hexDigitValue(digits[cell / 4]) >> (3 - cell % 4)) & 1;
}

std::string LargeShape::writeCondition() const {
  int square = radius * radius;
  std::string size = std::to_string(radius);
  if (isWeighted()) // of triangles, rows are twice as dense
    return writeBox(kind == 'L' ? 2 * radius : radius, radius);
  switch (kind) {
  case 'M':
    return "(dx,dy) in Moore(" + size + ")";
  case 'N':
    return "(dx,dy) in VonNeumann(" + size + ")";
  case 'C':
    return writeColumns(radius, [&](int x, int y) { return x * x + y * y <= square + radius; });
  case '2':
    return writeColumns(radius, [&](int x, int y) { return x * x + y * y <= square; });
  case 'B':
    return writeChecks(size, 1);
  case 'D':
    return writeChecks(size, 0);
  case '+':
    return writeColumns(radius, [](int x, int y) { return x == 0 || y == 0; });
  case 'X':
    return writeColumns(radius, [](int x, int y) { return x == y || x == -y; });
  case '*':
    return writeColumns(radius, [](int x, int y) { return x == 0 || y == 0 || x == y || x == -y; });
  case '#':
    return writeColumns(radius, [](int x, int y) { return std::abs(x) == 1 || std::abs(y) == 1; });
  // A hexagonal grid is a square one without the corners in the north-east and the south-west.
  case 'H':
    return writeColumns(radius, [&](int x, int y) { return std::abs(x - y) <= radius; });
  case 'A':
    return writeColumns(radius, [](int x, int y) { return x == 0 || y == 0 || x == y; });
  case '3':
    return writeColumns(radius, [](int x, int y) {
      return (x == 0 && y < 0) || (y == 0 && x < 0) || (x == y && x > 0);
    });
  default:
    return writeColumns(radius, [&](int x, int y) { return isCustom(digits, radius, x, y); });
  }
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

std::string LargeShape::writeWeight() const {
  std::string end = std::to_string(radius + 1);
  if (kind == 'G')
    return "(" + end + " - abs(dx)) * (" + end + " - abs(dy))";
  std::string row = isFlipped ? "(if (x + y) % 2 == 0 then dy else -dy)" : "dy";
  if (kind == 'L') { // a triangle without its corners, and without the cell itself
    std::string sides = std::to_string(2 * radius), base = std::to_string(2 * radius + 1);
    return "((dx != 0 or dy != 0) and abs(dx) + " + row + " <= " + sides + " and abs(dx) - " + row +
           " <= " + base + ")";
  }
  std::string size = std::to_string(radius), width = std::to_string(2 * radius + 1);
  return "Weight[(" + row + " + " + size + ") * " + width + " + dx + " + size + "]";
}

/// The highest bit of one digit, or of two, is the sign.
static int readWeight(StringRef digits) {
  unsigned value = 0, sign = digits.size() == 1 ? 8 : 128;
  digits.getAsInteger(16, value);
  int weight = value & ~sign;
  return value & sign ? -weight : weight;
}

SmallVector<std::string> LargeShape::listWeights() const {
  int width = 2 * radius + 1;
  size_t length = kind == 'W' ? digits.size() / (width * width) : 0;
  SmallVector<std::string> weights;
  for (int cell = 0; cell < width * width; ++cell)
    weights.push_back(std::to_string(
        kind == 'W' ? readWeight(StringRef(digits).substr(cell * length, length))
                    : isCustom(digits, radius, cell % width - radius, cell / width - radius)));
  return weights;
}
