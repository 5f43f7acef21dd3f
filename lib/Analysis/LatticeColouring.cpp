//===- LatticeColouring.cpp - Lattice colourings of large values ----------===//
//
// The differences between a cell and the cells it may read of its own value are listed exactly, by
// testing for which of them some cell exists: never more than their box, whatever the extents. A
// lattice is a formula whose remainder is zero for none of them, so that no cell reads one of its
// colour. Across the seam of a wrapped axis colours continue as inside, so that a difference is one
// shift there, and later proofs of independence have no extents to reason about.
//
//===----------------------------------------------------------------------===//

#include "ColourFormulas.h"
#include "LCI/Analysis/KnownIntegers.h"
#include "LCI/Analysis/Relations.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

/// The most differences to test.
static constexpr int64_t kMaxDifferences = 4096;
/// The most sums to try.
static constexpr int64_t kMaxSums = int64_t(1) << 24;

namespace {
using Difference = std::vector<int64_t>;

/// The differences between cells that may read each other, each in one of its two directions.
class Differences {
public:
  explicit Differences(ValueOp value) : axes(getAxes(value)) {}

  /// Adds the differences of a read; false if they are too many or unknown.
  bool add(ReadOp read) {
    IndexDomain domain = IndexDomain::around(read);
    std::optional<llvm::SmallBitVector> computed = findComputed(read, domain);
    if (!computed || computed->any() || !getGatheringParams(read).empty())
      return false;
    std::optional<PresburgerRelation> relation = getReadRelation(read, Target::Index);
    return relation && llvm::all_of(relation->getAllDisjuncts(),
                                    [&](const IntegerRelation &part) { return addPart(part); });
  }

  std::set<Difference> found;

private:
  /// Cells whose index on an axis lies in a range have this difference to the cell they read.
  struct Case {
    IndexRange cells;
    int64_t difference;
  };

  bool addPart(const IntegerRelation &part) {
    Simplex simplex(part);
    if (simplex.isEmpty())
      return true;
    SmallVector<IndexRange> box;
    int64_t size = 1;
    for (unsigned axis = 0; axis < axes.size(); ++axis) {
      auto [lower, upper] = simplex.computeIntegerBounds(getForm<DynamicAPInt>(part, axis));
      if (!lower.isBounded() || !upper.isBounded())
        return false;
      box.push_back({int64fromDynamicAPInt(*lower), int64fromDynamicAPInt(*upper)});
      size = llvm::SaturatingMultiply<uint64_t>(size, box.back().size());
      if (size > kMaxDifferences)
        return false;
    }
    Difference shift;
    return addShifts(box, part, shift);
  }

  /// The index that is read on an axis minus the cell's.
  template <typename Number>
  SmallVector<Number> getForm(const IntegerRelation &part, unsigned axis) {
    SmallVector<Number> form(part.getNumVars() + 1, Number(0));
    form[part.getVarKindOffset(VarKind::Domain) + axis] = Number(-1);
    form[part.getVarKindOffset(VarKind::Range) + axis] = Number(1);
    return form;
  }

  bool addShifts(ArrayRef<IndexRange> box, const IntegerRelation &part, Difference &shift) {
    unsigned axis = shift.size();
    if (axis == axes.size()) {
      Difference difference;
      return part.isIntegerEmpty() || addCases(shift, part, /*isPart=*/false, difference);
    }
    for (int64_t by = box[axis].lower; by <= box[axis].upper; ++by) {
      IntegerRelation fixed = part;
      SmallVector<int64_t> form = getForm<int64_t>(part, axis);
      form.back() = -by;
      fixed.addEquality(form);
      shift.push_back(by);
      bool isKnown = addShifts(box, fixed, shift);
      shift.pop_back();
      if (!isKnown)
        return false;
    }
    return true;
  }

  /// The cells of the part read at a fixed shift, which borders split into several differences.
  bool addCases(const Difference &shift, const IntegerRelation &part, bool isPart,
                Difference &difference) {
    unsigned axis = difference.size();
    if (axis == axes.size()) {
      if (!isPart || !part.isIntegerEmpty())
        insert(difference);
      return static_cast<int64_t>(found.size()) <= kMaxDifferences;
    }
    std::optional<SmallVector<Case>> cases = getCases(axes[axis], shift[axis]);
    if (!cases)
      return false;
    for (const Case &one : *cases) {
      IntegerRelation next = part;
      next.addBound(BoundType::LB, axis, one.cells.lower);
      next.addBound(BoundType::UB, axis, one.cells.upper);
      difference.push_back(one.difference);
      bool isKnown = addCases(shift, next, isPart || cases->size() > 1, difference);
      difference.pop_back();
      if (!isKnown)
        return false;
    }
    return true;
  }

