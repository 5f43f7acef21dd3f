//===- PlaneCopies.cpp - Copies between cells and planes ------------------===//
//
// The cells that share a word are loaded and stored as one vector, together
// with the cells of other residues between them: a vector element is a tuple of
// neighbours, one of each residue, and a comparison of one bit of all elements
// is a word. No shuffles are needed; masks exclude elements beyond the row or
// of other residues.
//
//===----------------------------------------------------------------------===//

#include "PlaneCopies.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

namespace {

/// Copies the cells of one residue, word by word.
class WordCopies {
public:
  WordCopies(OpBuilder &builder, Location loc, Value cells, LayoutAttr layout, ValueRange planes,
             int64_t residue, bool threads)
      : builder(builder), loc(loc), cells(cells), layout(layout), threads(threads),
        planes(planes.slice(residue * layout.getPlanes(), layout.getPlanes())),
        row(subRowOf(layout, residue)), token(cast<MemRefType>(cells.getType()).getElementType()),
        lanes(VectorType::get({kWordBits * layout.getSplit()}, token)),
        tuple(vectorOf(builder.getIntegerType(token.getIntOrFloatBitWidth() * layout.getSplit()))) {
  }

  void pack() {
    forEachWord([&](ValueRange cell, ValueRange word) {
      Value tuples = load(cell);
      for (auto [number, plane] : llvm::enumerate(planes)) {
        Value one = arith::AndIOp::create(builder, loc, tuples, bitOf(number));
        Value bits =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, one, zeros(tuple));
        Value packed = vector::BitCastOp::create(builder, loc, wordVector(), bits);
        packed = vector::ExtractOp::create(builder, loc, packed, ArrayRef<int64_t>{0});
        memref::StoreOp::create(builder, loc, packed, plane, word);
      }
    });
  }

