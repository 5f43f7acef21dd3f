//===- BodyChanges.h - Interpret a body over bounds -------------*- C++ -*-===//
//
// Evaluates the body of a rule or a constraint on bounds of its cells' contents before a tick and
// after it. The caller provides what is known of the cells (`Scene`); the bounds are always sound,
// and exact where everything is known.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_BODYCHANGES_H
#define LCI_LIB_ANALYSIS_BODYCHANGES_H

#include "Changes.h"
#include "LCI/Dialect/LCIOps.h"
#include <map>

namespace mlir::lci {

/// The knowledge under which a body is evaluated.
class Scene {
public:
  virtual ~Scene() = default;
  /// The contents of a cell, the vocabulary's size if it is absent. Its indices lie within the
  /// value, and are one cell or a box of them.
  virtual Change read(ReadOp read, ValueOp value, ArrayRef<IndexRange> cell) = 0;
  /// The contents of the body's cell.
  virtual Change getHeld() = 0;
  /// An integer that depends on no cell, such as a draw; `at` distinguishes the members.
  virtual IndexRange choose(Operation *op, ArrayRef<int64_t> at, IndexRange range) { return range; }
  /// Whether only the snapshot is evaluated, without changes.
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
  /// The members of a family at constant outer indices; null if there are too many.
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
  SmallVector<int64_t> at;    ///< the free indices of the enclosing families
  bool standsForMany = false; ///< whether a member represents all of its family
};

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_BODYCHANGES_H
