//===- Rejections.cpp - Find the first rejected proposal ------------------===//
//
// S-INVALID: a function that runs one epoch, and counts by rule the proposals that were rejected at
// cells before a given one, in the order of phases and cells. Bisection finds the first one.
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "ProgramLowering.h"

using namespace mlir;
using namespace mlir::lci;

LogicalResult ProgramLowering::buildRejections() {
  if (llvm::none_of(program.getOps<RuleOp>(), mayReject))
    return success();
  Interface interface(program, given);
  addValues(interface);
  for (Role role : {Role::Before, Role::Epoch, Role::Seed})
    interface.add(role, "", b.getI64Type());
  auto countsType = RankedTensorType::get({0}, b.getI64Type()); // their number is known after
  interface.add(Role::Counts, "", countsType);
  func::FuncOp function =
      interface.makeFunction(b, program.getSymName() + ".rejections", TypeRange(countsType));
  bindings = interface.bind(function);
  counters = Counters(Counting::None);
  firstPhase = lastPhase = Value(); // all phases
  auto arguments = function.getArguments();
  SmallVector<Value> carried(arguments.take_front(ruled.size() + recorded.size()));
  carried.push_back(arguments.back());
  if (failed(buildEpoch(arguments.drop_back(2).back(), carried)))
    return failure();
  func::ReturnOp::create(b, program.getLoc(), carried.back());
  setCounters(function, counters);
  return success();
}
