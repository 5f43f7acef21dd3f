//===- IROps.h - The numerics, instantiated to build IR ---------*- C++ -*-===//
//
// The operations policy of LCI/Numerics that emits arith and math operations: what the lowering
// computes is by construction what the interpreter computes. Works on scalars, vectors and tensors
// of static shape. Constant operands fold as they are built.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_IROPS_H
#define LCI_TRANSFORMS_SUPPORT_IROPS_H

#include "LCI/Numerics/Philox.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace mlir::lci {

class IROps;

/// The type of a value in a numerics template; the kinds do not mix.
enum class NumberKind { F32, F64, I32, I64, Bool };

/// An SSA value of a kind, with the operators that a template uses.
template <NumberKind kind>
struct IRNumber {
  IROps *ops;
  Value value;
};

/// Builds the operations of a numerics template at the builder's insertion point.
class IROps {
public:
  using F32 = IRNumber<NumberKind::F32>;
  using F64 = IRNumber<NumberKind::F64>;
  using I32 = IRNumber<NumberKind::I32>;
  using I64 = IRNumber<NumberKind::I64>;
  using Bool = IRNumber<NumberKind::Bool>;

  /// Values have the shape of `like`: a scalar, or a vector or tensor of static shape.
  IROps(OpBuilder &builder, Location loc, Type like);
  IROps(const IROps &) = delete;
  IROps &operator=(const IROps &) = delete;

  /// A value of the program as an operand of a template.
  F32 asF32(Value value) { return {this, value}; }
  I32 asI32(Value value) { return {this, value}; }
  I64 asI64(Value value) { return {this, value}; }

  F32 f32(float value);
  F64 f64(double value);
  I32 i32(uint32_t value);
  I64 i64(uint64_t value);

  I64 bits(F64 x) { return {this, cast<arith::BitcastOp>(x.value, builder.getI64Type())}; }
  I32 bits(F32 x) { return {this, cast<arith::BitcastOp>(x.value, builder.getI32Type())}; }
  F32 fromBits(I32 x) { return {this, cast<arith::BitcastOp>(x.value, builder.getF32Type())}; }
  F64 fromBits(I64 x) { return {this, cast<arith::BitcastOp>(x.value, builder.getF64Type())}; }
  F64 widen(F32 x) { return {this, cast<arith::ExtFOp>(x.value, builder.getF64Type())}; }
  F32 narrow(F64 x) { return {this, cast<arith::TruncFOp>(x.value, builder.getF32Type())}; }

  /// Decided on the bits: LLVM takes NaNs to be interchangeable and drops selects between them (it
  /// does so for square roots), but not between integers.
  F32 canonical(F32 x);

  /// Decided on the bits, like the sign of a zero. A magnitude has none.
  F32 timesSign(F32 x, F32 sign);

  F32 toFloat(I32 x) { return {this, cast<arith::UIToFPOp>(x.value, builder.getF32Type())}; }

  template <NumberKind kind>
  IRNumber<kind> fma(IRNumber<kind> a, IRNumber<kind> b, IRNumber<kind> c) {
    return {this, builder.createOrFold<math::FmaOp>(loc, a.value, b.value, c.value)};
  }
  template <NumberKind kind>
  IRNumber<kind> sqrt(IRNumber<kind> x) {
    return {this, builder.createOrFold<math::SqrtOp>(loc, x.value)};
  }

  I64 divSigned(I64 a, I64 b) { return {this, make<arith::DivSIOp>(a.value, b.value)}; }
  I64 remSigned(I64 a, I64 b) { return {this, make<arith::RemSIOp>(a.value, b.value)}; }
  Bool lessSigned(I64 a, I64 b) { return compare(arith::CmpIPredicate::slt, a.value, b.value); }

  Bool both(Bool a, Bool b) { return {this, make<arith::AndIOp>(a.value, b.value)}; }
  Bool either(Bool a, Bool b) { return {this, make<arith::OrIOp>(a.value, b.value)}; }
  Bool differ(Bool a, Bool b) { return {this, make<arith::XOrIOp>(a.value, b.value)}; }
  Bool negate(Bool a);

  template <NumberKind kind>
  IRNumber<kind> select(Bool condition, IRNumber<kind> onTrue, IRNumber<kind> onFalse) {
    return {this, builder.createOrFold<arith::SelectOp>(loc, condition.value, onTrue.value,
                                                        onFalse.value)};
  }

