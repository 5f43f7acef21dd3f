//===- HostDevice.h - This machine in place of a GPU ------------*- C++ -*-===//
//
// The device of `--backend=kernels` and of tests: kernels are compiled for the CPU as loops over
// threads, and memory is the host's.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_EXECUTION_HOSTDEVICE_H
#define LCI_LIB_EXECUTION_HOSTDEVICE_H

#include "CellKernels.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"

namespace mlir::lci {

/// Runs kernels that `lci-kernels-to-loops` made functions of: threads sequentially, and all of
/// them before a launch returns. For tests of kernels without a GPU.
class HostDevice final : public ::lci::Device {
public:
  /// Loads code; then its kernels can be found.
  void load(std::shared_ptr<ExecutionEngine> engine) { engines.push_back(std::move(engine)); }

  std::string name() const override { return "this machine in place of a GPU"; }
  ::lci::Result<std::unique_ptr<Device>> another() const override;
  ::lci::Result<Kernel> find(const std::string &kernel) override;
  void release(Address address) override;
  ::lci::Status undefine(Address array, size_t bytes) override;
  ::lci::Status wait() override { return ::lci::Done{}; }

protected:
  ::lci::Result<Address> makeMemory(size_t bytes) override;
  ::lci::Status copyTo(Address to, const void *from, size_t bytes) override;
  ::lci::Status copyFrom(void *to, Address from, size_t bytes) override;
  ::lci::Status start(Kernel kernel, const Sides &blocks, const Sides &threads,
                      std::vector<void *> &operands) override;

private:
  std::vector<std::shared_ptr<ExecutionEngine>> engines;
};

/// The loader of kernels for such a device, which must outlive it.
KernelLoader makeHostLoader(HostDevice &device, unsigned optLevel);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_HOSTDEVICE_H
