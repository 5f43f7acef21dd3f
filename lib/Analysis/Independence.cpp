//===- Independence.cpp - Reads among cells of one phase ------------------===//
//
// On bound programs: the relation of reads, restricted to pairs of active cells of equal phase.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Independence.h"
#include "DistinctCells.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "LCI/Dialect/ScheduleOptions.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

ScheduleOp mlir::lci::getSchedule(ValueOp value) {
  auto schedules =
      getDeclarationsOn<ScheduleOp>(value->getParentOfType<ProgramOp>(), value.getName());
  return schedules.empty() ? ScheduleOp() : schedules.front();
}

static SmallVector<RuleOp> getRules(ValueOp value) {
  return getDeclarationsOn<RuleOp>(value->getParentOfType<ProgramOp>(), value.getName());
}

/// The rules of a value that apply to different cells: the first one of each set of cells.
static SmallVector<RuleOp> getDistinctRules(ValueOp value) {
  SmallVector<RuleOp> rules = getRules(value);
  llvm::SmallPtrSet<Attribute, 8> seen;
  llvm::erase_if(rules, [&](RuleOp rule) {
    return !seen.insert(rule.getWhere().value_or(ArrayAttr())).second;
  });
  return rules;
}

/// The reads that affect the new contents of a value's cells, by the value that is read.
static llvm::MapVector<StringRef, SmallVector<ReadOp>> getReads(ValueOp value) {
  auto program = value->getParentOfType<ProgramOp>();
  llvm::MapVector<StringRef, SmallVector<ReadOp>> reads;
  auto collect = [&](ReadOp read) { reads[read.getValue()].push_back(read); };
  for (RuleOp rule : getRules(value))
    rule.walk(collect);
  for (auto constraint : getDeclarationsOn<ConstraintOp>(program, value.getName()))
    constraint.walk(collect);
  return reads;
}

/// The phase of its schedule in which a cell is active. Strategies that choose cells at run time
/// have one phase with any of them.
static Linear getOwnPhase(ValueOp value, ScheduleOp schedule, AffineSystem &system,
                          ArrayRef<Linear> cell) {
  SmallVector<int64_t> extents = *value.getExtents();
  unsigned rank = value.getRank();
  SmallVector<SweptAxis> axes = getSweptAxes(schedule, rank);
  Linear sum;
  // Tiles of wrong rank or size are rejected elsewhere; here they only must not be divided by.
  auto tileOf = [&](unsigned axis) {
    ArrayRef<int64_t> tile = schedule.getTile().value_or(ArrayRef<int64_t>());
    return axis < tile.size() && tile[axis] > 0 ? system.floorDiv(cell[axis], tile[axis])
                                                : cell[axis];
  };
  auto placeOn = [&](SweptAxis swept) {
    const Linear &index = cell[swept.axis];
    return swept.isReversed ? Linear(extents[swept.axis] - 1) - index : index;
  };
  switch (schedule.getStrategy()) {
  case Strategy::RedBlack:
    for (SweptAxis swept : axes)
      sum = sum + tileOf(swept.axis);
    return system.modulo(sum, 2);
  case Strategy::FourColor: // x%2 + 2·(y%2) of the last two axes
    if (rank == 1)
      return system.modulo(tileOf(0), 2);
    return system.modulo(tileOf(rank - 2), 2) + system.modulo(tileOf(rank - 1), 2) * 2;
  case Strategy::Wavefront:
    for (SweptAxis swept : axes)
      sum = sum + placeOn(swept);
    return sum;
  case Strategy::Raster:
    for (SweptAxis swept : axes)
      sum = sum * extents[swept.axis] + placeOn(swept);
    return sum;
  default:
    return Linear(0);
  }
}

/// The phase of the epoch in which a cell is active.
static Linear getPhase(ValueOp value, AffineSystem &system, ArrayRef<Linear> cell) {
  ScheduleOp schedule = getSchedule(value);
  return schedule ? getOwnPhase(value, schedule, system, cell) + schedule.getFirstPhase()
                  : Linear(0);
}

static bool isRecoloured(ValueOp value) {
  ScheduleOp schedule = getSchedule(value);
  return schedule && schedule.getStrategy() == Strategy::Recolor;
}

CellPhases::CellPhases(ValueOp value) : value(value), isColoured(isRecoloured(value)) {}

const std::optional<Colouring> &CellPhases::getColouring() {
  if (!isComputed)
    colouring = computeColouring(value);
  isComputed = true;
  return colouring;
}

