//===- InferRanges.cpp - Integers fit, proposals stay inside ----------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Ranges.h"
#include "LCI/Transforms/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_INFERRANGESPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// `3`, or `0..7`.
static std::string print(const ConstantIntRanges &range) {
  SmallString<48> first, last;
  range.smin().toStringSigned(first);
  range.smax().toStringSigned(last);
  return first == last ? std::string(first) : (first + ".." + last).str();
}

static LogicalResult checkArithmetic(Operation *declaration, const RangeAnalysis &ranges) {
  for (Operation *op : ranges.getOverflows())
    emitError(op->getLoc()) << describe(declaration) << " computes an integer from "
                            << print(ranges.getExactRange(op)) << ", which may leave 64 bits";
  for (Operation *op : ranges.getZeroDivisions()) {
    InFlightDiagnostic error = emitError(op->getLoc()) << describe(declaration) << " divides by "
                                                       << print(ranges.getRange(op->getOperand(1)))
                                                       << ", which may be zero";
    error.attachNote() << "make the divisor positive, as in max(1, …)";
  }
  return success(ranges.getOverflows().empty() && ranges.getZeroDivisions().empty());
}

namespace {
/// What a cell may hold, and what is proposed for it.
struct Proposal {
  Operation *declaration;
  mutable ValueOp value;
  const RangeAnalysis &ranges;
  int64_t first = 0, last = 0;

  Proposal(Operation *declaration, ValueOp value, const RangeAnalysis &ranges)
      : declaration(declaration), value(value), ranges(ranges) {
    if (value.getKind() == Kind::Token) {
      last = *value.getVocabularySize() - 1;
    } else {
      first = std::numeric_limits<int32_t>::min();
      last = std::numeric_limits<int32_t>::max();
    }
  }

  /// The branches of a proposal that can be taken and are outside in any case.
  void findOutside(Value proposed, SmallVector<Value> &outside) const {
    if (auto let = proposed.getDefiningOp<LetOp>())
      return findOutside(let.getValue(), outside);
    if (auto select = proposed.getDefiningOp<arith::SelectOp>()) {
      ConstantIntRanges condition = ranges.getRange(select.getCondition());
      if (!condition.umax().isZero())
        findOutside(select.getTrueValue(), outside);
      if (condition.umin().isZero())
        findOutside(select.getFalseValue(), outside);
      return;
    }
    if (RangeAnalysis::isOutside(ranges.getRange(proposed), first, last))
      outside.push_back(proposed);
  }

  LogicalResult check(Value proposed, Location loc, StringRef verb, bool remarks) const {
    SmallVector<Value> outside;
    findOutside(proposed, outside);
    for (Value branch : outside) {
      InFlightDiagnostic error = emitError(branch.getLoc())
                                 << describe(declaration) << " " << verb << " "
                                 << ::print(ranges.getRange(branch)) << " for '" << value.getName()
                                 << "', which holds " << first << ".." << last;
      if (branch.getLoc() != loc)
        error.attachNote(loc) << verb << " here";
    }
    if (!outside.empty())
      return failure();
    ConstantIntRanges range = ranges.getRange(proposed);
    if (remarks && !RangeAnalysis::isWithin(range, first, last))
      emitRemark(loc) << describe(declaration) << " " << verb << " " << ::print(range) << " for '"
                      << value.getName() << "', which holds " << first << ".." << last
                      << ": what is outside is rejected and counted";
    return success();
  }
};

struct InferRanges : lci::impl::InferRangesPassBase<InferRanges> {
  using InferRangesPassBase::InferRangesPassBase;

  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [this](ProgramOp program) {
      LogicalResult all = success();
      for (Operation &declaration : program.getBody().front())
        if (!isa<DefOp>(declaration) && failed(check(&declaration)))
          all = failure();
      return all;
    });
    if (failed(result))
      signalPassFailure();
  }

private:
  LogicalResult check(Operation *declaration) {
    if (declaration->getNumRegions() == 0)
      return success();
    RangeAnalysis ranges(declaration);
    if (failed(checkArithmetic(declaration, ranges)))
      return failure();
    auto program = declaration->getParentOfType<ProgramOp>();
    if (auto rule = dyn_cast<RuleOp>(declaration)) {
      auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
      if (emit.getProposal() && emit.getProposal().getType().isInteger(64))
        return Proposal(rule, program.lookupValue(rule.getValue()), ranges)
            .check(emit.getProposal(), emit.getLoc(), "proposes", remarks);
    }
    if (auto value = dyn_cast<ValueOp>(declaration); value && value.hasInit()) {
      auto yield = cast<YieldOp>(value.getInit().front().getTerminator());
      if (yield.getValue().getType().isInteger(64))
        return Proposal(value, value, ranges)
            .check(yield.getValue(), yield.getLoc(), "starts as", remarks);
    }
    return success();
  }
};
} // namespace
