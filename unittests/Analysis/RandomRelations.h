//===- RandomRelations.h - Random programs with their truth -----*- C++ -*-===//
//
// Random maps, unions of sets and boundaries over domains so small that every point can be visited.
// The truth is computed by visiting them, with a separate evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_ANALYSIS_RANDOMRELATIONS_H
#define LCI_UNITTESTS_ANALYSIS_RANDOMRELATIONS_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

namespace mlir::lci::test {

using Point = std::vector<int64_t>;
/// A pair of cells, as one list of indices.
using Pairs = std::set<Point>;

inline int64_t floorOf(int64_t dividend, int64_t divisor) {
  int64_t quotient = dividend / divisor;
  return quotient * divisor > dividend ? quotient - 1 : quotient;
}

inline int64_t valueAt(AffineExpr expression, const Point &point) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t left = valueAt(binary.getLHS(), point), right = valueAt(binary.getRHS(), point);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::FloorDiv:
    return floorOf(left, right);
  case AffineExprKind::Mod:
    return left - floorOf(left, right) * right;
  default:
    return -floorOf(-left, right);
  }
}

inline bool holdsAt(const std::vector<IntegerSet> &sets, const Point &point) {
  for (IntegerSet set : sets) {
    bool all = true;
    for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
      int64_t form = valueAt(set.getConstraint(i), point);
      all &= set.isEq(i) ? form == 0 : form >= 0;
    }
    if (all)
      return true;
  }
  return false;
}

/// A pair of cells as one list of indices.
inline Point join(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  Point pair(from.begin(), from.end());
  pair.insert(pair.end(), to.begin(), to.end());
  return pair;
}

/// The two cells of a pair; the first one has `rank` indices.
inline std::pair<Point, Point> split(const Point &pair, size_t rank) {
  return {Point(pair.begin(), pair.begin() + rank), Point(pair.begin() + rank, pair.end())};
}

/// Calls `visit` for all points with first[i] <= point[i] <= last[i].
inline void forAll(const Point &first, const Point &last,
                   llvm::function_ref<void(const Point &)> visit, Point point = {}) {
  if (point.size() == first.size())
    return visit(point);
  point.push_back(0);
  for (int64_t index = first[point.size() - 1]; index <= last[point.size() - 1]; ++index) {
    point.back() = index;
    forAll(first, last, visit, point);
  }
}

inline void forCells(const Point &extents, llvm::function_ref<void(const Point &)> visit) {
  Point last;
  for (int64_t extent : extents)
    last.push_back(extent - 1);
  forAll(Point(extents.size(), 0), last, visit);
}

struct RandomValue {
  std::string name;
  Point extents;
  std::vector<Boundary> boundary;

  std::optional<Point> apply(Point index) const {
    for (size_t axis = 0; axis < index.size(); ++axis) {
      int64_t extent = extents[axis], &i = index[axis];
      if (i >= 0 && i < extent)
        continue;
      if (boundary[axis] == Boundary::Open)
        return std::nullopt;
      i = boundary[axis] == Boundary::Wrap ? i - floorOf(i, extent) * extent
          : i < 0                          ? 0
                                           : extent - 1;
    }
    return index;
  }

  std::string declare() const {
    std::string text = "lci.value @" + name + " f32 shape affine_map<() -> (";
    for (size_t axis = 0; axis < extents.size(); ++axis)
      text += (axis ? "," : "") + std::to_string(extents[axis]);
    text += ")> boundary [";
    for (size_t axis = 0; axis < extents.size(); ++axis)
      text +=
          (axis ? ", " : "") + ("#lci.boundary<" + stringifyBoundary(boundary[axis]) + ">").str();
    return text + "] {\n}\n";
  }
};

/// A map and a union of sets over the reader's indices and some free ones.
struct RandomAccess {
  const RandomValue *reader, *source;
  unsigned numFree;
  AffineMap map;
  std::vector<IntegerSet> sets;

  /// Free indices lie within these bounds, which the sets contain.
  static constexpr int64_t kFirstFree = -2, kLastFree = 2;

  void forMembers(llvm::function_ref<void(const Point &)> visit) const {
    Point first(reader->extents.size(), 0), last;
    for (int64_t extent : reader->extents)
      last.push_back(extent - 1);
    first.insert(first.end(), numFree, kFirstFree);
    last.insert(last.end(), numFree, kLastFree);
    forAll(first, last, [&](const Point &point) {
      if (holdsAt(sets, point))
        visit(point);
    });
  }

  Pairs getPairs() const {
    Pairs pairs;
    forMembers([&](const Point &point) {
      Point index;
      for (AffineExpr result : map.getResults())
        index.push_back(valueAt(result, point));
      std::optional<Point> target = source->apply(index);
      if (!target)
        return;
      pairs.insert(join(split(point, reader->extents.size()).first, *target));
    });
    return pairs;
  }

  std::string printSets() const {
    std::string text = "[";
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(sets, os, [&](IntegerSet set) { os << IntegerSetAttr::get(set); });
    os << "]";
    return text;
  }

  std::string printMap() const {
    std::string text;
    llvm::raw_string_ostream(text) << "affine_map<" << map << ">";
    return text;
  }

  std::string printVisible() const {
    return "lci.visible @" + reader->name + " sees @" + source->name + "[" + printMap() +
           "] where " + printSets() + "\n";
  }

