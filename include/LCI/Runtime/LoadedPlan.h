//===- LoadedPlan.h - Interpret a launch plan -------------------*- C++ -*-===//
//
// Carries out a launch plan (LCI/Runtime/Plan.h) on a device: its kernels are looked up and its
// memory is allocated once, then each dispatch interprets its steps and issues the launches.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_LOADEDPLAN_H
#define LCI_RUNTIME_LOADEDPLAN_H

#include "LCI/Runtime/Device.h"
#include "LCI/Runtime/Plan.h"
#include <memory>
#include <unordered_map>

namespace lci {

/// A plan that is loaded on a device.
class LoadedPlan {
public:
  static Result<std::unique_ptr<LoadedPlan>> load(Plan plan, Device &device);
  ~LoadedPlan();
  LoadedPlan(const LoadedPlan &) = delete;
  LoadedPlan &operator=(const LoadedPlan &) = delete;

  /// The host's copy of an argument that is an array.
  struct HostArray {
    const void *data = nullptr;
    size_t size = 0;
  };

  /// Issues one call without waiting; `arguments` fill the first registers. Plans that read arrays
  /// find them in `arrays`, one for each argument.
  Status dispatch(const std::vector<uint64_t> &arguments,
                  const std::vector<HostArray> &arrays = {});
  /// The plan.
  const Plan &source() const { return plan; }
  /// The memory that the plan has, in the order of its steps.
  const std::vector<Device::Address> &allocated() const { return memory; }
  /// The arguments that are arrays which kernels may change.
  const std::vector<uint32_t> &written() const { return plan.written; }

private:
  LoadedPlan(Plan plan, Device &device) : plan(std::move(plan)), device(device) {}
  Status allocate(const std::vector<PlanStep> &steps);
  Status allocate(uint32_t result, int64_t bytes);
  Status addView(const PlanStep &step);
  Status run(const std::vector<PlanStep> &steps);
  Status run(const PlanStep &step);
  Status view(const PlanStep &step);
  Status loop(const PlanStep &step);
  Status launch(const PlanStep &step);
  Status read(const PlanStep &step);
  void compute(const PlanStep &step);
  Failure expected(const std::string &what) const;
  uint64_t valueOf(const PlanOperand &operand) const;

  Plan plan;
  Device &device;
  std::vector<Device::Kernel> kernels;
  std::vector<Device::Address> memory; ///< released by the destructor
  struct Part {
    Device::Address address;
    size_t bytes;
  };
  std::unordered_map<uint32_t, Part> parts; ///< allocated memory and views, by their registers
  std::vector<uint64_t> registers;
  const std::vector<HostArray> *arrays = nullptr; ///< of the call in progress
  std::vector<void *> operands; ///< of a launch; kept, so that a launch allocates no memory
};

} // namespace lci

#endif // LCI_RUNTIME_LOADEDPLAN_H
