//===- CudaDriver.cpp - NVIDIA's driver, by dlopen ------------------------===//

#include "CudaDriver.h"
#include <dlfcn.h>

using namespace lci;

template <typename Function>
Status CudaDriver::find(Function &function, const char *symbol) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (!function)
    return Failure{ErrorId::NoGPU, std::string("expected a CUDA driver with '") + symbol +
                                       "', but it has none: it is older than CUDA 11.4"};
  return Done{};
}

Result<std::shared_ptr<CudaDriver>> CudaDriver::open(const std::string &name) {
  auto driver = std::make_shared<CudaDriver>();
  driver->library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!driver->library)
    return Failure{ErrorId::NoGPU, "no GPU can be used: NVIDIA's driver library '" + name +
                                       "' is not on this machine; --backend=cpu needs none"};
  for (Status found : {driver->find(driver->init, "cuInit"),
                       driver->find(driver->getErrorName, "cuGetErrorName"),
                       driver->find(driver->getErrorString, "cuGetErrorString"),
                       driver->find(driver->getDevice, "cuDeviceGet"),
                       driver->find(driver->getDeviceName, "cuDeviceGetName"),
                       driver->find(driver->getAttribute, "cuDeviceGetAttribute"),
                       driver->find(driver->retainContext, "cuDevicePrimaryCtxRetain"),
                       driver->find(driver->releaseContext, "cuDevicePrimaryCtxRelease_v2"),
                       driver->find(driver->pushContext, "cuCtxPushCurrent_v2"),
                       driver->find(driver->popContext, "cuCtxPopCurrent_v2"),
                       driver->find(driver->loadModule, "cuModuleLoadDataEx"),
                       driver->find(driver->unloadModule, "cuModuleUnload"),
                       driver->find(driver->getFunction, "cuModuleGetFunction"),
                       driver->find(driver->allocate, "cuMemAlloc_v2"),
                       driver->find(driver->free, "cuMemFree_v2"),
                       driver->find(driver->createStream, "cuStreamCreate"),
                       driver->find(driver->destroyStream, "cuStreamDestroy_v2"),
                       driver->find(driver->waitForStream, "cuStreamSynchronize"),
                       driver->find(driver->copyToDevice, "cuMemcpyHtoDAsync_v2"),
                       driver->find(driver->copyToHost, "cuMemcpyDtoHAsync_v2"),
                       driver->find(driver->fill, "cuMemsetD8Async"),
                       driver->find(driver->launch, "cuLaunchKernel"),
                       driver->find(driver->makeGraph, "cuGraphCreate"),
                       driver->find(driver->addKernelNode, "cuGraphAddKernelNode"),
                       driver->find(driver->addFillNode, "cuGraphAddMemsetNode"),
                       driver->find(driver->instantiateGraph, "cuGraphInstantiateWithFlags"),
                       driver->find(driver->setKernelNode, "cuGraphExecKernelNodeSetParams"),
                       driver->find(driver->launchGraph, "cuGraphLaunch"),
                       driver->find(driver->destroyExecutable, "cuGraphExecDestroy"),
                       driver->find(driver->destroyGraph, "cuGraphDestroy")})
    if (!found)
      return found.failure();
  return driver;
}

CudaDriver::~CudaDriver() {
  if (library)
    dlclose(library);
}

Status CudaDriver::check(int answer, const std::string &request) const {
  if (answer == 0)
    return Done{};
  const char *name = nullptr, *text = nullptr;
  getErrorName(answer, &name);
  getErrorString(answer, &text);
  return Failure{ErrorId::NoGPU, "the CUDA driver could not " + request + ": " +
                                     (name ? name : "error " + std::to_string(answer)) +
                                     (text ? std::string(" (") + text + ")" : "")};
}
