//===- Visibility.cpp - Check reads against capabilities ------------------===//
//
// In order of cost: a matching gather, a line with the same family, a subset test of relations
// before boundaries, and a visit of all cells of bounded effort.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Visibility.h"
#include "LCI/Analysis/CellGraph.h"
#include "LCI/Analysis/Gathers.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

namespace {
/// Gives access to upstream's substitution of existential variables by equalities.
struct Eliminator : IntegerRelation {
  explicit Eliminator(const IntegerRelation &relation) : IntegerRelation(relation) {}
  IntegerRelation run() {
    removeRedundantLocalVars();
    return *this;
  }
};

class VisibilityAnalysis {
public:
  VisibilityAnalysis(ReadOp read, uint64_t maxPoints)
      : read(read), maxPoints(maxPoints), program(read->getParentOfType<ProgramOp>()),
        source(program.lookupValue(read.getValue())) {
    value = program.lookupValue(getValueOf(getDeclaration(read)));
    for (auto line : getDeclarationsOn<VisibleOp>(program, value.getName()))
      if (line.getSource() == source.getName())
        (line.getGather() ? gathering : lines).push_back(line);
  }

  Visibility run() {
    std::optional<llvm::SmallBitVector> computed = findComputed(read, IndexDomain::around(read));
    if (!computed)
      return {};
    auto isGathered = [&](VisibleOp line) { return isGatheredBy(read, line); };
    if (llvm::any_of(gathering, isGathered))
      return Visibility{Visibility::Answer::Visible, {}, {}};
    if (computed->any())
      return compareCells();
    if (llvm::any_of(lines, [&](VisibleOp line) { return isFamilyOf(line); }))
      return {Visibility::Answer::Visible, {}, {}};
    std::optional<Visibility> decided = compareIndices(*getReadRelation(read, Target::Index));
    return decided ? *decided : visitCells();
  }

private:
  /// Beyond these numbers of pieces and of quotients a difference of relations costs more than a
  /// visit of the cells.
  static constexpr unsigned kMaxDisjuncts = 32, kMaxQuotients = 4;

  /// Whether the read is a member of a family with the same sets as a line, as labels give.
  bool isFamilyOf(VisibleOp line) {
    Operation *parent = read->getParentOp();
    if (auto reduce = dyn_cast<ReduceOp>(parent))
      return isFamilyOf(line, reduce);
    if (auto collect = dyn_cast<CollectOp>(parent))
      return isFamilyOf(line, collect);
    auto declared = dyn_cast<DeclareReadOp>(parent);
    return declared && isFamilyOf(line, declared);
  }

  template <typename FamilyOp>
  bool isFamilyOf(VisibleOp line, FamilyOp family) {
    SmallVector<Value> indices(family.getOuter());
    IndexDomain domain = IndexDomain::around(family);
    ArrayRef<Value> cell = domain.getIndices().take_front(domain.getNumCellIndices());
    llvm::append_range(indices, family.getBody().getArguments().drop_back());
    return ValueRange(family.getOuter()) == ValueRange(cell) &&
           ValueRange(read.getIndices()) == ValueRange(indices) && read.getMap() == line.getMap() &&
           llvm::all_of(family.getWhere(),
                        [&](Attribute set) { return llvm::is_contained(line.getWhere(), set); });
  }

  /// A computed index may be any cell: all of them must be visible.
  Visibility compareCells() {
    PresburgerRelation cells = *getReadRelation(read, Target::Cell);
    auto visible = PresburgerRelation::getEmpty(cells.getSpace());
    for (VisibleOp line : lines)
      visible.unionInPlace(getVisibleRelation(line, Target::Cell));
    std::optional<SmallVector<int64_t>> outside = findOutside(cells, visible);
    if (!outside)
      return Visibility{Visibility::Answer::Visible, {}, {}};
    if (!gathering.empty()) // one of them may show it
      return {};
    ArrayRef<int64_t> pair(*outside);
    return Visibility{Visibility::Answer::Invisible,
                      SmallVector<int64_t>(pair.take_front(value.getRank())),
                      SmallVector<int64_t>(pair.drop_front(value.getRank()))};
  }

