//===- CudaDeviceTest.cpp - The GPU's side, with a driver that is none ----===//
#include "LCI/Runtime/CudaDevice.h"
#include "LCI/Runtime/DeviceCells.h"
#include "LCI/Runtime/LoadedPlan.h"
#include "gtest/gtest.h"
#include <dlfcn.h>
#include <thread>

using namespace lci;

static const char *const kCode = ".version 8.0 increment explode";

static std::unique_ptr<CudaDevice> openDevice() {
  Result<std::unique_ptr<CudaDevice>> device = openCudaDevice(0, LCI_FAKE_CUDA);
  EXPECT_TRUE(device) << (device ? "" : device.error());
  return device ? std::move(*device) : nullptr;
}

TEST(CudaDeviceTest, TellsWhatItIs) {
  auto device = openDevice();
  ASSERT_TRUE(device);
  EXPECT_EQ(device->name(), "Fake GPU");
  EXPECT_EQ(device->chip(), "sm_90");
  EXPECT_TRUE(device->place().isGPU);
  EXPECT_EQ(device->place().ordinal, 0);
  EXPECT_NE(device->stream(), 0u);
}

TEST(CudaDeviceTest, CarriesOutAPlan) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  Result<Plan> plan =
      parsePlan("plan p registers 3\nwrites %0\n  loop %2 0 %1 1\n"
                "    launch increment blocks 1 1 1 threads 1 1 1 %0 4\n  end\nend\n");
  ASSERT_TRUE(plan);
  auto loaded = LoadedPlan::load(*plan, *device);
  ASSERT_TRUE(loaded);
  Result<Device::Address> memory = device->allocate(6);
  ASSERT_TRUE(memory);
  uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(device->upload(*memory, bytes, 6));
  ASSERT_TRUE((*loaded)->dispatch({*memory, 10}));
  ASSERT_TRUE(device->wait());
  ASSERT_TRUE(device->download(bytes, *memory, 6));
  EXPECT_EQ(std::vector<int>(bytes, bytes + 6), (std::vector<int>{11, 12, 13, 14, 5, 6}));
  device->release(*memory);
  EXPECT_EQ(device->counts().launches, 10u);
  EXPECT_EQ(device->counts().uploadedBytes, 6u);
  EXPECT_EQ(device->counts().downloads, 1u);
}

TEST(CudaDeviceTest, NoDriverIsASentence) {
  auto device = openCudaDevice(0, "libnodriver.so.1");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error(), "no GPU can be used: NVIDIA's driver library 'libnodriver.so.1' is not "
                            "on this machine; --backend=cpu needs none");
}

TEST(CudaDeviceTest, ALibraryThatIsNoDriver) {
  auto device = openCudaDevice(0, "libm.so.6");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error(), "expected a CUDA driver with 'cuInit', but it has none: it is older "
                            "than CUDA 11");
}

TEST(CudaDeviceTest, ErrorsOfTheDriverAreNamed) {
  EXPECT_EQ(openCudaDevice(3, LCI_FAKE_CUDA).error(),
            "the CUDA driver could not find GPU 3: CUDA_ERROR_INVALID_DEVICE");
  auto device = openDevice();
  ASSERT_TRUE(device);
  EXPECT_EQ(device->load("hello").error(),
            "the CUDA driver could not load the kernels for Fake GPU: "
            "CUDA_ERROR_NO_BINARY_FOR_GPU; it says: line 1: this is no PTX");
  EXPECT_EQ(device->allocate(2'000'000).error(),
            "the CUDA driver could not make 2000000 bytes of memory: CUDA_ERROR_OUT_OF_MEMORY (out "
            "of memory)");
  ASSERT_TRUE(device->load(kCode));
  EXPECT_EQ(device->find("nothing").error(),
            "the CUDA driver could not find the kernel 'nothing': CUDA_ERROR_NOT_FOUND");
}

TEST(CudaDeviceTest, WhatGoesWrongLaterIsSaidWhenItIsWaitedFor) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  Result<Device::Kernel> kernel = device->find("explode");
  ASSERT_TRUE(kernel);
  std::vector<void *> none;
  ASSERT_TRUE(device->launch(*kernel, {1, 1, 1}, {1, 1, 1}, none));
  EXPECT_EQ(device->wait().error(),
            "the CUDA driver could not finish what was launched: error 719");
}

TEST(CudaDeviceTest, CodeIsAddedToCode) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(".version 8.0 increment") &&
              device->load(".version 8.0 later"));
  EXPECT_TRUE(device->find("increment"));
  EXPECT_TRUE(device->find("later"));
  EXPECT_FALSE(device->find("never"));
}

