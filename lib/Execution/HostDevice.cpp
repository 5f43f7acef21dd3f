//===- HostDevice.cpp - This machine in place of a GPU --------------------===//

#include "HostDevice.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::lci;
using ::lci::Done;
using ::lci::Failure;
using ::lci::Result;
using ::lci::Status;

Result<::lci::Device::Kernel> HostDevice::find(const std::string &kernel) {
  std::string reason = "there is no code";
  for (const auto &engine : llvm::reverse(engines)) { // the last loaded first
    auto entry = engine->lookupPacked(kernel);
    if (entry)
      return reinterpret_cast<Kernel>(*entry);
    reason = llvm::toString(entry.takeError());
  }
  return Failure{ErrorId::CannotCompile, "expected a kernel '" + kernel + "': " + reason};
}

Result<std::unique_ptr<::lci::Device>> HostDevice::another() const {
  auto made = std::make_unique<HostDevice>();
  made->engines = engines;
  return std::unique_ptr<::lci::Device>(std::move(made));
}

/// Poisons memory: tokens that no vocabulary has, NaNs.
static void poison(::lci::Device::Address address, size_t bytes) {
  std::memset(reinterpret_cast<void *>(address), 0xFF, bytes);
}

Result<::lci::Device::Address> HostDevice::makeMemory(size_t bytes) {
  constexpr size_t kLine = 64;
  void *memory = std::aligned_alloc(kLine, (bytes + kLine - 1) / kLine * kLine);
  if (!memory)
    return Failure{ErrorId::NoMemory,
                   "expected " + std::to_string(bytes) + " bytes of memory, but got none"};
  poison(reinterpret_cast<Address>(memory), bytes);
  return reinterpret_cast<Address>(memory);
}

Status HostDevice::undefine(Address array, size_t bytes) {
  poison(array, bytes);
  return Done{};
}

void HostDevice::release(Address address) { std::free(reinterpret_cast<void *>(address)); }

Status HostDevice::copyTo(Address to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return Done{};
}

Status HostDevice::copyFrom(void *to, Address from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return Done{};
}

/// The function takes the numbers of blocks and threads first.
Status HostDevice::start(Kernel kernel, const Sides &blocks, const Sides &threads,
                         std::vector<void *> &operands) {
  std::array<uint64_t, 6> sides = {blocks[0],  blocks[1],  blocks[2],
                                   threads[0], threads[1], threads[2]};
  std::vector<void *> all;
  for (uint64_t &side : sides)
    all.push_back(&side);
  all.insert(all.end(), operands.begin(), operands.end());
  reinterpret_cast<void (*)(void **)>(kernel)(all.data());
  return Done{};
}
