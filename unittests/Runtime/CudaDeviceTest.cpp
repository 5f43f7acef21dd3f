//===- CudaDeviceTest.cpp - The GPU's side, with a driver that is none ----===//
#include "LCI/Runtime/CudaDevice.h"
#include "LCI/Runtime/LoadedPlan.h"
#include "gtest/gtest.h"

using namespace lci;

static const char *const kCode = ".version 8.0";

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
