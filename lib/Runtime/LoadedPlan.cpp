//===- LoadedPlan.cpp - Interpret a launch plan ---------------------------===//
//
// Interprets the steps of a plan on 64-bit registers: integer arithmetic at any width on
// zero-extended values, loops, conditions, and launches. Division by 0 and overflow have defined
// results, because a plan may come from a file that is damaged or crafted.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/LoadedPlan.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

using namespace lci;
using Kind = PlanStep::Kind;

Result<std::unique_ptr<LoadedPlan>> LoadedPlan::load(Plan plan, Device &device) {
  std::unique_ptr<LoadedPlan> loaded(new LoadedPlan(std::move(plan), device));
  loaded->registers.resize(loaded->plan.registers);
  for (size_t i = 0; i < loaded->plan.kernels.size(); ++i) {
    Result<Device::Kernel> kernel = device.find(loaded->plan.kernels[i]);
    if (!kernel)
      return kernel.failure();
    loaded->kernels.push_back(*kernel);
    device.describe(*kernel, loaded->plan.accesses[i]);
  }
  Status made = loaded->allocate(loaded->plan.steps);
  if (!made)
    return made.failure();
  return loaded;
}

LoadedPlan::~LoadedPlan() {
  for (Device::Address address : memory)
    device.release(address);
}

/// Allocates the memory of all steps once, for all calls and all iterations of loops.
Status LoadedPlan::allocate(const std::vector<PlanStep> &steps) {
  for (const PlanStep &step : steps) {
    Status made = Done{};
    if (step.kind == Kind::Allocate)
      made = allocate(step.result, step.operands[0].value);
    else if (step.kind == Kind::View)
      made = addView(step);
    if (!made)
      return made;
    for (const std::vector<PlanStep> *inner : {&step.body, &step.otherwise})
      if (Status inside = allocate(*inner); !inside)
        return inside;
  }
  return Done{};
}

Status LoadedPlan::allocate(uint32_t result, int64_t bytes) {
  Result<Device::Address> made = device.allocate(static_cast<size_t>(bytes));
  if (!made)
    return made.failure();
  memory.push_back(*made);
  parts[result] = {*made, static_cast<size_t>(bytes)};
  registers[result] = *made;
  return Done{};
}

/// Views lie within memory of the plan, whatever a damaged file says.
Status LoadedPlan::addView(const PlanStep &step) {
  auto around = parts.find(static_cast<uint32_t>(step.operands[0].value));
  auto from = static_cast<size_t>(step.operands[1].value);
  auto bytes = static_cast<size_t>(step.operands[2].value);
  if (around == parts.end() || from > around->second.bytes || bytes > around->second.bytes - from)
    return expected("a view of " + std::to_string(bytes) + " bytes from " + std::to_string(from) +
                    " within allocated memory");
  if (device.separatesScratch())
    return allocate(step.result, step.operands[2].value);
  Device::Address address = around->second.address + from;
  device.share(around->second.address, address, bytes);
  parts[step.result] = {address, bytes};
  return Done{};
}

/// The error of a plan that cannot be executed.
Failure LoadedPlan::expected(const std::string &what) const {
  return Failure{ErrorId::MalformedFile,
                 "expected " + what + " in the launch plan '" + plan.symbol + "'"};
}

Status LoadedPlan::dispatch(const std::vector<uint64_t> &arguments,
                            const std::vector<HostArray> &hostArrays) {
  using Clock = std::chrono::steady_clock;
  if (arguments.size() > registers.size())
    return expected("registers for " + std::to_string(arguments.size()) + " arguments");
  Clock::time_point start = Clock::now();
  for (size_t i = 0; i < arguments.size(); ++i)
    registers[i] = arguments[i];
  arrays = &hostArrays;
  Status issued = run(plan.steps);
  if (issued)
    issued = device.flush();
  device.spend(std::chrono::duration<double>(Clock::now() - start).count());
  return issued;
}

Status LoadedPlan::run(const std::vector<PlanStep> &steps) {
  for (const PlanStep &step : steps)
    if (Status done = run(step); !done)
      return done;
  return Done{};
}

Status LoadedPlan::run(const PlanStep &step) {
  switch (step.kind) {
  case Kind::Compute:
    compute(step);
    return Done{};
  case Kind::Read:
    return read(step);
  case Kind::Allocate:
    return Done{}; // allocated when the plan was loaded
  case Kind::View:
    return view(step);
  case Kind::Launch:
    return launch(step);
  case Kind::Loop:
    return loop(step);
  case Kind::If:
    return run(valueOf(step.operands[0]) ? step.body : step.otherwise);
  }
  return Done{};
}

Status LoadedPlan::view(const PlanStep &step) {
  const Part &part = parts.at(step.result);
  registers[step.result] = part.address;
  return device.undefine(part.address, part.bytes);
}

Status LoadedPlan::loop(const PlanStep &step) {
  auto from = static_cast<int64_t>(valueOf(step.operands[0]));
  auto to = static_cast<int64_t>(valueOf(step.operands[1]));
  auto by = static_cast<int64_t>(valueOf(step.operands[2]));
  if (by <= 0)
    return expected("loops with positive steps");
  for (int64_t counter = from; counter < to;) {
    if (Status begun = device.beginIteration(); !begun)
      return begun;
    registers[step.result] = static_cast<uint64_t>(counter);
    if (Status done = run(step.body); !done)
      return done;
    if (__builtin_add_overflow(counter, by, &counter))
      break;
  }
  return Done{};
}

