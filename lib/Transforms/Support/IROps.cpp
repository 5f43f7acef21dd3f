//===- IROps.cpp - The numerics, instantiated to build IR -----------------===//
//
// Constants and shapes; everything else is one operation each, inline in the
// header.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/IROps.h"
#include "LCI/Dialect/LCIOps.h"

using namespace mlir;
using namespace mlir::lci;

IROps::IROps(OpBuilder &builder, Location loc, Type like)
    : builder(builder), loc(loc), shape(dyn_cast<ShapedType>(like)) {
  assert((!shape || shape.hasStaticShape()) && "splat constants need a static shape");
}

Type IROps::shaped(Type element) { return shape ? Type(shape.clone(element)) : element; }

Value IROps::constant(TypedAttr element) {
  Value &known = constants[element];
  if (known)
    return known;
  TypedAttr attr = element;
  if (shape)
    attr = DenseElementsAttr::get(shape.clone(element.getType()), Attribute(element));
  return known = arith::ConstantOp::create(builder, loc, attr);
}

IROps::F32 IROps::f32(float value) { return {this, constant(builder.getF32FloatAttr(value))}; }

IROps::F64 IROps::f64(double value) { return {this, constant(builder.getF64FloatAttr(value))}; }

IROps::I32 IROps::i32(uint32_t value) {
  return {this, constant(builder.getI32IntegerAttr(static_cast<int32_t>(value)))};
}

IROps::I64 IROps::i64(uint64_t value) {
  return {this, constant(builder.getI64IntegerAttr(static_cast<int64_t>(value)))};
}

IROps::Bool IROps::negate(Bool a) {
  Value yes = constant(builder.getIntegerAttr(builder.getI1Type(), 1));
  return {this, make<arith::XOrIOp>(a.value, yes)};
}

SmallVector<Value> IROps::drawWords(ValueRange counters, Value low, Value high) {
  SmallVector<Value> drawn;
  builder.createOrFold<PhiloxOp>(drawn, loc, counters, low, high);
  return drawn;
}

IROps::F32 IROps::canonical(F32 x) {
  auto word = [&](uint32_t bits) { return constant(builder.getI32IntegerAttr(bits)); };
  Value bits = cast<arith::BitcastOp>(x.value, builder.getI32Type());
  Value magnitude = make<arith::AndIOp>(bits, word(0x7fffffff));
  Bool isNaN = compare(arith::CmpIPredicate::ugt, magnitude, word(0x7f800000));
  Value result = builder.createOrFold<arith::SelectOp>(loc, isNaN.value, word(0x7fc00000), bits);
  return {this, cast<arith::BitcastOp>(result, builder.getF32Type())};
}

IROps::F32 IROps::timesSign(F32 x, F32 sign) {
  if (sign.value.getDefiningOp<math::AbsFOp>())
    return x;
  Type word = builder.getI32Type();
  Value flips = make<arith::AndIOp>(cast<arith::BitcastOp>(sign.value, word),
                                    constant(builder.getI32IntegerAttr(INT32_MIN)));
  Value bits = make<arith::XOrIOp>(cast<arith::BitcastOp>(x.value, word), flips);
  return {this, cast<arith::BitcastOp>(bits, builder.getF32Type())};
}
