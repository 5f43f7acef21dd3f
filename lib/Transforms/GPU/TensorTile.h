//===- TensorTile.h - What a warp computes of a network ---------*- C++ -*-===//

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

/// Threads of a warp; of four each, a group has the same cells.
inline constexpr int64_t kLanes = 32, kMembers = 4;
/// `mma.sync` of TF32 multiplies the vectors of 16 cells, 8 long, by the weights of 8 outputs.
inline constexpr int64_t kCells = 16, kDepth = 8, kOutputs = 8;
/// Numbers of a block of sums that a thread holds: two outputs of two cells.
inline constexpr int64_t kHeld = 4;

/// A sum that multiplies a matrix by vectors of cells: which input is which, the loop over outputs,
/// the one that goes deep and the reductions around it.
struct Product {
  unsigned weights = 0, cells = 1, output = 0, depth = 0;
  SmallVector<unsigned> outer;
};

/// Rounds a number to TF32, which has eleven bits: the nearest, of two the larger one.
Value roundToTF32(OpBuilder &builder, Location loc, Value number);

/// The weights of a product as warps load them: rounded, each thread's two of a block of 8 by 8
/// side by side, zeros where a block goes beyond the matrix. The array has the outer reductions'
/// axes, then blocks of outputs, blocks of the depth, and 64 numbers.
class PackedWeights {
public:
  /// Allocates it where the function begins, and fills it where the builder is.
  PackedWeights(OpBuilder &builder, linalg::GenericOp op, const Product &product,
                int64_t outputBlocks);
  /// A thread's two numbers of a block.
  Value load(OpBuilder &builder, Location loc, ValueRange outer, Value outputBlock,
             Value depthBlock, Value lane) const;

private:
  void fill(OpBuilder &builder, linalg::GenericOp op, const Product &product);

  Value buffer;
};

/// What one thread does for the tile of its warp: some blocks of 16 cells, and of 8 outputs of one
/// layer after the other. The values of an array in the tile are blocks of four numbers that the
/// thread holds, blocks of cells first: of cells g and g + 8, and of outputs 2t and 2t + 1 for each
/// of the two, where g and t are a fourth of the thread's number in the warp, and the rest. As
/// steps of a reduction, 2t and 2t + 1 are what the thread holds of a block for the next product.
class WarpTile {
public:
  /// A thread of all warps side by side, each of which has so many blocks of cells; they hold all
  /// `numCells` and, unless they fill them, more.
  WarpTile(OpBuilder &builder, Location loc, Value thread, int64_t numCells, int64_t cellBlocks,
           bool fillsCells);

  /// Goes on to operations with so many outputs, of which the tile has so many blocks. Their
  /// vectors may be what the layer before has left.
  void enterLayer(int64_t numOutputs, int64_t outputBlocks, Value outputTile);
  /// Adds products to what is there of the output.
  void multiply(linalg::GenericOp op, const Product &product, const PackedWeights &weights);
  /// Computes what goes element by element.
  void apply(linalg::GenericOp op);
  /// Writes what the layer's operations computed, where it lies in the arrays.
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
  Value clamp(Value place, bool isEnd, int64_t extent);
  /// The first output of a block that the thread holds.
  Value outputOf(int64_t block);
  LoopIndices loopsAt(linalg::GenericOp op, Value output, Value cell);

  Blocks blocksOf(linalg::GenericOp op, OpOperand &operand);
  Value loadBlock(linalg::GenericOp op, OpOperand &operand, int64_t cellBlock, int64_t outputBlock);
  void storeNumber(linalg::GenericOp op, Value number, Value output, Value cell);

  Blocks emitLoop(int64_t end, const Blocks &sums,
                  llvm::function_ref<Blocks(Value, const Blocks &)> body);
  Blocks reduce(linalg::GenericOp op, const Product &product, const PackedWeights &weights,
                ArrayRef<unsigned> outer, const LoopIndices &loops, const Blocks &sums);
  Blocks goDeep(linalg::GenericOp op, const Product &product, const PackedWeights &weights,
                const LoopIndices &loops, Blocks sums);
  Blocks multiplyHeld(const Product &product, const PackedWeights &weights, const Written &held,
                      Blocks sums);
  Blocks addProducts(const PackedWeights &weights, ValueRange outer, Value depthBlock,
                     ArrayRef<Value> vectors, const Blocks &sums);
  Value loadVectors(linalg::GenericOp op, const Product &product, const LoopIndices &loops,
                    Value depthBlock, Value cell, bool isEnd);
  Value takeVectors(Value block, Value output, int64_t extent);
  Value vectorsOf(ValueRange numbers);

  OpBuilder &b;
  Location loc;
  int64_t numCells;
  bool isCellsEnd;                               ///< whether tiles go beyond the last cell
  Value lane, group, member;                     ///< of the thread in its warp; g and t
  SmallVector<Value> cells;                      ///< the first of each block that the thread holds
  int64_t numOutputs = 0, outputBlocks = 0;      ///< of the layer, and of the tile
  bool isOutputsEnd = false;                     ///< whether tiles go beyond the last output
  Value firstBlock;                              ///< of outputs
  llvm::MapVector<Value, Written> known, before; ///< of this layer, and of the one before
};

} // namespace mlir::lci::tensor_cores

#endif // LCI_LIB_TRANSFORMS_GPU_TENSORTILE_H
