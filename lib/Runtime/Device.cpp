//===- Device.cpp - Count the requests to a device ------------------------===//

#include "LCI/Runtime/Device.h"

using namespace lci;

Result<Device::Address> Device::allocate(size_t bytes) {
  ++counted.allocations;
  counted.allocatedBytes += bytes;
  return makeMemory(bytes);
}

Status Device::upload(Address to, const void *from, size_t bytes) {
  if (Status begun = flush(); !begun)
    return begun;
  ++counted.uploads;
  counted.uploadedBytes += bytes;
  return copyTo(to, from, bytes);
}

Status Device::download(void *to, Address from, size_t bytes) {
  if (Status begun = flush(); !begun)
    return begun;
  ++counted.downloads;
  counted.downloadedBytes += bytes;
  return copyFrom(to, from, bytes);
}

Status Device::launch(Kernel kernel, const Sides &blocks, const Sides &threads,
                      std::vector<void *> &operands) {
  ++counted.launches;
  return start(kernel, blocks, threads, operands);
}
