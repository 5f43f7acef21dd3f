//===- ProgramLowering.h - The functions of one program ---------*- C++ -*-===//
//
// The lowering of a bound program by `lci-lower-rules`: the function that runs epochs
// (LowerRules.cpp), the one that computes initial values (Start.cpp), the one that observes
// (Observers.cpp), the one that counts violated constraints (Violations.cpp), and the one that
// finds rejected proposals (Rejections.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_PROGRAMLOWERING_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_PROGRAMLOWERING_H

#include "Agreement.h"
#include "Interface.h"
#include "Schedules.h"

namespace mlir::lci {

/// Makes the functions of one program, before it.
class ProgramLowering {
public:
  ProgramLowering(ProgramOp program, Counting counting, ArrayRef<std::string> given, bool steps,
                  bool records, bool rejections)
      : program(program), counters(counting), given(given), steps(steps), records(records),
        rejections(rejections), b(program.getContext()) {}
  LogicalResult lower();

private:
  LogicalResult checkSupported();
  LogicalResult buildRun();
  void addValues(Interface &interface);
  void setCounters(func::FuncOp function, const Counters &counted);
  LogicalResult buildEpoch(Value epoch, SmallVector<Value> &carried);
  /// A phase of an epoch, by its number, and the schedules of the values that take part in it.
  struct Phase {
    Value number, epoch;
    SmallVector<std::optional<TickPhases>> ofValues; // nothing where the value has fewer
    bool isInLoop = false;
  };
  FailureOr<SmallVector<Value>> buildPhase(const Phase &phase, ArrayRef<Value> carried);
  FailureOr<SmallVector<Value>> buildRequestedPhase(const Phase &phase, ArrayRef<Value> carried);
  FailureOr<SmallVector<Value>> buildPhaseLoop(Phase phase, int64_t first, int64_t last,
                                               ArrayRef<Value> carried);
  /// A value and the counts after its tick; no counts where nothing is counted.
  struct AfterTick {
    Value state, counts;
  };
  FailureOr<AfterTick> buildTick(ValueOp value, const TickPhases &phases, const Phase &phase,
                                 ArrayRef<Value> carried);
  /// A tick of a part of a commit. `counters` are those of that part.
  FailureOr<TickOp> buildPartTick(ValueOp value, CommitPart part, Counters &counters,
                                  const TickPhases &phases, const Phase &phase,
                                  const TickBody::Written &written);
  LogicalResult buildRecords(ValueOp value, const TickPhases &phases, const Phase &phase,
                             MutableArrayRef<Value> next, Value replaced);
  AfterTick keepSurest(TickOp tick, FloatAttr fraction);
  LogicalResult evaluateEpochly(Value epoch);
  bool isOfNumbers(Region &formula);
  FailureOr<Value> evaluate(Region &region, Value epoch);
  LogicalResult buildInit();
  FailureOr<Value> buildInitial(ValueOp value);
  Value buildEmptyRecords(const RecordState &state);
  LogicalResult buildObservers();
  LogicalResult buildViolations();
  LogicalResult buildRejections();
  FailureOr<Value> buildViolations(ValueOp value, Counters &counters, Value epoch, Value counts);
  SmallVector<ConstraintOp> getBreakable(ValueOp value);
  FailureOr<TickOp> buildObserver(ObserveOp observer, Value epoch, int64_t slot, Value counts);

  ProgramOp program;
  Counters counters;
  ArrayRef<std::string> given;
  bool steps;      // whether the caller says which phases to run
  bool records;    // whether commits are recorded
  bool rejections; // whether the first rejected proposal can be found
  OpBuilder b;
  Bindings bindings;                  // of the function that is being built
  Value firstPhase, lastPhase;        // null unless it does
  SmallVector<ValueOp> ruled, inputs; // values with and without a rule, in the program's order
  SmallVector<RecordState> recorded;  // of the values with rules, in their order
};

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_PROGRAMLOWERING_H
