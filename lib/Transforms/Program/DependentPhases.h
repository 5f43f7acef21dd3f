//===- DependentPhases.h - Messages about dependent phases ------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_PROGRAM_DEPENDENTPHASES_H
#define LCI_LIB_TRANSFORMS_PROGRAM_DEPENDENTPHASES_H

#include "LCI/Analysis/Independence.h"
#include "LCI/Analysis/Notation.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::lci {

inline std::string printPair(DependentPair pair) {
  return printCell(pair.value.getName(), pair.reader) + " reads " +
         printCell(pair.source.getName(), pair.written);
}

/// Reports a pair of dependent cells in a phase of the schedule, and the location of the read.
inline InFlightDiagnostic tellPair(InFlightDiagnostic diagnostic, ScheduleOp schedule,
                                   DependentPair pair, StringRef more = "") {
  diagnostic << "the phases of '" << schedule.getValue() << "' are not independent: in phase "
             << pair.phase << ", " << printPair(pair) << more;
  diagnostic.attachNote(pair.read->getLoc()) << "the read is here";
  return diagnostic;
}

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_PROGRAM_DEPENDENTPHASES_H