int64_t CellPhases::of(ArrayRef<int64_t> cell) {
  if (isColoured)
    return getFirst() + (getColouring() ? getColouring()->getColour(cell) : 0);
  AffineSystem none(0, 0);
  auto index = [](int64_t i) { return Linear(i); };
  return int64fromDynamicAPInt(getPhase(value, none, llvm::map_to_vector(cell, index)).constant);
}

int64_t CellPhases::getFirst() const {
  ScheduleOp schedule = getSchedule(value);
  return schedule ? schedule.getFirstPhase() : 0;
}

/// The most cells to compare one by one where their colours are not a formula.
static constexpr int64_t kMaxCells = 4096;

namespace {
/// Searches for a pair among the reads of one value's cells from another value.
class PairFinder {
public:
  PairFinder(ValueOp value, ValueOp source)
      : value(value), source(source), numReader(value.getRank()), numWritten(source.getRank()),
        readingRules(getDistinctRules(value)), writingRules(getDistinctRules(source)),
        readerPhases(value), writtenPhases(source) {}

  std::optional<DependentPair> run(ArrayRef<ReadOp> reads) {
    for (ReadOp read : reads) {
      std::optional<PresburgerRelation> relation = getReadRelation(read, Target::Cell);
      if (relation)
        for (const IntegerRelation &disjunct : relation->getAllDisjuncts())
          findIn(disjunct, read);
      else
        findIn(IntegerRelation(PresburgerSpace::getRelationSpace(numReader, numWritten)), read);
    }
    if (first)
      first->phase = readerPhases.of(first->reader);
    return first;
  }

private:
  /// Both cells are where a rule applies: one search for each choice of their sets. What a rule
  /// reads is read where that rule applies.
  void findIn(const IntegerRelation &disjunct, ReadOp read) {
    auto reader = read->getParentOfType<RuleOp>();
    for (RuleOp reading : reader ? SmallVector<RuleOp>{reader} : readingRules)
      IndexDomain::ofCells(value, reading.getWhere())
          .forEachSystem(0, [&](AffineSystem &active, ArrayRef<Linear>) {
            for (RuleOp writing : writingRules)
              IndexDomain::ofCells(source, writing.getWhere())
                  .forEachSystem(0, [&](AffineSystem &other, ArrayRef<Linear>) {
                    check(disjunct, active, other, {read, reading, writing});
                  });
          });
  }

  /// The read, and the rules that decide the two cells.
  struct Parties {
    ReadOp read;
    RuleOp reading, writing;
  };

  void check(IntegerRelation pairs, const AffineSystem &active, const AffineSystem &other,
             Parties parties) {
    pairs.intersectDomain(IntegerPolyhedron(asSet(active)));
    pairs.intersectRange(IntegerPolyhedron(asSet(other)));
    AffineSystem system(pairs);
    SmallVector<Linear> reader, written;
    for (unsigned i = 0; i < numReader; ++i)
      reader.push_back(system.domain(i));
    for (unsigned i = 0; i < numWritten; ++i)
      written.push_back(system.range(i));
    bool hasForms = readerPhases.hasForm() && writtenPhases.hasForm();
    if (value == source || hasForms)
      system.addEqual(getPhase(value, system, reader), getPhase(source, system, written));
    auto isSame = [&](const IntegerRelation &other) {
      return other.isObviouslyEqual(system.get());
    };
    if (llvm::any_of(searched, isSame)) // what is read twice is searched once
      return;
    searched.push_back(system.get());
    if (value == source)
      forEachDistinct(system, reader, written, [&](const AffineSystem &distinct) {
        keep(findFirstPoint(PresburgerRelation(distinct.get()), getFirst()), parties);
      });
    else
      keep(hasForms ? findFirstPoint(PresburgerRelation(system.get()), getFirst())
                    : findAmongColours(system, reader, written),
           parties);
  }

  /// The point of the first pair so far, if there is one.
  SmallVector<int64_t> getFirst() const {
    SmallVector<int64_t> point;
    if (first) {
      llvm::append_range(point, first->reader);
      llvm::append_range(point, first->written);
    }
    return point;
  }