  /// Without boundaries: a subset is surely visible, and the first index outside may be a witness.
  std::optional<Visibility> compareIndices(const PresburgerRelation &indices) {
    auto visible = PresburgerRelation::getEmpty(indices.getSpace());
    unsigned numQuotients = 0;
    for (VisibleOp line : lines) {
      PresburgerRelation relation = getVisibleRelation(line, Target::Index);
      for (const IntegerRelation &disjunct : relation.getAllDisjuncts()) {
        visible.unionInPlace(Eliminator(disjunct).run());
        numQuotients += visible.getAllDisjuncts().back().getNumLocalVars();
      }
    }
    if (!visible.hasOnlyDivLocals() || visible.getNumDisjuncts() > kMaxDisjuncts ||
        numQuotients > kMaxQuotients)
      return std::nullopt;
    std::optional<SmallVector<int64_t>> outside = findOutside(indices, visible);
    if (!outside)
      return Visibility{Visibility::Answer::Visible, {}, {}};
    ArrayRef<int64_t> cell = ArrayRef(*outside).take_front(value.getRank());
    std::optional<SmallVector<int64_t>> target =
        apply(ArrayRef(*outside).drop_front(value.getRank()));
    if (!target || isVisible(cell, *target))
      return std::nullopt;
    return Visibility{Visibility::Answer::Invisible, SmallVector<int64_t>(cell), *target};
  }

  /// The source's cell of an index.
  std::optional<SmallVector<int64_t>> apply(ArrayRef<int64_t> index) {
    SmallVector<int64_t> extents = *source.getExtents(), target;
    for (auto [axis, position] : llvm::enumerate(index)) {
      std::optional<int64_t> moved =
          applyBoundary(position, extents[axis], source.getBoundaryOf(axis));
      if (!moved)
        return std::nullopt;
      target.push_back(*moved);
    }
    return target;
  }

  /// Whether some line lets the cell read the target, by visiting the line's free indices.
  bool isVisible(ArrayRef<int64_t> cell, ArrayRef<int64_t> target) {
    return llvm::any_of(lines, [&](VisibleOp line) {
      bool found = false;
      IndexDomain::ofVisible(line).visitFree(cell, [&](ArrayRef<int64_t> point) {
        SmallVector<int64_t> index;
        for (AffineExpr result : line.getMap().getResults())
          index.push_back(evaluateAt(result, point));
        std::optional<SmallVector<int64_t>> seen = apply(index);
        found = seen && ArrayRef(*seen) == target;
        return !found && ++numVisited <= maxPoints;
      });
      return found;
    });
  }

  /// Visits every cell and every member of the families around the read.
  Visibility visitCells() {
    IndexDomain domain = IndexDomain::around(read);
    SmallVector<unsigned> positions;
    for (Value index : read.getIndices())
      positions.push_back(*domain.find(index));
    Visibility result;
    bool isComplete = domain.visitPoints([&](ArrayRef<int64_t> point) {
      SmallVector<int64_t> dims, index;
      for (unsigned position : positions)
        dims.push_back(point[position]);
      for (AffineExpr form : read.getMap().getResults())
        index.push_back(evaluateAt(form, dims));
      std::optional<SmallVector<int64_t>> target = apply(index);
      ArrayRef<int64_t> cell = point.take_front(value.getRank());
      if (!target || isVisible(cell, *target))
        return ++numVisited <= maxPoints;
      if (numVisited <= maxPoints)
        result = {Visibility::Answer::Invisible, SmallVector<int64_t>(cell), *target};
      return false;
    });
    if (isComplete)
      result.answer = Visibility::Answer::Visible;
    return result;
  }

  ReadOp read;
  uint64_t maxPoints, numVisited = 0;
  ProgramOp program;
  ValueOp value, source;
  SmallVector<VisibleOp> lines, gathering; ///< with cells that are known, or depend on parameters
};
} // namespace

Visibility mlir::lci::analyzeVisibility(ReadOp read, uint64_t maxPoints) {
  return VisibilityAnalysis(read, maxPoints).run();
}
