//===- DeviceArray.cpp - Arrays on a device -------------------------------===//

#include "LCI/Runtime/DeviceArray.h"

using namespace lci;

Result<DeviceArray> DeviceArray::make(std::shared_ptr<Device> device, DType dtype,
                                      std::vector<int64_t> shape) {
  DeviceArray array;
  array.type = dtype;
  array.extents = std::move(shape);
  array.bytes = static_cast<size_t>(elementCount(array.extents).value_or(0) * byteWidth(dtype));
  Result<Device::Address> made = device->allocate(array.bytes);
  if (!made)
    return made.failure();
  array.memory = std::make_shared<Memory>(std::move(device), *made);
  return array;
}

Result<Array> DeviceArray::download() const {
  Array array(type, extents);
  if (Status copied = device().download(array.bytes().data(), address(), size()); !copied)
    return copied.failure();
  return array;
}

Device::Address ForeignArray::addressOf(int64_t element) const {
  int64_t offset = 0;
  for (size_t axis = shape.size(); axis-- > 0; element /= shape[axis])
    offset += element % shape[axis] * strides[axis];
  return address + static_cast<uint64_t>(offset);
}
