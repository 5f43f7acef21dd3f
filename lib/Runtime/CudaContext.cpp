//===- CudaContext.cpp - Contexts and modules of the CUDA driver ----------===//

#include "CudaContext.h"

using namespace lci;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

Result<std::shared_ptr<CudaContext>> CudaContext::open(int ordinal, const std::string &library) {
  Result<std::shared_ptr<CudaDriver>> driver = CudaDriver::open(library);
  if (!driver)
    return driver.failure();
  std::shared_ptr<CudaContext> gpu(new CudaContext(std::move(*driver), ordinal));
  if (Status opened = gpu->open(); !opened)
    return opened.failure();
  return gpu;
}

Status CudaContext::open() {
  if (Status done = library->check(library->init(0), "start"); !done)
    return done;
  if (Status done =
          library->check(library->getDevice(&device, number), "find GPU " + std::to_string(number));
      !done)
    return done;
  char text[256] = {};
  if (Status done =
          library->check(library->getDeviceName(text, sizeof text, device), "name the GPU");
      !done)
    return done;
  title = text;
  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
  for (auto [attribute, part] : {std::pair<int, int &>(75, major), {76, minor}})
    if (Status done = library->check(library->getAttribute(&part, attribute, device),
                                     "tell the architecture of " + title);
        !done)
      return done;
  return library->check(library->retainContext(&context, device), "open " + title);
}

CudaContext::~CudaContext() {
  if (context)
    library->releaseContext(device);
}

CudaCurrent::CudaCurrent(const CudaContext &gpu)
    : driver(gpu.driver()), hasPushed(driver.pushContext(gpu.handle()) == 0) {}

CudaCurrent::~CudaCurrent() {
  void *popped = nullptr;
  if (hasPushed)
    driver.popContext(&popped);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Result<std::shared_ptr<CudaModule>> CudaModule::load(std::shared_ptr<CudaContext> gpu,
                                                     const std::string &code) {
  // A buffer for the driver's message, if it rejects the code.
  int options[] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
  std::string log(1 << 13, '\0');
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  void *module = nullptr;
  CudaCurrent current(*gpu);
  CudaDriver &driver = gpu->driver();
  Status loaded =
      driver.check(driver.loadModule(&module, code.c_str(), std::size(options), options, values),
                   "load the kernels for " + gpu->name());
  if (loaded)
    return std::shared_ptr<CudaModule>(new CudaModule(std::move(gpu), module));
  const Failure &failure = loaded.failure();
  return log[0] ? Failure{failure.id, failure.message + "; it says: " + log.c_str()} : failure;
}

CudaModule::~CudaModule() {
  CudaCurrent current(*gpu);
  gpu->driver().unloadModule(module);
}
