//===- Rungs.h - One program on every rung of the ladder --------*- C++ -*-===//
//
// The cases and lowerings of the differential test: a case is a bound program with its inputs, a
// rung runs it at one level of the ladder.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_DIFFERENTIAL_RUNGS_H
#define LCI_UNITTESTS_DIFFERENTIAL_RUNGS_H

#include "LCI/Conversion/Passes.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Interpreter/TickForm.h"
#include "LCI/Smith/Smith.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::lci {

/// The results of a run: every value, every counter that is not zero, and the observations, where
/// the rung has them.
struct Outcome {
  std::map<std::string, ::lci::Array> values;
  std::map<std::string, int64_t> counters;
  std::optional<Observations> observations;
  /// The parts of records, named as the states of the tick form, where the rung keeps any.
  std::map<std::string, ::lci::Array> records;
};

/// A program with its bindings and inputs, imported and bound.
struct Case {
  OwningOpRef<ModuleOp> module;
  ProgramOp program;
  Environment environment;
  std::map<std::string, ::lci::Array> inputs;
  std::map<std::string, int64_t> vocabularies;
  int64_t epochs = 0;
  /// The parts of records that the reference has, once it ran.
  std::vector<std::string> recordNames;
  /// The module in tick form, the output of `lci-lower-rules` for each set of options requested so
  /// far.
  std::map<std::tuple<Counting, bool, bool>, OwningOpRef<ModuleOp>> ticks;
};

/// Imports and binds; diagnostics say why not.
FailureOr<Case> makeCase(const ::lci::SmithProgram &program, MLIRContext &context);

/// The values that hold cells.
SmallVector<ValueOp> getValues(Case &test);

/// A lowering that a case is run on.
struct Rung {
  std::string name;
  std::function<FailureOr<Outcome>(Case &)> run;
  /// Whether its counters are those of the reference.
  bool counts = false;
  /// The level that may reject a program here: the interpreter; `lci-lower-rules` or a later pass;
  /// or the pipeline to machine code, which takes a hundred times as long.
  ::lci::SmithLimit::Level level = ::lci::SmithLimit::Level::Lowering;
  /// The number of the way to machine code, if it is one.
  unsigned way = 0;
  /// The number of the pass that is run alone, if it is one.
  std::optional<unsigned> alone = std::nullopt;
};
/// The number of passes, and lowerings, that are run alone.
inline constexpr unsigned kNumAlone = 4;
/// The ways to machine code: every combination of layouts, fusing and threads, three more, and the
/// kernels of a GPU, on this machine as loops and as PTX. The first two have everything switched
/// on.
inline constexpr unsigned kNumWays = 37, kKernelsWay = 35;
/// The first of them are combinations of switches, by these bits among others.
inline constexpr unsigned kNumCombinations = 32, kWithoutPlanes = 2, kWithoutWindows = 8;

/// The interpreter of the bound form.
FailureOr<Outcome> runReference(Case &test);
/// All rungs below it, highest first.
std::vector<Rung> makeRungs();
/// Runs machine code with all states as planes of bits; fails if some cannot be.
FailureOr<Outcome> runOnPlanes(Case &test, const CpuOptions &options);
/// Interprets ticks on tensors after `build`; or makes machine code of those in memory.
FailureOr<Outcome> runTicksAfter(Case &test, llvm::function_ref<void(OpPassManager &)> build);
FailureOr<Outcome> runInMemoryAfter(Case &test, llvm::function_ref<void(OpPassManager &)> build);

/// The first difference between two outcomes, or nothing.
std::string findDifference(const Outcome &reference, const Outcome &other, bool compareCounters);

} // namespace mlir::lci

#endif // LCI_UNITTESTS_DIFFERENTIAL_RUNGS_H
