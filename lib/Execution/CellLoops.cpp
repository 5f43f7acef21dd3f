//===- CellLoops.cpp - Loops over cells, as IR ----------------------------===//
//
// Builds functions with one `scf.parallel` over the cells of a value: copies between a canonical
// array and a slot's buffer as memref loads and stores, and the conversion of a foreign array,
// which is addressed by pointer and strides. Elements that do not fit are recorded by an atomic
// minimum of their row-major number.
//
//===----------------------------------------------------------------------===//

#include "CellLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::CanonicalForm;
using ::lci::DType;
using ::lci::ElementKind;
using ::lci::SlotForm;

/// The type of an element in memory. Booleans are bytes; element types that not all targets of LLVM
/// load are integers of their width.
static Type storedType(Builder &b, DType dtype) {
  if (dtype == DType::F32)
    return b.getF32Type();
  if (dtype == DType::F64)
    return b.getF64Type();
  return b.getIntegerType(static_cast<unsigned>(8 * byteWidth(dtype)));
}

static Type storedType(Builder &b, ElementKind kind) {
  if (kind == ElementKind::F32)
    return b.getF32Type();
  return b.getIntegerType(static_cast<unsigned>(8 * byteWidth(kind)));
}

/// A loop has at least one axis, and so have its buffers.
static SmallVector<int64_t> withAxis(ArrayRef<int64_t> extents, int64_t alone) {
  return extents.empty() ? SmallVector<int64_t>{alone} : SmallVector<int64_t>(extents);
}

static MemRefType bufferOf(ArrayRef<int64_t> shape, Type element) {
  return MemRefType::get(withAxis(shape, 1), element);
}

/// The type of a slot's buffer. A vector is its components and the padding behind them.
static MemRefType bufferOf(Builder &b, const SlotForm &form) {
  SmallVector<int64_t> shape;
  for (auto [extent, low, high] : llvm::zip_equal(form.extents, form.low, form.high))
    shape.push_back(low + extent + high);
  if (form.components)
    shape.push_back(form.getStride() / byteWidth(form.kind));
  return bufferOf(shape, storedType(b, form.kind));
}

namespace {
/// A function of one loop, whose body is built at `b`.
class CellLoop {
public:
  CellLoop(MLIRContext *context, ArrayRef<int64_t> shape) : b(UnknownLoc::get(context), context) {
    context->loadDialect<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                         memref::MemRefDialect, scf::SCFDialect>();
    module = ModuleOp::create(b);
    extents = withAxis(shape, 1);
  }

  /// The function's arguments, then the loop.
  void begin(ArrayRef<Type> types) {
    b.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(b, "cells", b.getFunctionType(types, {}));
    Block *entry = function.addEntryBlock();
    arguments = entry->getArguments();
    b.setInsertionPointToStart(entry);
    func::ReturnOp::create(b);
    b.setInsertionPointToStart(entry);
    SmallVector<Value> from, to, step;
    for (int64_t extent : extents) {
      from.push_back(arith::ConstantIndexOp::create(b, 0));
      to.push_back(arith::ConstantIndexOp::create(b, extent));
      step.push_back(arith::ConstantIndexOp::create(b, 1));
    }
    auto loop = scf::ParallelOp::create(b, from, to, step);
    b.setInsertionPointToStart(loop.getBody());
    indices = llvm::to_vector_of<Value>(loop.getInductionVars());
  }

  OwningOpRef<ModuleOp> take() { return std::move(module); }

  Value integer(int64_t value) { return arith::ConstantIntOp::create(b, value, 64); }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t with) {
    return arith::CmpIOp::create(b, predicate, value, integer(with));
  }
  Value both(Value left, Value right) { return arith::AndIOp::create(b, left, right); }
  /// Truncates an i64 to the element type of a buffer.
  Value narrow(Value value, Type type) {
    return type.isInteger(64) ? value : arith::TruncIOp::create(b, type, value).getResult();
  }
  Value widen(Value value, bool isSigned) {
    Type wide = b.getI64Type();
    if (value.getType() == wide)
      return value;
    return isSigned ? arith::ExtSIOp::create(b, wide, value).getResult()
                    : arith::ExtUIOp::create(b, wide, value).getResult();
  }
  /// The loop's indices plus the low halos of a buffer.
  SmallVector<Value> shifted(ArrayRef<int64_t> low) {
    SmallVector<Value> at = indices;
    for (auto [index, below] : llvm::zip(at, low))
      if (below)
        index = arith::AddIOp::create(b, index, arith::ConstantIndexOp::create(b, below));
    return at;
  }

