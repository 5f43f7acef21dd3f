//===- Observers.cpp - Observers of a program as ticks --------------------===//
//
// Each observer becomes one tick on a tensor of rank 0, whose body reads the whole state. Its
// counter tells whether the observation is present (a mean over no member is not).
//
//===----------------------------------------------------------------------===//

#include "ProgramLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::lci;

/// The result type of an observation: f32, or i64 for everything else.
static Type getObservationType(ObserveOp observer) {
  auto yield = cast<YieldOp>(observer.getBody().front().getTerminator());
  Type type = yield.getValue().getType();
  return type.isF32() ? type : Builder(type.getContext()).getI64Type();
}

/// An integer or a boolean as 64 bits.
static Value toObservation(OpBuilder &b, Location loc, Value seen, Type type) {
  if (seen.getType() == type)
    return seen;
  if (seen.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, type, seen);
  return arith::ExtUIOp::create(b, loc, type, seen);
}

FailureOr<TickOp> ProgramLowering::buildObserver(ObserveOp observer, Value epoch, int64_t slot,
                                                 Value counts) {
  Location loc = observer.getLoc();
  TickBody body(program, observer, bindings);
  Block &block = observer.getBody().front();
  if (failed(body.lower(block)))
    return failure();
  auto yield = cast<YieldOp>(block.getTerminator());
  OpBuilder &inside = body.builder();
  Type type = getObservationType(observer);
  Value seen = toObservation(inside, loc, body.lookup(yield.getValue()), type);
  Value some = body.orTrue(body.lookupOrNull(yield.getPresent()));
  InstallOp::create(inside, loc, seen, some, Value(), Value(), some, b.getDenseI64ArrayAttr(slot));
  auto cell = RankedTensorType::get({}, type);
  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(cell));
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  return body.finish(b, epoch, zero, zero, {nothing, counts, Value()}, IntegerSetAttr(), 1);
}

LogicalResult ProgramLowering::buildObservers() {
  SmallVector<ObserveOp> observers = llvm::to_vector(program.getOps<ObserveOp>());
  if (observers.empty())
    return success();
  llvm::StringSet<> read;
  for (ObserveOp observer : observers)
    observer.walk([&](ReadOp op) { read.insert(op.getValue()); });
  Interface interface(program, given);
  interface.addValues(ruled, inputs, read);
  interface.addParameters();
  interface.addPalettes();
  interface.add(Role::Epoch, "", b.getI64Type());
  auto countsType = RankedTensorType::get({static_cast<int64_t>(observers.size())}, b.getI64Type());
  interface.add(Role::Counts, "", countsType);
  SmallVector<Type> results = llvm::map_to_vector(observers, [](ObserveOp observer) -> Type {
    return RankedTensorType::get({}, getObservationType(observer));
  });
  results.push_back(countsType);
  func::FuncOp function = interface.makeFunction(b, program.getSymName() + ".observe", results);
  bindings = interface.bind(function);
  Value epoch = function.getArguments().drop_back().back();
  if (failed(evaluateEpochly(epoch)))
    return failure();

  SmallVector<Value> seen;
  SmallVector<StringRef> names;
  Value counts = function.getArguments().back();
  for (auto [slot, observer] : llvm::enumerate(observers)) {
    FailureOr<TickOp> tick = buildObserver(observer, epoch, slot, counts);
    if (failed(tick))
      return failure();
    seen.push_back(tick->getResult(0));
    counts = tick->getResult(1);
    names.push_back(observer.getSymName());
    function.setResultAttr(slot, kRole, roleAttr(b.getContext(), Role::Observation));
    function.setResultAttr(slot, kName, observer.getSymNameAttr());
  }
  seen.push_back(counts);
  func::ReturnOp::create(b, program.getLoc(), seen);
  function->setAttr("lci.counters", b.getStrArrayAttr(names));
  return success();
}
