//===- TorusHalo.h - What operations on a halo copy -------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_TORUSHALO_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_TORUSHALO_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {

/// A place of a buffer of two axes.
using Place = std::array<int64_t, 2>;

/// A box of a buffer's cells.
struct Box {
  Place first, sides;
  bool contains(Place place) const;
};

/// The box that a view of known offsets, sizes and strides of one goes over.
std::optional<Box> boxOf(memref::SubViewOp view);

/// Finds out what is in a halo, however it is written: carries out operations that only copy cells
/// of a buffer, on places.
class TorusHalo {
public:
  explicit TorusHalo(Box cells) : cells(cells) {}

  /// Carries out an operation that does nothing but copy cells to places outside of the box; false
  /// if it does anything else.
  bool fill(Operation *op, Value buffer);

  /// Whether all places of a box are the torus's.
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

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_TORUSHALO_H
