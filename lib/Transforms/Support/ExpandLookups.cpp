//===- ExpandLookups.cpp - Expand lci.lookup to boolean operations --------===//

#include "LCI/Transforms/Support/ExpandLookups.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Emits functions of boolean values by Shannon's expansion, first value first.
class Expander {
public:
  explicit Expander(LookupOp op) : b(op), loc(op.getLoc()), type(op.getType()) {}

  /// Emits the function whose table has a bit for each combination of the values.
  Value emit(ValueRange values, unsigned table) {
    unsigned rows = 1u << values.size(), all = (1u << rows) - 1;
    if (table == 0 || table == all)
      return constant(table == 0 ? 0 : -1);
    unsigned half = rows / 2, mask = (1u << half) - 1;
    unsigned no = table & mask, yes = table >> half;
    Value condition = values.front();
    ValueRange rest = values.drop_front();
    if (yes == no)
      return emit(rest, no);
    if (yes == (no ^ mask))
      return b.createOrFold<arith::XOrIOp>(loc, condition, emit(rest, no));
    Value negated = b.createOrFold<arith::XOrIOp>(loc, condition, constant(-1));
    Value left = b.createOrFold<arith::AndIOp>(loc, condition, emit(rest, yes));
    Value right = b.createOrFold<arith::AndIOp>(loc, negated, emit(rest, no));
    return b.createOrFold<arith::OrIOp>(loc, left, right);
  }

private:
  Value constant(int64_t bits) {
    TypedAttr number = b.getIntegerAttr(getElementTypeOrSelf(type), bits);
    if (auto shaped = dyn_cast<ShapedType>(type))
      number = DenseElementsAttr::get(shaped, Attribute(number));
    return arith::ConstantOp::create(b, loc, number);
  }

  OpBuilder b;
  Location loc;
  Type type;
};
} // namespace

void mlir::lci::expandLookups(Operation *root) {
  root->walk([](LookupOp op) {
    op.replaceAllUsesWith(Expander(op).emit(op->getOperands(), op.getTable()));
    op.erase();
  });
}
