//===- TickBody.h - Lower bodies of declarations to ticks -------*- C++ -*-===//
//
// Rewrites the bodies of bound programs (reads, reductions, collections, parameters) into bodies of
// ticks (loads and arithmetic). Windows unroll; large families become loops.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_TICKBODY_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_TICKBODY_H

#include "LCI/Analysis/Families.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// The values of a tick-form function by the names they represent.
struct Bindings {
  llvm::StringMap<Value> states;               // current tensor of each value, ruled or not
  llvm::StringMap<Value> params;               // scalar or tensor
  llvm::StringMap<Value> palettes;             // tensor<Vxi1>
  llvm::StringMap<Value> regions;              // tensor<…xi1>
  llvm::StringMap<SmallVector<Value>> bounds;  // of a rectangle: first and last index of each axis
  llvm::StringMap<Value> enables;              // i1, by rule or constraint
  llvm::StringMap<SmallVector<Value>> weights; // by model, in the order of the function's arguments
  llvm::StringMap<Value> temperatures;         // f32, by value
  llvm::StringMap<Value> colours;              // the phase of each cell, by value, where given
  Value seed;
  // Where the first rejected proposal is searched for: up to which cell of the phase they count.
  Value before;
  // Where commits are recorded.
  llvm::StringMap<Value> stamps; // by value with a rule
  Value replica;
  Value replaced; // the new contents of the tick's value, where they are known
};

/// The possible contents of a cell; `present` is null where it surely holds something.
struct Maybe {
  Value value, present;
};

/// The body of one tick under construction, and the operands it uses.
class TickBody {
public:
  TickBody(ProgramOp program, ValueOp value, const Bindings &bindings, Location loc);
  /// For an observer: a tick of rank 0.
  TickBody(ProgramOp program, ObserveOp observer, const Bindings &bindings);
  ~TickBody();

  OpBuilder &builder() { return b; }
  Location loc() const { return location; }
  ValueOp value() { return valueOp; }
  ProgramOp program() { return programOp; }
  Value index(unsigned axis) { return block->getArgument(axis); }
  SmallVector<Value> indices();
  /// Whether the cell is scheduled in this phase; null if its set decides it.
  Value isUp();
  Value epoch() { return block->getArgument(rank); }

  /// The enclosing function's enable bit of a rule or constraint, and the value's temperature.
  Value enabled(StringRef declaration) { return bindings.enables.lookup(declaration); }
  Value temperature() { return bindings.temperatures.lookup(valueOp.getSymName()); }

  /// The body's argument for a value of the enclosing function.
  Value import(Value outer);

  /// Lowers the operations of a body up to `end`, its terminator unless given. The body's
  /// arguments must be mapped.
  LogicalResult lower(Block &body, Operation *end = nullptr);
  void map(Value from, Value to) { mapping.map(from, to); }
  Value lookup(Value from) { return mapping.lookup(from); }
  Value lookupOrNull(Value from) { return from ? mapping.lookup(from) : Value(); }

  /// The function that a model call is bound to.
  FailureOr<func::FuncOp> getModel(EvaluateOp op);
  /// Calls a function with the arguments of `op`.
  func::CallOp callModel(EvaluateOp op, func::FuncOp function);

  /// The contents of the cell. `present` is null for values that always hold something.
  Maybe self();
  /// Collects the stamps of all reads from here on; the latest of them, 0 if there is none.
  void beginStamps() { latestStamp = integer(0); }
  Value endStamps() { return std::exchange(latestStamp, Value()); }
  /// The cell's stamp.
  Value stamp();
  Value replica() { return bindings.replica; }
  /// Whether the cell is before the one up to which rejections count; null where all count.
  Value isBefore();
  /// The cell's new contents, where a selection among the changing cells decided them; else null.
  Value replacement();
  /// The contents of a cell of a value.
  Maybe read(ValueOp source, AffineMap map, ValueRange at);
  /// Whether the indices lie in one of the sets; null if they surely do.
  Value contains(std::optional<ArrayAttr> sets, ValueRange at);
  /// Whether the cell lies in a named region whose axes start at `axis`.
  Value inRegion(StringRef region, unsigned axis);
  Value inRectangle(ArrayRef<Value> bounds, unsigned axis);

  // Boolean arithmetic in which a null value is true.
  Value both(Value lhs, Value rhs);
  Value either(Value lhs, Value rhs);
  Value negate(Value truth);
  Value orTrue(Value truth) { return truth ? truth : truthValue(true); }
  Value truthValue(bool truth);
  Value integer(int64_t number);
  Value number(float value);
  /// Zero of an integer, a number or a vector.
  Value zeroOf(Type type);
  /// The same number in a vector, or itself.
  Value numberLike(Type type, float value);
  Value spreadLike(Value scalar, Type like);
  /// S-NAN: a number or a vector in which every NaN is the one that cells hold.
  Value canonicalNumber(Value number);

