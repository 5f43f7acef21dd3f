//===- Operations.h - Semantics of instructions -----------------*- C++ -*-===//
//
// Lookup of the function that executes an instruction, by groups of instructions, and templates
// that apply a function to all threads of a warp.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_PTXMACHINE_OPERATIONS_H
#define LCI_UNITTESTS_PTXMACHINE_OPERATIONS_H

#include "Machine.h"

namespace lci::ptx {

/// The function that executes an instruction of a group; null for other instructions.
Step findArithmetic(const Instruction &instruction);
Step findBits(const Instruction &instruction);
Step findConversion(const Instruction &instruction);
Step findAccess(const Instruction &instruction);
Step findTogether(const Instruction &instruction);

/// The canonical NaN of each size, as on a GPU for 32 bits.
inline float canonical(float value) { return value != value ? as<float>(0x7FFFFFFF) : value; }
template <typename T>
T canonical(T value) {
  return value;
}

/// Computes the first operand of an instruction from up to three others, thread by thread.
template <typename Function>
void forEach(Warp &warp, const Instruction &i, uint32_t mask, Function function) {
  Lanes scratch[3];
  const uint64_t *from[3];
  for (size_t number = 0; number < 3; ++number)
    from[number] = number + 1 < i.operands.size()
                       ? warp.lanesOf(i.operands[number + 1], scratch[number])
                       : nullptr;
  // A missing operand is replaced by another one: the function ignores it.
  for (const uint64_t *&lanes : from)
    lanes = lanes ? lanes : from[0];
  uint64_t *to = warp.registerOf(i.operands[0]);
  if (mask == ~0U)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      to[lane] = function(from[0][lane], from[1][lane], from[2][lane]);
  else
    forLanes(mask, [&](unsigned lane) {
      to[lane] = function(from[0][lane], from[1][lane], from[2][lane]);
    });
}

/// Selects a template's instance by a type.
template <template <typename> class Make>
Step forIntegers(const Type &type) {
  bool isSigned = type.kind == Kind::Signed;
  switch (type.bits) {
  case 8:
    return isSigned ? Make<int8_t>::step : Make<uint8_t>::step;
  case 16:
    return isSigned ? Make<int16_t>::step : Make<uint16_t>::step;
  case 32:
    return isSigned ? Make<int32_t>::step : Make<uint32_t>::step;
  case 64:
    return isSigned ? Make<int64_t>::step : Make<uint64_t>::step;
  default:
    return nullptr;
  }
}
template <template <typename> class Make>
Step forFloats(const Type &type) {
  return type.bits == 32 ? Make<float>::step : type.bits == 64 ? Make<double>::step : nullptr;
}
template <template <typename> class Make>
Step forAny(const Type &type) {
  return type.kind == Kind::Float ? forFloats<Make>(type) : forIntegers<Make>(type);
}

} // namespace lci::ptx

#endif // LCI_UNITTESTS_PTXMACHINE_OPERATIONS_H
