//===- VectorOps.cpp - Verifiers of operations on vectors -----------------===//

#include "VerifierUtils.h"

using namespace mlir;
using namespace mlir::lci;

LogicalResult SpreadOp::verify() {
  AffineMap map = getLength();
  if (map.getNumDims() != 0 || map.getNumResults() != 1)
    return emitOpError("expected a length of one result and no dimension, but got ")
           << ErrorId::InvalidAttribute << getLengthAttr();
  return verifyMap(*this, map, "a length");
}

/// Whether two extents are the same or one is not known.
static bool agree(int64_t left, int64_t right) {
  return left == right || ShapedType::isDynamic(left) || ShapedType::isDynamic(right);
}

LogicalResult MatVecOp::verify() {
  auto matrix = cast<RankedTensorType>(getMatrix().getType());
  auto vector = cast<ShapedType>(getVector().getType());
  auto result = cast<ShapedType>(getResult().getType());
  if (isa<VectorType>(vector) != isa<VectorType>(result))
    return emitOpError("expected a result like the vector, but got ")
           << ErrorId::InvalidTypes << result << " of " << vector;
  if (!agree(matrix.getDimSize(1), vector.getDimSize(0)))
    return emitOpError("expected a vector of ") << ErrorId::InvalidTypes << matrix.getDimSize(1)
                                                << " components, but got " << vector.getDimSize(0);
  if (!agree(matrix.getDimSize(0), result.getDimSize(0)))
    return emitOpError("expected a result of ") << ErrorId::InvalidTypes << matrix.getDimSize(0)
                                                << " components, but got " << result.getDimSize(0);
  return success();
}

LogicalResult ConcatOp::verify() {
  int64_t length = 0;
  for (Type type : getParts().getTypes()) {
    auto vector = dyn_cast<RankedTensorType>(type);
    if (vector && vector.isDynamicDim(0))
      return success();
    length += vector ? vector.getDimSize(0) : 1;
  }
  int64_t expected = cast<RankedTensorType>(getResult().getType()).getDimSize(0);
  if (agree(length, expected))
    return success();
  return emitOpError("expected a result of ")
         << ErrorId::InvalidTypes << length << " components, but got " << expected;
}
