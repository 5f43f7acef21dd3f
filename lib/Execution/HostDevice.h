//===- HostDevice.h - This machine in place of a GPU ------------*- C++ -*-===//

#ifndef LCI_LIB_EXECUTION_HOSTDEVICE_H
#define LCI_LIB_EXECUTION_HOSTDEVICE_H

#include "LCI/Runtime/Device.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"

namespace mlir::lci {

/// Runs kernels that `lci-kernels-to-loops` made functions of: one thread after the other, and all
/// of them before a launch returns. What a GPU would compute can be seen where there is none.
class HostDevice final : public ::lci::Device {
public:
  explicit HostDevice(std::shared_ptr<ExecutionEngine> engine) : engine(std::move(engine)) {}

  std::string name() const override { return "this machine in place of a GPU"; }
  ::lci::Result<Kernel> find(const std::string &kernel) override;
  void release(Address address) override;
  ::lci::Status wait() override { return ::lci::Done{}; }

protected:
  ::lci::Result<Address> makeMemory(size_t bytes) override;
  ::lci::Status copyTo(Address to, const void *from, size_t bytes) override;
  ::lci::Status copyFrom(void *to, Address from, size_t bytes) override;
  ::lci::Status start(Kernel kernel, const Sides &blocks, const Sides &threads,
                      std::vector<void *> &operands) override;

private:
  std::shared_ptr<ExecutionEngine> engine;
};

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_HOSTDEVICE_H