/// The machine is little-endian: the first bytes of an integer are its low ones.
Status LoadedPlan::read(const PlanStep &step) {
  auto argument = static_cast<size_t>(step.operands[0].value);
  auto offset = static_cast<size_t>(step.operands[1].value);
  size_t bytes = step.width / 8;
  if (argument >= arrays->size() || offset > (*arrays)[argument].size ||
      bytes > (*arrays)[argument].size - offset)
    return expected("an array of more bytes for argument " + std::to_string(argument));
  registers[step.result] = 0;
  const auto *from = static_cast<const uint8_t *>((*arrays)[argument].data) + offset;
  std::memcpy(&registers[step.result], from, bytes);
  return Done{};
}

Status LoadedPlan::launch(const PlanStep &step) {
  Device::Sides blocks;
  for (size_t axis = 0; axis < blocks.size(); ++axis) {
    auto side = static_cast<int64_t>(valueOf(step.blocks[axis]));
    if (side <= 0)
      return Done{};
    if (side > std::numeric_limits<int32_t>::max())
      return expected("fewer than " + std::to_string(side) + " blocks of the kernel '" +
                      plan.kernels[step.kernel] + "'");
    blocks[axis] = static_cast<uint32_t>(side);
  }
  operands.clear();
  // The machine is little-endian: a narrower operand is the first bytes of its register, or of the
  // constant.
  for (const PlanOperand &operand : step.operands) {
    const void *number = &operand.value;
    if (operand.isRegister)
      number = &registers[static_cast<size_t>(operand.value)];
    operands.push_back(const_cast<void *>(number)); // as the driver declares them; it only reads
  }
  return device.launch(kernels[step.kernel], blocks, step.threads, operands);
}

uint64_t LoadedPlan::valueOf(const PlanOperand &operand) const {
  return operand.isRegister ? registers[static_cast<size_t>(operand.value)]
                            : static_cast<uint64_t>(operand.value);
}

static uint64_t mask(uint32_t width) {
  return width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

static int64_t signExtend(uint64_t value, uint32_t width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

/// Computes on two operands of that many bits, zero-extended.
static uint64_t computeBinary(PlanOperation operation, uint32_t width, uint64_t a, uint64_t b) {
  int64_t signedA = signExtend(a, width), signedB = signExtend(b, width);
  switch (operation) {
  case PlanOperation::Add:
    return a + b;
  case PlanOperation::Subtract:
    return a - b;
  case PlanOperation::Multiply:
    return a * b;
  case PlanOperation::Divide:
    return b ? a / b : 0;
  case PlanOperation::Remainder:
    return b ? a % b : 0;
  case PlanOperation::DivideSigned:
    // Division by -1 is negation, also of the least integer.
    return signedB == -1 ? 0 - a : b ? static_cast<uint64_t>(signedA / signedB) : 0;
  case PlanOperation::RemainderSigned:
    return signedB == -1 || !b ? 0 : static_cast<uint64_t>(signedA % signedB);
  case PlanOperation::And:
    return a & b;
  case PlanOperation::Or:
    return a | b;
  case PlanOperation::Xor:
    return a ^ b;
  case PlanOperation::ShiftLeft:
    return b < width ? a << b : 0;
  case PlanOperation::ShiftRight:
    return b < width ? a >> b : 0;
  case PlanOperation::ShiftRightSigned:
    return static_cast<uint64_t>(signedA >> std::min<uint64_t>(b, width - 1));
  case PlanOperation::Equal:
    return a == b;
  case PlanOperation::NotEqual:
    return a != b;
  case PlanOperation::Less:
    return a < b;
  case PlanOperation::LessEqual:
    return a <= b;
  case PlanOperation::LessSigned:
    return signedA < signedB;
  case PlanOperation::LessEqualSigned:
    return signedA <= signedB;
  case PlanOperation::Minimum:
    return std::min(a, b);
  case PlanOperation::Maximum:
    return std::max(a, b);
  case PlanOperation::MinimumSigned:
    return static_cast<uint64_t>(std::min(signedA, signedB));
  case PlanOperation::MaximumSigned:
    return static_cast<uint64_t>(std::max(signedA, signedB));
  default:
    return 0;
  }
}

void LoadedPlan::compute(const PlanStep &step) {
  auto operand = [&](size_t number) { return valueOf(step.operands[number]); };
  uint64_t bits = mask(step.width);
  uint64_t &result = registers[step.result];
  switch (step.operation) {
  case PlanOperation::Move:
    result = operand(0) & bits;
    return;
  case PlanOperation::SignExtend:
    result = static_cast<uint64_t>(signExtend(operand(0), step.width));
    return;
  case PlanOperation::Select:
    result = (operand(0) ? operand(1) : operand(2)) & bits;
    return;
  default:
    result = computeBinary(step.operation, step.width, operand(0) & bits, operand(1) & bits) & bits;
  }
}
