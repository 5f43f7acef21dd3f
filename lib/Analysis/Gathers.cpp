//===- Gathers.cpp - Reads at indices from parameters ---------------------===//
//
// Compares a read with a gathering capability in two steps: its computed indices and limits must be
// the same operations, which binds the line's indices to the read's; and these, with all other
// axes, must be a subset of the line's as relations.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Gathers.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

//===----------------------------------------------------------------------===//
// Structural comparison
//===----------------------------------------------------------------------===//

static Value skipNames(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<LetOp, UnwrapOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static bool bind(Value argument, Value value, GatherMatch &match) {
  auto [known, isNew] = match.try_emplace(argument, value);
  return isNew || skipNames(known->second) == value;
}

bool mlir::lci::matchComputation(Value pattern, Value value, GatherMatch &match) {
  pattern = skipNames(pattern);
  value = skipNames(value);
  if (isa<BlockArgument>(pattern))
    return bind(pattern, value, match);
  Operation *expected = pattern.getDefiningOp(), *op = value.getDefiningOp();
  // An index of the line may be any integer here.
  auto cast = dyn_cast<arith::IndexCastOp>(expected);
  auto given = dyn_cast_or_null<arith::IndexCastOp>(op);
  if (cast && isa<BlockArgument>(cast.getIn()))
    return bind(cast.getIn(), given && given.getIn().getType().isIndex() ? given.getIn() : value,
                match);
  if (!op || op->getName() != expected->getName() || op->getNumRegions() != 0 ||
      op->getAttrDictionary() != expected->getAttrDictionary() ||
      op->getNumOperands() != expected->getNumOperands())
    return false;
  return llvm::all_of(llvm::zip(expected->getOperands(), op->getOperands()), [&](auto pair) {
    return matchComputation(std::get<0>(pair), std::get<1>(pair), match);
  });
}

/// Whether the index that is bound to a limited one of the line has the line's limits.
static bool matchLimits(VisibleOp line, unsigned numCell, GatherMatch &match) {
  for (const FreeLimits &limit : getLimits(line.getGather())) {
    auto index = dyn_cast_or_null<BlockArgument>(
        match.lookup(line.getBody().getArgument(numCell + limit.free)));
    Operation *family = index ? index.getOwner()->getParentOp() : nullptr;
    if (!family)
      return false;
    bool found = llvm::any_of(getLimits(family), [&](const FreeLimits &own) {
      GatherMatch attempt = match;
      bool same = own.free == index.getArgNumber() &&
                  matchComputation(limit.low, own.low, attempt) &&
                  matchComputation(limit.high, own.high, attempt);
      if (same)
        match = attempt;
      return same;
    });
    if (!found)
      return false;
  }
  return true;
}

/// The computed index to which a result of a read's map is equal, or null.
static Value getComputed(ReadOp read, AffineExpr result) {
  auto dim = dyn_cast<AffineDimExpr>(result);
  if (!dim)
    return Value();
  auto cast = read.getIndices()[dim.getPosition()].getDefiningOp<arith::IndexCastOp>();
  return cast ? cast.getResult() : Value();
}

std::optional<GatherMatch> mlir::lci::matchGather(ReadOp read, VisibleOp line) {
  GatherOp gather = line.getGather();
  if (!gather || line.getSource() != read.getValue())
    return std::nullopt;
  unsigned numIndices = line.getNumIndices();
  GatherMatch match;
  for (auto [expected, result] :
       llvm::zip(line.getMap().getResults(), read.getMap().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expected);
    if (!dim || dim.getPosition() < numIndices)
      continue;
    Value computed = getComputed(read, result);
    if (!computed ||
        !matchComputation(gather.getIndices()[dim.getPosition() - numIndices], computed, match))
      return std::nullopt;
  }
  ValueOp reader = line->getParentOfType<ProgramOp>().lookupValue(line.getValue());
  if (!matchLimits(line, reader.getRank(), match))
    return std::nullopt;
  return match;
}

//===----------------------------------------------------------------------===//
// Comparison of indices
//===----------------------------------------------------------------------===//

/// An integer as a sum of indices of a domain; nothing if it is more complex.
static std::optional<Linear> getForm(Value value, const IndexDomain &domain,
                                     ArrayRef<Linear> forms) {
  value = skipNames(value);
  if (std::optional<unsigned> position = domain.find(value))
    return forms[*position];
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Linear(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::IndexCastOp>(op))
    return getForm(op->getOperand(0), domain, forms);
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<Linear> left = getForm(op->getOperand(0), domain, forms);
  std::optional<Linear> right = getForm(op->getOperand(1), domain, forms);
  if (!left || !right)
    return std::nullopt;
  return isa<arith::AddIOp>(op) ? *left + *right : *left - *right;
}

namespace {
/// Compares the indices of a read with those of a line that it matches: both as relations from the
/// cell to the map's results on the other axes and to the indices that were matched.
class IndexComparison {
public:
  IndexComparison(ReadOp read, VisibleOp line, const GatherMatch &match)
      : read(read), line(line), match(match) {
    for (auto [axis, result] : llvm::enumerate(line.getMap().getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim || dim.getPosition() < line.getNumIndices())
        axes.push_back(axis);
    }
  }

  bool isWithin() {
    IndexDomain around = IndexDomain::around(read), known = IndexDomain::ofVisible(line);
    auto empty = PresburgerRelation::getEmpty(
        PresburgerSpace::getRelationSpace(around.getNumCellIndices(), axes.size() + match.size()));
    PresburgerRelation indicesOfRead = empty, indicesOfLine = empty;
    bool isKnown = true;
    around.forEachSystem(axes.size() + match.size(), [&](AffineSystem &system, auto forms) {
      isKnown &= addRead(system, around, forms);
      indicesOfRead.unionInPlace(system.get());
    });
    known.forEachSystem(axes.size() + match.size(), [&](AffineSystem &system, auto forms) {
      addLine(system, forms);
      indicesOfLine.unionInPlace(system.get());
    });
    return isKnown && !findOutside(indicesOfRead, indicesOfLine);
  }

private:
  bool addRead(AffineSystem &system, const IndexDomain &domain, ArrayRef<Linear> forms) {
    SmallVector<Linear> dims;
    for (Value index : read.getIndices()) {
      std::optional<unsigned> position = domain.find(index);
      dims.push_back(position ? forms[*position] : Linear(0));
    }
    unsigned next = 0;
    for (unsigned axis : axes) {
      AffineExpr result = read.getMap().getResult(axis);
      for (auto [position, index] : llvm::enumerate(read.getIndices()))
        if (result.isFunctionOfDim(position) && !domain.find(index))
          return false;
      system.addEqual(system.range(next++), system.evaluate(result, dims));
    }
    for (auto [argument, value] : match) {
      std::optional<Linear> form = getForm(value, domain, forms);
      if (!form)
        return false;
      system.addEqual(system.range(next++), *form);
    }
    return true;
  }

  void addLine(AffineSystem &system, ArrayRef<Linear> forms) {
    unsigned next = 0;
    for (unsigned axis : axes)
      system.addEqual(system.range(next++), system.evaluate(line.getMap().getResult(axis), forms));
    for (auto [argument, value] : match)
      system.addEqual(system.range(next++), forms[cast<BlockArgument>(argument).getArgNumber()]);
  }

  ReadOp read;
  VisibleOp line;
  const GatherMatch &match;
  SmallVector<unsigned> axes; ///< without computed indices
};
} // namespace

bool mlir::lci::isGatheredBy(ReadOp read, VisibleOp line) {
  std::optional<GatherMatch> match = matchGather(read, line);
  return match && IndexComparison(read, line, *match).isWithin();
}

bool mlir::lci::isFixed(VisibleOp line) {
  if (!line.getGather())
    return false;
  auto program = line->getParentOfType<ProgramOp>();
  return !line.getBody()
              .walk([&](Operation *op) {
                auto param = dyn_cast<ParamValueOp>(op);
                bool changes = param && program.lookupSymbol<ParamOp>(param.getParam()).hasInit();
                return changes || isa<EpochOp>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
              })
              .wasInterrupted();
}

bool mlir::lci::isGathered(ReadOp read) {
  StringRef value = getValueOf(getDeclaration(read));
  return !value.empty() &&
         llvm::any_of(read->getParentOfType<ProgramOp>().getOps<VisibleOp>(), [&](VisibleOp line) {
           return line.getValue() == value && isFixed(line) && matchGather(read, line).has_value();
         });
}
