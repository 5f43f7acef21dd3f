//===- Plan.h - Launch plans ------------------------------------*- C++ -*-===//
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

/// A register, or a constant.
struct PlanOperand {
  bool isRegister = false;
  int64_t value = 0; ///< the number of the register, or the constant

  static PlanOperand reg(uint32_t number) { return {true, number}; }
  static PlanOperand literal(int64_t value) { return {false, value}; }
};

/// Integer operations; all wrap around.
enum class PlanOperation : uint8_t {
  Move,
  Add,
  Subtract,
  Multiply,
  Divide, ///< by 0: 0, and so the remainder
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
  enum class Kind : uint8_t { Compute, Read, Allocate, View, Launch, Loop, If };
  Kind kind = Kind::Compute;
  /// Compute, Read, Allocate, View: the defined register. Loop: its induction variable.
  uint32_t result = 0;
  /// Compute: the operation, and the bits of its operands and its result. Read: the bits, at least
  /// 8.
  PlanOperation operation = PlanOperation::Move;
  uint32_t width = 64;
  /// Launch: the number of the kernel, and of threads that run it: none, where there is no block on
  /// an axis.
  uint32_t kernel = 0;
  std::array<PlanOperand, 3> blocks = {};
  std::array<uint32_t, 3> threads = {1, 1, 1};
  /// Compute, Launch: the operands. Read: an argument that is an array which no kernel writes, and
  /// a number of bytes from its beginning. Allocate: the bytes. View: allocated memory, a number of
  /// bytes from its beginning, and the bytes, whose contents are undefined from here on. Loop:
  /// lower bound, upper bound (exclusive) and step, as signed numbers. If: the condition.
  std::vector<PlanOperand> operands;
  /// Loop: the body. If: both branches.
  std::vector<PlanStep> body, otherwise;
};

/// The steps of one call of a function.
struct Plan {
  std::string symbol;
  /// The number of registers; the first ones hold the arguments.
  uint32_t registers = 0;
  /// The arguments that are arrays which kernels may change.
  std::vector<uint32_t> written;
  /// The names of the launched kernels.
  std::vector<std::string> kernels;
  /// The accesses of each kernel to its operands; empty, where they are not known.
  std::vector<std::vector<KernelAccess>> accesses;
  std::vector<PlanStep> steps;

  /// The number of a kernel, which is added to the plan's if it is new.
  uint32_t numberOf(const std::string &kernel);
};

/// Prints the text above.
std::string printPlan(const Plan &plan);
/// Parses it; the error names the line.
Result<Plan> parsePlan(const std::string &text);

} // namespace lci

#endif // LCI_RUNTIME_PLAN_H
