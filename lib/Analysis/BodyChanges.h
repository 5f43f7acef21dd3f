//===- BodyChanges.h - What a body makes of cells that change ---*- C++ -*-===//
//
// Evaluates the body of a rule or a constraint on bounds: of what its cells hold before a tick and
// after it. Who asks says what is known of the cells; the bounds are right whatever that is, and
// exact where everything is.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_BODYCHANGES_H
#define LCI_LIB_ANALYSIS_BODYCHANGES_H

#include "Changes.h"
#include "LCI/Dialect/LCIOps.h"
#include <map>

namespace mlir::lci {

/// What is known where a body is evaluated.
class Scene {
public:
  virtual ~Scene() = default;
  /// What a cell holds, the vocabulary's size where it holds nothing. Its indices lie within the
  /// value, and are one cell or a box of them.
  virtual Change read(ReadOp read, ValueOp value, ArrayRef<IndexRange> cell) = 0;
  /// What the body's own cell holds.
  virtual Change getHeld() = 0;
  /// A number that no cell decides, such as a draw; `at` tells its members apart.
  virtual IndexRange choose(Operation *op, ArrayRef<int64_t> at, IndexRange range) { return range; }
  /// Whether cells change, or the snapshot is looked at alone.
  virtual bool isSnapshot() const = 0;
};

/// The members of families with constant indices, found once.
class FamilyMembers {
public:
  struct Box {
    SmallVector<IndexRange> free;
    int64_t size;
  };
  /// The box around the free indices, for all outer indices of a box; null if there is none.
  const Box *findBox(ReduceOp reduce, ArrayRef<IndexRange> outer);
  /// Of a family at constant outer indices; null if there are too many.
  const std::vector<SmallVector<int64_t>> *find(ReduceOp reduce, ArrayRef<int64_t> outer);

private:
  using Members = std::optional<std::vector<SmallVector<int64_t>>>;
  std::map<std::pair<Operation *, std::vector<int64_t>>, Members> known;
  std::map<std::pair<Operation *, std::vector<int64_t>>, std::optional<Box>> boxes;
};

/// The values of one body at one cell, or at all cells of a box.
class BodyChanges {
public:
  BodyChanges(ProgramOp program, Scene &scene, FamilyMembers &families)
      : program(program), scene(scene), families(families) {}

  void set(Value value, const Change &change) { changes.insert_or_assign(value, change); }
  const Change &get(Value value) const { return changes.at(value); }
  /// Computes everything in a body whose arguments are set.
  void run(Block &body);

private:
  void visit(Operation *op);
  Change compute(Operation *op, Value result);
  Change computeInteger(Operation *op, Value result);
  Change computeTruth(Operation *op, Value result);
  Change computeChanges(ChangesOp op);
  Change computeOther(Operation *op, Value result);
  Change compare(arith::CmpIOp op);
  IndexRange getOwnRange(Operation *op, Value result) const;
  void read(ReadOp op);
  std::optional<IndexRange> moveInside(IndexRange index, ValueOp value, unsigned axis,
                                       bool &isSurely);

  struct Member {
    Change value, present;
  };
  void reduce(ReduceOp op);
  std::optional<SmallVector<Member>> listMembers(ReduceOp op);
  Member runMember(ReduceOp op, ArrayRef<IndexRange> at, IndexRange rank);
  Member reduceListed(ReduceOp op, ArrayRef<Member> members);
  Member reduceAny(ReduceOp op, const Member &member, int64_t count);
  Change gate(const Member &member);

  ProgramOp program;
  Scene &scene;
  FamilyMembers &families;
  DenseMap<Value, Change> changes;
  SmallVector<int64_t> at;    ///< the free indices of the families around
  bool standsForMany = false; ///< a member stands for all of its family
};

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_BODYCHANGES_H
