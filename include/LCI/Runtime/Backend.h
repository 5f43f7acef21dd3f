//===- Backend.h - The interface that runs programs -------------*- C++ -*-===//
//
// One small interface for everything that can run a bound program: the reference interpreter, the
// compiled CPU code, and kernels on a GPU. A back end owns the committed state; the driver passes
// it the run-time arguments (the roles of the tick form: see docs/architecture.md, Level 3), runs
// epochs and reads values between them.
//
// Arrays cross this interface in one canonical form: tokens in the smallest signed type of their
// vocabulary with -1 for absent (LCI/Runtime/Tokens.h), integers as I64, numbers as F32, latent
// vectors with their components as last axis.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_BACKEND_H
#define LCI_RUNTIME_BACKEND_H

#include "LCI/Runtime/Records.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lci {
class Device;
class DeviceValues;
class StopFlag;

/// What a program takes at run time besides its values, each by name. Changing any of it needs no
/// recompilation, unless it was compiled in (`specializeArguments`).
struct RunArguments {
  /// Parameters that the bindings give: I64 or F32, of the declared shape. The program computes the
  /// others from the epoch.
  std::map<std::string, Array> params;
  /// Bool (V): which tokens of the vocabulary belong to the palette.
  std::map<std::string, Array> palettes;
  /// Bool over the trailing axes of the value that the region is used on.
  std::map<std::string, Array> regions;
  /// Weights of models, by `model.weight`.
  std::map<std::string, Array> weights;
  /// Rules and constraints that are switched off; all others are on.
  std::map<std::string, bool> enables;
  uint64_t seed = 0;
  /// The replica that commits, among the replicas of a run.
  uint64_t replica = 0;
};

/// The error of a run that gives other elements to a parameter on which the phases of a schedule
/// depend; its name and a quote follow.
inline constexpr const char kOtherElements[] =
    "expected the elements that the program was bound with, because phases follow from them, for "
    "the parameter '";

/// Counters by the names that `lci.counters` gives them (`Cell.changed`, `HardLock.violated`, …),
/// summed over the requested epochs.
using Counters = std::map<std::string, int64_t>;

/// The name of the counter of a value's rejected proposals (S-INVALID), `Cell.invalid`; and whether
/// a counter is one.
std::string rejectionCountOf(const std::string &value);
bool isRejectionCount(const std::string &counter);
/// The number of rejected proposals of a value, and of all values.
int64_t rejectionsOf(const std::string &value, const Counters &counters);
int64_t rejectionsIn(const Counters &counters);

/// Where a proposal was rejected, and whose it was.
struct RejectedCell {
  std::string rule;
  std::vector<int64_t> cell;
};

/// The result of an observer: a rank-0 array of I64 or F32, or nothing (the mean of no member).
struct Observation {
  std::string name;
  std::optional<Array> value;
};
using Observations = std::vector<Observation>;

/// A number as an observation: every NaN is the canonical one.
Array observedNumber(float number);

/// Runs one bound program.
class Backend {
public:
  virtual ~Backend() = default;

  /// Its name in `--backend`.
  virtual const char *name() const = 0;

  /// Sets all arguments of the program; before the first epoch, and again whenever some of them
  /// change.
  virtual Status setArguments(const RunArguments &arguments) = 0;
  /// Computes all values from their `init` regions, with the seed of the
  /// arguments (absent tokens and zeros where there is none).
  virtual Status initialise() = 0;
  /// Replaces a value; the array is in canonical form and of the value's shape.
  virtual Status setValue(const std::string &name, const Array &value) = 0;
  /// The committed content of a value, in canonical form.
  virtual Result<Array> value(const std::string &name) = 0;
  /// Runs the epochs first … last-1.
  virtual Result<Counters> runEpochs(int64_t first, int64_t last) = 0;
  /// Runs one tick: one phase of one epoch, of all values. Not every back end can stop inside of an
  /// epoch.
  virtual Result<Counters> runTick(int64_t, int64_t) {
    return Failure{ErrorId::CannotInterpret,
                   std::string(name()) + " cannot stop inside of an epoch"};
  }
  /// Saves the committed state, for `recall` to restore. Returns whether this back end can do that.
  virtual bool remember() { return false; }
  virtual void recall() {}
  /// The number of bytes that `remember` copies.
  virtual size_t stateSize() const { return 0; }
  /// The bytes that it may hold at once, with those of arrays that are read; 0 where it is unknown.
  virtual uint64_t memoryNeeded() { return 0; }
  /// The flag that stops epochs between two ticks, after which the state has to be recalled; null
  /// where epochs cannot be stopped.
  virtual StopFlag *stopFlag() { return nullptr; }
  /// The observations of all observers after `epoch` epochs, in the program's order.
  virtual Result<Observations> observe(int64_t epoch) = 0;
  /// For each hard constraint, the number of cells that break it after `epoch` epochs, as
  /// `<constraint>.broken` (S-BROKEN); no counter where it is known that there are none.
  virtual Result<Counters> broken(int64_t) { return Counters(); }
  /// Whether epochs may count rejected proposals.
  virtual bool mayReject() const { return false; }
  /// The first cell of a value, by phase and then in row-major order, that rejects a proposal in
  /// this epoch, which is the next one; nothing where none does, or where code that finds it is
  /// missing.
  virtual Result<std::optional<RejectedCell>> findRejected(const std::string &, int64_t) {
    return std::optional<RejectedCell>();
  }

  /// Whether it keeps commit records of cells; a resumed run restores them.
  virtual bool keepsRecords() const { return false; }
  virtual std::optional<Records> records(const std::string &) { return std::nullopt; }
  virtual Status setRecords(const std::string &, const Records &) { return Done{}; }

  /// The device of its kernels, or null.
  virtual const Device *device() const { return nullptr; }
  /// Its values as arrays of that device, or null if it cannot read and set them there.
  virtual DeviceValues *onDevice() { return nullptr; }
};

} // namespace lci

#endif // LCI_RUNTIME_BACKEND_H
