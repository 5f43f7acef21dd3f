//===- Rungs.h - One program on every rung of the ladder --------*- C++ -*-===//

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

/// What a run leaves: every value, every counter that is not zero, and what observers see, where
/// the rung can tell.
struct Outcome {
  std::map<std::string, ::lci::Array> values;
  std::map<std::string, int64_t> counters;
  std::optional<Observations> observations;
  /// The parts of records, as states of the tick form are called, where the rung keeps any.
  std::map<std::string, ::lci::Array> records;
};

/// A program with its bindings, imported and bound, and what it takes.
struct Case {
  OwningOpRef<ModuleOp> module;
  ProgramOp program;
  Environment environment;
  std::map<std::string, ::lci::Array> inputs;
  std::map<std::string, int64_t> vocabularies;
  int64_t epochs = 0;
  /// The parts of records that the reference has, once it ran.
  std::vector<std::string> recordNames;
  /// The module in tick form, as `lci-lower-rules` left it for each of its options that were asked.
  std::map<std::tuple<Counting, bool, bool>, OwningOpRef<ModuleOp>> ticks;
};

/// Imports and binds; diagnostics say why not.
FailureOr<Case> makeCase(const ::lci::SmithProgram &program, MLIRContext &context);

/// The values that hold cells.
SmallVector<ValueOp> getValues(Case &test);

/// A way to run a case.
struct Rung {
  std::string name;
  std::function<FailureOr<Outcome>(Case &)> run;
  /// Whether its counters are those of the reference.
  bool counts = false;
  /// Who would refuse a program here: the interpreter; `lci-lower-rules`, or what comes later; the
  /// way to machine code, which takes a hundred times as long.
  ::lci::SmithLimit::Level level = ::lci::SmithLimit::Level::Lowering;
  /// Which of the ways to machine code it is, if it is one.
  unsigned way = 0;
  /// Which of the passes that are seen alone it is, if it is one.
  std::optional<unsigned> alone = std::nullopt;
};
/// The passes, and ways of lowering, that are seen alone.
inline constexpr unsigned kNumAlone = 4;
/// The ways to machine code: every combination of layouts, fusing and threads, three more, and the
/// kernels of a GPU, on this machine as loops and as PTX. The first two have everything switched
/// on.
inline constexpr unsigned kNumWays = 37, kKernelsWay = 35;
/// The first of them are combinations of what can be switched off, by these bits among others.
inline constexpr unsigned kNumCombinations = 32, kWithoutPlanes = 2, kWithoutWindows = 8;

/// The interpreter of the bound form.
FailureOr<Outcome> runReference(Case &test);
/// Everything below it, highest first.
std::vector<Rung> makeRungs();
/// Machine code of which all states are planes of bits; fails if some cannot be.
FailureOr<Outcome> runOnPlanes(Case &test, const CpuOptions &options);

/// The first difference between two outcomes, or nothing.
std::string findDifference(const Outcome &reference, const Outcome &other, bool compareCounters);

} // namespace mlir::lci

#endif // LCI_UNITTESTS_DIFFERENTIAL_RUNGS_H
