//===- CudaDevice.h - A GPU through NVIDIA's driver -------------*- C++ -*-===//
//
// Loads the driver's library by name when a device is opened, so that nothing here needs it to be
// built or started; without one there is an error that says so. A device is one stream: the host
// waits when it reads results. Another device of the same GPU shares context and code. Any thread
// may use a device; its context is current for the duration of a call, then the previous one again,
// which may be another library's.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_CUDADEVICE_H
#define LCI_RUNTIME_CUDADEVICE_H

#include "LCI/Runtime/Device.h"
#include <memory>

namespace lci {

/// The default name of the driver's library.
inline constexpr const char kCudaDriver[] = "libcuda.so.1";

/// A GPU with the code that is loaded on it.
class CudaDevice : public Device {
public:
  /// Its architecture, as compilers name it: `sm_90`.
  virtual std::string chip() const = 0;
  /// Loads PTX or a cubin, in addition to those loaded before; then its kernels can be found.
  virtual Status load(const std::string &code) = 0;
};

/// Opens a GPU of the machine with the driver's library; the error names the refused request.
Result<std::unique_ptr<CudaDevice>> openCudaDevice(int ordinal = 0,
                                                   const std::string &library = kCudaDriver);

} // namespace lci

#endif // LCI_RUNTIME_CUDADEVICE_H
