//===- Grid.cpp - Bounded grids of Golly and their edges ------------------===//
//
// Beyond its edges a grid continues with copies of itself. The copy that holds a position follows
// from the number of grids in between, in columns and in rows; their parities say how the copy is
// mirrored. A shift offsets each row of copies from the previous one.
//
//===----------------------------------------------------------------------===//

#include "Grid.h"
#include "LCI/Target/Golly/Golly.h"
#include "Rules.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mlir::lci::GollyError;
using namespace mlir::lci::golly;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The number of grids of a size before a position.
static std::string countGrids(const std::string &place, const std::string &size) {
  return "(" + place + ") / " + size;
}

static std::string mirrored(const std::string &place, const std::string &size, int shift) {
  return size + "-" + std::to_string(1 + shift) + "-(" + place + ")";
}

static std::string shifted(const std::string &place, int shift, const std::string &numGrids) {
  if (shift == 0)
    return place;
  return place + (shift < 0 ? "-" : "+") + std::to_string(std::abs(shift)) + "*(" + numGrids + ")";
}

SmallVector<Image> Grid::getImages(const std::string &x, const std::string &y, bool staysX,
                                   bool staysY) const {
  std::string columns = countGrids(x, width), rows = countGrids(y, height);
  bool isSphere = topology == Topology::Sphere;
  bool testsColumns = !staysX && (twistsY || isSphere),
       testsRows = !staysY && (twistsX || isSphere);
  SmallVector<Image> images;
  for (bool isOddRow : {false, true})
    for (bool isOddColumn : {false, true}) {
      if ((isOddRow && !testsRows) || (isOddColumn && !testsColumns))
        continue;
      Image image{x, y, ""};
      if (testsColumns)
        image.condition = columns + " % 2 == " + (isOddColumn ? "1" : "0");
      if (testsRows)
        image.condition +=
            std::string(testsColumns ? " and " : "") + rows + " % 2 == " + (isOddRow ? "1" : "0");
      if (isSphere ? isOddColumn : isOddRow)
        image.x = mirrored(x, width, shiftX);
      else if (!twistsX && !staysY)
        image.x = shifted(x, shiftX, rows);
      if (isSphere ? isOddRow : isOddColumn)
        image.y = mirrored(y, height, shiftY);
      else if (!twistsY && !staysX)
        image.y = shifted(y, shiftY, columns);
      if (isSphere && isOddRow != isOddColumn)
        std::swap(image.x, image.y);
      images.push_back(image);
    }
  return images;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// One side: its size, whether its edge is reversed, and its shift.
struct Side {
  StringRef text, star, shift; ///< parts of the input; the last two may be empty
  unsigned size = 0;
  int shiftBy = 0;
};

class GridParser {
public:
  explicit GridParser(StringRef bounds) : bounds(bounds) {}

  llvm::Expected<Grid> run() {
    kind = llvm::toUpper(bounds.front());
    if (!StringRef("PTKCS").contains(kind))
      fail(bounds, "a plane (P), a torus (T), a Klein bottle (K), a cross-surface (C) or a sphere "
                   "(S) behind the colon, as in ':T100,200'");
    auto [first, second] = bounds.drop_front().split(',');
    Side width = parseSide(first), height = width;
    if (kind == 'S' && first.size() + 1 < bounds.size())
      fail(bounds.drop_front(1 + first.size()), "one side of a sphere, as in ':S30'");
    if (second.empty())
      height.star = height.shift = "", height.shiftBy = 0;
    else
      height = parseSide(second);
    check(width, height);
    if (error)
      return llvm::make_error<GollyError>(*error);
    return make(width, height);
  }

private:
  /// Only the first error is kept.
  void fail(StringRef place, const Twine &expected) {
    if (!error)
      error.emplace(place, "expected " + expected + ", but got ':" + shorten(bounds) + "'");
  }

  Side parseSide(StringRef text) {
    Side side;
    side.text = text;
    StringRef digits = text.take_while(llvm::isDigit), rest = text.drop_front(digits.size());
    if (digits.getAsInteger(10, side.size) || side.size > kMaxSide || side.size == 0)
      fail(text, "a side of 1 to " + Twine(kMaxSide) +
                     " cells (unbounded ones, as 0 says, are not supported)");
    if (rest.starts_with("*"))
      side.star = rest.take_front(), rest = rest.drop_front();
    if (rest.starts_with("+") || rest.starts_with("-"))
      rest = parseShift(rest, side);
    if (!rest.empty())
      fail(rest, "nothing more behind a side");
    return side;
  }

  /// Parses a shift; beyond a side it wraps.
  StringRef parseShift(StringRef text, Side &side) {
    StringRef digits = text.drop_front().take_while(llvm::isDigit);
    unsigned by;
    side.shift = text.take_front(1 + digits.size());
    if (digits.getAsInteger(10, by))
      fail(text, "a number of cells by which edges are shifted");
    else if (side.size != 0)
      side.shiftBy = static_cast<int>(by % side.size) * (text.front() == '-' ? -1 : 1);
    return text.drop_front(side.shift.size());
  }

  void check(const Side &width, const Side &height) {
    for (const Side *side : {&width, &height}) {
      if (!side->star.empty() && kind != 'K')
        fail(side->star, "a twist ('*') of a Klein bottle (K) alone");
      if (!side->shift.empty() && kind != 'T' && kind != 'K')
        fail(side->shift, "a shift of a torus (T) or a Klein bottle (K) alone");
      if (kind == 'K' && !side->shift.empty() && side->star.empty())
        fail(side->shift, "a shift of the edges that are twisted ('*')");
    }
    if (!width.star.empty() && !height.star.empty())
      fail(height.star, "one pair of twisted edges (those of ':C' are both)");
    if (!width.shift.empty() && !height.shift.empty())
      fail(height.shift, "one shift");
  }

  /// As in Golly, any shift of a Klein bottle is one by a cell, and none of an odd number of cells.
  int getShift(const Side &side) const {
    return kind != 'K' ? side.shiftBy : side.shiftBy != 0 && side.size % 2 == 0;
  }

  Grid make(const Side &width, const Side &height) const {
    Grid grid;
    grid.width = std::to_string(width.size);
    grid.height = std::to_string(height.size);
    grid.topology = kind == 'P'   ? Topology::Plane
                    : kind == 'S' ? Topology::Sphere
                                  : Topology::Torus;
    grid.twistsX = kind == 'C' || !width.star.empty();
    grid.twistsY = kind == 'C' || (kind == 'K' && width.star.empty());
    grid.hasRows = bounds.contains(',') && height.size > 1;
    grid.shiftX = getShift(width);
    grid.shiftY = getShift(height);
    return grid;
  }

  /// Golly's limit.
  static constexpr unsigned kMaxSide = 2000000000;

  StringRef bounds;
  char kind = ' ';
  std::optional<GollyError> error;
};
} // namespace

llvm::Expected<BoundedRule> mlir::lci::golly::parseGrid(StringRef text) {
  auto [rule, bounds] = text.rsplit(':');
  BoundedRule result{rule.trim(), {}};
  if (bounds.empty())
    return result;
  llvm::Expected<Grid> grid = GridParser(bounds).run();
  if (!grid)
    return grid.takeError();
  result.grid = *grid;
  return result;
}
