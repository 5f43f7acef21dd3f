//===- CheckConstraints.cpp - Report constraints that commits can break ---===//
//
// Searches for commits that are allowed one by one and break a hard constraint
// together, and for cells that a constraint ties although they change in one
// phase: a warning or a remark, with a witness and a remedy.
//
//===----------------------------------------------------------------------===//

#include "CheckSupport.h"
#include "DependentPhases.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Analysis/Violations.h"
#include "LCI/Transforms/Program/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKCONSTRAINTSPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The most cells named that only have to hold something.
static constexpr size_t kMaxOthers = 4;

namespace {
struct CheckConstraints : mlir::lci::impl::CheckConstraintsPassBase<CheckConstraints> {
  using CheckConstraintsPassBase::CheckConstraintsPassBase;

  void runOnOperation() override {
    (void)forEachBound(getOperation(), [this](ProgramOp program) {
      for (auto constraint : program.getOps<ConstraintOp>())
        check(constraint);
      return success();
    });
  }

private:
  /// Reports constraints that tie cells of one phase, which do not see each other's commits
  /// (S-BROKEN).
  void check(ConstraintOp constraint) {
    if (constraint.cannotBeOutvoted()) {
      if (std::optional<Violation> violation = findViolation(constraint))
        warnOfViolation(constraint, *violation);
      return;
    }
    std::optional<DependentPair> pair;
    if (remarks)
      pair = findDependentPair(constraint);
    if (!pair)
      return;
    InFlightDiagnostic remark = emitRemark(constraint.getLoc())
                                << describe(constraint)
                                << " ties cells that change together: in phase " << pair->phase
                                << ", " << printPair(*pair);
    remark.attachNote(pair->read->getLoc()) << "the read is here";
  }

  void warnOfViolation(ConstraintOp constraint, const Violation &violation) {
    const DependentPair &pair = violation.pair;
    InFlightDiagnostic warning = emitWarning(constraint.getLoc())
                                 << ErrorId::NotIndependent << describe(constraint)
                                 << " is hard, but " << tellViolation(violation);
    warning.attachNote(pair.read->getLoc()) << "the read is here";
    tellCommits(warning, violation);
    warning.attachNote() << howToMend(violation);
  }

  static std::string tellViolation(const Violation &violation) {
    const DependentPair &pair = violation.pair;
    std::string breaks = violation.witness.empty() ? "may break it" : "can break it";
    std::string phase = "in phase " + std::to_string(pair.phase) + ", ";
    std::string reader = printCell(ValueOp(pair.value).getName(), pair.reader);
    std::string written = printCell(ValueOp(pair.source).getName(), pair.written);
    switch (violation.kind) {
    case Violation::Together:
      return "commits of one tick " + breaks + " together: " + phase + printPair(pair) +
             ", and both are decided";
    case Violation::Alone:
      return "a commit that it allows " + breaks + ": " + phase + reader +
             " reads itself, and is decided";
    case Violation::Apart:
      return "commits of another phase " + breaks + ": " + phase + written + " is decided, and " +
             reader + ", which reads it, stays";
    }
    llvm_unreachable("a violation of no kind");
  }

  /// Attaches the commits, and the contents of other cells, that break the constraint.
  static void tellCommits(InFlightDiagnostic &warning, const Violation &violation) {
    const DependentPair &pair = violation.pair;
    const char *checked = violation.kind == Violation::Together
                              ? ", each checked against what the other cell held before"
                              : ", checked against what the cells held before";
    if (violation.witness.empty()) {
      Diagnostic &note = warning.attachNote();
      if (violation.kind == Violation::Together)
        note << describe(pair.reading) << " commits at "
             << printCell(ValueOp(pair.value).getName(), pair.reader) << " and ";
      note << describe(pair.writing)
           << (violation.kind == Violation::Together ? " at " : " commits at ")
           << printCell(ValueOp(pair.source).getName(), pair.written) << checked;
      warning.attachNote() << "within a bounded effort no state was found from which they break "
                              "it, nor that there is none";
      return;
    }
    auto isStill = [](const CellCommit &commit) { return !commit.rule; };
    ArrayRef<CellCommit> changed = ArrayRef(violation.witness).drop_front();
    ArrayRef<CellCommit> others = changed.drop_until(isStill);
    changed = changed.drop_back(others.size());
    Diagnostic &note = warning.attachNote();
    note << tellCommit(violation.witness.front());
    for (auto [number, commit] : llvm::enumerate(changed))
      note << (number + 1 == changed.size() ? ", and " : ", ") << tellCommit(commit);
    note << checked;
    if (others.empty())
      return;
    Diagnostic &held = warning.attachNote() << "that is so where ";
    llvm::interleave(
        others.take_front(kMaxOthers), [&](const CellCommit &other) { held << tellHeld(other); },
        [&] { held << " and "; });
    if (others.size() > kMaxOthers)
      held << " and " << others.size() - kMaxOthers << " cells more hold what suits it";
  }

  static std::string tellContent(ValueOp value, int64_t content) {
    bool isAbsent = value.getVocabularySize() == content && value.getKind() == Kind::Token;
    return isAbsent ? "nothing" : std::to_string(content);
  }
  static std::string tellHeld(const CellCommit &cell) {
    return printCell(ValueOp(cell.value).getName(), cell.cell) + " holds " +
           tellContent(cell.value, cell.before);
  }
  static std::string tellCommit(const CellCommit &commit) {
    std::string cell = printCell(ValueOp(commit.value).getName(), commit.cell);
    if (!commit.rule)
      return cell + " keeps " + tellContent(commit.value, commit.before);
    return describe(commit.rule) + " commits " + std::to_string(commit.after) + " at " + cell +
           ", which held " + tellContent(commit.value, commit.before);
  }

  static std::string howToMend(const Violation &violation) {
    if (violation.kind == Violation::Alone)
      return "'candidate' is what the cell would hold; what it reads of itself is what it held";
    bool isOneSided = violation.kind == Violation::Apart || violation.isOneSided;
    return isOneSided ? howToState(violation.pair) : howToPart(violation.pair);
  }

  /// Schedules do not help if the constraint is not evaluated for a cell that is only read.
  static std::string howToState(const DependentPair &pair) {
    std::string written = printCell(ValueOp(pair.source).getName(), pair.written);
    return "a constraint is evaluated for cells that commit: one that reads " + written +
           " has to say the same from there";
  }

  /// Suggests a schedule under which each of the two reads the other one's commit.
  static std::string howToPart(const DependentPair &pair) {
    ValueOp value = pair.value, source = pair.source;
    if (value != source)
      return ("let '" + value.getName() + "' and '" + source.getName() +
              "' be decided in different phases: their schedules take 'phase=…'")
          .str();
    bool canColour = computeColouring(value).has_value();
    return ("'schedule " + value.getName() + "[*] using " + (canColour ? "recolor" : "raster") +
            "' decides them in different phases")
        .str();
  }
};
} // namespace
