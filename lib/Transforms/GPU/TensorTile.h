//===- TensorTile.h - What a warp computes of a product ---------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_GPU_TENSORTILE_H
#define LCI_LIB_TRANSFORMS_GPU_TENSORTILE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci::tensor_cores {

/// Threads of a warp.
inline constexpr int64_t kLanes = 32;
/// `mma.sync` of TF32 multiplies 16 rows of weights, 8 deep, by 8 cells.
inline constexpr int64_t kRows = 16, kDepth = 8, kColumns = 8;
/// A warp has so many blocks of cells: what is loaded of the weights is used for each.
inline constexpr int64_t kCellBlocks = 4;
/// Numbers of a block of sums that a thread holds: two cells of two rows.
inline constexpr int64_t kHeld = 4;

/// A sum that multiplies a matrix by vectors of cells: which input is which, the loop that goes
/// deep and the reductions around it.
struct Product {
  unsigned weights = 0, cells = 1, depth = 0;
  SmallVector<unsigned> outer;
};

/// What one thread does for the tile of its warp. The values of an array in the tile are blocks of
/// four numbers that the thread holds, row blocks first: at rows g and g + 8, cells 2t and 2t + 1,
/// where g and t are a fourth of the thread's number in the warp, and the rest.
class WarpTile {
public:
  /// The first counters are those of other parallel loops; then the number of rows' tile, and the
  /// thread of all warps of a row. Their tiles hold all cells and, unless they fill them, more.
  WarpTile(OpBuilder &builder, Location loc, ArrayRef<int64_t> turns, ValueRange counters,
           int64_t rowBlocks, bool fillsCells);

  /// Adds products to what is there of the output.
  void multiply(linalg::GenericOp op, const Product &product);
  /// Computes what goes element by element.
  void apply(linalg::GenericOp op);
  /// Writes everything that was computed, where it lies in the arrays.
  void store();

private:
  using Blocks = SmallVector<Value>;
  /// Of an operation's loops those that are known.
  using LoopIndices = llvm::DenseMap<unsigned, Value>;
  /// An array's values, and which operation computed them last.
  struct Written {
    linalg::GenericOp op;
    Blocks blocks;
  };

  Value index(int64_t value);
  Value add(Value a, Value c);
  Value add(Value a, int64_t c) { return add(a, index(c)); }
  Value clampRow(Value row);
  Value clampCell(Value cell, int64_t many);
  LoopIndices loopsAt(linalg::GenericOp op, Value row, Value cell);

  Blocks blocksOf(linalg::GenericOp op, OpOperand &operand);
  Value loadBlock(linalg::GenericOp op, OpOperand &operand, int64_t rowBlock, int64_t cellBlock);
  void storePair(linalg::GenericOp op, Value pair, Value row, Value cell);

  Blocks emitLoop(int64_t end, int64_t step, const Blocks &sums,
                  llvm::function_ref<Blocks(Value, const Blocks &)> body);
  Blocks reduce(linalg::GenericOp op, const Product &product, ArrayRef<unsigned> outer,
                const LoopIndices &loops, const Blocks &sums);
  Blocks goDeep(linalg::GenericOp op, const Product &product, const LoopIndices &loops,
                Blocks sums);
  Blocks multiplyBlocks(linalg::GenericOp op, const Product &product, const LoopIndices &loops,
                        Value first, bool isEnd, const Blocks &sums);
  Value loadRounded(linalg::GenericOp op, unsigned input, LoopIndices loops, unsigned depth,
                    Value at, int64_t end);

  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> turns;
  SmallVector<Value> others;        ///< counters of the other parallel loops
  bool isRowsEnd, isCellsEnd;       ///< whether tiles go beyond the last row or cell
  Value member;                     ///< t
  SmallVector<Value> rows, columns; ///< the first of each block that the thread holds
  SmallVector<Value> cells;         ///< that it loads for each block
  llvm::MapVector<Value, Written> known;
};

} // namespace mlir::lci::tensor_cores

#endif // LCI_LIB_TRANSFORMS_GPU_TENSORTILE_H
