//===- TensorTile.h - Computation of a warp's tile of a network -*- C++ -*-===//
//
// Shapes, packed weights and the emitter of one thread's work on tensor cores, for
// `lci-contractions-to-mma`.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONSTOMMA_TENSORTILE_H
#define LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONSTOMMA_TENSORTILE_H

#include "LCI/Transforms/Models/TensorShape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

namespace mlir::lci::tensor_cores {

/// The number of outputs, and of cells, of a block of which a thread holds the sums.
inline constexpr int64_t kPair = 2;

/// A sum that multiplies a matrix by vectors of cells: the input of each, the loop over outputs,
/// the innermost reduction (the depth) and the reductions around it.
struct Product {
  unsigned weights = 0, cells = 1, output = 0, depth = 0;
  SmallVector<unsigned> outer;
};

/// Rounds a number to TF32, which has eleven bits, to nearest with ties away from zero.
Value roundToTF32(OpBuilder &builder, Location loc, Value number);

/// The weights of a product in the order in which warps load them: rounded, each thread's two of a
/// block of 8 by 8 contiguous, zeros where a block exceeds the matrix. The array has the axes of
/// the outer reductions, then blocks of outputs, blocks of the depth, and 64 numbers.
class PackedWeights {
public:
  /// For tiles of `tileBlocks` blocks of outputs. The steps of a thread are two of each eight or,
  /// if `heldBlocks` is not zero, those that it holds of so many blocks of the layer before.
  PackedWeights(linalg::GenericOp op, const Product &product, int64_t tiles, int64_t tileBlocks,
                int64_t heldBlocks);

  /// Allocates the array at function entry, and fills it at the builder's insertion point.
  void emit(OpBuilder &builder);
  /// Whether a thread's steps are those that it holds of the layer before.
  bool areHeld() const { return heldBlocks > 0; }
  /// A thread's two numbers of a block.
  Value load(OpBuilder &builder, Location loc, ValueRange outer, Value outputBlock,
             Value depthBlock, Value lane) const;

private:
  /// The output, and the step of the reduction, of a number.
  std::pair<Value, Value> placeOf(OpBuilder &builder, ValueRange counters);

  linalg::GenericOp op;
  Product product;
  int64_t tiles, tileBlocks, heldBlocks;
  Value buffer;
};

/// The distribution of a layer: numbers of blocks of 16 cells, and of 8 outputs, per warp. Each of
/// its 32 threads holds sums of two cells and two outputs of each block, which are neighbours: 2
/// cells for each block of cells, 2 outputs for each block of outputs.
struct TileShape {
  int64_t cellBlocks, outputBlocks;

  int64_t countCells() const { return cellBlocks * kPair; }
  int64_t countOutputs() const { return outputBlocks * kPair; }
};

/// Emits one thread's work on the tile of its warp, layer by layer: the contents of an array are a
/// vector of the thread's cells for each of its outputs.
class WarpTile {
public:
  /// `counters` are the first of the thread's outputs of the last layer, whose tile has that shape,
  /// and the first of its cells. Threads beyond the last ones repeat the work of those.
  WarpTile(OpBuilder &builder, Location loc, ValueRange counters, TileShape shape,
           int64_t numCells);

  /// Begins a layer of so many outputs, of which the tile has so many blocks. Its vectors may be
  /// held from the layer before.
  void enterLayer(int64_t numOutputs, int64_t outputBlocks);
  /// Adds products to the present values of the output.
  void multiply(linalg::GenericOp op, const Product &product, const PackedWeights &weights);
  /// Computes an elementwise operation.
  void apply(linalg::GenericOp op);
  /// Stores the results of all layers to the arrays.
  void store();

private:
  using Vectors = SmallVector<Value>;
  /// Known values of an operation's loops.
  using LoopIndices = llvm::DenseMap<unsigned, Value>;
  /// An array's values, and the operation that computed them last.
  struct Written {
    linalg::GenericOp op;
    Vectors vectors;
  };
  /// The state of a layer.
  struct LayerState {
    int64_t numOutputs = 0, outputBlocks = 0;
    Value first;               ///< of the thread's outputs
    bool isOutputsEnd = false; ///< whether tiles exceed the outputs
    llvm::MapVector<Value, Written> known;
  };

  Value index(int64_t value);
  Value add(Value a, Value c);
  Value add(Value a, int64_t c) { return add(a, index(c)); }
  Value times(Value a, int64_t c);
  VectorType vectorOf(Type type) { return VectorType::get(shape.countCells(), type); }
  /// Limits an index to the last one.
  Value clamp(Value place, bool isEnd, int64_t last);
  LoopIndices loopsAt(linalg::GenericOp op, Value output, Value cell);

  Vectors vectorsOf(linalg::GenericOp op, OpOperand &operand);
  Value loadVector(linalg::GenericOp op, OpOperand &operand, Value output);
  void storeLayer(const LayerState &layer, const llvm::SmallDenseSet<Value> &without);

  Vectors emitLoop(int64_t end, const Vectors &sums,
                   llvm::function_ref<Vectors(Value, const Vectors &)> body);
  Vectors reduce(linalg::GenericOp op, const Product &product, const PackedWeights &weights,
                 ArrayRef<unsigned> outer, const LoopIndices &loops, const Vectors &sums);
  Vectors goDeep(linalg::GenericOp op, const Product &product, const PackedWeights &weights,
                 const LoopIndices &loops, Vectors sums);
  Vectors multiplyHeld(const PackedWeights &weights, Value array, Vectors sums);
  Vectors addProducts(const PackedWeights &weights, ValueRange outer, Value depthBlock,
                      ArrayRef<Value> steps, const Vectors &sums);
  Value loadStep(linalg::GenericOp op, const Product &product, const LoopIndices &loops,
                 Value depth, bool isEnd);
  Value zeroUnless(Value place, int64_t extent, Value vector);
  Vectors toBlocks(const Vectors &vectors);
  Vectors fromBlocks(const Vectors &blocks);

  OpBuilder &b;
  Location loc;
  TileShape shape;
  int64_t lastBlocks;                ///< of outputs, of the last layer
  Value lastFirst;                   ///< of the thread's outputs in it
  Value tile, member, lane;          ///< of outputs; t of the thread in its warp, and 4g + t
  Value firstCell;                   ///< of the thread's
  SmallVector<LayerState, 2> layers; ///< the last one is entered
};

} // namespace mlir::lci::tensor_cores

#endif // LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONSTOMMA_TENSORTILE_H
