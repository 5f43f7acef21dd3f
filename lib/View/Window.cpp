//===- Window.cpp - The displayed part of a value's cells -----------------===//
//
// Chooses the displayed indices of each axis around a cell, and builds a panel of slices from a
// function that draws one cell. Wrapped axes may continue at the other end.
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;

static constexpr int64_t kNumSlices = 3;

std::string mlir::lci::printExtents(ArrayRef<int64_t> extents) {
  if (extents.empty())
    return "1";
  return llvm::join(llvm::map_range(extents, [](int64_t n) { return std::to_string(n); }), "×");
}

uint64_t mlir::lci::countCells(ArrayRef<int64_t> extents) {
  uint64_t number = 1;
  for (int64_t extent : extents)
    number = llvm::SaturatingMultiply<uint64_t>(number, extent);
  return number;
}

/// The axis names of the first declaration on the value.
static SmallVector<std::string> getAxisNames(ValueOp value, unsigned rank) {
  for (Operation &declaration : *value->getBlock()) {
    if (!isa<RuleOp, ConstraintOp, VisibleOp>(declaration) ||
        getValueOf(&declaration) != value.getName())
      continue;
    auto visible = dyn_cast<VisibleOp>(declaration);
    unsigned numFree = visible ? visible.getNumIndices() - rank : 0;
    SmallVector<std::string> names = getIndexNames(&declaration, rank, numFree);
    names.truncate(rank);
    return names;
  }
  return getIndexNames(value, rank, /*numFree=*/0);
}

/// The displayed indices of an axis.
static SmallVector<int64_t> chooseIndices(int64_t around, int64_t extent, int64_t size,
                                          bool acrossSeam) {
  int64_t count = std::min(size, extent), first = around - count / 2;
  bool wraps = acrossSeam && count < extent;
  if (!wraps)
    first = std::min(std::max<int64_t>(first, 0), extent - count);
  return llvm::map_to_vector(llvm::seq(first, first + count),
                             [&](int64_t index) { return (index + extent) % extent; });
}

Window::Window(ValueOp value, ArrayRef<int64_t> around, int64_t size, bool acrossSeam)
    : extents(*value.getExtents()) {
  SmallVector<std::string> names = getAxisNames(value, extents.size());
  unsigned numLeading = extents.size() > 2 ? extents.size() - 2 : 0;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    // Of the axes before the plane only the last one has several slices.
    int64_t shown = axis >= numLeading ? size : axis + 1 == numLeading ? kNumSlices : 1;
    bool wraps = acrossSeam && value.getBoundaryOf(axis) == Boundary::Wrap;
    axes.push_back({names[axis], chooseIndices(around[axis], extent, shown, wraps)});
  }
}

std::optional<std::string> Window::describeCut() const {
  std::string text;
  bool isCut = false;
  for (auto [axis, extent] : llvm::zip(axes, extents)) {
    isCut |= static_cast<int64_t>(axis.indices.size()) < extent;
    text += text.empty() ? "shown: " : ", ";
    text += axis.name + " " + std::to_string(axis.indices.front());
    if (axis.indices.size() > 1)
      text += ".." + std::to_string(axis.indices.back());
  }
  if (!isCut)
    return std::nullopt;
  return text + " of " + printExtents(extents);
}

bool Window::contains(ArrayRef<int64_t> cell) const {
  return llvm::all_of(llvm::zip(axes, cell), [](auto pair) {
    return llvm::is_contained(std::get<0>(pair).indices, std::get<1>(pair));
  });
}

void Window::visitLeading(Cell &prefix, function_ref<void()> visit) const {
  if (prefix.size() == getNumLeading())
    return visit();
  for (int64_t index : axes[prefix.size()].indices) {
    prefix.push_back(index);
    visitLeading(prefix, visit);
    prefix.pop_back();
  }
}

Slice Window::makeSlice(ArrayRef<int64_t> leading,
                        function_ref<SheetCell(ArrayRef<int64_t>)> draw) const {
  Slice slice;
  for (auto [axis, index] : llvm::zip(axes, leading))
    slice.caption +=
        (slice.caption.empty() ? "" : ", ") + axis.name + " = " + std::to_string(index);
  static const SmallVector<int64_t> none = {0};
  unsigned numPlane = axes.size() - leading.size();
  ArrayRef<int64_t> across = numPlane > 0 ? axes[leading.size()].indices : none;
  ArrayRef<int64_t> down = numPlane > 1 ? axes[leading.size() + 1].indices : none;
  for (int64_t row : down)
    for (int64_t column : across) {
      Cell cell(leading);
      if (numPlane > 0)
        cell.push_back(column);
      if (numPlane > 1)
        cell.push_back(row);
      slice.cells.push_back(draw(cell));
    }
  return slice;
}

Panel Window::makePanel(function_ref<SheetCell(ArrayRef<int64_t>)> draw,
                        function_ref<bool(const SheetCell &)> isKept) const {
  Panel panel;
  panel.across = panel.down = {"", {0}};
  unsigned numLeading = getNumLeading();
  if (!axes.empty())
    panel.across = axes[numLeading];
  if (axes.size() > 1)
    panel.down = axes[numLeading + 1];
  Cell prefix;
  bool areAllKept = true;
  visitLeading(prefix, [&] {
    Slice slice = makeSlice(prefix, draw);
    if (!isKept || llvm::any_of(slice.cells, isKept))
      panel.slices.push_back(std::move(slice));
    else
      areAllKept = false;
  });
  if (std::optional<std::string> cut = describeCut())
    panel.notes.push_back(*cut + (areAllKept ? "" : ", less empty slices"));
  return panel;
}
