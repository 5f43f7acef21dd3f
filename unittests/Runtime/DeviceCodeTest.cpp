//===- DeviceCodeTest.cpp - Functions on a device, and transfers ----------===//

#include "LCI/Runtime/DeviceCode.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace lci;

namespace {
/// Increments every byte of the first array, as often as the second argument says.
class Adder final : public Device {
public:
  std::string name() const override { return "an adder"; }
  Result<std::unique_ptr<Device>> another() const override {
    return std::unique_ptr<Device>(std::make_unique<Adder>());
  }
  Result<Kernel> find(const std::string &) override { return Kernel{0}; }

  void release(Address address) override { memory[address].clear(); }
  Status wait() override { return Done{}; }

protected:
  Result<Address> makeMemory(size_t bytes) override {
    memory.emplace_back(bytes);
    return memory.size() - 1;
  }
  Status copyTo(Address to, const void *from, size_t bytes) override {
    std::memcpy(memory[to].data(), from, bytes);
    return Done{};
  }
  Status copyFrom(void *to, Address from, size_t bytes) override {
    std::memcpy(to, memory[from].data(), bytes);
    return Done{};
  }
  Status start(Kernel, const Sides &, const Sides &, std::vector<void *> &operands) override {
    uint64_t address = 0;
    std::memcpy(&address, operands[0], sizeof address);
    for (uint8_t &byte : memory[address])
      ++byte;
    return Done{};
  }

private:
  std::vector<std::vector<uint8_t>> memory;
};

} // namespace

static Slot makeBytes(const std::string &name, std::initializer_list<int> bytes) {
  Slot slot;
  slot.role = Role::State;
  slot.name = name;
  slot.kind = ElementKind::I8;
  slot.isArray = true;
  slot.extents = {static_cast<int64_t>(bytes.size())};
  slot.low = slot.high = {0};
  Array array(DType::I64, slot.extents);
  int64_t i = 0;
  for (int byte : bytes)
    array.setInt(i++, byte);
  EXPECT_TRUE(slot.write(array));
  return slot;
}

TEST(DeviceCode, ArraysStayUntilSomebodyLooks) {
  auto plan = parsePlan("plan p registers 4\nwrites %0\n  loop %3 0 %2 1\n"
                        "    launch add blocks 1 1 1 threads 1 1 1 %0\n  end\nend\n");
  ASSERT_TRUE(plan);
  Adder device;
  auto code = DeviceCode::load(*plan, device);
  ASSERT_TRUE(code);
  std::vector<Slot> slots;
  slots.push_back(makeBytes("A", {1, 2, 3}));
  slots.push_back(makeBytes("B", {7}));
  slots.emplace_back();
  slots[2].setInt(5);
  for (int call = 0; call < 3; ++call)
    ASSERT_TRUE((*code)->run(slots));
  // Each array was uploaded once, and nothing was downloaded.
  EXPECT_EQ(device.counts().uploads, 2u);
  EXPECT_EQ(device.counts().launches, 15u);
  EXPECT_EQ(device.counts().downloads, 0u);
  EXPECT_EQ(slots[0].read().intAt(2), 3);
  for (int look = 0; look < 2; ++look)
    ASSERT_TRUE((*code)->fetch(slots, slots[0]));
  EXPECT_EQ(slots[0].read().intAt(2), 18);
  // Arrays that no kernel writes are not fetched.
  ASSERT_TRUE((*code)->fetch(slots, slots[1]));
  EXPECT_EQ(device.counts().downloads, 1u);
  // Arrays changed by the host are uploaded again.
  ASSERT_TRUE(slots[0].write(Array(DType::I64, {3})));
  ASSERT_TRUE((*code)->run(slots));
  EXPECT_EQ(device.counts().uploads, 3u);
  ASSERT_TRUE((*code)->fetch(slots, slots[0]));
  EXPECT_EQ(slots[0].read().intAt(2), 5);
}

TEST(DeviceCode, OnlyArraysAreWritten) {
  Adder device;
  std::vector<Slot> slots;
  slots.push_back(makeBytes("A", {1}));
  slots.emplace_back();
  for (int argument : {1, 2}) {
    auto plan = parsePlan("plan p registers 4\nwrites %0 %" + std::to_string(argument) + "\nend\n");
    ASSERT_TRUE(plan);
    auto code = DeviceCode::load(*plan, device);
    ASSERT_TRUE(code);
    EXPECT_EQ((*code)->run(slots).error(), "expected argument " + std::to_string(argument) +
                                               " of a launch plan, which kernels write, to be an "
                                               "array");
  }
}
