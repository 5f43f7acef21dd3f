//===- ProgramBuilder.h - Build programs of level 1 -------------*- C++ -*-===//
//
// Builds the program form of a program, declaration by declaration, for every front end. It owns
// the sizes: an affine expression may mention a size before all sizes are known, and `finish` gives
// every map and set its symbols and its normal form. The result for correct arguments passes the
// verifier; the caller checks arguments and reports errors.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_BUILDER_PROGRAMBUILDER_H
#define LCI_BUILDER_PROGRAMBUILDER_H

#include "LCI/Builder/Condition.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::lci {

/// The names of the indices of a declaration or reduction in the text; documentation, without
/// semantics.
inline constexpr StringLiteral indexNamesAttr = "lci.names";
/// The comments of a declaration: a dictionary from "above", "behind" and "<clause>.above" …
inline constexpr StringLiteral commentsAttr = "lci.comments";
/// A read that the text marked with `?`.
inline constexpr StringLiteral optionalReadAttr = "lci.optional";

/// The location at which the text first names a size; by default the program's.
Location locateSize(ProgramOp program, StringRef name);

class ProgramBuilder {
public:
  ProgramBuilder(MLIRContext *context, Location loc, StringRef name);

  /// The symbol of a size; an unknown name becomes a new size.
  AffineExpr getSize(StringRef name);
  /// Stores the location at which the text first names each size, for `locateSize`.
  void placeSizes(ArrayRef<std::pair<StringRef, Location>> places);
  /// Later sizes are ordered by name, behind those known so far.
  void settleSizes() { numSettled = sizes.size(); }

  // Declarations, appended in the order of the calls.
  ValueOp addValue(Location loc, StringRef name, Kind kind, std::optional<AffineExpr> vocabulary,
                   std::optional<ArrayRef<AffineExpr>> shape, ArrayRef<Boundary> boundary);
  ParamOp addParam(Location loc, StringRef name, Kind kind,
                   std::optional<ArrayRef<AffineExpr>> shape);
  DefOp addDef(Location loc, StringRef name);
  VisibleOp addVisible(Location loc, ValueOp value, ValueOp source, ArrayRef<AffineExpr> map,
                       unsigned numIndices, unsigned numComputed, const Condition &where,
                       StringRef label);
  RuleOp addRule(Location loc, StringRef name, ValueOp value);
  ConstraintOp addConstraint(Location loc, StringRef name, Mood mood, ValueOp value);
  ScheduleOp addSchedule(Location loc, ValueOp value, Strategy strategy);
  CommitOp addCommit(Location loc, ValueOp value, Policy policy);
  ObserveOp addObserve(Location loc, StringRef name);

  // Names that the bindings define, declared behind all others when first mentioned.
  StringAttr getPalette(Location loc, StringRef name);
  StringAttr getRegion(Location loc, StringRef name);
  StringAttr getModel(Location loc, StringRef name);

  /// Gives a region its block: indices, then the candidate if it has a type.
  Block *addBody(Region &region, Location loc, unsigned numIndices, Type candidate = {});

  // Expressions, at the insertion point of `ir`.
  ReadOp read(Location loc, ValueOp value, ArrayRef<AffineExpr> map, ValueRange indices);
  /// A reduction with an empty body over `numFree` indices and the rank. `finishReduce` sets the
  /// type that its body implies.
  ReduceOp reduce(Location loc, Reduction kind, const Condition &where, ValueRange outer,
                  unsigned numFree, ArrayRef<FreeLimits> limits = {});
  void finishReduce(ReduceOp op);
  /// As `reduce`.
  CollectOp collect(Location loc, const Condition &where, ValueRange outer, unsigned numFree,
                    ArrayRef<FreeLimits> limits = {});
  void finishCollect(CollectOp op);
  /// A declared read with an empty body.
  DeclareReadOp declareRead(Location loc, StringRef name, const Condition &where, ValueRange outer,
                            unsigned numFree, ArrayRef<FreeLimits> limits = {});
  /// Ends the body of a capability: computes its last dimensions.
  GatherOp gather(Location loc, ValueRange indices, ArrayRef<FreeLimits> limits);

  Value constant(Location loc, int64_t value);
  Value constant(Location loc, float value);
  Value constant(Location loc, bool value);

  /// Attaches the union of sets that the condition states.
  ArrayAttr toSets(const Condition &where, unsigned numDims) const;
  AffineMap toMap(ArrayRef<AffineExpr> results, unsigned numDims) const;

  /// The name attribute for indices.
  void setIndexNames(Operation *op, ArrayRef<StringRef> names);

  /// Sorts the declarations into the given order, generated ones behind them, and completes all
  /// maps and sets. The builder is then empty.
  OwningOpRef<ModuleOp> finish(ArrayRef<Operation *> order);

  ProgramOp getProgram() { return program; }
  MLIRContext *getContext() { return ir.getContext(); }

  OpBuilder ir;

private:
  template <typename T, typename... Args>
  T append(Location loc, Args &&...args);
  template <typename T>
  StringAttr getNamed(Location loc, StringRef name);
  void completeRelations(ArrayRef<unsigned> newPositions);

  OwningOpRef<ModuleOp> module;
  ProgramOp program;
  SmallVector<std::string> sizes;
  std::optional<unsigned> numSettled;
  SmallVector<Operation *> generated;
};

} // namespace mlir::lci

#endif // LCI_BUILDER_PROGRAMBUILDER_H