  ImplicitLocOpBuilder b;
  OwningOpRef<ModuleOp> module;
  SmallVector<int64_t> extents;
  ValueRange arguments;
  SmallVector<Value> indices;
};
} // namespace

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> mlir::lci::makeWriteLoop(MLIRContext *context, const SlotForm &form) {
  CellLoop loop(context, form.shape());
  MemRefType buffer = bufferOf(loop.b, form);
  loop.begin({bufferOf(form.shape(), storedType(loop.b, form.canonicalType())), buffer});
  Value cell = memref::LoadOp::create(loop.b, loop.arguments[0], loop.indices);
  if (form.kind != ElementKind::F32) {
    Value token = loop.widen(cell, /*isSigned=*/true);
    if (form.vocabulary)
      token = loop.select(loop.compare(arith::CmpIPredicate::eq, token, -1),
                          loop.integer(*form.vocabulary), token);
    if (form.kind == ElementKind::I1)
      token = loop.widen(loop.compare(arith::CmpIPredicate::ne, token, 0), /*isSigned=*/false);
    cell = loop.narrow(token, buffer.getElementType());
  }
  memref::StoreOp::create(loop.b, cell, loop.arguments[1], loop.shifted(form.low));
  return loop.take();
}

OwningOpRef<ModuleOp> mlir::lci::makeReadLoop(MLIRContext *context, const SlotForm &form) {
  CellLoop loop(context, form.shape());
  Type canonical = storedType(loop.b, form.canonicalType());
  loop.begin({bufferOf(form.shape(), canonical), bufferOf(loop.b, form)});
  Value cell = memref::LoadOp::create(loop.b, loop.arguments[1], loop.shifted(form.low));
  if (form.kind != ElementKind::F32) {
    Value token = loop.widen(cell, /*isSigned=*/false);
    if (form.vocabulary)
      token = loop.select(loop.compare(arith::CmpIPredicate::eq, token, *form.vocabulary),
                          loop.integer(-1), token);
    cell = loop.narrow(token, canonical);
  }
  memref::StoreOp::create(loop.b, cell, loop.arguments[0], loop.indices);
  return loop.take();
}

//===----------------------------------------------------------------------===//
// Foreign arrays
//===----------------------------------------------------------------------===//

static bool isSigned(DType dtype) { return dtype >= DType::I8 && dtype <= DType::I64; }

namespace {
/// The loop over a foreign array with any strides: memory is accessed by address.
class ConvertLoop : CellLoop {
public:
  ConvertLoop(MLIRContext *context, DType from, const CanonicalForm &to)
      : CellLoop(context, to.shape), from(from), to(to) {
    MemRefType result = bufferOf(to.shape, storedType(b, to.type()));
    SmallVector<Type> types(1 + to.shape.size(), b.getI64Type());
    types.append({result, MemRefType::get({2}, b.getI64Type())});
    begin(types);
  }

  OwningOpRef<ModuleOp> build() {
    Value element = load(), made;
    if (to.vocabulary)
      made = makeToken(element);
    else
      made = to.isInteger ? makeInteger(element, INT32_MIN, INT32_MAX) : makeNumber(element);
    memref::StoreOp::create(b, narrowed(made), arguments[arguments.size() - 2], indices);
    return take();
  }

private:
  Value narrowed(Value made) {
    return made.getType().isInteger() ? narrow(made, storedType(b, to.type())) : made;
  }

  Value index(unsigned axis) {
    return arith::IndexCastOp::create(b, b.getI64Type(), indices[axis]);
  }

