//===- Window.h - The displayed part of a value's cells ---------*- C++ -*-===//
//
// Decides which cells of a large value a view shows, for all views.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_VIEW_WINDOW_H
#define LCI_LIB_VIEW_WINDOW_H

#include "LCI/Dialect/LCIOps.h"
#include "Sheet.h"

namespace mlir::lci {

using Cell = SmallVector<int64_t>;

/// A part of a value's cells around one of them. The last two axes are a plane, its first one to
/// the right as in pictures of values; the axes before them are slices, a few of which are shown.
class Window {
public:
  /// On a wrapped axis, a window `acrossSeam` continues at the other end.
  Window(ValueOp value, ArrayRef<int64_t> around, int64_t size, bool acrossSeam);

  /// The displayed ranges, unless they are all: `shown: x 0..15, y 0..15 of 256×256`.
  std::optional<std::string> describeCut() const;
  bool contains(ArrayRef<int64_t> cell) const;

  /// A panel with all slices; `draw` draws a cell. With `isKept`, slices without any cell for which
  /// it holds are left out.
  Panel makePanel(function_ref<SheetCell(ArrayRef<int64_t>)> draw,
                  function_ref<bool(const SheetCell &)> isKept = nullptr) const;

private:
  unsigned getNumLeading() const { return axes.size() > 2 ? axes.size() - 2 : 0; }
  void visitLeading(Cell &prefix, function_ref<void()> visit) const;
  Slice makeSlice(ArrayRef<int64_t> leading, function_ref<SheetCell(ArrayRef<int64_t>)> draw) const;

  SmallVector<int64_t> extents;
  SmallVector<SheetAxis> axes;
};

/// `256×256`; `1` for no axes.
std::string printExtents(ArrayRef<int64_t> extents);
/// Cells of larger values are not counted.
inline constexpr uint64_t kMaxCounted = uint64_t(1) << 24;
/// The number of cells, saturating.
uint64_t countCells(ArrayRef<int64_t> extents);

} // namespace mlir::lci

#endif // LCI_LIB_VIEW_WINDOW_H
