//===- Backend.cpp - What back ends have in common ------------------------===//

#include "LCI/Runtime/Backend.h"

lci::Array lci::observedNumber(float number) {
  Array observed(DType::F32, {});
  *observed.data<float>() = withOneNaN(number);
  return observed;
}
