//===- DeviceCode.cpp - Functions whose code is a launch plan -------------===//

#include "LCI/Runtime/DeviceCode.h"

using namespace lci;

Result<std::unique_ptr<Code>> DeviceCode::load(Plan plan, Device &device) {
  std::unique_ptr<DeviceCode> code(new DeviceCode(device));
  auto loaded = LoadedPlan::load(std::move(plan), device);
  if (!loaded)
    return loaded.failure();
  code->plan = std::move(*loaded);
  return std::unique_ptr<Code>(std::move(code));
}

DeviceCode::~DeviceCode() {
  for (const Copy &copy : copies)
    if (copy.isMade)
      device.release(copy.address);
}

Result<std::unique_ptr<Code>> DeviceCode::another(Device *device) const {
  return load(plan->source(), *device);
}

Status DeviceCode::upload(const Slot &slot, Copy &copy) {
  if (!copy.isMade) {
    Result<Device::Address> made = device.allocate(slot.size());
    if (!made)
      return made.failure();
    copy.address = *made;
    copy.isMade = true;
  } else if (copy.version == slot.version()) {
    return Done{};
  }
  copy.version = slot.version();
  copy.isNewer = false;
  return device.upload(copy.address, slot.data(), slot.size());
}

Status DeviceCode::run(std::vector<Slot> &slots) {
  copies.resize(slots.size());
  std::vector<uint64_t> arguments;
  std::vector<LoadedPlan::HostArray> arrays(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].isArray) {
      arguments.push_back(slots[i].bits());
      continue;
    }
    if (Status uploaded = upload(slots[i], copies[i]); !uploaded)
      return uploaded;
    arguments.push_back(copies[i].address);
    arrays[i] = {slots[i].data(), slots[i].size()};
  }
  for (uint32_t number : plan->written()) {
    if (number >= copies.size() || !copies[number].isMade)
      return Failure{ErrorId::MalformedFile, "expected argument " + std::to_string(number) +
                                                 " of a launch plan, which kernels write, to be an "
                                                 "array"};
    copies[number].isNewer = true;
  }
  return plan->dispatch(arguments, arrays);
}

DeviceCode::Copy &DeviceCode::copyOf(const std::vector<Slot> &slots, const Slot &slot) {
  copies.resize(slots.size());
  return copies[static_cast<size_t>(&slot - slots.data())];
}

Result<Device::Address> DeviceCode::place(std::vector<Slot> &slots, Slot &slot) {
  Copy &copy = copyOf(slots, slot);
  if (Status uploaded = upload(slot, copy); !uploaded)
    return uploaded.failure();
  return copy.address;
}

void DeviceCode::markFilled(std::vector<Slot> &slots, Slot &slot) {
  copyOf(slots, slot).isNewer = true;
}

Status DeviceCode::fetch(std::vector<Slot> &slots, Slot &slot) {
  size_t number = static_cast<size_t>(&slot - slots.data());
  // If the slot was written since kernels changed the copy, the slot is newer.
  if (number >= copies.size() || !copies[number].isNewer ||
      copies[number].version != slot.version())
    return Done{};
  copies[number].isNewer = false;
  return device.download(slot.data(), copies[number].address, slot.size());
}
