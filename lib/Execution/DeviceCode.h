//===- DeviceCode.h - Functions whose code is a launch plan -----*- C++ -*-===//

#ifndef LCI_LIB_EXECUTION_DEVICECODE_H
#define LCI_LIB_EXECUTION_DEVICECODE_H

#include "LCI/Execution/CompiledProgram.h"
#include "LCI/Runtime/Device.h"

namespace mlir::lci {

/// Carries out a plan. Arrays stay on the device from call to call: what the host changed goes
/// there before a call, and what kernels changed comes back when it is fetched.
class DeviceCode final : public Code {
public:
  static ::lci::Result<std::unique_ptr<DeviceCode>> load(::lci::Plan plan, ::lci::Device &device);
  ~DeviceCode() override;

  ::lci::Status run(std::vector<Slot> &slots) override;
  ::lci::Status fetch(std::vector<Slot> &slots, Slot &slot) override;

private:
  /// An array on the device.
  struct Copy {
    ::lci::Device::Address address = 0;
    uint64_t version = 0; ///< of the slot, when it was last the same
    bool isMade = false;
    bool isNewer = false; ///< kernels changed it since
  };

  explicit DeviceCode(::lci::Device &device) : device(device) {}
  ::lci::Status upload(const Slot &slot, Copy &copy);

  ::lci::Device &device;
  std::unique_ptr<::lci::LoadedPlan> plan;
  std::vector<uint32_t> written;
  std::vector<Copy> copies; ///< one for each slot
};

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_DEVICECODE_H
