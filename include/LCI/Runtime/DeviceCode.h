//===- DeviceCode.h - Functions whose code is a launch plan -----*- C++ -*-===//
//
// Runs a plan on the slots of a function. Arrays stay on the device from call to call: those that
// the host changed are uploaded before a call, and those that kernels changed are downloaded when
// they are fetched.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_RUNTIME_DEVICECODE_H
#define LCI_RUNTIME_DEVICECODE_H

#include "LCI/Runtime/CompiledProgram.h"
#include "LCI/Runtime/LoadedPlan.h"

namespace lci {

/// The code of a function that is a launch plan.
class DeviceCode final : public Code {
public:
  static Result<std::unique_ptr<Code>> load(Plan plan, Device &device);
  ~DeviceCode() override;

  Status run(std::vector<Slot> &slots) override;
  bool worksOnSlots() const override { return false; }
  Status fetch(std::vector<Slot> &slots, Slot &slot) override;
  Result<Device::Address> place(std::vector<Slot> &slots, Slot &slot) override;
  void markFilled(std::vector<Slot> &slots, Slot &slot) override;
  Result<std::unique_ptr<Code>> another(Device *device) const override;

private:
  /// An array on the device.
  struct Copy {
    Device::Address address = 0;
    uint64_t version = 0; ///< of the slot, when both were equal
    bool isMade = false;
    bool isNewer = false; ///< kernels changed it since
  };

  explicit DeviceCode(Device &device) : device(device) {}
  Status upload(const Slot &slot, Copy &copy);
  Copy &copyOf(const std::vector<Slot> &slots, const Slot &slot);

  Device &device;
  std::unique_ptr<LoadedPlan> plan;
  std::vector<Copy> copies; ///< one for each slot
};

} // namespace lci

#endif // LCI_RUNTIME_DEVICECODE_H
