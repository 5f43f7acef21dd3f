//===- HostDeviceTest.cpp - This machine in place of a GPU ----------------===//

#include "../../lib/Execution/HostDevice.h"
#include "gtest/gtest.h"

using namespace mlir::lci;

TEST(HostDevice, MemoryThatIsNotThere) {
  HostDevice device;
  auto memory = device.allocate(size_t(1) << 60);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error(), "expected 1152921504606846976 bytes of memory, but got none");
}

TEST(HostDevice, CodeThatIsNotThere) {
  HostDevice device;
  auto kernel = device.find("life_kernel");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error(), "expected a kernel 'life_kernel': there is no code");
}
