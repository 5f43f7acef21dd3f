//===- CheckVisibility.cpp - Reads stay within what is visible --------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Transforms/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKVISIBILITYPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

namespace {
/// Checks the reads of one declaration against the capabilities of its value.
class VisibilityChecker {
public:
  VisibilityChecker(Operation *declaration, StringRef value)
      : declaration(declaration), value(value), program(declaration->getParentOfType<ProgramOp>()) {
  }

  LogicalResult check(ReadOp read) {
    std::optional<PresburgerRelation> indices = getReadRelation(read, Target::Index);
    if (!indices)
      return emitError(read.getLoc()) << describe(declaration) << " reads '" << read.getValue()
                                      << "' at an index that is computed, which cannot be checked";
    // Cheap and mostly enough: the maps' results agree before any boundary is applied.
    if (!findOutside(*indices, getVisible(read, Target::Index)))
      return success();
    std::optional<SmallVector<int64_t>> witness =
        findOutside(*getReadRelation(read, Target::Cell), getVisible(read, Target::Cell));
    if (!witness)
      return success();
    report(read, *witness);
    return failure();
  }

private:
  PresburgerRelation getVisible(ReadOp read, Target target) {
    ValueOp source = program.lookupValue(read.getValue());
    auto all = PresburgerRelation::getEmpty(
        PresburgerSpace::getRelationSpace(program.lookupValue(value).getRank(), source.getRank()));
    for (auto visible : program.getOps<VisibleOp>())
      if (visible.getValue() == value && visible.getSource() == read.getValue())
        all.unionInPlace(getVisibleRelation(visible, target));
    return all;
  }

  void report(ReadOp read, ArrayRef<int64_t> witness) {
    unsigned rank = program.lookupValue(value).getRank();
    std::string missing = printMissingVisible(read);
    StringRef target = StringRef(missing).split(" <- ").second.split(" when ").first;
    InFlightDiagnostic error = emitError(read.getLoc()) << describe(declaration) << " reads "
                                                        << target << ", which is not visible";
    error.attachNote() << "cell " << printCell(value, witness.take_front(rank)) << " reads "
                       << printCell(read.getValue(), witness.drop_front(rank));
    error.attachNote() << "add: " << missing;
  }

  Operation *declaration;
  StringRef value;
  ProgramOp program;
};

struct CheckVisibility : lci::impl::CheckVisibilityPassBase<CheckVisibility> {
  void runOnOperation() override {
    if (failed(forEachBound(getOperation(), checkProgram)))
      signalPassFailure();
  }

  static LogicalResult checkProgram(ProgramOp program) {
    LogicalResult result = success();
    for (Operation &declaration : program.getBody().front()) {
      if (!isa<RuleOp, ConstraintOp>(declaration))
        continue;
      auto value = declaration.getAttrOfType<FlatSymbolRefAttr>("value");
      VisibilityChecker checker(&declaration, value.getValue());
      declaration.walk([&](ReadOp read) {
        if (failed(checker.check(read)))
          result = failure();
      });
    }
    return result;
  }
};
} // namespace
