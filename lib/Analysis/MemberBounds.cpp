//===- MemberBounds.cpp - Bounds of a family's members --------------------===//
//
// A loop over a free index need not visit its whole range where the sets relate it to the cell's
// indices: `i / 3 == r / 3` leaves three values, `k < t` the first t. Members are still tested.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/MemberBounds.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lci;

/// Collects the terms of a sum.
static void addTerms(AffineExpr sum, SmallVectorImpl<AffineExpr> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
  if (!binary || binary.getKind() != AffineExprKind::Add)
    return terms.push_back(sum);
  addTerms(binary.getLHS(), terms);
  addTerms(binary.getRHS(), terms);
}

namespace {
/// A constraint `sign · (d / divisor) + rest`, for one dimension d, that does not involve later
/// dimensions.
struct Isolated {
  int64_t sign = 1, divisor = 1;
  AffineExpr rest;
};
} // namespace

/// Matches the dimension, alone or divided, in a term.
static bool readTerm(AffineExpr term, unsigned dim, Isolated &found) {
  if (auto product = dyn_cast<AffineBinaryOpExpr>(term);
      product && product.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!factor || (factor.getValue() != 1 && factor.getValue() != -1))
      return false;
    found.sign = factor.getValue();
    term = product.getLHS();
  }
  if (auto quotient = dyn_cast<AffineBinaryOpExpr>(term);
      quotient && quotient.getKind() == AffineExprKind::FloorDiv) {
    auto divisor = dyn_cast<AffineConstantExpr>(quotient.getRHS());
    if (!divisor || divisor.getValue() <= 0)
      return false;
    found.divisor = divisor.getValue();
    term = quotient.getLHS();
  }
  auto bare = dyn_cast<AffineDimExpr>(term);
  return bare && bare.getPosition() == dim;
}

static std::optional<Isolated> isolate(AffineExpr constraint, unsigned dim, unsigned numDims) {
  for (unsigned later = dim + 1; later < numDims; ++later)
    if (constraint.isFunctionOfDim(later))
      return std::nullopt;
  SmallVector<AffineExpr> terms;
  addTerms(constraint, terms);
  Isolated found;
  found.rest = getAffineConstantExpr(0, constraint.getContext());
  bool isFound = false;
  for (AffineExpr term : terms) {
    if (!term.isFunctionOfDim(dim)) {
      found.rest = found.rest + term;
      continue;
    }
    if (isFound || !readTerm(term, dim, found))
      return std::nullopt;
    isFound = true;
  }
  return isFound ? std::optional(found) : std::nullopt;
}

/// The bounds that the constraints of one set give.
static MemberBounds getBoundsOfSet(IntegerSet set, unsigned dim) {
  MemberBounds bounds;
  for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    std::optional<Isolated> found = isolate(constraint, dim, set.getNumDims());
    if (!found)
      continue;
    // d / divisor equals, is at least or is at most the quotient.
    AffineExpr quotient = found->sign > 0 ? -found->rest : found->rest;
    if (isEquality || found->sign > 0)
      bounds.first.push_back(quotient * found->divisor);
    if (isEquality || found->sign < 0)
      bounds.last.push_back(quotient * found->divisor + (found->divisor - 1));
  }
  return bounds;
}

MemberBounds mlir::lci::getMemberBounds(ArrayAttr where, unsigned dim) {
  std::optional<MemberBounds> common;
  auto keepShared = [](SmallVector<AffineExpr> &all, ArrayRef<AffineExpr> others) {
    llvm::erase_if(all, [&](AffineExpr bound) {
      return isa<AffineConstantExpr>(bound) || !llvm::is_contained(others, bound);
    });
  };
  for (IntegerSet set : where.getAsValueRange<IntegerSetAttr>()) {
    MemberBounds bounds = getBoundsOfSet(set, dim);
    if (!common)
      common = bounds;
    keepShared(common->first, bounds.first);
    keepShared(common->last, bounds.last);
  }
  return common.value_or(MemberBounds());
}
