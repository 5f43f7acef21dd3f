//===- CudaDriver.h - NVIDIA's driver, by dlopen ----------------*- C++ -*-===//
//
// The functions of libcuda that CudaContext, CudaDevice and LaunchQueue call, as pointers that are
// looked up by name in the library. Nothing here needs the library to be built or started.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_RUNTIME_CUDADRIVER_H
#define LCI_LIB_RUNTIME_CUDADRIVER_H

#include "LCI/Runtime/Result.h"
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lci {

/// A kernel in a graph, as the driver's CUDA_KERNEL_NODE_PARAMS_v1.
struct CudaKernelNode {
  void *function = nullptr;
  unsigned blocks[3] = {}, threads[3] = {};
  unsigned sharedBytes = 0;
  void **operands = nullptr;
  void **extra = nullptr;
};

/// Memory that is filled in a graph, as the driver's CUDA_MEMSET_NODE_PARAMS_v1.
struct CudaFillNode {
  uint64_t address = 0;
  size_t pitch = 0;
  unsigned value = 0, elementBytes = 1;
  size_t width = 0, height = 1;
};

/// The functions of the driver that are used here, as its documentation declares them; handles are
/// opaque pointers.
struct CudaDriver {
  int (*init)(unsigned) = nullptr;
  int (*getErrorName)(int, const char **) = nullptr;
  int (*getErrorString)(int, const char **) = nullptr;
  int (*getDevice)(int *, int) = nullptr;
  int (*getDeviceName)(char *, int, int) = nullptr;
  int (*getAttribute)(int *, int, int) = nullptr;
  int (*retainContext)(void **, int) = nullptr;
  int (*releaseContext)(int) = nullptr;
  int (*pushContext)(void *) = nullptr;
  int (*popContext)(void **) = nullptr;
  int (*loadModule)(void **, const void *, unsigned, int *, void **) = nullptr;
  int (*unloadModule)(void *) = nullptr;
  int (*getFunction)(void **, void *, const char *) = nullptr;
  int (*allocate)(uint64_t *, size_t) = nullptr;
  int (*free)(uint64_t) = nullptr;
  int (*createStream)(void **, unsigned) = nullptr;
  int (*destroyStream)(void *) = nullptr;
  int (*waitForStream)(void *) = nullptr;
  int (*copyToDevice)(uint64_t, const void *, size_t, void *) = nullptr;
  int (*copyToHost)(void *, uint64_t, size_t, void *) = nullptr;
  int (*fill)(uint64_t, unsigned char, size_t, void *) = nullptr;
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **) = nullptr;
  int (*makeGraph)(void **, unsigned) = nullptr;
  int (*addKernelNode)(void **, void *, void *const *, size_t, const CudaKernelNode *) = nullptr;
  int (*addFillNode)(void **, void *, void *const *, size_t, const CudaFillNode *,
                     void *) = nullptr;
  int (*instantiateGraph)(void **, void *, unsigned long long) = nullptr;
  int (*setKernelNode)(void *, void *, const CudaKernelNode *) = nullptr;
  int (*launchGraph)(void *, void *) = nullptr;
  int (*destroyExecutable)(void *) = nullptr;
  int (*destroyGraph)(void *) = nullptr;

  /// Opens the library and finds all of them.
  static Result<std::shared_ptr<CudaDriver>> open(const std::string &library);
  ~CudaDriver();

  /// `Done`, or the request and the driver's name of the error.
  Status check(int answer, const std::string &request) const;

private:
  template <typename Function>
  Status find(Function &function, const char *symbol);

  void *library = nullptr;
};

} // namespace lci

#endif // LCI_LIB_RUNTIME_CUDADRIVER_H
