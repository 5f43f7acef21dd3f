//===- Causality.cpp - Visibility of later times --------------------------===//
//
// The first two steps: bounds on one line's step, and chains of lines composed as relations.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Causality.h"
#include "LCI/Analysis/CellGraph.h"
#include "LCI/Analysis/Relations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

namespace {
/// A `visible` line as an edge between values, with its largest step forward in time.
struct Line {
  VisibleOp visible;
  unsigned from, to; ///< positions of the values
  int64_t step;
  PresburgerRelation relation;
};

class CausalityAnalysis {
public:
  CausalityAnalysis(ValueOp value, const CausalityEffort &effort)
      : value(value), program(value->getParentOfType<ProgramOp>()), effort(effort) {}

  Causality run() {
    collectLines();
    keepReturning();
    if (!canGoForward())
      return {Causality::Answer::Never, {}};
    auto gathers = [](VisibleOp line) { return line.getGather() != nullptr; };
    std::optional<FuturePath> path = composeChains();
    // A gathered index may be any cell, but need not be.
    if (path && llvm::none_of(path->chain, gathers))
      return {Causality::Answer::Sometimes, *path};
    if (llvm::any_of(getVisibles(), gathers))
      return {Causality::Answer::Unknown, {}};
    return exploreCells(value, getVisibles(), effort.maxEdges);
  }

private:
  unsigned getNode(StringRef name) { return nodes.try_emplace(name, nodes.size()).first->second; }

  void collectLines() {
    getNode(value.getName());
    for (auto visible : program.getOps<VisibleOp>()) {
      if (program.lookupValue(visible.getValue()).isSet() ||
          program.lookupValue(visible.getSource()).isSet())
        continue;
      PresburgerRelation relation = getVisibleRelation(visible, Target::Cell);
      if (std::optional<int64_t> step = getLargestStep(relation))
        lines.push_back(
            {visible, getNode(visible.getValue()), getNode(visible.getSource()), *step, relation});
    }
  }

  /// The largest increase of the first index from a cell to one it sees; nothing if it sees none. A
  /// value without axes is at time zero.
  static std::optional<int64_t> getLargestStep(const PresburgerRelation &relation) {
    std::optional<int64_t> largest;
    for (const IntegerRelation &disjunct : relation.getAllDisjuncts()) {
      AffineSystem system(disjunct);
      Linear from = disjunct.getNumDomainVars() ? system.domain(0) : Linear(0);
      Linear to = disjunct.getNumRangeVars() ? system.range(0) : Linear(0);
      if (std::optional<int64_t> backward = minimise(system, from - to))
        largest = std::max(largest.value_or(-*backward), -*backward);
    }
    return largest;
  }

  static std::optional<int64_t> minimise(const AffineSystem &system, const Linear &form) {
    IntegerRelation relation = system.get();
    relation.insertVar(VarKind::Domain, 0);
    SmallVector<DynamicAPInt> row(relation.getNumVars() + 1);
    row.front() = DynamicAPInt(-1);
    for (auto [position, coefficient] : llvm::enumerate(form.coefficients))
      row[position + 1] = coefficient;
    row.back() = form.constant;
    relation.addEquality(row);
    MaybeOptimum<SmallVector<DynamicAPInt, 8>> optimum = relation.findIntegerLexMin();
    if (!optimum.isBounded())
      return std::nullopt;
    return int64fromDynamicAPInt((*optimum)[0]);
  }

  /// Keeps only lines on a walk from the value back to it.
  void keepReturning() {
    auto reach = [&](bool forward) {
      SmallVector<bool> reached(nodes.size(), false);
      SmallVector<unsigned> open{0};
      while (!open.empty()) {
        unsigned node = open.pop_back_val();
        for (const Line &line : lines) {
          unsigned near = forward ? line.from : line.to, far = forward ? line.to : line.from;
          if (near == node && !reached[far]) {
            reached[far] = true;
            open.push_back(far);
          }
        }
      }
      return reached;
    };
    SmallVector<bool> ahead = reach(true), behind = reach(false);
    ahead[0] = behind[0] = true;
    llvm::erase_if(lines, [&](const Line &line) { return !ahead[line.from] || !behind[line.to]; });
  }

