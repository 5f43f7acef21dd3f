//===- DeviceCells.cpp - Cells between arrays of a device -----------------===//

#include "LCI/Runtime/DeviceCells.h"
#include <limits>

using namespace lci;

/// The number of a cell that does not exist.
static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

Result<DeviceArray> DeviceCells::read(const SlotForm &form, Device::Address buffer) {
  Result<LoadedPlan *> plan = kernels->read(form);
  if (!plan)
    return plan.failure();
  Result<DeviceArray> array = DeviceArray::make(device, form.canonicalType(), form.shape());
  if (!array)
    return array;
  if (Status issued = (*plan)->dispatch({array->address(), buffer}); !issued)
    return issued.failure();
  if (Status done = device->wait(); !done)
    return done.failure();
  return array;
}

Status DeviceCells::write(const SlotForm &form, Device::Address buffer, const DeviceInput &input) {
  if (Status fits = form.checkFits(input.array.shape(), input.firstAbsent); !fits)
    return fits;
  Result<LoadedPlan *> plan = kernels->write(form);
  if (!plan)
    return plan.failure();
  Status issued = (*plan)->dispatch({input.array.address(), buffer});
  return issued ? device->wait() : issued;
}

/// The error of one element, in the words of the check of host arrays.
static Failure describe(Device &device, const ForeignArray &array, int64_t element,
                        const CanonicalForm &form, const std::string &name) {
  Array found(array.dtype, {});
  if (Status copied =
          device.download(found.bytes().data(), array.addressOf(element), found.bytes().size());
      !copied)
    return copied.failure();
  return wrongElement(found, form, name, indexText(form.shape, element));
}

Result<DeviceInput> DeviceCells::toCanonical(const ForeignArray &array, const CanonicalForm &form,
                                             const std::string &name) {
  if (Status fits = checkShape(array.shape, form, name); !fits)
    return fits.failure();
  Result<LoadedPlan *> plan = kernels->convert(array.dtype, form);
  if (!plan)
    return plan.failure();
  Result<DeviceArray> made = DeviceArray::make(device, form.type(), form.shape);
  Result<DeviceArray> found = DeviceArray::make(device, DType::I64, {2});
  if (!made || !found)
    return (made ? found : made).failure();
  int64_t firsts[2] = {kNone, kNone};
  std::vector<uint64_t> arguments = {array.address};
  arguments.insert(arguments.end(), array.strides.begin(), array.strides.end());
  arguments.insert(arguments.end(), {made->address(), found->address()});
  Status done = device->upload(found->address(), firsts, sizeof firsts);
  if (done)
    done = (*plan)->dispatch(arguments);
  if (done) // which waits for the kernel: the array is not read afterwards
    done = device->download(firsts, found->address(), sizeof firsts);
  if (!done)
    return done.failure();
  auto [wrong, absent] = firsts;
  if (wrong != kNone)
    return describe(*device, array, wrong, form, name);
  return DeviceInput{std::move(*made),
                     absent == kNone ? std::nullopt : std::optional<int64_t>(absent)};
}