  std::string printIndices(unsigned number) const {
    std::string text;
    for (unsigned i = 0; i < number; ++i)
      text += (i ? ", %d" : "%d") + std::to_string(i);
    return text;
  }

  /// The largest member of the access, as `%sum`, present if `%some` is.
  std::string printReduction() const {
    unsigned rank = reader->extents.size();
    std::string text = "%sum, %some = lci.reduce max " + printSets() + "(" + printIndices(rank) +
                       ") : f32 {\n^bb0(";
    for (unsigned i = 0; i < numFree; ++i)
      text += "%d" + std::to_string(rank + i) + ": index, ";
    return text + "%rank: index):\n%v, %p = lci.read @" + source->name + "[" + printMap() + "](" +
           printIndices(rank + numFree) + ") : f32\nlci.yield %v present %p : f32\n}\n";
  }

  /// `^bb0(%d0: index, …`, without its end.
  std::string printCell() const {
    std::string text = "{\n^bb0(";
    for (unsigned i = 0; i < reader->extents.size(); ++i)
      text += (i ? ", %d" : "%d") + std::to_string(i) + ": index";
    return text;
  }

  /// A rule on the reader with one reduction over the access.
  std::string printRule(const std::string &name, const std::string &where = "") const {
    return "lci.rule @" + name + " on @" + reader->name + " " + where + printCell() + "):\n" +
           printReduction() + "lci.emit %sum : f32\n}\n";
  }

  /// A rule on the reader without reads.
  std::string printBlindRule(const std::string &name, const std::string &where) const {
    return "lci.rule @" + name + " on @" + reader->name + " " + where + printCell() +
           "):\n%one = arith.constant 1.0 : f32\nlci.emit %one : f32\n}\n";
  }

  /// A constraint on the reader that compares the candidate with the reduction.
  std::string printConstraint(const std::string &name) const {
    return "lci.constraint @" + name + " require on @" + reader->name + " priority 1 " +
           printCell() + ", %candidate: f32):\n" + printReduction() +
           "%is = arith.cmpf oge, %candidate, %sum : f32\nlci.yield %is : i1\n}\n";
  }
};

/// Generates the parts; the same seed gives the same program.
class RandomRelations {
public:
  explicit RandomRelations(unsigned seed) : random(seed) {
    context.loadDialect<LCIDialect, func::FuncDialect>();
  }

  int64_t pick(int64_t first, int64_t last) {
    return first + static_cast<int64_t>(random() % static_cast<uint64_t>(last - first + 1));
  }
  bool maybe(int percent) { return pick(1, 100) <= percent; }

  RandomValue makeValue(std::string name, int64_t rank) {
    RandomValue value{std::move(name), {}, {}};
    for (int64_t axis = 0; axis < rank; ++axis) {
      value.extents.push_back(pick(1, rank == 1 ? 7 : 4));
      value.boundary.push_back(static_cast<Boundary>(pick(0, 2)));
    }
    return value;
  }

  AffineExpr makeForm(unsigned numDims) {
    AffineExpr form = getAffineConstantExpr(pick(-2, 2), &context);
    for (unsigned dim = 0; dim < numDims; ++dim)
      if (maybe(60))
        form = form + getAffineDimExpr(dim, &context) * pick(maybe(80) ? 1 : -1, maybe(80) ? 1 : 2);
    if (maybe(15))
      form = maybe(50) ? form.floorDiv(pick(2, 3)) : form % pick(2, 3);
    return form;
  }

  IntegerSet makeSet(unsigned numCell, unsigned numFree) {
    SmallVector<AffineExpr> constraints{getAffineConstantExpr(0, &context)};
    SmallVector<bool> equalities{true};
    for (unsigned i = 0; i < numFree; ++i) {
      AffineExpr free = getAffineDimExpr(numCell + i, &context);
      constraints.append({free - RandomAccess::kFirstFree, RandomAccess::kLastFree - free});
      equalities.append({false, false});
    }
    for (int64_t extra = pick(0, 2); extra > 0; --extra) {
      constraints.push_back(makeForm(numCell + numFree));
      equalities.push_back(maybe(25));
    }
    return IntegerSet::get(numCell + numFree, 0, constraints, equalities);
  }

  RandomAccess makeAccess(const RandomValue &reader, const RandomValue &source) {
    unsigned rank = reader.extents.size(), numFree = pick(0, 2);
    SmallVector<AffineExpr> results;
    for (size_t axis = 0; axis < source.extents.size(); ++axis)
      results.push_back(makeForm(rank + numFree));
    RandomAccess access{
        &reader, &source, numFree, AffineMap::get(rank + numFree, 0, results, &context), {}};
    for (int64_t number = pick(1, 2); number > 0; --number)
      access.sets.push_back(makeSet(rank, numFree));
    return access;
  }

  /// A program of these declarations.
  OwningOpRef<ModuleOp> parse(const std::string &body) {
    return parseModule("lci.program @p sizes [] = [] {\n" + body + "}\n");
  }

  OwningOpRef<ModuleOp> parseModule(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  MLIRContext context;

private:
  std::mt19937 random;
};

inline ProgramOp getProgram(ModuleOp module) { return *module.getOps<ProgramOp>().begin(); }

} // namespace mlir::lci::test

#endif // LCI_UNITTESTS_ANALYSIS_RANDOMRELATIONS_H
