//===- DeviceCells.h - Cells between arrays of a device ---------*- C++ -*-===//
//
// The counterpart of `toCanonical`, `Slot::write` and `Slot::read` for arrays that stay on a
// device: kernels convert cells of a foreign array into canonical form, from there into a slot's
// buffer, and back. The kernels are compiled when they are first needed, by a compiler behind an
// interface: the runtime does not depend on it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_DEVICECELLS_H
#define LCI_RUNTIME_DEVICECELLS_H

#include "LCI/Runtime/DeviceArray.h"
#include "LCI/Runtime/LoadedPlan.h"
#include "LCI/Runtime/Storage.h"
#include "LCI/Runtime/Tokens.h"

namespace lci {

/// Makes the plans that move cells, and caches them.
class CellKernels {
public:
  virtual ~CellKernels() = default;
  /// Takes the addresses of a canonical array and of a slot's buffer, and fills the buffer's cells.
  virtual Result<LoadedPlan *> write(const SlotForm &form) = 0;
  /// Takes the same, and fills the array.
  virtual Result<LoadedPlan *> read(const SlotForm &form) = 0;
  /// Takes the address of a foreign array, its strides in bytes, and the addresses of a canonical
  /// array, which it fills, and of two integers, which are lowered to the number of the first
  /// element that does not fit and to that of the first cell without token.
  virtual Result<LoadedPlan *> convert(DType from, const CanonicalForm &to) = 0;
};

/// A copy of a foreign array, in canonical form.
struct DeviceInput {
  DeviceArray array;
  /// The first cell without token.
  std::optional<int64_t> firstAbsent;
};

/// Reads and sets values on a device.
class DeviceValues {
public:
  virtual ~DeviceValues() = default;
  virtual const Device &where() const = 0;
  /// Checks a foreign array and makes a copy in canonical form; the array is not read after this
  /// returns. Changes no value.
  virtual Result<DeviceInput> takeOver(const ForeignArray &array, const CanonicalForm &form,
                                       const std::string &name) = 0;
  /// Replaces a value.
  virtual Status setOnDevice(const std::string &name, const DeviceInput &value) = 0;
  /// The committed content of a value, in canonical form and separate memory.
  virtual Result<DeviceArray> valueOnDevice(const std::string &name) = 0;
};

/// Moves the cells.
class DeviceCells {
public:
  DeviceCells(std::shared_ptr<Device> device, std::unique_ptr<CellKernels> kernels)
      : device(std::move(device)), kernels(std::move(kernels)) {}

  /// The cells of a slot whose buffer is at `buffer`; they are complete when this returns.
  Result<DeviceArray> read(const SlotForm &form, Device::Address buffer);
  /// Fills the cells of the buffer; the array is not read after this returns. Errors are found
  /// before any cell is written.
  Status write(const SlotForm &form, Device::Address buffer, const DeviceInput &input);
  /// `toCanonical` of a host array, with the same errors.
  Result<DeviceInput> toCanonical(const ForeignArray &array, const CanonicalForm &form,
                                  const std::string &name);

  const Device &where() const { return *device; }

private:
  std::shared_ptr<Device> device;
  std::unique_ptr<CellKernels> kernels;
};

} // namespace lci

#endif // LCI_RUNTIME_DEVICECELLS_H