  /// Whether the bounds allow a walk from the value to itself that gains time. If no such walk
  /// of at most as many steps as there are values does, none does.
  bool canGoForward() {
    constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
    SmallVector<int64_t> gain(nodes.size(), kNone);
    gain[0] = 0;
    for (unsigned round = 0; round <= nodes.size(); ++round) {
      bool changed = false;
      for (const Line &line : lines) {
        if (gain[line.from] == kNone || gain[line.from] + line.step <= gain[line.to])
          continue;
        gain[line.to] = gain[line.from] + line.step;
        changed = true;
      }
      if (gain[0] > 0)
        return true;
      if (!changed)
        return false;
    }
    return true;
  }

  /// Walks from the value back to it, short ones first, composed until one goes forward.
  std::optional<FuturePath> composeChains() {
    struct Walk {
      SmallVector<unsigned> lines;
      PresburgerRelation relation;
    };
    std::vector<Walk> walks;
    unsigned numComposed = 0;
    auto extend = [&](ArrayRef<unsigned> prefix, const PresburgerRelation *relation,
                      unsigned next) {
      SmallVector<unsigned> chain(prefix);
      chain.push_back(next);
      PresburgerRelation composed = lines[next].relation;
      if (relation) {
        composed = *relation;
        composed.compose(lines[next].relation);
      }
      walks.push_back({chain, composed.simplify()});
    };
    for (unsigned next = 0; next < lines.size(); ++next)
      if (lines[next].from == 0)
        extend({}, nullptr, next);
    for (unsigned i = 0; i < walks.size() && numComposed < effort.maxChains; ++i, ++numComposed) {
      Walk walk = walks[i];
      if (lines[walk.lines.back()].to == 0)
        if (std::optional<FuturePath> path = findForward(walk.relation, walk.lines))
          return path;
      if (walk.lines.size() > nodes.size() || walk.relation.getNumDisjuncts() > kMaxDisjuncts)
        continue;
      for (unsigned next = 0; next < lines.size() && walks.size() < effort.maxChains; ++next)
        if (lines[next].from == lines[walk.lines.back()].to)
          extend(walk.lines, &walk.relation, next);
    }
    return std::nullopt;
  }

  std::optional<FuturePath> findForward(const PresburgerRelation &relation,
                                        ArrayRef<unsigned> chain) {
    unsigned rank = value.getRank();
    if (rank == 0)
      return std::nullopt;
    auto later = PresburgerRelation::getEmpty(relation.getSpace());
    for (const IntegerRelation &disjunct : relation.getAllDisjuncts()) {
      AffineSystem system(disjunct);
      system.addNonNegative(system.range(0) - system.domain(0) - Linear(1));
      later.unionInPlace(system.get());
    }
    std::optional<SmallVector<int64_t>> point = findFirstPoint(later);
    if (!point)
      return std::nullopt;
    FuturePath path;
    for (unsigned line : chain)
      path.chain.push_back(lines[line].visible);
    path.from.assign(point->begin(), point->begin() + rank);
    path.to.assign(point->begin() + rank, point->end());
    return path;
  }

  SmallVector<VisibleOp> getVisibles() {
    return llvm::map_to_vector(lines, [](const Line &line) { return line.visible; });
  }

  /// Relations of more pieces than this cost more to compose than cells to explore.
  static constexpr unsigned kMaxDisjuncts = 64;

  ValueOp value;
  ProgramOp program;
  CausalityEffort effort;
  llvm::StringMap<unsigned> nodes; ///< the value itself is the first
  std::vector<Line> lines;
};
} // namespace

Causality mlir::lci::analyzeCausality(ValueOp value, const CausalityEffort &effort) {
  return CausalityAnalysis(value, effort).run();
}

/// Folds the operation; if it is undecided the program is rejected.
static LogicalResult decide(ReadsFutureOp op) {
  auto constraint = cast<ConstraintOp>(op->getParentOp());
  ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
  Causality causality = analyzeCausality(value);
  if (causality.answer == Causality::Answer::Unknown)
    return emitError(op.getLoc(), "cannot decide whether '")
           << ErrorId::NotCausal << value.getName() << "' reads the future";
  OpBuilder builder(op);
  bool reads = causality.answer == Causality::Answer::Sometimes;
  op.replaceAllUsesWith(
      arith::ConstantIntOp::create(builder, op.getLoc(), reads, /*width=*/1).getResult());
  op.erase();
  return success();
}

LogicalResult mlir::lci::decideReadsFuture(ProgramOp program) {
  SmallVector<ReadsFutureOp> undecided;
  program.walk([&](ReadsFutureOp op) { undecided.push_back(op); });
  for (ReadsFutureOp op : undecided)
    if (failed(decide(op)))
      return failure();
  return success();
}
