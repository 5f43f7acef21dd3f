//===- InferRanges.cpp - Prove that integers and proposals are in range ---===//
//
// Checks overflow, division by zero and vocabularies by the range analysis of
// each declaration. Errors and remarks show numbers (a witness) with which the
// limit is exceeded.
//
//===----------------------------------------------------------------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Demand.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Overflow.h"
#include "LCI/Transforms/Program/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_INFERRANGESPASS
#include "LCI/Transforms/Program/Passes.h.inc"
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

/// `as at A[3], where B[x] holds 0`; an observer is at no cell: `as where B[x] holds 0`.
static void attachWitness(InFlightDiagnostic &diagnostic, Operation *declaration,
                          const NumberWitness &witness) {
  if (witness.cell.empty() && witness.reads.empty())
    return;
  bool isAnywhere = isa<ObserveOp>(declaration);
  std::string text =
      isAnywhere ? "as" : "as at " + printCell(getValueName(declaration), witness.cell);
  StringRef where = isAnywhere ? " where " : ", where ";
  for (auto [number, read] : llvm::enumerate(witness.reads))
    text += (number ? StringRef(" and ") : where).str() + printRead(read.first) + " holds " +
            std::to_string(read.second);
  diagnostic.attachNote() << text;
}

/// `B[x] holds 3`, `'k' is 7`: the description of a number of a witness.
static std::string printNumber(Value number, int64_t value) {
  Operation *op = number.getDefiningOp();
  std::string text = "a number is ";
  if (auto read = dyn_cast_or_null<ReadOp>(op))
    text = printRead(read) + " holds ";
  else if (auto param = dyn_cast_or_null<ParamValueOp>(op))
    text =
        (param.getIndices().empty() ? "'" : "an element of '") + param.getParam().str() + "' is ";
  else if (isa_and_nonnull<EpochOp>(op))
    text = "epoch is ";
  else if (isa_and_nonnull<RandIntOp>(op))
    text = "a draw is ";
  else if (auto reduce = dyn_cast_or_null<ReduceOp>(op))
    text = stringifyReduction(reduce.getKind()).str() + "(…) is ";
  else if (!op)
    text = "candidate is ";
  return text + std::to_string(value);
}

/// `3 * 4`, or nothing for operations without an infix notation.
static std::string printOperation(Operation *op, ArrayRef<int64_t> operands) {
  if (auto power = dyn_cast<PowerOp>(op))
    return std::to_string(operands[0]) + "^" + std::to_string(power.getExponent());
  StringRef sign = isa<arith::AddIOp>(op)   ? " + "
                   : isa<arith::SubIOp>(op) ? " - "
                   : isa<arith::MulIOp>(op) ? " * "
                                            : "";
  if (sign.empty())
    return "";
  return std::to_string(operands[0]) + sign.str() + std::to_string(operands[1]);
}

/// Attaches the numbers with which an operation exceeds 64 bits, if they are known.
static void attachOverflow(InFlightDiagnostic &error, Operation *declaration, Operation *op,
                           const RangeAnalysis &ranges) {
  auto reduce = dyn_cast<ReduceOp>(op);
  if (std::optional<int64_t> size = reduce ? getLargestFamily(reduce) : std::nullopt) {
    auto yield = cast<YieldOp>(reduce.getBody().front().getTerminator());
    error.attachNote() << "as of " << *size << " members, each of "
                       << print(ranges.getRange(yield.getValue()));
    return;
  }
  std::optional<OverflowWitness> witness = findOverflow(op, ranges);
  if (!witness)
    return;
  std::string text = "as";
  if (!witness->cell.empty())
    text += " at " + printCell(getValueName(declaration), witness->cell);
  for (auto [number, value] : witness->numbers)
    text += (text == "as"                               ? " where "
             : number == witness->numbers.front().first ? ", where "
                                                        : " and ") +
            printNumber(number, value);
  std::string operation = printOperation(op, witness->operands);
  error.attachNote() << text << (operation.empty() ? "" : ": ") << operation;
}

