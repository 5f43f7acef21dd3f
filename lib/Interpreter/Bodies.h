//===- Bodies.h - Evaluate the bodies of declarations -----------*- C++ -*-===//
//
// Evaluates expressions of the bound form against a snapshot: reads, families, models, parameters,
// draws.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_INTERPRETER_BODIES_H
#define LCI_LIB_INTERPRETER_BODIES_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Evaluator.h"
#include "LCI/Interpreter/Families.h"
#include "LCI/Numerics/Stream.h"
#include "LCI/Runtime/Records.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::lci {

/// The contents of a value's cells, and their commit records: Lamport stamps (S-CELL) and the other
/// records of a commit (S-RECORD).
struct ValueState {
  ValueOp op;
  /// Of the value's shape; latent vectors have their components as last axis.
  Tensor cells;
  ::lci::Records records;
  /// The number of ranks of soft constraints in a commit.
  int64_t numLevels = 0;

  Kind getKind() const { return ValueOp(op).getKind(); }
  int64_t getVocabulary() const { return ValueOp(op).getVocabularySize().value_or(0); }
  SmallVector<int64_t> getExtents() const { return *ValueOp(op).getExtents(); }
  /// The row-major number of a cell.
  int64_t getNumber(ArrayRef<int64_t> cell) const;
  Datum get(int64_t number) const;
  void set(int64_t number, const Datum &datum);
  int64_t getStamp(int64_t number) const { return records.stamps.data<int64_t>()[number]; }
  bool areRecords(const ::lci::Records &records) const;
  void clearRecords();
  /// S-ABSENT: the vocabulary size means that there is no token.
  bool isPresent(const Datum &datum) const;
};

/// The cell and tick at which a body is evaluated.
struct Place {
  int64_t epoch = 0, phase = 0;
  /// The number of the cell in draws (S-COUNTER).
  uint64_t cellNumber = 0;
  /// The content of the cell, for `change`.
  Datum keep;
  bool hasKeep = false;
};

/// Evaluates bodies. The maps of run-time arguments are filled by the owner.
class Bodies {
public:
  Bodies(ProgramOp program, llvm::StringMap<ValueState> &states);

  llvm::StringMap<Datum> params, palettes, regions, weights;
  uint64_t seed = 0;
  Place place;
  /// The latest stamp of all reads since it was cleared.
  int64_t latestStamp = 0;

  Evaluator evaluator;

  /// Evaluates a body that ends in `lci.yield`; nothing if the result is absent.
  std::optional<Datum> yield(Block &block, ArrayRef<Datum> arguments);
  /// The same for an observer, whose reductions use the fixed tree.
  std::optional<Datum> observe(Block &block);

  /// S-PARAM: evaluates the parameters that the bindings do not give, in the epoch of `place`.
  void computeParams(ArrayRef<StringRef> given);

  /// The site of a draw in the counter.
  ::lci::numerics::DrawSite getSite(int64_t number) const;

  /// The current limits of a family, or of a capability's `lci.gather`.
  SmallVector<MemberLimit> getMemberLimits(Operation *family) const;

private:
  void addHandlers();
  void addDrawHandlers();
  void read(ReadOp op);
  void reduce(ReduceOp op);
  void collect(CollectOp op);
  void evaluateModel(EvaluateOp op);
  void getParam(ParamValueOp op);
  void apply(ApplyOp op);
  ::lci::numerics::Stream getStream(StreamAttr stream) const;
  int64_t getDrawNumber(Value number) const;

  /// Visits the members of a family in order: the free indices, the rank, and the result of the
  /// body.
  void visitMembers(Operation *op, ArrayAttr where, ValueRange outer, Block &body,
                    llvm::function_ref<void(int64_t, std::optional<Datum>)> visit);

  ProgramOp program;
  llvm::StringMap<ValueState> &states;
  Families families;
  bool usesTree = false;
};

} // namespace mlir::lci

#endif // LCI_LIB_INTERPRETER_BODIES_H