  /// The arrays that a tick writes; only the target is always set.
  struct Written {
    Value target, counts, scores;
  };
  /// Ends the body and makes the tick, with its operands, before the insertion point.
  TickOp finish(OpBuilder &outer, Value epoch, Value phase, Value seed, const Written &written,
                IntegerSetAttr cells, int64_t classStride);

private:
  TickBody(ProgramOp program, StringAttr name, ArrayRef<int64_t> extents, const Bindings &bindings,
           Location loc);
  LogicalResult lowerOp(Operation &op);
  LogicalResult lowerDeclaredRead(DeclareReadOp op);
  /// The contents of a cell, by a map into which constants are folded.
  Maybe hold(ValueOp source, AffineMap special, ValueRange rest);
  LogicalResult lowerReduce(ReduceOp op);
  LogicalResult lowerCollect(CollectOp op);
  LogicalResult collectInOrder(CollectOp op, Value absent);
  LogicalResult lowerEvaluate(EvaluateOp op);
  LogicalResult lowerParam(ParamValueOp op);
  LogicalResult lowerFormula(ParamValueOp op);
  // Vectors (Vectors.cpp).
  void lowerVector(Operation *op);
  Value lowerSoftmax(Value vector);
  Value concatenate(ValueRange parts, Type type);
  Value component(Value vector, int64_t index);
  Value componentAt(Value vector, Value index);
  Value asVector(Value array);
  Value makeVector(ArrayRef<Value> components);
  void cloneOnVectors(Operation &op);
  void lowerPalette(InPaletteOp op);

  /// A tuple of free indices: whether it is a member at all (null: surely), its rank among the
  /// members, and its contents.
  struct Member {
    Value isMember, rank;
    Maybe held;
  };
  /// Visits the members of a family: unrolled, or as loops that carry `state`. The visitor returns
  /// the new state.
  using Visitor = llvm::function_ref<SmallVector<Value>(const Member &, ValueRange state)>;
  FailureOr<SmallVector<Value>> visitFamily(Operation *op, Block &body, ArrayAttr where,
                                            ValueRange outer, ValueRange initial, Visitor visit);
  std::pair<Value, Value> getLoopEnds(const FreeLimits &limit);
  std::pair<Value, Value> getLoopEnds(IndexRange range, ArrayRef<FreeLimits> limits,
                                      unsigned number, ArrayAttr where, ArrayRef<Value> known);
  void narrowLoop(ArrayAttr where, ArrayRef<Value> known, Value &lower, Value &upper);
  FailureOr<SmallVector<Value>> visitMember(Operation *op, Block &body, ArrayAttr where,
                                            ValueRange outer, ArrayRef<Value> free,
                                            ValueRange state, Visitor visit);
  /// The state that a reduction carries: the combined members, whether some member was present, the
  /// rank of the best (for arg-reductions), the number of present ones.
  struct Reduced {
    Value acc, some, best, count;
  };
  FailureOr<Reduced> reduceInOrder(ReduceOp op);
  FailureOr<Reduced> reduceAsTree(ReduceOp op);
  Value countPresent(const Member &member, Value count);
  /// A select, of which a null condition surely holds.
  Value choose(Value condition, Value yes, Value no);
  /// The number of index tuples to test to find all members.
  int64_t getFamilySize(ArrayAttr where, ValueRange outer, Block &body);
  IndexRange rangeOf(Value index);
  SmallVector<IndexRange> rangesOf(ValueRange at);
  /// An element of a tensor at the position of a value's cell.
  Value load(Value tensor, ValueOp beside, AffineMap map, ValueRange at);
  void noteStamp(ValueOp source, AffineMap map, ValueRange at, Value present);
  /// Dimensions that are constants become part of the map; the others are returned.
  AffineMap specialize(AffineMap map, ValueRange at, SmallVectorImpl<Value> &rest);

  ProgramOp programOp;
  ValueOp valueOp; // null for an observer
  StringAttr name;
  unsigned rank;
  const Bindings &bindings;
  Location home, location;
  /// Whether reductions are those of an observer, which are trees (S-TREE).
  bool usesTrees = false;
  Block *block;
  OpBuilder b;
  IRMapping mapping;
  llvm::DenseMap<Value, Value> imported;
  SmallVector<Value> inputs;
  llvm::DenseMap<Value, IndexRange> ranges;
  Value latestStamp; // of the reads so far, while stamps are collected
  Value isMember;    // whether the tuples of all enclosing families are members
};

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_TICKBODY_H
