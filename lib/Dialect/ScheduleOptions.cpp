//===- ScheduleOptions.cpp - Options of schedule strategies ---------------===//

#include "LCI/Dialect/ScheduleOptions.h"

using namespace mlir;
using namespace mlir::lci;

SmallVector<SweptAxis> mlir::lci::getSweptAxes(ScheduleOp schedule, int64_t rank) {
  if (std::optional<ArrayRef<int64_t>> written = schedule.getAxes())
    return llvm::map_to_vector(*written, SweptAxis::decode);
  return llvm::map_to_vector(llvm::seq<int64_t>(rank),
                             [](int64_t axis) { return SweptAxis{axis, false}; });
}

SmallVector<int64_t> mlir::lci::getReversedAxes(ArrayRef<SweptAxis> axes) {
  SmallVector<int64_t> reversed;
  for (SweptAxis swept : axes)
    if (swept.isReversed)
      reversed.push_back(swept.axis);
  return reversed;
}

SmallVector<StringRef> mlir::lci::getScheduleOptions(Strategy strategy) {
  switch (strategy) {
  case Strategy::All:
  case Strategy::Recolor:
  case Strategy::Masked:
    return {"phase", "legalize"};
  case Strategy::RedBlack:
    return {"axes", "tile", "phase", "legalize"};
  case Strategy::FourColor:
    return {"tile", "phase", "legalize"};
  case Strategy::Raster:
  case Strategy::Wavefront:
    return {"axes", "reverse", "phase", "legalize"};
  case Strategy::Random:
  case Strategy::Confidence:
    return {"fraction", "phase", "legalize"};
  }
  llvm_unreachable("a strategy without options");
}

std::string mlir::lci::describeScheduleOptions(Strategy strategy) {
  SmallVector<StringRef> options = getScheduleOptions(strategy);
  std::string all = llvm::join(ArrayRef(options).drop_back(), ", ");
  return "'" + stringifyStrategy(strategy).str() + "' takes " + all + " and " +
         options.back().str();
}
