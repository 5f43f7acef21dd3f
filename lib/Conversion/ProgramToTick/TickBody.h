//===- TickBody.h - From a declaration's body to a tick's body --*- C++ -*-===//
//
// Rewrites what bodies of bound programs compute (reads, reductions, collections, parameters) into
// what bodies of ticks compute (loads and arithmetic). Windows unroll; large families become loops.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_TICKBODY_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_TICKBODY_H

#include "LCI/Analysis/Families.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// The values of a tick-form function by what they stand for.
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
  // Where commits are recorded.
  llvm::StringMap<Value> stamps; // by value with a rule
  Value replica;
  Value replaced; // what the value of the tick became, where that is known
};

/// A number a cell may hold and whether it is there; `present` is null where it surely is.
struct Maybe {
  Value value, present;
};

/// The body of one tick under construction, and the operands it turns out to need.
class TickBody {
public:
  TickBody(ProgramOp program, ValueOp value, const Bindings &bindings, Location loc);
  /// Of the one cell that an observer's number is.
  TickBody(ProgramOp program, ObserveOp observer, const Bindings &bindings);
  ~TickBody();

  OpBuilder &builder() { return b; }
  Location loc() const { return location; }
  ValueOp value() { return valueOp; }
  ProgramOp program() { return programOp; }
  Value index(unsigned axis) { return block->getArgument(axis); }
  SmallVector<Value> indices();
  /// Whether the own cell is up in this phase; null if its set says so.
  Value isUp();
  Value epoch() { return block->getArgument(rank); }

  /// The enclosing function's enable bit of a rule or constraint, and the value's temperature.
  Value enabled(StringRef declaration) { return bindings.enables.lookup(declaration); }
  Value temperature() { return bindings.temperatures.lookup(valueOp.getSymName()); }

  /// The body's name for a value of the enclosing function.
  Value import(Value outer);

  /// Lowers the operations of a body up to `end`, its terminator unless given. The body's
  /// arguments must be mapped.
  LogicalResult lower(Block &body, Operation *end = nullptr);
  void map(Value from, Value to) { mapping.map(from, to); }
  Value lookup(Value from) { return mapping.lookup(from); }
  Value lookupOrNull(Value from) { return from ? mapping.lookup(from) : Value(); }

  /// The function that a question is bound to.
  FailureOr<func::FuncOp> getModel(EvaluateOp op);
  /// Asks a function what `op` asks.
  func::CallOp ask(EvaluateOp op, func::FuncOp function);

  /// What the own cell holds. `present` is null for values that always hold something.
  Maybe self();
  /// From here on what is read is asked for its stamp; the latest of all, 0 if there is none.
  void beginStamps() { latestStamp = integer(0); }
  Value endStamps() { return std::exchange(latestStamp, Value()); }
  /// The own cell's stamp.
  Value stamp();
  Value replica() { return bindings.replica; }
  /// What the own cell became, where not all that would change did; else null.
  Value replacement();
  /// What a cell of a value holds.
  Maybe read(ValueOp source, AffineMap map, ValueRange at);
  /// Whether the indices lie in one of the sets; null if they surely do.
  Value contains(std::optional<ArrayAttr> sets, ValueRange at);
  /// Whether the own cell lies in a named region whose axes start at `axis`.
  Value inRegion(StringRef region, unsigned axis);
  Value inRectangle(ArrayRef<Value> bounds, unsigned axis);

  // Small arithmetic that knows "surely true" as a null value.
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

  /// What a tick writes; only the target is always there.
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
  /// What a cell holds, by a map that knows its constants.
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
  /// members, and what it holds.
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
  /// What a reduction carries out of its members: what they amount to, whether some member was
  /// present, the rank of the best (for arg-reductions), how many were present.
  struct Reduced {
    Value acc, some, best, count;
  };
  FailureOr<Reduced> reduceInOrder(ReduceOp op);
  FailureOr<Reduced> reduceAsTree(ReduceOp op);
  Value countPresent(const Member &member, Value count);
  /// A select, of which a null condition surely holds.
  Value choose(Value condition, Value yes, Value no);
  /// How many index tuples must be looked at to find all members.
  int64_t getFamilySize(ArrayAttr where, ValueRange outer, Block &body);
  IndexRange rangeOf(Value index);
  SmallVector<IndexRange> rangesOf(ValueRange at);
  /// An element of a tensor that stands beside a value's.
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
  Value latestStamp; // of what was read, while that is asked for
  Value isMember;    // whether what is read is of a member of all families it stands in
};

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_TICKBODY_H
