//===- DeviceArray.h - Arrays on a device -----------------------*- C++ -*-===//
//
// Dense arrays in memory of a device, and arrays of another library there. The host reads no
// element of either.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_DEVICEARRAY_H
#define LCI_RUNTIME_DEVICEARRAY_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/Device.h"
#include <memory>

namespace lci {

/// A dense row-major array on a device; copies share its memory, which the last of them releases.
/// It keeps the device alive.
class DeviceArray {
public:
  /// Elements are uninitialized; the shape must be valid (see elementCount).
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

/// An array of another library on a device, while it lives there.
struct ForeignArray {
  /// Of the first element.
  Device::Address address = 0;
  DType dtype = DType::I64;
  std::vector<int64_t> shape;
  /// The bytes from one index of each axis to the next, possibly negative.
  std::vector<int64_t> strides;

  /// The address of the element with a row-major number.
  Device::Address addressOf(int64_t element) const;
};

} // namespace lci

#endif // LCI_RUNTIME_DEVICEARRAY_H
