//===- Plan.h - What a device is told to do ---------------------*- C++ -*-===//
//
// A launch plan is the host's side of a function whose ticks are kernels: loops over epochs and
// phases, switches, and launches, with nothing between them but integers. It needs no compiler to
// be carried out, on any device that has the kernels (LCI/Runtime/Device.h).
//
// Numbers live in registers of 64 bits: integers of any width zero-extended, numbers as their bits,
// arrays as addresses. The first ones hold the arguments. As text (docs/gpu.md):
//
//   plan program registers 6
//   writes %0
//     %4 = multiply.64 %2 3
//     loop %5 %2 %3 1
//       if %1
//         launch program_kernel blocks 1 64 1 threads 128 1 1 %0 %5 %4
//       end
//     end
//   end
//   kernel program_kernel write none none
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_PLAN_H
#define LCI_RUNTIME_PLAN_H

#include "LCI/Runtime/Device.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lci {

/// A register, or a number.
struct PlanOperand {
  bool isRegister = false;
  int64_t value = 0; ///< the number of the register, or the number itself

  static PlanOperand reg(uint32_t number) { return {true, number}; }
  static PlanOperand literal(int64_t value) { return {false, value}; }
};

/// What integers are computed by; all wrap around.
enum class PlanOperation : uint8_t {
  Move,
  Add,
  Subtract,
  Multiply,
  Divide, ///< by nothing: 0, and so its remainder
  Remainder,
  DivideSigned,
  RemainderSigned,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  LessSigned,
  LessEqualSigned,
  Minimum,
  Maximum,
  MinimumSigned,
  MaximumSigned,
  Select,     ///< of three operands
  SignExtend, ///< from the width of the step to 64 bits
};

/// One step of a plan.
struct PlanStep {
  enum class Kind : uint8_t { Compute, Read, Allocate, Launch, Loop, If };
  Kind kind = Kind::Compute;
  /// Compute, Read, Allocate: what is defined. Loop: its counter.
  uint32_t result = 0;
  /// Compute: the operation, and the bits that its operands and its result have. Read: the bits, 8
  /// at least.
  PlanOperation operation = PlanOperation::Move;
  uint32_t width = 64;
  /// Launch: which of the plan's kernels, and how many threads run it: none, where there is no
  /// block on an axis.
  uint32_t kernel = 0;
  std::array<PlanOperand, 3> blocks = {};
  std::array<uint32_t, 3> threads = {1, 1, 1};
  /// Compute, Launch: what they take. Read: an argument that is an array which no kernel writes,
  /// and a number of bytes from its beginning. Allocate: the bytes. Loop: from, to (not reached)
  /// and step, as signed numbers. If: what decides.
  std::vector<PlanOperand> operands;
  /// Loop: what is repeated. If: what is done, and what else.
  std::vector<PlanStep> body, otherwise;
};

/// What is done for one call of a function.
struct Plan {
  std::string symbol;
  /// How many registers there are; the first ones hold the arguments.
  uint32_t registers = 0;
  /// Those arguments that are arrays which kernels may change.
  std::vector<uint32_t> written;
  /// The names of what is launched.
  std::vector<std::string> kernels;
  /// What each of them does with its operands; nothing, where it is not known.
  std::vector<std::vector<KernelAccess>> accesses;
  std::vector<PlanStep> steps;

  /// The number of a kernel, which becomes one of the plan's.
  uint32_t numberOf(const std::string &kernel);
};

/// The text above.
std::string printPlan(const Plan &plan);
/// Reads it back; the error says which line is wrong.
Result<Plan> parsePlan(const std::string &text);

} // namespace lci

#endif // LCI_RUNTIME_PLAN_H
