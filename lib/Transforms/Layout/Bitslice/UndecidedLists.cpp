//===- UndecidedLists.cpp - Lists of undecided halves of words ------------===//
//
// Packs and unpacks indices of half-words, and compacts eight words at a time
// by AVX-512 (compress). Fields of an entry are 32 bits each, one
// column of the list's buffer.
//
//===----------------------------------------------------------------------===//

#include "UndecidedLists.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value Packing::number(uint64_t value) {
  return arith::ConstantIntOp::create(builder, loc, static_cast<int64_t>(value), kHalfBits);
}

Value Packing::pack(ValueRange indices) {
  Value packed = number(0);
  for (auto [axis, index] : llvm::enumerate(indices)) {
    Value part = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
    if (axis + 1 == bits.size())
      part = builder.createOrFold<arith::ShLIOp>(loc, part, number(1));
    packed = builder.createOrFold<arith::ShLIOp>(loc, packed, number(bits[axis]));
    packed = builder.createOrFold<arith::OrIOp>(loc, packed, part);
  }
  return packed;
}

Value Packing::part(Value packed, unsigned below, unsigned width) {
  packed = builder.createOrFold<arith::ShRUIOp>(loc, packed, number(below));
  packed = builder.createOrFold<arith::AndIOp>(loc, packed,
                                               number(llvm::maskTrailingOnes<uint64_t>(width)));
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), packed);
}

SmallVector<Value> Packing::unpack(Value packed) {
  SmallVector<Value> indices{part(packed, 0, 1), part(packed, 1, bits.back() - 1)};
  unsigned below = bits.back();
  for (unsigned width : llvm::reverse(bits.drop_back())) {
    indices.push_back(part(packed, below, width));
    below += width;
  }
  std::reverse(indices.begin(), indices.end());
  return indices;
}

//===----------------------------------------------------------------------===//
// Vectors of entries
//===----------------------------------------------------------------------===//

Compaction::Compaction(OpBuilder &builder, Location loc, Value words)
    : builder(builder), loc(loc), type(VectorType::get(kHalves, builder.getI32Type())),
      none(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type))),
      kept(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, halvesOf(words), none)) {}

Value Compaction::halvesOf(Value words) {
  return vector::BitCastOp::create(builder, loc, type, words);
}

void Compaction::add(int64_t field, Value words) { addHalves(field, halvesOf(words)); }

void Compaction::addPlaces(int64_t field, Value first) {
  auto numbers = llvm::to_vector(llvm::seq<int32_t>(0, kHalves));
  Value steps =
      arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
  Value all = vector::BroadcastOp::create(builder, loc, type, first);
  addHalves(field, arith::OrIOp::create(builder, loc, all, steps));
}

void Compaction::addHalves(int64_t field, Value halves) {
  auto name = builder.getStringAttr("llvm.experimental.vector.compress");
  auto call =
      LLVM::CallIntrinsicOp::create(builder, loc, type, name, ValueRange{halves, kept, none});
  fronts.emplace_back(field, call.getResults());
}

/// Stores half a vector, and rarely the other half: few entries are kept, and stores across two
/// cache lines are slow.
Value Compaction::store(Value list, Value length) {
  auto number = VectorType::get(1, builder.getIntegerType(kHalves));
  Value bits = vector::BitCastOp::create(builder, loc, number, kept);
  Value count =
      math::CtPopOp::create(builder, loc, vector::ExtractOp::create(builder, loc, bits, 0));
  Value added = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), count);
  storePart(builder, list, length, 0);
  Value most = arith::ConstantIndexOp::create(builder, loc, kHalves / 2);
  Value isMore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, added, most);
  scf::IfOp::create(builder, loc, isMore, [&](OpBuilder &then, Location) {
    storePart(then, list, length, kHalves / 2);
    scf::YieldOp::create(then, loc);
  });
  return arith::AddIOp::create(builder, loc, length, added);
}

void Compaction::storePart(OpBuilder &b, Value list, Value length, int64_t from) {
  Value entry = arith::AddIOp::create(b, loc, length, arith::ConstantIndexOp::create(b, loc, from));
  for (auto [field, front] : fronts) {
    Value part =
        vector::ExtractStridedSliceOp::create(b, loc, front, from, kHalves / 2, int64_t(1));
    Value row = arith::ConstantIndexOp::create(b, loc, field);
    vector::StoreOp::create(b, loc, part, list, ValueRange{row, entry});
  }
}

//===----------------------------------------------------------------------===//
// Single entries
//===----------------------------------------------------------------------===//

Value bitslice::loadField(OpBuilder &builder, Location loc, Value list, int64_t field,
                          Value entry) {
  Value row = arith::ConstantIndexOp::create(builder, loc, field);
  return memref::LoadOp::create(builder, loc, list, ValueRange{row, entry});
}

SmallVector<Value> bitslice::loadFields(OpBuilder &builder, Location loc, Value list,
                                        ArrayRef<int64_t> fields, Value entry) {
  return llvm::map_to_vector(fields, [&](int64_t field) -> Value {
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(),
                                  loadField(builder, loc, list, field, entry));
  });
}

void bitslice::storeFields(OpBuilder &builder, Location loc, ArrayRef<Value> values, Value list,
                           ArrayRef<int64_t> fields, Value entry) {
  for (auto [value, field] : llvm::zip_equal(values, fields)) {
    Value row = arith::ConstantIndexOp::create(builder, loc, field), half = value;
    if (half.getType() != builder.getI32Type())
      half = builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(), half);
    memref::StoreOp::create(builder, loc, half, list, ValueRange{row, entry});
  }
}

/// The distance of a half from the lower one, in bits.
static Value distanceOf(OpBuilder &builder, Location loc, Value half) {
  Value number = arith::IndexCastUIOp::create(builder, loc, builder.getI64Type(), half);
  Value log = arith::ConstantIntOp::create(builder, loc, llvm::Log2_64(kHalfBits), kWordBits);
  return builder.createOrFold<arith::ShLIOp>(loc, number, log);
}

Value bitslice::takeHalf(OpBuilder &builder, Location loc, Value word, Value half) {
  return builder.createOrFold<arith::ShRUIOp>(loc, word, distanceOf(builder, loc, half));
}

Value bitslice::putHalf(OpBuilder &builder, Location loc, Value lower, Value half) {
  return builder.createOrFold<arith::ShLIOp>(loc, lower, distanceOf(builder, loc, half));
}