  void unpack() {
    forEachWord([&](ValueRange cell, ValueRange word) {
      Value tuples = zeros(tuple);
      for (auto [number, plane] : llvm::enumerate(planes)) {
        Value packed = memref::LoadOp::create(builder, loc, plane, word);
        packed = vector::BroadcastOp::create(builder, loc, wordVector(), packed);
        Value bits = vector::BitCastOp::create(builder, loc, vectorOf(builder.getI1Type()), packed);
        Value part = arith::SelectOp::create(builder, loc, bits, bitOf(number), zeros(tuple));
        tuples = builder.createOrFold<arith::OrIOp>(loc, tuples, part);
      }
      store(tuples, cell);
    });
  }

private:
  VectorType vectorOf(Type element) { return VectorType::get({kWordBits}, element); }
  VectorType wordVector() { return VectorType::get({1}, builder.getI64Type()); }
  Value constant(DenseElementsAttr elements) {
    return arith::ConstantOp::create(builder, loc, elements);
  }
  Value zeros(VectorType type) {
    return constant(DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
  }
  /// A bit of the cell of this residue in each tuple.
  Value bitOf(unsigned plane) {
    unsigned width = token.getIntOrFloatBitWidth();
    APInt one = APInt::getOneBitSet(width * layout.getSplit(), width * row.residue + plane);
    return constant(DenseElementsAttr::get(tuple, one));
  }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  /// A mask of the cells before the end of the row, or null if all are.
  Value cellsInside(ValueRange cell) {
    int64_t extent = layout.getCells().back();
    if (extent % lanes.getNumElements() == 0)
      return {};
    Value rest = builder.createOrFold<arith::SubIOp>(loc, index(extent), cell.back());
    return vector::CreateMaskOp::create(builder, loc, lanes.clone(builder.getI1Type()),
                                        ValueRange(rest));
  }

  /// A mask of the cells of this residue, or null if all are.
  Value cellsOfResidue() {
    if (layout.getSplit() == 1)
      return {};
    SmallVector<bool> owned;
    for (int64_t lane = 0; lane < lanes.getNumElements(); ++lane)
      owned.push_back(lane % layout.getSplit() == row.residue);
    return constant(
        DenseElementsAttr::get(cast<ShapedType>(lanes.clone(builder.getI1Type())), owned));
  }

  Value load(ValueRange cell) {
    Value inside = cellsInside(cell), all;
    if (inside)
      all = vector::MaskedLoadOp::create(builder, loc, lanes, cells, cell, inside, zeros(lanes));
    else
      all = vector::LoadOp::create(builder, loc, lanes, cells, cell);
    return builder.createOrFold<vector::BitCastOp>(loc, tuple, all);
  }

  void store(Value tuples, ValueRange cell) {
    Value all = builder.createOrFold<vector::BitCastOp>(loc, lanes, tuples);
    Value mask = cellsInside(cell), owned = cellsOfResidue();
    if (mask && owned)
      mask = arith::AndIOp::create(builder, loc, mask, owned);
    else if (owned)
      mask = owned;
    if (mask)
      vector::MaskedStoreOp::create(builder, loc, cells, cell, mask, all);
    else
      vector::StoreOp::create(builder, loc, all, cells, cell);
  }

  /// Visits the words, each with the indices of the first lane. Rows of planes begin with their
  /// halo.
  void forEachWord(llvm::function_ref<void(ValueRange cell, ValueRange word)> visit) {
    SmallVector<Value> begin(layout.getCells().size(), index(0)), step(begin.size(), index(1)), end;
    for (int64_t extent : layout.getCells().drop_back())
      end.push_back(index(extent));
    end.push_back(index(llvm::divideCeil(row.count, kWordBits)));
    auto body = [&](OpBuilder &inner, Location, ValueRange indices) {
      OpBuilder::InsertionGuard guard(builder);
      builder.restoreInsertionPoint(inner.saveInsertionPoint());
      SmallVector<Value> cell(indices), word(indices);
      cell.back() = arith::MulIOp::create(builder, loc, cell.back(), index(lanes.getNumElements()));
      SmallVector<int64_t> low(layout.getLow());
      low.back() = row.wordsBelow();
      for (auto [axis, before] : llvm::zip_equal(word, low))
        axis = builder.createOrFold<arith::AddIOp>(loc, axis, index(before));
      visit(cell, word);
    };
    if (!threads)
      scf::buildLoopNest(builder, loc, begin, end, step, body);
    else if (!llvm::all_of(end, [](Value extent) { return matchPattern(extent, m_One()); }))
      scf::ParallelOp::create(builder, loc, begin, end, step, body);
    else
      buildThread(begin, step, body);
  }

  /// Copies one word in a warp, because a loop with a single iteration would be removed.
  void buildThread(ValueRange begin, ValueRange step,
                   llvm::function_ref<void(OpBuilder &, Location, ValueRange)> body) {
    SmallVector<Value> end(step);
    end.back() = index(kWarp);
    scf::ParallelOp::create(
        builder, loc, begin, end, step, [&](OpBuilder &inner, Location, ValueRange indices) {
          Value isFirst = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq,
                                                indices.back(), begin.back());
          scf::IfOp::create(inner, loc, isFirst, [&](OpBuilder &then, Location) {
            body(then, loc, indices);
            scf::YieldOp::create(then, loc);
          });
        });
  }

  OpBuilder &builder;
  Location loc;
  Value cells;
  LayoutAttr layout;
  bool threads;
  ValueRange planes;
  SubRow row;
  Type token;
  VectorType lanes; ///< the cells of all residues in the range of a word's cells
  VectorType tuple; ///< the same bits, with neighbours of all residues as one element
};

} // namespace

void bitslice::packCells(OpBuilder &builder, Location loc, Value cells, LayoutAttr layout,
                         ValueRange planes, bool threads) {
  for (int64_t residue = 0; residue < layout.getSplit(); ++residue)
    WordCopies(builder, loc, cells, layout, planes, residue, threads).pack();
}

void bitslice::unpackCells(OpBuilder &builder, Location loc, LayoutAttr layout, ValueRange planes,
                           Value cells, bool threads) {
  for (int64_t residue = 0; residue < layout.getSplit(); ++residue)
    WordCopies(builder, loc, cells, layout, planes, residue, threads).unpack();
}