  /// Integers as i64 (unsigned 64-bit ones by their bits), numbers as f32 or f64.
  Value load() {
    Value address = arguments[0];
    for (unsigned axis = 0; axis < to.shape.size(); ++axis) {
      Value bytes = arith::MulIOp::create(b, index(axis), arguments[1 + axis]);
      address = arith::AddIOp::create(b, address, bytes);
    }
    Value pointer =
        LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), address);
    Value loaded = LLVM::LoadOp::create(b, storedType(b, from), pointer);
    if (from == DType::Bool)
      return widen(compare(arith::CmpIPredicate::ne, widen(loaded, false), 0), false);
    if (from == DType::F16)
      return arith::ExtFOp::create(b, b.getF32Type(),
                                   Value(arith::BitcastOp::create(b, b.getF16Type(), loaded)));
    if (from == DType::BF16) {
      Value bits = arith::ExtUIOp::create(b, b.getI32Type(), loaded);
      Value shift = arith::ConstantIntOp::create(b, 16, 32);
      return arith::BitcastOp::create(b, b.getF32Type(), arith::ShLIOp::create(b, bits, shift));
    }
    return loaded.getType().isInteger() ? widen(loaded, isSigned(from)) : loaded;
  }

  /// Whether an integer is in a range; an unsigned 64-bit one is never negative.
  Value lies(Value integer, int64_t least, int64_t greatest) {
    if (from == DType::U64)
      least = std::max<int64_t>(least, 0);
    return both(compare(arith::CmpIPredicate::sge, integer, least),
                compare(arith::CmpIPredicate::sle, integer, greatest));
  }

  Value makeToken(Value element) {
    Value token = makeInteger(element, -1, *to.vocabulary - 1);
    recordFirst(compare(arith::CmpIPredicate::eq, token, -1), /*which=*/1);
    return token;
  }

  Value makeInteger(Value element, int64_t least, int64_t greatest) {
    if (!element.getType().isInteger())
      return makeIntegerOfNumber(element, least, greatest);
    Value fits = lies(element, least, greatest);
    recordFirst(negate(fits), /*which=*/0);
    return select(fits, element, integer(0));
  }

  /// The number as an integer, if that is equal.
  Value makeIntegerOfNumber(Value element, int64_t least, int64_t greatest) {
    if (element.getType().isF32())
      element = arith::ExtFOp::create(b, b.getF64Type(), element);
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getF64FloatAttr(static_cast<double>(value)));
    };
    Value inside =
        both(arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, element, number(least)),
             arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, element, number(greatest)));
    Value made = arith::FPToSIOp::create(b, b.getI64Type(), select(inside, element, number(0)));
    Value again = arith::SIToFPOp::create(b, b.getF64Type(), made);
    Value fits = both(inside, arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, again, element));
    recordFirst(negate(fits), /*which=*/0);
    return made;
  }

  /// Rounds a finite number, which must not become infinite. Decided on the bits: it does from
  /// 0x1.ffffffp127 on, which is halfway between the largest F32 and the next one in an unbounded
  /// format.
  Value toSingle(Value number) {
    Value bits = arith::BitcastOp::create(b, b.getI64Type(), number);
    Value magnitude = arith::AndIOp::create(b, bits, integer(INT64_MAX));
    recordFirst(both(compare(arith::CmpIPredicate::sge, magnitude, 0x47effffff0000000),
                     compare(arith::CmpIPredicate::slt, magnitude, 0x7ff0000000000000)),
                /*which=*/0);
    return arith::TruncFOp::create(b, b.getF32Type(), number);
  }

  /// Every NaN becomes the canonical one.
  Value makeNumber(Value element) {
    Type f32 = b.getF32Type();
    if (element.getType().isF64())
      element = toSingle(element);
    else if (element.getType().isInteger() && from == DType::U64)
      element = arith::UIToFPOp::create(b, f32, element);
    else if (element.getType().isInteger())
      element = arith::SIToFPOp::create(b, f32, element);
    // Decided on the bits: LLVM drops a select between NaNs.
    auto word = [&](int32_t bits) -> Value {
      return arith::ConstantOp::create(b, b.getI32IntegerAttr(bits));
    };
    Value bits = arith::BitcastOp::create(b, b.getI32Type(), element);
    Value magnitude = arith::AndIOp::create(b, bits, word(0x7fffffff));
    Value isNaN = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude, word(0x7f800000));
    return arith::BitcastOp::create(b, f32, select(isNaN, word(0x7fc00000), bits));
  }

  Value negate(Value truth) {
    return arith::XOrIOp::create(b, truth, arith::ConstantIntOp::create(b, 1, 1));
  }

  /// Lowers one of the two integers to the number of this cell, if `condition` holds. The integer
  /// is read first, because atomic operations at one address are serialized.
  void recordFirst(Value condition, int64_t which) {
    OpBuilder::InsertionGuard guard(b);
    Value element = integer(0);
    for (auto [axis, extent] : llvm::enumerate(to.shape))
      element =
          arith::AddIOp::create(b, arith::MulIOp::create(b, element, integer(extent)), index(axis));
    Value firsts = arguments.back();
    auto found = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
    b.setInsertionPoint(found.thenYield());
    Value at = arith::ConstantIndexOp::create(b, which);
    Value known = memref::LoadOp::create(b, firsts, at);
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, element, known);
    auto first = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    b.setInsertionPoint(first.thenYield());
    memref::AtomicRMWOp::create(b, arith::AtomicRMWKind::mins, element, firsts, at);
  }

  DType from;
  const CanonicalForm &to;
};
} // namespace

OwningOpRef<ModuleOp> mlir::lci::makeConvertLoop(MLIRContext *context, DType from,
                                                 const CanonicalForm &to) {
  return ConvertLoop(context, from, to).build();
}
