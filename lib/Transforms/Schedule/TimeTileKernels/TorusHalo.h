//===- TorusHalo.h - Interpret copies that fill a torus's halo --*- C++ -*-===//
//
// Represents which elements of a buffer's halo hold their images on a torus.
// Operations that fill the halo are interpreted, element by element, so that
// any form of them is recognized.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_TORUSHALO_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_TORUSHALO_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {

/// The indices of an element of a buffer with two axes.
using Place = std::array<int64_t, 2>;

/// A box of a buffer's cells.
struct Box {
  Place first, sides;
  bool contains(Place place) const;
};

/// The box that a view with known offsets, known sizes and unit strides covers.
std::optional<Box> boxOf(memref::SubViewOp view);

/// Determines the contents of a halo by interpreting operations that only copy elements of a
/// buffer.
class TorusHalo {
public:
  explicit TorusHalo(Box cells) : cells(cells) {}

  /// Interprets an operation that only copies elements to indices outside of the box of cells;
  /// false if it does anything else.
  bool fill(Operation *op, Value buffer);

  /// Whether all elements of a box hold their images on the torus.
  bool covers(Box box) const;

private:
  using Copies = SmallVector<std::pair<Place, Place>>; ///< from, to

  bool fill(linalg::LinalgOp op, Value buffer, Copies &copies);
  bool fill(scf::ParallelOp op, Value buffer, Copies &copies);
  bool isKnown(Place place) const { return cells.contains(place) || filled.contains(place); }
  bool isRight(Place from, Place to) const;

  Box cells;
  llvm::DenseSet<Place> filled;
};

} // namespace mlir::lci

namespace llvm {
template <>
struct DenseMapInfo<mlir::lci::Place> {
  using Pair = DenseMapInfo<std::pair<int64_t, int64_t>>;
  static mlir::lci::Place of(std::pair<int64_t, int64_t> pair) { return {pair.first, pair.second}; }
  static mlir::lci::Place getEmptyKey() { return of(Pair::getEmptyKey()); }
  static mlir::lci::Place getTombstoneKey() { return of(Pair::getTombstoneKey()); }
  static unsigned getHashValue(mlir::lci::Place place) {
    return Pair::getHashValue({place[0], place[1]});
  }
  static bool isEqual(mlir::lci::Place a, mlir::lci::Place b) { return a == b; }
};
} // namespace llvm

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_TORUSHALO_H
