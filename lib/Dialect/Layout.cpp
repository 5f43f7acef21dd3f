//===- Layout.cpp - Addresses of words in a bit-sliced array --------------===//

#include "LCI/Dialect/Layout.h"
#include "VerifierUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;

LogicalResult LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t split,
                                 int64_t planes, ArrayRef<int64_t> cells, ArrayRef<int64_t> low,
                                 ArrayRef<int64_t> high) {
  if (cells.empty() || low.size() != cells.size() || high.size() != cells.size())
    return emitError() << ErrorId::InvalidAttribute
                       << "expected as many halo widths as axes, at least one, but got "
                       << cells.size() << " axes, " << low.size() << " low and " << high.size()
                       << " high widths";
  if (split < 1 || split >= kNumberLimit || planes < 1 || planes > kWordBits)
    return emitError() << ErrorId::InvalidAttribute << "expected a positive split and from 1 to "
                       << kWordBits << " planes, but got " << split << " and " << planes;
  auto isStrange = [](int64_t number) { return number < 0 || number >= kNumberLimit; };
  if (llvm::any_of(cells, isStrange) || llvm::any_of(low, isStrange) ||
      llvm::any_of(high, isStrange))
    return emitError() << ErrorId::InvalidAttribute
                       << "expected extents and widths from 0 to less than 2^60";
  if (low.back() > kMaxPlaneHalo || high.back() > kMaxPlaneHalo)
    return emitError() << ErrorId::InvalidAttribute << "expected a halo of at most "
                       << kMaxPlaneHalo << " cells at each end of a row, but got " << low.back()
                       << " and " << high.back();
  return success();
}

/// Words that are accessed beyond an end of the row, where cells within `width` of it are read: a
/// word of cells is shifted together from two, also if some of their cells are padding.
static int64_t wordsBeyond(int64_t width) {
  return llvm::divideCeil(width + kWordBits - 1, kWordBits);
}

int64_t SubRow::wordsBelow() const { return wordsBeyond(low); }

int64_t SubRow::numWords() const {
  return wordsBeyond(low) + llvm::divideCeil(count, kWordBits) + wordsBeyond(high);
}

SubRow mlir::lci::subRowOf(LayoutAttr layout, int64_t residue) {
  int64_t split = layout.getSplit(), extent = layout.getCells().back();
  int64_t last = extent - 1 + layout.getHigh().back();
  int64_t count = llvm::divideCeilSigned(extent - residue, split);
  int64_t end = llvm::divideFloorSigned(last - residue, split) + 1;
  int64_t low = llvm::divideFloorSigned(layout.getLow().back() + residue, split);
  return {residue, std::max<int64_t>(count, 0), low, end - std::max<int64_t>(count, 0)};
}

SmallVector<MemRefType> mlir::lci::planeTypes(LayoutAttr layout) {
  SmallVector<int64_t> shape;
  for (auto [extent, low, high] :
       llvm::zip_equal(layout.getCells(), layout.getLow(), layout.getHigh()))
    shape.push_back(low + extent + high);
  SmallVector<MemRefType> types;
  for (int64_t residue = 0; residue < layout.getSplit(); ++residue) {
    shape.back() = subRowOf(layout, residue).numWords();
    auto type = MemRefType::get(shape, IntegerType::get(layout.getContext(), kWordBits));
    types.append(layout.getPlanes(), type);
  }
  return types;
}

LayoutAttr mlir::lci::layoutOf(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return buffer ? dyn_cast_or_null<LayoutAttr>(buffer.getMemorySpace()) : LayoutAttr();
}

std::optional<Arrangement> mlir::lci::requestedArrangement(BlockArgument array) {
  auto function = dyn_cast<FunctionOpInterface>(array.getOwner()->getParentOp());
  auto requested =
      function ? function.getArgAttrOfType<ArrangementAttr>(array.getArgNumber(), kArrangement)
               : ArrangementAttr();
  return requested ? std::optional(requested.getValue()) : std::nullopt;
}

LogicalResult mlir::lci::verifyLayout(Operation *op, Type type) {
  LayoutAttr layout = layoutOf(type);
  if (!layout)
    return success();
  auto buffer = cast<MemRefType>(type);
  bool fits = buffer.hasStaticShape() && buffer.getElementType().isInteger() &&
              buffer.getRank() == static_cast<int64_t>(layout.getCells().size());
  for (int64_t axis = 0; fits && axis < buffer.getRank(); ++axis)
    fits = buffer.getDimSize(axis) <=
           layout.getLow()[axis] + layout.getCells()[axis] + layout.getHigh()[axis];
  if (fits)
    return success();
  return op->emitOpError("expected integers of the shape that their layout has, but got ")
         << ErrorId::InvalidTypes << type;
}
