//===- CudaDevice.h - A GPU behind NVIDIA's driver --------------*- C++ -*-===//
//
// Loads the driver's library by its name when a device is asked for, so that nothing here needs it
// to be built or started; without one there is a sentence that says so. A device is one stream: the
// host waits when it asks for results. Another one of the same GPU has the same context and code.
// Any thread may use a device; the one that does has its context for as long as a call takes, and
// then again what it had before, for it may be another library's.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_CUDADEVICE_H
#define LCI_RUNTIME_CUDADEVICE_H

#include "LCI/Runtime/Device.h"
#include <memory>

namespace lci {

/// The driver's library, where nobody says otherwise.
inline constexpr const char kCudaDriver[] = "libcuda.so.1";

/// A GPU, and what it runs.
class CudaDevice : public Device {
public:
  /// Its architecture, as compilers call it: `sm_90`.
  virtual std::string chip() const = 0;
  /// Loads PTX or a cubin, beside what was loaded before; its kernels can be found then.
  virtual Status load(const std::string &code) = 0;
};

/// Opens one of the machine's GPUs with the driver's library; the failure names what the driver
/// refused.
Result<std::unique_ptr<CudaDevice>> openCudaDevice(int ordinal = 0,
                                                   const std::string &library = kCudaDriver);

} // namespace lci

#endif // LCI_RUNTIME_CUDADEVICE_H
