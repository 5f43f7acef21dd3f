//===- Device.h - The interface that runs kernels ---------------*- C++ -*-===//
//
// One small interface for everything that runs the kernels of a launch plan: a GPU through its
// driver, the host in place of one, and mocks in tests. Memory is allocated in bytes and known by
// its address on the device. Launches are executed in order; only `download` and `wait` wait for
// them.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_DEVICE_H
#define LCI_RUNTIME_DEVICE_H

#include "LCI/Runtime/Result.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lci {

/// The host's work for a device.
struct DeviceCounts {
  uint64_t launches = 0, allocations = 0, uploads = 0, downloads = 0;
  uint64_t allocatedBytes = 0, uploadedBytes = 0, downloadedBytes = 0;
  /// The host's time for issuing calls.
  double seconds = 0;
};

/// The access of a kernel to an operand: None for a scalar; of the array at that address, only
/// reads, only additions of integers that nobody reads back, or any.
enum class KernelAccess : uint8_t { None, Read, Add, Write };

/// The memory that a device works on.
struct DevicePlace {
  bool isGPU = false; ///< or this machine's
  int ordinal = 0;    ///< the number of the GPU
};

class Device {
public:
  using Address = uint64_t;
  /// A kernel, by the device's handle.
  using Kernel = uint64_t;
  using Sides = std::array<uint32_t, 3>;

  virtual ~Device() = default;

  /// A description for messages.
  virtual std::string name() const = 0;
  virtual DevicePlace place() const { return {}; }
  /// The driver's handle of the queue; 0 where there is none.
  virtual uint64_t stream() const { return 0; }
  /// Another device with the same loaded code, and a separate queue: neither queue waits for the
  /// other. Kernel handles are the same; either device may be destroyed first.
  virtual Result<std::unique_ptr<Device>> another() const = 0;
  /// Looks up a kernel in the loaded code.
  virtual Result<Kernel> find(const std::string &kernel) = 0;
  /// Sets the accesses of a kernel to each of its operands. Arrays of different addresses do not
  /// alias, except for those below; so kernels need not wait for others that touch other arrays.
  virtual void describe(Kernel kernel, const std::vector<KernelAccess> &accesses) {}

  Result<Address> allocate(size_t bytes);
  virtual void release(Address address) = 0;
  /// Says of an array that it is a part of allocated memory, of which other arrays may have some of
  /// the same bytes: kernels wait for others that touch these.
  virtual void share(Address memory, Address array, size_t bytes) {}
  /// Whether plans allocate such arrays one by one, so that accesses beyond them can be found.
  virtual bool separatesScratch() const { return false; }
  /// Marks that such an array is needed from here on, after the launches before, and that its
  /// contents are undefined. A device of tests poisons them; others have nothing to do.
  virtual Status undefine(Address array, size_t bytes) { return Done{}; }
  /// Executed after the launches before.
  Status upload(Address to, const void *from, size_t bytes);
  /// Waits for the launches before.
  Status download(void *to, Address from, size_t bytes);
  /// `operands` are the addresses of the kernel's operands, of 64 bits each, of which a narrower
  /// one takes the first bytes; they are read at once. A device may gather launches until `flush`.
  Status launch(Kernel kernel, const Sides &blocks, const Sides &threads,
                std::vector<void *> &operands);
  /// Marks the begin of a loop iteration: the launches from here may repeat earlier ones.
  virtual Status beginIteration() { return Done{}; }
  /// Submits all gathered launches.
  virtual Status flush() { return Done{}; }
  /// Waits until all launches are done.
  virtual Status wait() = 0;
  /// Adds to the host's time for issuing calls.
  void spend(double seconds) { counted.seconds += seconds; }

  /// The counts of all requests so far.
  const DeviceCounts &counts() const { return counted; }

protected:
  virtual Result<Address> makeMemory(size_t bytes) = 0;
  virtual Status copyTo(Address to, const void *from, size_t bytes) = 0;
  virtual Status copyFrom(void *to, Address from, size_t bytes) = 0;
  virtual Status start(Kernel kernel, const Sides &blocks, const Sides &threads,
                       std::vector<void *> &operands) = 0;

private:
  DeviceCounts counted;
};

} // namespace lci

#endif // LCI_RUNTIME_DEVICE_H
