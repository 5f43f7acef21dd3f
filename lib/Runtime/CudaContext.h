//===- CudaContext.h - Contexts and modules of the CUDA driver --*- C++ -*-===//
//
// State that all streams of a GPU share: the primary context of the process, and the modules that
// were loaded into it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LIB_RUNTIME_CUDACONTEXT_H
#define LCI_LIB_RUNTIME_CUDACONTEXT_H

#include "CudaDriver.h"
#include <string>

namespace lci {

/// One of the machine's GPUs, while this lives.
class CudaContext {
public:
  static Result<std::shared_ptr<CudaContext>> open(int ordinal, const std::string &library);
  ~CudaContext();
  CudaContext(const CudaContext &) = delete;
  CudaContext &operator=(const CudaContext &) = delete;

  CudaDriver &driver() const { return *library; }
  void *handle() const { return context; }
  const std::string &name() const { return title; }
  int ordinal() const { return number; }
  std::string chip() const { return "sm_" + std::to_string(10 * major + minor); }

private:
  CudaContext(std::shared_ptr<CudaDriver> library, int number)
      : library(std::move(library)), number(number) {}
  Status open();

  std::shared_ptr<CudaDriver> library;
  int number, device = 0, major = 0, minor = 0;
  std::string title;
  void *context = nullptr;
};

/// Makes a GPU's context current in this thread, while this lives.
class CudaCurrent {
public:
  explicit CudaCurrent(const CudaContext &gpu);
  ~CudaCurrent();
  CudaCurrent(const CudaCurrent &) = delete;
  CudaCurrent &operator=(const CudaCurrent &) = delete;

private:
  CudaDriver &driver;
  bool hasPushed;
};

/// PTX or a cubin that is loaded on a GPU, while this lives.
class CudaModule {
public:
  static Result<std::shared_ptr<CudaModule>> load(std::shared_ptr<CudaContext> gpu,
                                                  const std::string &code);
  ~CudaModule();
  CudaModule(const CudaModule &) = delete;
  CudaModule &operator=(const CudaModule &) = delete;

  void *handle() const { return module; }

private:
  CudaModule(std::shared_ptr<CudaContext> gpu, void *module)
      : gpu(std::move(gpu)), module(module) {}

  std::shared_ptr<CudaContext> gpu;
  void *module;
};

} // namespace lci

#endif // LCI_LIB_RUNTIME_CUDACONTEXT_H