  /// Blocks of Philox as one operation, which `lci-expand-philox` expands for a target.
  template <size_t count>
  std::array<std::array<I64, 4>, count> philox(std::array<std::array<I64, 4>, count> counters,
                                               ::lci::numerics::Key<IROps> key) {
    SmallVector<Value> words;
    for (const auto &counter : counters)
      for (I64 word : counter)
        words.push_back(word.value);
    SmallVector<Value> drawn = drawWords(words, key.low.value, key.high.value);
    for (size_t i = 0; i < words.size(); ++i)
      counters[i / 4][i % 4].value = drawn[i];
    return counters;
  }

  /// A binary operation on two values of one type.
  template <typename Op>
  Value make(Value a, Value b) {
    return builder.createOrFold<Op>(loc, a, b);
  }
  Bool compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return {this, builder.createOrFold<arith::CmpFOp>(loc, predicate, a, b)};
  }
  Bool compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return {this, builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b)};
  }

private:
  SmallVector<Value> drawWords(ValueRange counters, Value low, Value high);
  /// The element type in the shape of this instantiation.
  Type shaped(Type element);
  Value constant(TypedAttr element);
  template <typename Op>
  Value cast(Value value, Type element) {
    return builder.createOrFold<Op>(loc, shaped(element), value);
  }

  OpBuilder &builder;
  Location loc;
  ShapedType shape; // null for scalars
  llvm::SmallDenseMap<Attribute, Value> constants;
};

namespace detail {

template <NumberKind kind>
inline constexpr bool isFloat = kind == NumberKind::F32 || kind == NumberKind::F64;

/// An operator: `FloatOp` on floats, `IntegerOp` on integers.
template <typename FloatOp, typename IntegerOp, NumberKind kind>
IRNumber<kind> arithmetic(IRNumber<kind> a, IRNumber<kind> b) {
  static_assert(kind != NumberKind::Bool, "truth values have both, either, differ, negate");
  using Op = std::conditional_t<isFloat<kind>, FloatOp, IntegerOp>;
  return {a.ops, a.ops->template make<Op>(a.value, b.value)};
}

/// An operator on integers.
template <typename Op, NumberKind kind>
IRNumber<kind> onBits(IRNumber<kind> a, IRNumber<kind> b) {
  static_assert(kind == NumberKind::I32 || kind == NumberKind::I64, "only integers have bits");
  return {a.ops, a.ops->template make<Op>(a.value, b.value)};
}

template <NumberKind kind>
IROps::Bool comparison(arith::CmpFPredicate onFloats, arith::CmpIPredicate onIntegers,
                       IRNumber<kind> a, IRNumber<kind> b) {
  if constexpr (isFloat<kind>)
    return a.ops->compare(onFloats, a.value, b.value);
  else
    return a.ops->compare(onIntegers, a.value, b.value);
}

} // namespace detail

template <NumberKind kind>
IRNumber<kind> operator+(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::arithmetic<arith::AddFOp, arith::AddIOp>(a, b);
}
template <NumberKind kind>
IRNumber<kind> operator-(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::arithmetic<arith::SubFOp, arith::SubIOp>(a, b);
}
template <NumberKind kind>
IRNumber<kind> operator*(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::arithmetic<arith::MulFOp, arith::MulIOp>(a, b);
}
template <NumberKind kind>
IRNumber<kind> operator/(IRNumber<kind> a, IRNumber<kind> b) {
  static_assert(detail::isFloat<kind>, "integers divide by divSigned");
  return {a.ops, a.ops->template make<arith::DivFOp>(a.value, b.value)};
}

template <NumberKind kind>
IRNumber<kind> operator&(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::onBits<arith::AndIOp>(a, b);
}
template <NumberKind kind>
IRNumber<kind> operator|(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::onBits<arith::OrIOp>(a, b);
}
template <NumberKind kind>
IRNumber<kind> operator^(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::onBits<arith::XOrIOp>(a, b);
}
template <NumberKind kind>
IRNumber<kind> operator<<(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::onBits<arith::ShLIOp>(a, b);
}
template <NumberKind kind>
IRNumber<kind> operator>>(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::onBits<arith::ShRUIOp>(a, b);
}

template <NumberKind kind>
IROps::Bool operator<(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::comparison(arith::CmpFPredicate::OLT, arith::CmpIPredicate::ult, a, b);
}
template <NumberKind kind>
IROps::Bool operator>(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::comparison(arith::CmpFPredicate::OGT, arith::CmpIPredicate::ugt, a, b);
}
template <NumberKind kind>
IROps::Bool operator>=(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::comparison(arith::CmpFPredicate::OGE, arith::CmpIPredicate::uge, a, b);
}
template <NumberKind kind>
IROps::Bool operator==(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::comparison(arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq, a, b);
}
template <NumberKind kind>
IROps::Bool operator!=(IRNumber<kind> a, IRNumber<kind> b) {
  return detail::comparison(arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne, a, b);
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_IROPS_H
