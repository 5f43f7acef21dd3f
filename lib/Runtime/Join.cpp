//===- Join.cpp - Merge two replicas of a run -----------------------------===//
//
// The join of two checkpoints (S-JOIN): cell by cell the maximum in a total order of commits, then
// the union of histories. Associative, commutative and idempotent because each part is a maximum or
// a union.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Join.h"
#include "LCI/Runtime/History.h"
#include "LCI/Runtime/RunState.h"
#include <algorithm>

using namespace lci;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {
/// The cells of one value at one replica.
struct Side {
  const Array &cells;
  const Records &records;
  int64_t priorities, components;

  bool isAbsent(int64_t cell) const {
    return !isFloat(cells.dtype()) && cells.dtype() != DType::I64 && cells.intAt(cell) < 0;
  }
};
} // namespace

/// Orders floats: by value, -0 before +0, and a NaN at `rankOfNaN`.
static int64_t rankOf(float number, int64_t rankOfNaN) {
  if (number != number)
    return rankOfNaN;
  int32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits < 0 ? -int64_t(bits & 0x7fffffff) - 1 : bits;
}

static int compare(int64_t left, int64_t right) { return left < right ? -1 : left > right; }

/// Compares contents: a token ranks above an absent one, the lower token above the higher one.
static int compareContents(const Side &left, const Side &right, int64_t cell) {
  if (left.isAbsent(cell) || right.isAbsent(cell))
    return compare(right.isAbsent(cell), left.isAbsent(cell));
  bool isNumber = isFloat(left.cells.dtype());
  for (int64_t i = cell * left.components, end = i + left.components; i < end; ++i) {
    auto rank = [&](const Array &cells) {
      return isNumber ? rankOf(cells.data<float>()[i], INT64_MAX) : cells.intAt(i);
    };
    if (int order = compare(rank(right.cells), rank(left.cells)))
      return order;
  }
  return 0;
}

/// Compares two cells of equal stamps: 1 if the left one ranks higher, 0 if they are the same.
static int compareRivals(const Side &left, const Side &right, int64_t cell) {
  const Records &mine = left.records, &other = right.records;
  for (int64_t level = cell * left.priorities, end = level + left.priorities; level < end; ++level)
    if (int order = compare(mine.levels.intAt(level), other.levels.intAt(level)))
      return order;
  auto score = [&](const Records &of) { return rankOf(of.scores.data<float>()[cell], INT64_MIN); };
  if (int order = compare(score(mine), score(other)))
    return order;
  if (int order = compare(other.replicas.intAt(cell), mine.replicas.intAt(cell)))
    return order;
  return compareContents(left, right, cell);
}

/// Copies the `perCell` elements of a cell.
static void copyCell(Array &to, const Array &from, int64_t cell, int64_t perCell) {
  size_t size = static_cast<size_t>(perCell * byteWidth(to.dtype()));
  if (size > 0)
    std::memcpy(to.bytes().data() + cell * size, from.bytes().data() + cell * size, size);
}

// S-JOIN, S-P6: a maximum in a total order, cell by cell.
JoinedCells lci::joinCells(Array &left, Records &leftRecords, const Array &right,
                           const Records &rightRecords) {
  JoinedCells joined;
  int64_t cells = leftRecords.stamps.size();
  int64_t priorities = cells ? leftRecords.levels.size() / cells : 0;
  int64_t components = cells ? left.size() / cells : 1;
  Side mine{left, leftRecords, priorities, components};
  Side other{right, rightRecords, priorities, components};
  for (int64_t cell = 0; cell < cells; ++cell) {
    int order = compare(leftRecords.stamps.intAt(cell), rightRecords.stamps.intAt(cell));
    bool isConcurrent = order == 0;
    if (isConcurrent)
      order = compareRivals(mine, other, cell);
    if (order == 0)
      continue;
    joined.concurrent += isConcurrent;
    ++(order > 0 ? joined.fromLeft : joined.fromRight);
    if (order > 0)
      continue;
    copyCell(left, right, cell, components);
    copyCell(leftRecords.stamps, rightRecords.stamps, cell, 1);
    copyCell(leftRecords.levels, rightRecords.levels, cell, priorities);
    copyCell(leftRecords.scores, rightRecords.scores, cell, 1);
    copyCell(leftRecords.replicas, rightRecords.replicas, cell, 1);
  }
  return joined;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Checks that two checkpoints are of one run.
static Status checkRelated(const Checkpoint &left, const Checkpoint &right) {
  if (left.program != right.program)
    return Failure{
        ErrorId::OtherProgram,
        "expected checkpoints of one program with the same bindings, but they are of two"};
  if (left.seed != right.seed)
    return Failure{ErrorId::OtherProgram, "expected checkpoints of one seed, but got " +
                                              std::to_string(left.seed) + " and " +
                                              std::to_string(right.seed)};
  Given mine = givenIn(left), other = givenIn(right);
  Status same = checkSame(mine, other);
  return same ? checkSame(other, mine) : same;
}

/// Joins a value of the right checkpoint into the joined one.
static Result<JoinedCells> joinValue(Checkpoint &joined, const Checkpoint &right,
                                     const std::string &name) {
  Array *mine = findValue(joined, name);
  const Array *other = findValue(right, name);
  std::optional<Records> records = recordsOf(joined, name), otherRecords = recordsOf(right, name);
  if (!records || !otherRecords)
    return Failure{ErrorId::OtherProgram, "a checkpoint has no stamps of '" + name +
                                              "': expected one of a run with --replica"};
  bool isAlike =
      other && mine->dtype() == other->dtype() && mine->shape() == other->shape() &&
      records->levels.shape() == otherRecords->levels.shape() &&
      areRecordsOf(*otherRecords, records->stamps.shape(), records->levels.shape().back());
  if (!isAlike)
    return Failure{ErrorId::OtherProgram, "the checkpoints have different forms of '" + name + "'"};
  JoinedCells cells = joinCells(*mine, *records, *other, *otherRecords);
  storeRecords(joined, name, *records);
  return cells;
}

Result<JoinedRun> lci::join(const Checkpoint &left, const Checkpoint &right) {
  if (Status related = checkRelated(left, right); !related)
    return related.failure();
  Result<History> history = History::load(left), other = History::load(right);
  if (!history || !other)
    return history ? other.failure() : history.failure();
  JoinedRun run{left, {}};
  run.checkpoint.epoch = std::max(left.epoch, right.epoch);
  bool isSame = true;
  for (const std::string &name : valuesIn(left)) {
    Result<JoinedCells> cells = joinValue(run.checkpoint, right, name);
    if (!cells)
      return cells.failure();
    run.values[name] = *cells;
    isSame &= cells->fromLeft + cells->fromRight == 0;
  }
  history->join(*other);
  if (!isSame) // nothing changed any more of each, but of both together it may
    history->fixpoint.reset();
  history->store(run.checkpoint);
  return run;
}
