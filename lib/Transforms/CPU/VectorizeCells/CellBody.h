//===- CellBody.h - Body of a tick on vectors of cells ----------*- C++ -*-===//
//
// Builds the body of a tick for many consecutive cells of a row, one cell per lane. Values that are
// uniform over the cells stay scalar; short loops are unrolled.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_CELLBODY_H
#define LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_CELLBODY_H

#include "DrawRows.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci::vectorize {

/// The cells of one vector.
struct Lanes {
  SmallVector<Value> indices; ///< of the first cell
  int64_t count;              ///< of cells; the other lanes hold anything
};

/// The trip count of a loop with constant bounds, or of an agreement over constant tokens.
std::optional<int64_t> countTrips(Operation *op);

/// Builds one body.
class CellBody {
public:
  /// Whether a body can be built.
  static bool isFit(TickOp tick);
  /// The approximate number of machine operations of a body.
  static int64_t countOperations(TickOp tick, int64_t width, int64_t vectorBits);

  CellBody(TickOp tick, OpBuilder &b, int64_t width, DrawRows &draws, Lanes lanes);

  void build();
  /// The vector of a value of the body, after it is built.
  Value vectorOf(Value value);
  /// Loads from a memref at the tick's cells, moved by `moves` axis by axis.
  Value load(Value source, ArrayRef<std::pair<unsigned, int64_t>> moves);
  /// Stores to the tick's cells.
  static void store(OpBuilder &b, Location loc, TickOp tick, Value vector, ValueRange indices,
                    int64_t count);

private:
  VectorType typeOf(Type element) const { return VectorType::get({width}, element); }
  bool isVector(Value value) const { return vectors.contains(value); }
  void bind(Value value, Value built, bool isVector);
  void bindLike(Value value, Value other);
  Value constant(Type type, int64_t value);

  void build(Block &block);
  void build(Operation &op);
  void build(scf::ForOp loop);
  void build(AgreeOp agree);
  void buildElementwise(Operation &op);
  void buildTable(memref::LoadOp load);
  Value buildDraw(Operation *draw);
  Value buildIsBelow(Value draw, Value threshold);
  Value buildLimits(Value word, Value whole);
  Value buildShare(Value word, arith::DivFOp quotient);
  Value positionIn(memref::LoadOp load);
  Value permute(Value table, Value position);
  ValueRange buildLoop(int64_t first, int64_t last, int64_t step, Type index,
                       ArrayRef<Value> initial,
                       llvm::function_ref<SmallVector<Value>(Value, ValueRange)> iterate);
  void buildLong(scf::ForOp loop);
  SmallVector<Value> rankOf(AgreeOp agree, Value token, Type narrow);

  TickOp tick;
  OpBuilder &b;
  Location loc;
  int64_t width;
  DrawRows &draws;
  Lanes lanes;
  IRMapping numbers;                                     ///< uniform over the cells
  llvm::DenseMap<Value, Value> vectors;                  ///< per lane
  llvm::DenseMap<Value, Value> spread;                   ///< scalars as vectors
  llvm::DenseMap<std::pair<Value, Value>, Value> limits; ///< by word and whole
};

} // namespace mlir::lci::vectorize

#endif // LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_CELLBODY_H
