//===- LargeShapes.cpp - Neighbourhoods of any radius ---------------------===//

#include "LargeShapes.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>

using namespace mlir;
using namespace mlir::lci::golly;

/// Whether an offset lies in the shape.
using Shape = std::function<bool(int dx, int dy)>;

/// The columns of a shape as conditions, without (0,0).
static std::string writeColumns(int radius, const Shape &isInside) {
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

/// Cells of a square beside which no other one is.
static std::string writeChecks(const std::string &radius, unsigned parity) {
  std::string condition = "(dx,dy) in Moore(" + radius + ")";
  return condition + " and (dx + dy) % 2 == " + std::to_string(parity);
}

/// One bit for each cell of a square but its centre, by rows from the north-west, as digits in
/// base 16.
static std::string writeCustom(int radius, StringRef digits) {
  int width = 2 * radius + 1;
  return writeColumns(radius, [&](int dx, int dy) {
    int cell = (dy + radius) * width + dx + radius;
    cell -= cell > width * width / 2;
    return (llvm::hexDigitValue(digits[cell / 4]) >> (3 - cell % 4)) & 1;
  });
}

bool mlir::lci::golly::isLargeShape(StringRef shape, unsigned radius) {
  if (shape.consume_front("@")) // in the end, a grid of which only pictures know
    return shape.size() == size_t(radius) * (radius + 1) && llvm::all_of(shape, llvm::isHexDigit) &&
           shape.find_first_not_of('0') != StringRef::npos;
  return shape.size() == 1 && StringRef("MNC2BD+X*#HA3").contains(shape);
}

std::string mlir::lci::golly::writeLargeShape(StringRef shape, int radius) {
  std::string size = std::to_string(radius);
  int square = radius * radius;
  switch (shape.front()) {
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
    return writeCustom(radius, shape.drop_front());
  }
}
