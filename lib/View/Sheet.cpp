//===- Sheet.cpp - Draw grids of cells with axes and legends as SVG -------===//
//
// Layout and SVG output of sheets: panels are measured, placed in rows up to a maximum width, and
// drawn with title, notes, axes, slices and legend. Text widths are estimated from the number of
// letters.
//
//===----------------------------------------------------------------------===//

#include "Sheet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <cmath>

using namespace mlir::lci;
using llvm::raw_ostream;
using llvm::StringRef;

// Lengths in pixels. Widths of letters are averages, relative to the size.
static constexpr int kCell = 18, kGap = 26, kMargin = 20, kLine = 16, kMaxRow = 1200;
static constexpr int kAxisLeft = 44, kAxisAbove = 34;
static constexpr const char *kBlack = "#000";
static constexpr double kLetter = 0.58, kBoldLetter = 0.66;

//===----------------------------------------------------------------------===//
// Colours
//===----------------------------------------------------------------------===//

std::string mlir::lci::getDistinctColour(unsigned number) {
  static constexpr std::array<const char *, 8> kColours = {
      "#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#0072b2", "#999999"};
  return kColours[number % kColours.size()];
}

std::string mlir::lci::getRisingColour(double fraction) {
  static constexpr double kAnchors[5][3] = {
      {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
  double place = std::min(std::max(fraction, 0.0), 1.0) * 4;
  unsigned left = std::min(3U, static_cast<unsigned>(place));
  std::string colour = "#";
  for (unsigned part = 0; part < 3; ++part) {
    double from = kAnchors[left][part], to = kAnchors[left + 1][part];
    auto level = static_cast<unsigned>(std::lround(from + (to - from) * (place - left)));
    colour += llvm::utohexstr(level, /*LowerCase=*/true, /*Width=*/2);
  }
  return colour;
}

/// Black or white, whichever is more readable on a colour.
static StringRef getInk(StringRef colour) {
  unsigned parts[3] = {};
  for (unsigned part = 0; part < 3; ++part)
    (void)colour.substr(1 + 2 * part, 2).getAsInteger(16, parts[part]);
  return 299 * parts[0] + 587 * parts[1] + 114 * parts[2] > 128000 ? kBlack : "#fff";
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
enum class Anchor { Start, Middle, End };

struct Place {
  int x, y;
};

/// The elements of a picture.
class SvgWriter {
public:
  SvgWriter(raw_ostream &output, Place size) : output(output) {
    output << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << size.x << "\" height=\""
           << size.y << "\" viewBox=\"0 0 " << size.x << ' ' << size.y
           << "\" font-family=\"sans-serif\">\n";
    rectangle({0, 0}, size, "#fff", "");
  }
  ~SvgWriter() { output << "</svg>\n"; }

  void rectangle(Place at, Place size, StringRef fill, StringRef stroke, StringRef title = "",
                 int width = 1) {
    output << "<rect x=\"" << at.x << "\" y=\"" << at.y << "\" width=\"" << size.x << "\" height=\""
           << size.y << "\" fill=\"" << fill << '"';
    if (!stroke.empty())
      output << " stroke=\"" << stroke << '"';
    if (width != 1)
      output << " stroke-width=\"" << width << '"';
    if (title.empty()) {
      output << "/>\n";
      return;
    }
    output << "><title>";
    llvm::printHTMLEscaped(title, output);
    output << "</title></rect>\n";
  }

  void text(Place at, int size, StringRef words, Anchor anchor = Anchor::Start,
            StringRef ink = kBlack, bool isBold = false) {
    static constexpr const char *kAnchors[] = {"", "middle", "end"};
    output << "<text x=\"" << at.x << "\" y=\"" << at.y << "\" font-size=\"" << size << '"';
    if (anchor != Anchor::Start)
      output << " text-anchor=\"" << kAnchors[static_cast<int>(anchor)] << '"';
    if (ink != kBlack)
      output << " fill=\"" << ink << '"';
    output << (isBold ? " font-weight=\"bold\">" : ">");
    llvm::printHTMLEscaped(words, output);
    output << "</text>\n";
  }

private:
  raw_ostream &output;
};
} // namespace

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

static int widthOf(StringRef words, int size, double letter = kLetter) {
  return static_cast<int>(std::ceil(letter * size * static_cast<double>(words.size())));
}

static int getSliceWidth(const Panel &panel) {
  return kCell * static_cast<int>(panel.across.indices.size());
}

static Place measure(const Panel &panel) {
  int width = widthOf(panel.title, 13, kBoldLetter);
  for (const std::string &note : panel.notes)
    width = std::max(width, widthOf(note, 11));
  for (const Key &key : panel.legend)
    width = std::max(width, 20 + widthOf(key.meaning, 11));
  int numSlices = static_cast<int>(panel.slices.size());
  width = std::max(width, kAxisLeft + numSlices * (getSliceWidth(panel) + kGap));
  int numLines = static_cast<int>(1 + panel.notes.size() + panel.legend.size());
  int rows = kCell * static_cast<int>(panel.down.indices.size());
  return {width, numLines * kLine + kAxisAbove + rows + 2 * kLine};
}

static void drawCell(const SheetCell &cell, Place at, SvgWriter &writer) {
  StringRef first = cell.colours.empty() ? StringRef("#f0f0f0") : StringRef(cell.colours.front());
  // The whole cell is drawn first: with the title, and its only colour if there is just one.
  writer.rectangle(at, {kCell, kCell}, first, "#fff", cell.title);
  int numColours = static_cast<int>(cell.colours.size());
  for (int part = 1; part < numColours; ++part) {
    int left = kCell * part / numColours;
    writer.rectangle({at.x + left, at.y}, {kCell - left, kCell}, cell.colours[part], "");
  }
  if (cell.isOutlined)
    writer.rectangle({at.x + 1, at.y + 1}, {kCell - 2, kCell - 2}, "none", kBlack, "", 2);
  int size = cell.label.size() > 3 ? 7 : cell.label.size() > 2 ? 8 : 10;
  if (!cell.label.empty() && widthOf(cell.label, size) < kCell)
    writer.text({at.x + kCell / 2, at.y + kCell / 2 + 4}, size, cell.label, Anchor::Middle,
                numColours > 1 ? kBlack : getInk(first));
}

/// Whether an index is labelled: every one of few, else every fourth, and where the axis wraps.
static bool isWritten(const SheetAxis &axis, unsigned place) {
  return axis.indices.size() <= 10 || place % 4 == 0 ||
         axis.indices[place] != axis.indices[place - 1] + 1;
}

static void drawAxes(const Panel &panel, Place at, bool withDown, SvgWriter &writer) {
  if (!panel.across.name.empty())
    writer.text({at.x + getSliceWidth(panel) / 2, at.y - 16}, 11, panel.across.name + " →",
                Anchor::Middle);
  for (auto [place, index] : llvm::enumerate(panel.across.indices))
    if (!panel.across.name.empty() && isWritten(panel.across, place))
      writer.text({at.x + static_cast<int>(place) * kCell + kCell / 2, at.y - 4}, 9,
                  std::to_string(index), Anchor::Middle, "#444444");
  if (!withDown || panel.down.name.empty())
    return;
  int middle = at.y + kCell * static_cast<int>(panel.down.indices.size()) / 2;
  writer.text({at.x - 24, middle + 4}, 11, panel.down.name + " ↓", Anchor::End);
  for (auto [place, index] : llvm::enumerate(panel.down.indices))
    if (isWritten(panel.down, place))
      writer.text({at.x - 4, at.y + static_cast<int>(place) * kCell + kCell / 2 + 4}, 9,
                  std::to_string(index), Anchor::End, "#444444");
}

static void drawSlice(const Panel &panel, const Slice &slice, Place at, SvgWriter &writer) {
  size_t columns = panel.across.indices.size();
  for (auto [number, cell] : llvm::enumerate(slice.cells))
    drawCell(cell,
             {at.x + kCell * static_cast<int>(number % columns),
              at.y + kCell * static_cast<int>(number / columns)},
             writer);
  int below = at.y + kCell * static_cast<int>(panel.down.indices.size());
  writer.text({at.x + getSliceWidth(panel) / 2, below + 14}, 11, slice.caption, Anchor::Middle);
}

static void drawPanel(const Panel &panel, Place at, SvgWriter &writer) {
  int y = at.y + kLine;
  writer.text({at.x, y}, 13, panel.title, Anchor::Start, kBlack, /*isBold=*/true);
  for (const std::string &note : panel.notes)
    writer.text({at.x, y += kLine}, 11, note, Anchor::Start, "#444444");
  y += kAxisAbove;
  int x = at.x + kAxisLeft;
  for (const Slice &slice : panel.slices) {
    drawAxes(panel, {x, y}, /*withDown=*/&slice == &panel.slices.front(), writer);
    drawSlice(panel, slice, {x, y}, writer);
    x += getSliceWidth(panel) + kGap;
  }
  y += kCell * static_cast<int>(panel.down.indices.size()) + kLine + 4;
  for (const Key &key : panel.legend) {
    writer.rectangle({at.x, y}, {12, 12}, key.colour, "#888888");
    writer.text({at.x + 18, y + 10}, 11, key.meaning);
    y += kLine;
  }
}

void mlir::lci::drawSheet(const Sheet &sheet, raw_ostream &output) {
  std::vector<Place> places;
  Place next{kMargin, kMargin + 28}, size{widthOf(sheet.title, 17, kBoldLetter) + 2 * kMargin, 0};
  int rowHeight = 0;
  for (const Panel &panel : sheet.panels) {
    Place extent = measure(panel);
    if (next.x > kMargin && next.x + extent.x > kMaxRow) {
      next = {kMargin, next.y + rowHeight + kGap};
      rowHeight = 0;
    }
    places.push_back(next);
    rowHeight = std::max(rowHeight, extent.y);
    size = {std::max(size.x, next.x + extent.x + kMargin), next.y + rowHeight + kMargin};
    next.x += extent.x + kGap;
  }
  SvgWriter writer(output, size);
  writer.text({kMargin, kMargin + 12}, 17, sheet.title, Anchor::Start, kBlack, /*isBold=*/true);
  for (auto [panel, place] : llvm::zip_equal(sheet.panels, places))
    drawPanel(panel, place, writer);
}
