//===- UniformCells.cpp - Cells that represent others ---------------------===//
//
// Checks that no rule or constraint that affects a value distinguishes cells other than by borders,
// and finds the largest distance of their reads: cells at least twice that far from all borders are
// equivalent, and only the first of them is visited.
//
//===----------------------------------------------------------------------===//

#include "UniformCells.h"
#include "LCI/Analysis/Independence.h"
#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// The largest distance of the reads of declarations, if their indices are used for nothing else.
class ReachFinder {
public:
  ReachFinder(ValueOp value, FamilyMembers &families)
      : value(value), program(value->getParentOfType<ProgramOp>()), families(families) {}

  std::optional<int64_t> find() {
    if (!isLike(value))
      return std::nullopt;
    return reach;
  }

private:
  /// Whether all declarations on a value, and on those that they read, are uniform.
  bool isLike(ValueOp other) {
    if (!seen.insert(other).second)
      return true;
    ScheduleOp schedule = getSchedule(other);
    if (other.isSet() || other.getShape() != value.getShape() ||
        other.getBoundary() != value.getBoundary() || (schedule && hasPhases(schedule)))
      return false;
    return areLike<RuleOp>(other) && areLike<ConstraintOp>(other);
  }

  static bool hasPhases(ScheduleOp schedule) {
    switch (schedule.getStrategy()) {
    case Strategy::All:
    case Strategy::Masked:
    case Strategy::Random:
    case Strategy::Confidence:
      return false;
    default:
      return true;
    }
  }

  template <typename Declaration>
  bool areLike(ValueOp other) {
    return llvm::all_of(getDeclarationsOn<Declaration>(program, other.getName()),
                        [&](Declaration declaration) {
                          return !declaration.getWhere() && isUniform(declaration, other.getRank());
                        });
  }

  bool isUniform(Operation *declaration, unsigned rank) {
    auto cell = declaration->getRegion(0).getArguments().take_front(rank);
    for (BlockArgument index : cell)
      for (Operation *user : index.getUsers())
        if (!isa<ReadOp, ReduceOp>(user))
          return false;
    bool isUniform = true;
    declaration->walk([&](Operation *op) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        isUniform = isUniform && isFree(reduce);
      if (auto read = dyn_cast<ReadOp>(op))
        isUniform = isUniform && isNear(read, cell) && isLike(program.lookupValue(read.getValue()));
    });
    return isUniform;
  }

  /// Whether the members are the same at every cell.
  static bool isFree(ReduceOp reduce) {
    unsigned numOuter = reduce.getOuter().size();
    return !reduce.getLimited() &&
           llvm::none_of(reduce.getWhere().getAsValueRange<IntegerSetAttr>(), [&](IntegerSet set) {
             return llvm::any_of(set.getConstraints(), [&](AffineExpr expression) {
               return llvm::any_of(llvm::seq(numOuter),
                                   [&](unsigned dim) { return expression.isFunctionOfDim(dim); });
             });
           });
  }

  /// Whether each index is the cell's plus a distance that depends only on free indices.
  bool isNear(ReadOp read, Block::BlockArgListType cell) {
    AffineMap map = read.getMap();
    SmallVector<IndexRange> ranges;
    SmallVector<AffineExpr> own(cell.size());
    for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
      auto argument = dyn_cast<BlockArgument>(index);
      std::optional<IndexRange> range = argument ? getRange(argument, cell) : std::nullopt;
      if (!range)
        return false;
      ranges.push_back(*range);
      for (BlockArgument mine : cell)
        if (argument == mine)
          own[mine.getArgNumber()] = getAffineDimExpr(dim, read.getContext());
    }
    for (auto [axis, form] : llvm::enumerate(map.getResults())) {
      if (axis >= own.size() || !own[axis])
        return false;
      AffineExpr distance = simplifyAffineExpr(form - own[axis], map.getNumDims(), 0);
      for (AffineExpr index : own)
        if (index && distance.isFunctionOfDim(cast<AffineDimExpr>(index).getPosition()))
          return false;
      std::optional<IndexRange> range = computeRange(distance, ranges);
      if (!range)
        return false;
      reach = std::max({reach, -range->lower, range->upper});
    }
    return true;
  }

  /// The range of a free index; the cell's indices, which cancel out, may have any range.
  std::optional<IndexRange> getRange(BlockArgument index, Block::BlockArgListType cell) {
    auto reduce = dyn_cast<ReduceOp>(index.getOwner()->getParentOp());
    if (!reduce)
      return IndexRange{0, 0};
    SmallVector<IndexRange> outer(reduce.getOuter().size(), IndexRange{0, 0});
    const FamilyMembers::Box *box = families.findBox(reduce, outer);
    if (!box || index.getArgNumber() >= box->free.size() || box->size == 0)
      return std::nullopt;
    return box->free[index.getArgNumber()];
  }

  ValueOp value;
  ProgramOp program;
  FamilyMembers &families;
  llvm::SmallDenseSet<Operation *> seen;
  int64_t reach = 0;
};
} // namespace

CellVisitor::CellVisitor(ConstraintOp constraint, ArrayRef<int64_t> first, FamilyMembers &families)
    : cell(first) {
  ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
  extents = *value.getExtents();
  // A cell that is read reads others, which may be beyond the ends of the axes.
  if (std::optional<int64_t> reach = ReachFinder(value, families).find())
    border = 2 * *reach;
}

bool CellVisitor::advance() {
  for (unsigned axis = cell.size(); axis-- > 0; cell[axis] = 0) {
    ++cell[axis];
    if (border && cell[axis] > *border && cell[axis] < extents[axis] - *border)
      cell[axis] = extents[axis] - *border;
    if (cell[axis] < extents[axis])
      return true;
  }
  return false;
}
