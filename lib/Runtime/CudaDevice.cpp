//===- CudaDevice.cpp - A GPU behind NVIDIA's driver ----------------------===//

#include "LCI/Runtime/CudaDevice.h"
#include "LaunchQueue.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace lci;

namespace {
/// Gives the thread a context, as long as this lives.
class Current {
public:
  Current(CudaDriver &driver, void *context) : driver(driver) {
    hasPushed = context && driver.pushContext(context) == 0;
  }
  ~Current() {
    void *popped = nullptr;
    if (hasPushed)
      driver.popContext(&popped);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

private:
  CudaDriver &driver;
  bool hasPushed;
};

class DriverDevice final : public CudaDevice {
public:
  DriverDevice(std::shared_ptr<CudaDriver> driver, int ordinal)
      : driver(std::move(driver)), ordinal(ordinal) {}

  ~DriverDevice() override {
    {
      Current current(*driver, context);
      launches.reset();
      if (queue)
        driver->destroyStream(queue);
      for (void *module : modules)
        driver->unloadModule(module);
    }
    if (context)
      driver->releaseContext(device);
  }

  Status open() {
    if (Status opened = openContext(); !opened)
      return opened;
    constexpr unsigned kNonBlocking = 1;
    Current current(*driver, context);
    Status made = driver->check(driver->createStream(&queue, kNonBlocking), "make a stream");
    launches.emplace(*driver, queue);
    return made;
  }

  Status load(const std::string &code) override {
    // What the driver says of the code, where it refuses it.
    int options[] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
    std::string log(1 << 13, '\0');
    void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
    void *module = nullptr;
    Current current(*driver, context);
    Status loaded = driver->check(
        driver->loadModule(&module, code.c_str(), std::size(options), options, values),
        "load the kernels for " + title);
    if (loaded)
      modules.push_back(module);
    return loaded || !log[0]
               ? loaded
               : Failure{loaded.failure().id, loaded.error() + "; it says: " + log.c_str()};
  }

  std::string chip() const override { return "sm_" + std::to_string(10 * major + minor); }
  std::string name() const override { return title; }
  DevicePlace place() const override { return {/*isGPU=*/true, ordinal}; }
  uint64_t stream() const override { return reinterpret_cast<uint64_t>(queue); }

  /// What was loaded last is looked at first.
  Result<Kernel> find(const std::string &kernel) override {
    void *function = nullptr;
    int answer = 1; // CUDA_ERROR_INVALID_VALUE: nothing is loaded
    Current current(*driver, context);
    for (size_t i = modules.size(); i-- > 0 && answer != 0;)
      answer = driver->getFunction(&function, modules[i], kernel.c_str());
    if (Status found = driver->check(answer, "find the kernel '" + kernel + "'"); !found)
      return found.failure();
    return reinterpret_cast<Kernel>(function);
  }

  void describe(Kernel kernel, const std::vector<KernelAccess> &accesses) override {
    launches->describe(kernel, accesses);
  }

  void release(Address address) override {
    Current current(*driver, context);
    driver->free(address);
  }

  Status turn() override {
    Status done = launches->isFull(/*atTurn=*/true) ? flush() : Done{};
    launches->turn();
    return done;
  }

  Status flush() override {
    Current current(*driver, context);
    return launches->flush();
  }

  Status wait() override {
    Current current(*driver, context);
    if (Status flushed = launches->flush(); !flushed)
      return flushed;
    return driver->check(driver->waitForStream(queue), "finish what was launched");
  }

protected:
  /// Kernels may load 16 aligned bytes where they use fewer of them, and the driver makes no arrays
  /// of none.
  Result<Address> makeMemory(size_t asked) override {
    size_t bytes = std::max<size_t>(16, (asked + 15) / 16 * 16);
    Address address = 0;
    Current current(*driver, context);
    if (Status made = driver->check(driver->allocate(&address, bytes),
                                    "make " + std::to_string(bytes) + " bytes of memory");
        !made)
      return made.failure();
    return address;
  }

  Status copyTo(Address to, const void *from, size_t bytes) override {
    Current current(*driver, context);
    return driver->check(driver->copyToDevice(to, from, bytes, queue), "copy to the GPU");
  }

  Status copyFrom(void *to, Address from, size_t bytes) override {
    {
      Current current(*driver, context);
      if (Status copied =
              driver->check(driver->copyToHost(to, from, bytes, queue), "copy from the GPU");
          !copied)
        return copied;
    }
    return wait();
  }

  Status start(Kernel kernel, const Sides &blocks, const Sides &threads,
               std::vector<void *> &operands) override {
    launches->add({kernel, blocks, threads, operands.size()}, operands);
    return launches->isFull(/*atTurn=*/false) ? flush() : Done{};
  }

private:
  Status openContext() {
    if (Status done = driver->check(driver->init(0), "start"); !done)
      return done;
    if (Status done = driver->check(driver->getDevice(&device, ordinal),
                                    "find GPU " + std::to_string(ordinal));
        !done)
      return done;
    char text[256] = {};
    if (Status done =
            driver->check(driver->getDeviceName(text, sizeof text, device), "name the GPU");
        !done)
      return done;
    title = text;
    // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
    for (auto [attribute, number] : {std::pair<int, int &>(75, major), {76, minor}})
      if (Status done = driver->check(driver->getAttribute(&number, attribute, device),
                                      "tell the architecture of " + title);
          !done)
        return done;
    return driver->check(driver->retainContext(&context, device), "open " + title);
  }

  std::shared_ptr<CudaDriver> driver;
  int ordinal, device = 0, major = 0, minor = 0;
  std::string title;
  void *context = nullptr, *queue = nullptr;
  std::vector<void *> modules;
  std::optional<LaunchQueue> launches;
};
} // namespace

Result<std::unique_ptr<CudaDevice>> lci::openCudaDevice(int ordinal, const std::string &library) {
  Result<std::shared_ptr<CudaDriver>> driver = CudaDriver::open(library);
  if (!driver)
    return driver.failure();
  auto device = std::make_unique<DriverDevice>(*driver, ordinal);
  if (Status opened = device->open(); !opened)
    return opened.failure();
  return std::unique_ptr<CudaDevice>(std::move(device));
}