  static std::optional<SmallVector<Case>> getCases(Axis axis, int64_t shift) {
    int64_t last = axis.extent - 1;
    auto clip = [&](int64_t lower, int64_t upper) {
      return IndexRange{std::max<int64_t>(lower, 0), std::min(upper, last)};
    };
    SmallVector<Case> cases;
    if (axis.boundary == Boundary::Open)
      return SmallVector<Case>{{{0, last}, shift}};
    if (axis.boundary == Boundary::Wrap) // colours are the same after one extent
      return SmallVector<Case>{
          {{0, last}, shift - llvm::divideFloorSigned(shift, axis.extent) * axis.extent}};
    if (std::abs(shift) > kMaxDifferences)
      return std::nullopt;
    IndexRange inside = clip(-shift, last - shift);
    if (!inside.isEmpty())
      cases.push_back({inside, shift});
    IndexRange before = clip(0, -shift - 1), behind = clip(axis.extent - shift, last);
    for (int64_t cell = before.lower; cell <= before.upper; ++cell)
      cases.push_back({{cell, cell}, -cell});
    for (int64_t cell = behind.lower; cell <= behind.upper; ++cell)
      cases.push_back({{cell, cell}, last - cell});
    return cases;
  }

  void insert(Difference difference) {
    auto first = llvm::find_if(difference, [](int64_t by) { return by != 0; });
    if (first == difference.end())
      return;
    if (*first < 0)
      for (int64_t &by : difference)
        by = -by;
    found.insert(difference);
  }

  SmallVector<Axis> axes;
};

/// Searches for the first formula with a number of colours.
class LatticeFinder {
public:
  LatticeFinder(const std::set<Difference> &differences, ValueOp value)
      : differences(differences.begin(), differences.end()), axes(getAxes(value)),
        rank(axes.size()), context(value.getContext()), withLast(rank) {
    for (const Difference &difference : this->differences) {
      unsigned last = rank - 1;
      while (difference[last] == 0)
        --last;
      withLast[last].push_back(difference);
    }
  }

  std::optional<ColourFormula> find(int64_t count) {
    SmallVector<int64_t> numbers;
    if (count > 1 && findPeriods(count, numbers))
      return getDigits(numbers);
    numbers.clear();
    return findSteps(count, numbers) ? std::optional(getSumFormula(numbers, count, context))
                                     : std::nullopt;
  }

private:
  /// Periods whose product is `count`.
  bool findPeriods(int64_t count, SmallVector<int64_t> &periods) {
    if (periods.size() == rank)
      return count == 1 && llvm::all_of(differences, [&](const Difference &difference) {
               return llvm::any_of(llvm::zip_equal(difference, periods), [](auto pair) {
                 return std::get<0>(pair) % std::get<1>(pair) != 0;
               });
             });
    for (int64_t period = 1; period <= count; ++period) {
      if (count % period != 0)
        continue;
      if (!isSameAfterWrap(periods.size(), /*step=*/1, period))
        continue;
      periods.push_back(period);
      if (findPeriods(count / period, periods))
        return true;
      periods.pop_back();
    }
    return false;
  }

  /// Where an axis wraps around, so must the colours.
  bool isSameAfterWrap(unsigned axis, int64_t step, int64_t count) const {
    return axes[axis].boundary != Boundary::Wrap || step * (axes[axis].extent % count) % count == 0;
  }

  ColourFormula getDigits(ArrayRef<int64_t> periods) {
    SmallVector<int64_t> steps(rank, 0);
    int64_t step = 1;
    for (unsigned axis = rank; axis-- > 0; step *= periods[axis])
      steps[axis] = periods[axis] > 1 ? step : 0;
    return getDigitFormula(steps, periods, context);
  }

  /// A difference is tested as soon as the steps of all its axes are chosen.
  bool findSteps(int64_t count, SmallVector<int64_t> &steps) {
    unsigned axis = steps.size();
    if (axis == rank)
      return true;
    for (int64_t step = 0; step < count && numTried < kMaxSums; ++step, ++numTried) {
      if (!isSameAfterWrap(axis, step, count))
        continue;
      steps.push_back(step);
      bool differ = llvm::all_of(withLast[axis], [&](const Difference &difference) {
        int64_t sum = 0;
        for (auto [by, factor] : llvm::zip(difference, steps))
          sum += by % count * factor;
        return sum % count != 0;
      });
      if (differ && findSteps(count, steps))
        return true;
      steps.pop_back();
    }
    return false;
  }

  SmallVector<Difference> differences;
  SmallVector<Axis> axes;
  unsigned rank;
  MLIRContext *context;
  SmallVector<SmallVector<Difference>> withLast; ///< by the last axis on which they are not zero
  int64_t numTried = 0;
};
} // namespace

std::optional<Colouring> mlir::lci::findLattice(ValueOp value, ArrayRef<ReadOp> reads) {
  Differences differences(value);
  for (ReadOp read : reads)
    if (!differences.add(read))
      return std::nullopt;
  // A greedy colouring needs at most one colour more than a cell has neighbours.
  int64_t most = std::min<int64_t>(kMaxLatticeColours, 2 * differences.found.size() + 1);
  LatticeFinder finder(differences.found, value);
  for (int64_t count = 1; count <= most; ++count)
    if (std::optional<ColourFormula> formula = finder.find(count)) {
      Colouring colouring;
      colouring.extents = *value.getExtents();
      colouring.count = count;
      colouring.formula = formula;
      return colouring;
    }
  return std::nullopt;
}
