//===- Window.h - Which cells of a value are shown --------------*- C++ -*-===//

#ifndef LCI_LIB_VIEW_WINDOW_H
#define LCI_LIB_VIEW_WINDOW_H

#include "LCI/Dialect/LCIOps.h"
#include "Sheet.h"

namespace mlir::lci {

using Cell = SmallVector<int64_t>;

/// A part of a value's cells around one of them. The last two axes are a plane, its first one to
/// the right as in pictures of values; those before are slices, of which a few are shown.
class Window {
public:
  /// Where a boundary wraps, a window `acrossSeam` goes on at the other end of the axis.
  Window(ValueOp value, ArrayRef<int64_t> around, int64_t size, bool acrossSeam);

  /// What is shown, where it is not all: `shown: x 0..15, y 0..15 of 256×256`.
  std::optional<std::string> describeCut() const;
  bool contains(ArrayRef<int64_t> cell) const;

  /// A panel with all slices; `draw` says how a cell looks. With `isKept`, slices of which it holds
  /// for no cell are left out.
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
/// How many cells there are, or the largest number.
uint64_t countCells(ArrayRef<int64_t> extents);

} // namespace mlir::lci

#endif // LCI_LIB_VIEW_WINDOW_H
