//===- Backend.cpp - What back ends have in common ------------------------===//

#include "LCI/Execution/Backend.h"
#include <limits>

::lci::Array mlir::lci::observedNumber(float number) {
  ::lci::Array observed(::lci::DType::F32, {});
  bool isNaN = number != number;
  *observed.data<float>() = isNaN ? std::numeric_limits<float>::quiet_NaN() : number;
  return observed;
}
