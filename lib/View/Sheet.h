//===- Sheet.h - Grids of cells with axes and legends, as SVG ---*- C++ -*-===//
//
// The only writer of SVG. A sheet is a row of panels; a panel shows slices of one value next to
// each other, under one title, with a legend. Independent of programs.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_VIEW_SHEET_H
#define LCI_LIB_VIEW_SHEET_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mlir::lci {

/// A line of a legend: a colour (`#rrggbb`) and its meaning.
struct Key {
  std::string colour, meaning;
};

struct SheetCell {
  std::vector<std::string> colours; ///< next to each other in the cell
  std::string label;                ///< written in it, if it is short
  std::string title;                ///< the tooltip of a viewer
  bool isOutlined = false;
};

/// A plane of cells, row by row.
struct Slice {
  std::string caption;
  std::vector<SheetCell> cells;
};

/// The indices that are shown of an axis, and where it continues at its other end.
struct SheetAxis {
  std::string name;
  llvm::SmallVector<int64_t> indices;
};

struct Panel {
  std::string title;
  std::vector<std::string> notes;
  SheetAxis across, down;
  std::vector<Slice> slices;
  std::vector<Key> legend;
};

struct Sheet {
  std::string title;
  std::vector<Panel> panels;
};

/// Eight colours that the colour-blind distinguish (Okabe and Ito); after these they repeat.
std::string getDistinctColour(unsigned number);
/// A colour from dark (0) to light (1), of rising brightness (viridis).
std::string getRisingColour(double fraction);

void drawSheet(const Sheet &sheet, llvm::raw_ostream &output);

} // namespace mlir::lci

#endif // LCI_LIB_VIEW_SHEET_H