/// How many contexts the driver has of this thread.
static int contextsHere() {
  void *library = dlopen(LCI_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  auto count = reinterpret_cast<int (*)()>(dlsym(library, "fakeContexts"));
  int contexts = count ? count() : -1;
  dlclose(library);
  return contexts;
}

// Another library may have a context in this process: it finds what it left.
TEST(CudaDeviceTest, AnyThreadMayUseItAndKeepsItsContext) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  EXPECT_EQ(contextsHere(), 0);
  std::thread other([&] {
    uint8_t bytes[2] = {1, 2};
    Result<Device::Address> memory = device->allocate(2);
    ASSERT_TRUE(memory) << memory.error();
    ASSERT_TRUE(device->upload(*memory, bytes, 2));
    Result<Device::Kernel> kernel = device->find("increment");
    ASSERT_TRUE(kernel);
    uint64_t count = 2;
    std::vector<void *> operands = {&*memory, &count};
    ASSERT_TRUE(device->launch(*kernel, {1, 1, 1}, {1, 1, 1}, operands));
    ASSERT_TRUE(device->wait());
    ASSERT_TRUE(device->download(bytes, *memory, 2));
    EXPECT_EQ(bytes[0] + bytes[1], 5);
    device->release(*memory);
    EXPECT_EQ(contextsHere(), 0);
  });
  other.join();
}

namespace {
/// Plans of one kernel, which adds one to the bytes of an array; nothing is ever found wrong.
class Incrementers final : public CellKernels {
public:
  explicit Incrementers(Device &device) : device(device) {}
  Result<LoadedPlan *> write(const SlotForm &) override { return make("%1 3"); }
  Result<LoadedPlan *> read(const SlotForm &) override { return make("%0 3"); }
  Result<LoadedPlan *> convert(DType, const CanonicalForm &) override { return make("%2 3"); }

private:
  Result<LoadedPlan *> make(const std::string &operands) {
    Result<Plan> plan = parsePlan("plan p registers 4\nwrites %0\n    launch increment blocks 1 1 "
                                  "1 threads 1 1 1 " +
                                  operands + "\nend\n");
    auto loaded = plan ? LoadedPlan::load(*plan, device) : plan.failure();
    if (!loaded)
      return loaded.failure();
    plans.push_back(std::move(*loaded));
    return plans.back().get();
  }

  Device &device;
  std::vector<std::unique_ptr<LoadedPlan>> plans;
};
} // namespace

/// The slot of a row of cells without halo.
static SlotForm makeRow(ElementKind kind, int64_t extent) {
  SlotForm form;
  form.kind = kind;
  form.isArray = true;
  form.extents = {extent};
  form.low = form.high = {0};
  return form;
}

TEST(CudaDeviceTest, ArraysStayThere) {
  std::shared_ptr<CudaDevice> device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  DeviceCells cells(device, std::make_unique<Incrementers>(*device));
  SlotForm form = makeRow(ElementKind::I8, 3);
  form.vocabulary = 9;
  Result<Device::Address> buffer = device->allocate(3);
  ASSERT_TRUE(buffer);
  ForeignArray foreign{*buffer, DType::I8, {3}, {1}};
  Result<DeviceInput> input = cells.toCanonical(foreign, {{3}, 9}, "A");
  ASSERT_TRUE(input) << input.error();
  EXPECT_FALSE(input->firstAbsent);
  ASSERT_TRUE(cells.write(form, *buffer, *input));
  Result<DeviceArray> read = cells.read(form, *buffer);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->dtype(), DType::I8);
  // What travelled is which elements are wrong.
  EXPECT_EQ(device->counts().launches, 3u);
  EXPECT_EQ(device->counts().uploadedBytes, 16u);
  EXPECT_EQ(device->counts().downloadedBytes, 16u);
  device->release(*buffer);
}

TEST(CudaDeviceTest, WhatTheDriverRefusesOfArraysIsSaid) {
  std::shared_ptr<CudaDevice> device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  DeviceCells cells(device, std::make_unique<Incrementers>(*device));
  SlotForm form = makeRow(ElementKind::I64, 2'000'000);
  EXPECT_EQ(
      cells.read(form, 0).error(),
      "the CUDA driver could not make 16000000 bytes of memory: CUDA_ERROR_OUT_OF_MEMORY (out "
      "of memory)");
  ForeignArray foreign{0, DType::I8, {2'000'000}, {1}};
  EXPECT_EQ(cells.toCanonical(foreign, {{2'000'000}, 9}, "A").error(),
            "the CUDA driver could not make 2000000 bytes of memory: CUDA_ERROR_OUT_OF_MEMORY (out "
            "of memory)");
  EXPECT_EQ(cells.toCanonical(foreign, {{3}, 9}, "A").error(),
            "expected shape (3,) for 'A', but got (2000000,)");
}