  /// The first pair where the colours of one value, or of both, are not a formula. With too many
  /// cells to compare, any pair counts whose phases are within the number of colours.
  std::optional<SmallVector<int64_t>> findAmongColours(AffineSystem system, ArrayRef<Linear> reader,
                                                       ArrayRef<Linear> written) {
    bool isOfReader = !readerPhases.hasForm();
    CellPhases &colours = isOfReader ? readerPhases : writtenPhases;
    std::optional<Linear> phase;
    if (readerPhases.hasForm() || writtenPhases.hasForm()) {
      phase = isOfReader ? getPhase(source, system, written) : getPhase(value, system, reader);
      int64_t count = colours.getColouring() ? colours.getColouring()->count : 1;
      system.addWithin(*phase - Linear(colours.getFirst()), count);
    }
    auto point = findFirstPoint(PresburgerRelation(system.get()));
    SmallVector<int64_t> extents = *(isOfReader ? value : source).getExtents();
    if (!point || isPair(*point) || llvm::product_of(extents) > kMaxCells)
      return point;
    std::optional<SmallVector<int64_t>> first;
    forEachPoint(extents, [&](ArrayRef<int64_t> cell) {
      if (first && isOfReader) // later readers give larger pairs
        return;
      AffineSystem one = system;
      for (auto [index, place] : llvm::zip(cell, isOfReader ? reader : written))
        one.addEqual(place, Linear(index));
      if (phase)
        one.addEqual(*phase, Linear(colours.of(cell)));
      auto found = findFirstPoint(PresburgerRelation(one.get()));
      if (found && isPair(*found) && (!first || *found < *first))
        first = found;
    });
    return first;
  }

  bool isPair(ArrayRef<int64_t> point) {
    return readerPhases.of(point.take_front(numReader)) ==
           writtenPhases.of(point.drop_front(numReader));
  }

  static IntegerRelation asSet(const AffineSystem &system) {
    IntegerRelation relation = system.get();
    relation.convertVarKind(VarKind::Domain, 0, relation.getNumDomainVars(), VarKind::Range);
    return relation;
  }

  void keep(const std::optional<SmallVector<int64_t>> &point, Parties parties) {
    if (!point)
      return;
    DependentPair pair{value, source, {}, {}, 0, parties.read, parties.reading, parties.writing};
    pair.reader.assign(point->begin(), point->begin() + numReader);
    pair.written.assign(point->begin() + numReader, point->end());
    auto key = [](const DependentPair &p) { return std::tie(p.reader, p.written); };
    if (!first || key(pair) < key(*first))
      first = pair;
  }

  ValueOp value, source;
  unsigned numReader, numWritten;
  SmallVector<RuleOp> readingRules, writingRules;
  CellPhases readerPhases, writtenPhases;
  std::vector<IntegerRelation> searched;
  std::optional<DependentPair> first;
};
} // namespace

/// Colours differ wherever a rule or a constraint reads one cell for another.
static bool differsInColour(ValueOp value) {
  return isRecoloured(value) && computeColouring(value);
}

std::optional<DependentPair> mlir::lci::findDependentPair(ValueOp value, ValueOp source) {
  if (value == source && differsInColour(value))
    return std::nullopt;
  return PairFinder(value, source).run(getReads(value).lookup(source.getName()));
}

std::optional<DependentPair> mlir::lci::findDependentPair(ScheduleOp schedule) {
  ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
  if (std::optional<DependentPair> pair = findDependentPair(value, value))
    return pair;
  return findForeignPair(schedule);
}

/// The first pair of cells of a value and of another one that is ruled.
static std::optional<DependentPair>
findForeign(ValueOp value, const llvm::MapVector<StringRef, SmallVector<ReadOp>> &reads) {
  auto program = value->getParentOfType<ProgramOp>();
  for (const auto &[name, reads] : reads) {
    ValueOp other = program.lookupValue(name);
    if (other == value || other.isSet() || getRules(other).empty())
      continue;
    if (std::optional<DependentPair> pair = PairFinder(value, other).run(reads))
      return pair;
  }
  return std::nullopt;
}

std::optional<DependentPair> mlir::lci::findForeignPair(ScheduleOp schedule) {
  ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
  return findForeign(value, getReads(value));
}

std::optional<DependentPair> mlir::lci::findDependentPair(ConstraintOp constraint) {
  ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
  llvm::MapVector<StringRef, SmallVector<ReadOp>> reads;
  constraint.walk([&](ReadOp read) { reads[read.getValue()].push_back(read); });
  if (!differsInColour(value))
    if (auto pair = PairFinder(value, value).run(reads.lookup(value.getName())))
      return pair;
  return findForeign(value, reads);
}
