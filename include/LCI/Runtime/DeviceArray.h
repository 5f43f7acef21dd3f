//===- DeviceArray.h - Arrays on a device -----------------------*- C++ -*-===//
//
// Dense arrays that own memory of a device, and arrays of somebody else that lie there. Of neither
// the host sees an element.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_DEVICEARRAY_H
#define LCI_RUNTIME_DEVICEARRAY_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/Device.h"
#include <memory>

namespace lci {

/// A dense row-major array on a device; copies share its memory, which goes with the last of them,
/// and keeps the device.
class DeviceArray {
public:
  /// Its elements are whatever the memory holds; the shape must be valid (see elementCount).
  static Result<DeviceArray> make(std::shared_ptr<Device> device, DType dtype,
                                  std::vector<int64_t> shape);

  DType dtype() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  Device::Address address() const { return memory->address; }
  Device &device() const { return *memory->device; }
  size_t size() const { return bytes; }

  /// A copy on the host.
  Result<Array> download() const;

private:
  struct Memory {
    std::shared_ptr<Device> device;
    Device::Address address;
    Memory(std::shared_ptr<Device> device, Device::Address address)
        : device(std::move(device)), address(address) {}
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory() { device->release(address); }
  };

  DType type = DType::I64;
  std::vector<int64_t> extents;
  size_t bytes = 0;
  std::shared_ptr<Memory> memory;
};

/// Somebody else's array on a device, as long as it lives there.
struct ForeignArray {
  /// Of the first element.
  Device::Address address = 0;
  DType dtype = DType::I64;
  std::vector<int64_t> shape;
  /// The bytes from one index of each axis to the next, negative ones too.
  std::vector<int64_t> strides;

  /// The address of an element, which has a row-major number.
  Device::Address addressOf(int64_t element) const;
};

} // namespace lci

#endif // LCI_RUNTIME_DEVICEARRAY_H