/// Reports shifts whose count is out of range, and returns them.
static SmallVector<Operation *> reportShifts(Operation *declaration, const RangeAnalysis &ranges) {
  SmallVector<Operation *> reported;
  declaration->walk([&](Operation *op) {
    if (!isa<arith::ShLIOp, arith::ShRSIOp>(op) || !op->getResult(0).getType().isInteger(64))
      return;
    ConstantIntRanges count = ranges.getRange(op->getOperand(1));
    std::optional<NumberWitness> negative;
    if (count.smin().isNegative())
      negative = findNumber(op->getOperand(1), op, {0, std::numeric_limits<int64_t>::max(), false},
                            ranges);
    bool isLarge = count.smax().sgt(63) && llvm::is_contained(ranges.getOverflows(), op);
    if (!negative && !isLarge)
      return;
    reported.push_back(op);
    InFlightDiagnostic error = emitError(op->getLoc())
                               << ErrorId::MayOverflow << describe(declaration) << " shifts by "
                               << print(count) << ", which may be "
                               << (negative ? "below 0" : "above 63");
    if (negative)
      attachWitness(error, declaration, *negative);
    error.attachNote() << "keep the count from 0 to 63, as in clamp(…, 0, 63)";
  });
  return reported;
}

static LogicalResult checkArithmetic(Operation *declaration, const RangeAnalysis &ranges) {
  SmallVector<Operation *> shifts = reportShifts(declaration, ranges);
  for (Operation *op : ranges.getOverflows()) {
    if (llvm::is_contained(shifts, op))
      continue;
    InFlightDiagnostic error = emitError(op->getLoc())
                               << ErrorId::MayOverflow << describe(declaration)
                               << " computes an integer from " << print(ranges.getExactRange(op))
                               << ", which may leave 64 bits";
    attachOverflow(error, declaration, op, ranges);
  }
  bool fails = !ranges.getOverflows().empty() || !shifts.empty();
  for (Operation *op : ranges.getZeroDivisions()) {
    std::optional<NumberWitness> zero = findNumber(op->getOperand(1), op, {0, 0, true}, ranges);
    if (!zero)
      continue;
    fails = true;
    InFlightDiagnostic error = emitError(op->getLoc())
                               << ErrorId::MayDivideByZero << describe(declaration)
                               << " divides by " << print(ranges.getRange(op->getOperand(1)))
                               << ", which may be zero";
    attachWitness(error, declaration, *zero);
    error.attachNote() << "make the divisor positive, as in max(1, …)";
  }
  return success(!fails);
}

/// Rejects a formula that is never an integer of 32 bits, though its parameter is declared as one.
static LogicalResult checkParam(ParamOp param, const RangeAnalysis &ranges) {
  auto yield = cast<YieldOp>(param.getInit().front().getTerminator());
  if (!yield.getValue().getType().isInteger(64))
    return success();
  constexpr int64_t kFirst = std::numeric_limits<int32_t>::min();
  constexpr int64_t kLast = std::numeric_limits<int32_t>::max();
  ConstantIntRanges range = ranges.getRange(yield.getValue());
  if (!RangeAnalysis::isOutside(range, kFirst, kLast))
    return success();
  return emitError(yield.getValue().getLoc())
         << ErrorId::NumberTooLarge << describe(param) << " is " << print(range)
         << ", but an I32 holds " << kFirst << ".." << kLast;
}

namespace {
/// The range of a cell, and a proposal for it.
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

  /// A number that may be proposed, and the operation that forwards it.
  struct Branch {
    Value number;
    Operation *user;
  };

  static void collectBranches(Value proposed, Operation *user, SmallVector<Branch> &branches) {
    if (auto let = proposed.getDefiningOp<LetOp>())
      return collectBranches(let.getValue(), let, branches);
    auto select = proposed.getDefiningOp<arith::SelectOp>();
    if (!select) {
      branches.push_back({proposed, user});
      return;
    }
    collectBranches(select.getTrueValue(), select, branches);
    collectBranches(select.getFalseValue(), select, branches);
  }

