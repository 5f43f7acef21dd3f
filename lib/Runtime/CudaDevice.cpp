//===- CudaDevice.cpp - A GPU through NVIDIA's driver ---------------------===//
//
// A Device that is one stream of a GPU. Launches go to a LaunchQueue, which may submit them as a
// graph; copies and waits flush it first. Every call makes the GPU's context current for its
// duration, because the thread may have another library's.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/CudaDevice.h"
#include "CudaContext.h"
#include "LaunchQueue.h"
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

using namespace lci;

namespace {
/// A stream of a GPU, and the modules whose kernels can be launched on it.
class DriverDevice final : public CudaDevice {
public:
  DriverDevice(std::shared_ptr<CudaContext> gpu, std::vector<std::shared_ptr<CudaModule>> modules)
      : gpu(std::move(gpu)), driver(this->gpu->driver()), modules(std::move(modules)) {}

  ~DriverDevice() override {
    CudaCurrent current(*gpu);
    launches.reset();
    if (queue)
      driver.destroyStream(queue);
  }

  /// A non-blocking stream: it does not wait for those of other libraries and other groups.
  Status open() {
    constexpr unsigned kNonBlocking = 1;
    CudaCurrent current(*gpu);
    Status made = driver.check(driver.createStream(&queue, kNonBlocking), "make a stream");
    launches.emplace(driver, gpu->handle(), queue);
    return made;
  }

  Status load(const std::string &code) override {
    Result<std::shared_ptr<CudaModule>> loaded = CudaModule::load(gpu, code);
    if (!loaded)
      return loaded.failure();
    modules.push_back(std::move(*loaded));
    return Done{};
  }

  Result<std::unique_ptr<Device>> another() const override {
    auto made = std::make_unique<DriverDevice>(gpu, modules);
    if (Status opened = made->open(); !opened)
      return opened.failure();
    return std::unique_ptr<Device>(std::move(made));
  }

  std::string chip() const override { return gpu->chip(); }
  std::string name() const override { return gpu->name(); }
  DevicePlace place() const override { return {/*isGPU=*/true, gpu->ordinal()}; }
  uint64_t stream() const override { return reinterpret_cast<uint64_t>(queue); }

  /// Searches the modules, the last loaded first.
  Result<Kernel> find(const std::string &kernel) override {
    void *function = nullptr;
    int answer = 1; // CUDA_ERROR_INVALID_VALUE: nothing is loaded
    CudaCurrent current(*gpu);
    for (size_t i = modules.size(); i-- > 0 && answer != 0;)
      answer = driver.getFunction(&function, modules[i]->handle(), kernel.c_str());
    if (Status found = driver.check(answer, "find the kernel '" + kernel + "'"); !found)
      return found.failure();
    return reinterpret_cast<Kernel>(function);
  }

  void describe(Kernel kernel, const std::vector<KernelAccess> &accesses) override {
    launches->describe(kernel, accesses);
  }

  void share(Address memory, Address array, size_t bytes) override {
    launches->share(memory, array, bytes);
  }

  bool separatesScratch() const override { return isSet("LMPM_SEPARATE_SCRATCH"); }

  Status undefine(Address array, size_t bytes) override {
    if (!poisonsScratch || bytes == 0)
      return Done{};
    launches->poison(array, bytes);
    return launches->isFull(/*atIteration=*/false) ? flush() : Done{};
  }

  void release(Address address) override {
    launches->forget(address);
    CudaCurrent current(*gpu);
    driver.free(address);
  }

  Status beginIteration() override {
    Status done = launches->isFull(/*atIteration=*/true) ? flush() : Done{};
    launches->beginIteration();
    return done;
  }

  Status flush() override {
    CudaCurrent current(*gpu);
    return launches->flush();
  }

  Status wait() override {
    CudaCurrent current(*gpu);
    if (Status flushed = launches->flush(); !flushed)
      return flushed;
    return driver.check(driver.waitForStream(queue), "finish what was launched");
  }

protected:
  /// Sizes are rounded up to 16 bytes: kernels may load 16 aligned bytes where they use fewer of
  /// them, and the driver allocates no empty arrays.
  Result<Address> makeMemory(size_t requested) override {
    size_t bytes = std::max<size_t>(16, (requested + 15) / 16 * 16);
    Address address = 0;
    CudaCurrent current(*gpu);
    if (Status made = driver.check(driver.allocate(&address, bytes),
                                   "make " + std::to_string(bytes) + " bytes of memory");
        !made)
      return made.failure();
    return address;
  }

  Status copyTo(Address to, const void *from, size_t bytes) override {
    CudaCurrent current(*gpu);
    return driver.check(driver.copyToDevice(to, from, bytes, queue), "copy to the GPU");
  }

  Status copyFrom(void *to, Address from, size_t bytes) override {
    {
      CudaCurrent current(*gpu);
      if (Status copied =
              driver.check(driver.copyToHost(to, from, bytes, queue), "copy from the GPU");
          !copied)
        return copied;
    }
    return wait();
  }

  Status start(Kernel kernel, const Sides &blocks, const Sides &threads,
               std::vector<void *> &operands) override {
    launches->add({kernel, blocks, threads, operands.size()}, operands);
    return launches->isFull(/*atIteration=*/false) ? flush() : Done{};
  }

private:
  std::shared_ptr<CudaContext> gpu;
  CudaDriver &driver;
  void *queue = nullptr;
  std::vector<std::shared_ptr<CudaModule>> modules;
  std::optional<LaunchQueue> launches;
  static bool isSet(const char *variable) { return std::getenv(variable) != nullptr; }

  /// Whether somebody tests, and waits for it.
  const bool poisonsScratch = isSet("LMPM_POISON_SCRATCH");
};
} // namespace

Result<std::unique_ptr<CudaDevice>> lci::openCudaDevice(int ordinal, const std::string &library) {
  Result<std::shared_ptr<CudaContext>> gpu = CudaContext::open(ordinal, library);
  if (!gpu)
    return gpu.failure();
  auto device =
      std::make_unique<DriverDevice>(std::move(*gpu), std::vector<std::shared_ptr<CudaModule>>());
  if (Status opened = device->open(); !opened)
    return opened.failure();
  return std::unique_ptr<CudaDevice>(std::move(device));
}
