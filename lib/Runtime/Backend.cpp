//===- Backend.cpp - What back ends have in common ------------------------===//

#include "LCI/Runtime/Backend.h"
#include <limits>

lci::Array lci::observedNumber(float number) {
  Array observed(DType::F32, {});
  bool isNaN = number != number;
  *observed.data<float>() = isNaN ? std::numeric_limits<float>::quiet_NaN() : number;
  return observed;
}