  /// Rejects a branch that is always out of range, and reports one that may be. Initial values must
  /// be in range, because nothing rejects them at run time.
  LogicalResult check(Value proposed, Operation *user, StringRef verb, bool remarks) const {
    SmallVector<Branch> branches;
    collectBranches(proposed, user, branches);
    LogicalResult result = success();
    for (Branch branch : branches) {
      ConstantIntRanges range = ranges.getRange(branch.number);
      bool isOutside = isa<ValueOp>(declaration) || RangeAnalysis::isOutside(range, first, last);
      if (RangeAnalysis::isWithin(range, first, last) || (!isOutside && !remarks))
        continue;
      std::optional<NumberWitness> witness =
          findNumber(branch.number, branch.user, {first, last, false}, ranges);
      if (!witness)
        continue;
      report(branch, user->getLoc(), verb, isOutside, *witness);
      if (isOutside)
        result = failure();
    }
    return result;
  }

  void report(Branch branch, Location loc, StringRef verb, bool isError,
              const NumberWitness &witness) const {
    Location place = branch.number.getLoc();
    InFlightDiagnostic diagnostic =
        isError ? emitError(place) << ErrorId::OutsideVocabulary : emitRemark(place);
    diagnostic << describe(declaration) << " " << verb << " "
               << ::print(ranges.getRange(branch.number));
    if (isa<ValueOp>(declaration))
      diagnostic << ", but holds " << first << ".." << last;
    else
      diagnostic << " for '" << value.getName() << "', which holds " << first << ".." << last;
    if (!isError)
      diagnostic << ": what is outside is rejected and counted";
    attachWitness(diagnostic, declaration, witness);
    if (isa<ValueOp>(declaration))
      diagnostic.attachNote() << "keep it inside, as in clamp(…, " << first << ", " << last << ")";
    else if (isError && value.getKind() == Kind::Token)
      diagnostic.attachNote() << "a vocabulary of " << last + 1 << " tokens has those from 0 to "
                              << last;
    if (place != loc)
      diagnostic.attachNote(loc) << verb << " here";
  }
};

struct InferRanges : mlir::lci::impl::InferRangesPassBase<InferRanges> {
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
  /// Reports accesses of tables that may be out of range: the nearest element is read, which may
  /// not be intended.
  static void tellOverruns(Operation *declaration, const RangeAnalysis &ranges) {
    auto program = declaration->getParentOfType<ProgramOp>();
    declaration->walk([&](ParamValueOp read) {
      if (read.getIndices().empty())
        return;
      auto param = program.lookupSymbol<ParamOp>(read.getParam());
      for (auto [index, size] : llvm::zip(read.getIndices(), param.getShape()->getResults())) {
        int64_t last = cast<AffineConstantExpr>(size).getValue() - 1;
        if (RangeAnalysis::isWithin(ranges.getRange(index), 0, last))
          continue;
        std::optional<NumberWitness> witness = findNumber(index, read, {0, last, false}, ranges);
        if (!witness)
          continue;
        InFlightDiagnostic remark = emitRemark(read.getLoc())
                                    << describe(declaration) << " reads '" << read.getParam()
                                    << "' at " << print(ranges.getRange(index)) << ", which has 0.."
                                    << last << ": the nearest element is meant";
        attachWitness(remark, declaration, *witness);
      }
    });
  }

  LogicalResult check(Operation *declaration) {
    if (declaration->getNumRegions() == 0)
      return success();
    RangeAnalysis ranges(declaration);
    if (failed(checkArithmetic(declaration, ranges)))
      return failure();
    if (remarks)
      tellOverruns(declaration, ranges);
    if (auto param = dyn_cast<ParamOp>(declaration))
      return param.hasInit() ? checkParam(param, ranges) : success();
    auto program = declaration->getParentOfType<ProgramOp>();
    if (auto rule = dyn_cast<RuleOp>(declaration)) {
      auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
      if (emit.getProposal() && emit.getProposal().getType().isInteger(64))
        return Proposal(rule, program.lookupValue(rule.getValue()), ranges)
            .check(emit.getProposal(), emit, "proposes", remarks);
    }
    if (auto value = dyn_cast<ValueOp>(declaration); value && value.hasInit()) {
      auto yield = cast<YieldOp>(value.getInit().front().getTerminator());
      if (yield.getValue().getType().isInteger(64))
        return Proposal(value, value, ranges).check(yield.getValue(), yield, "starts as", remarks);
    }
    return success();
  }
};
} // namespace
