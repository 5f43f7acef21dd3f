//===- Rejections.cpp - Report rejected proposals -------------------------===//

#include "LCI/Driver/Rejections.h"
#include "LCI/Analysis/Notation.h"

using namespace mlir;
using namespace mlir::lci;

void Rejections::find(Watcher &watcher, Backend &backend, int64_t epoch) {
  // A cell that cannot be interpreted is rejected all the same; only its index is unknown then.
  ScopedDiagnosticHandler quiet(watcher.getContext(), [](Diagnostic &) { return success(); });
  FailureOr<std::map<std::string, Rejection>> found = watcher.findRejections(backend, epoch);
  if (succeeded(found))
    first.insert(found->begin(), found->end()); // keeps those of earlier epochs
}

/// The valid contents of a value's cells.
static std::string describeContent(ValueOp value) {
  if (value.getKind() == Kind::Token)
    return "0.." + std::to_string(*value.getVocabularySize() - 1);
  return "integers of 32 bits";
}

void Rejections::warn(ProgramOp program, const Counters &before,
                      const ::lci::LoopOutcome &outcome) const {
  for (auto value : program.getOps<ValueOp>()) {
    std::string name = value.getSymName().str();
    int64_t number =
        ::lci::rejectionsOf(name, outcome.counters) - ::lci::rejectionsOf(name, before);
    if (number == 0)
      continue;
    InFlightDiagnostic warning = emitWarning(value.getLoc())
                                 << ErrorId::OutsideVocabulary << "'" << name << "' holds "
                                 << describeContent(value) << ", and " << number
                                 << (number == 1 ? " proposal outside of that was rejected"
                                                 : " proposals outside of that were rejected");
    auto known = first.find(name);
    auto epoch = outcome.rejectedIn.find(::lci::rejectionCountOf(name));
    if (known != first.end() && epoch != outcome.rejectedIn.end())
      warning.attachNote(program.lookupSymbol(known->second.rule)->getLoc())
          << "the first: "
          << (known->second.proposed.empty()
                  ? "that of rule '" + known->second.rule + "'"
                  : "rule '" + known->second.rule + "' proposed " + known->second.proposed)
          << " at " << printCell(name, known->second.cell) << " in epoch " << epoch->second;
    else
      warning.attachNote() << "which one came first is not known: its state was not kept";
  }
}
