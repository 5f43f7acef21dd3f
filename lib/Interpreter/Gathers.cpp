//===- Gathers.cpp - Check the indices of gathers -------------------------===//
//
// Evaluates the gathered indices of a `visible` line for every cell and member with the given
// parameters, and compares those on open axes with the extents of the source.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/Gathers.h"
#include "Arrays.h"
#include "Bodies.h"
#include "LCI/Analysis/Gathers.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Visits every cell of a line's value with every member of the line.
class LineVisit {
public:
  LineVisit(VisibleOp line, Bodies &bodies)
      : line(line), gather(line.getGather()), body(line.getBody().front()), bodies(bodies) {
    auto program = line->getParentOfType<ProgramOp>();
    extents = *program.lookupValue(line.getValue()).getExtents();
    source = program.lookupValue(line.getSource());
  }

  LogicalResult run() {
    SmallVector<int64_t> cell(extents.size(), 0);
    do {
      if (failed(visitCell(cell)))
        return failure();
    } while (advance(cell, extents));
    return success();
  }

private:
  LogicalResult visitCell(ArrayRef<int64_t> cell) {
    unsigned numFree = body.getNumArguments() - cell.size();
    const Members *members = families.find(line.getWhere(), cell, numFree);
    if (!members)
      return line.emitError("ranges over infinitely many members, or more than 2^36")
             << ErrorId::CannotInterpret;
    if (members->count == 0)
      return success();
    evaluate(cell, (*members)[0]); // limits do not depend on the free indices
    SmallVector<MemberLimit> limits = bodies.getMemberLimits(gather);
    auto [first, last] = members->getWithin(limits);
    for (int64_t number = first; number < last; ++number) {
      if (!isWithin((*members)[number], limits))
        continue;
      evaluate(cell, (*members)[number]);
      if (failed(checkIndices(cell)))
        return failure();
    }
    return success();
  }

  void evaluate(ArrayRef<int64_t> cell, ArrayRef<int64_t> member) {
    SmallVector<Datum> arguments = llvm::map_to_vector(cell, Datum::integer);
    for (int64_t index : member)
      arguments.push_back(Datum::integer(index));
    bodies.evaluator.run(body, arguments);
  }

  // S-GATHER: on an open axis every index must be inside.
  LogicalResult checkIndices(ArrayRef<int64_t> cell) {
    for (auto [axis, result] : llvm::enumerate(line.getMap().getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (source.getBoundaryOf(axis) != Boundary::Open || !dim ||
          dim.getPosition() < line.getNumIndices())
        continue;
      Value index = gather.getIndices()[dim.getPosition() - line.getNumIndices()];
      int64_t found = bodies.evaluator.getInteger(index), extent = (*source.getExtents())[axis];
      if (found < 0 || found >= extent)
        return line.emitError() << ErrorId::OutsideValue << getName(index) << " is " << found
                                << ", but '" << source.getSymName() << "' has " << extent
                                << " cells on axis " << axis;
    }
    return success();
  }

  /// `nbr[12]`, where an index is the element of a parameter.
  std::string getName(Value index) {
    auto cast = index.getDefiningOp<arith::IndexCastOp>();
    auto element = cast ? cast.getIn().getDefiningOp<ParamValueOp>() : ParamValueOp();
    if (!element)
      return "an index";
    std::string text = "'" + element.getParam().str() + "[";
    for (auto [i, at] : llvm::enumerate(bodies.evaluator.getIntegers(element.getIndices())))
      text += (i == 0 ? "" : ",") + std::to_string(at);
    return text + "]'";
  }

  VisibleOp line;
  GatherOp gather;
  Block &body;
  Bodies &bodies;
  SmallVector<int64_t> extents;
  ValueOp source;
  Families families;
};
} // namespace

LogicalResult mlir::lci::checkGathers(ProgramOp program,
                                      const std::map<std::string, ::lci::Array> &params) {
  llvm::StringMap<ValueState> none;
  Bodies bodies(program, none);
  for (const auto &[name, array] : params)
    bodies.params[name] = toDatum(array);
  for (auto line : program.getOps<VisibleOp>())
    if (isFixed(line) && failed(LineVisit(line, bodies).run()))
      return failure();
  return success();
}
