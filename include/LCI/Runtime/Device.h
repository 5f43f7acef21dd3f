//===- Device.h - What kernels run on ---------------------------*- C++ -*-===//
//
// One small interface for everything that runs the kernels of a launch plan: a GPU behind its
// driver, the host in place of one, and what counts in tests. Memory is asked for by bytes and
// known by its address on the device. What is launched is done in the order in which it was
// launched; only `download` and `wait` wait for it.
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

/// What the host did for a device.
struct DeviceCounts {
  uint64_t launches = 0, allocations = 0, uploads = 0, downloads = 0;
  uint64_t uploadedBytes = 0, downloadedBytes = 0;
  /// The host's time for issuing calls.
  double seconds = 0;
};

/// What a kernel does with an operand: nothing but take a number, or, with the array at that
/// address, read it, add integers to it that nobody reads back, or anything.
enum class KernelAccess : uint8_t { None, Read, Add, Write };

/// Whose memory a device works on.
struct DevicePlace {
  bool isGPU = false; ///< or this machine's
  int ordinal = 0;    ///< which of the machine's GPUs
};

class Device {
public:
  using Address = uint64_t;
  /// A kernel, as the device knows it.
  using Kernel = uint64_t;
  using Sides = std::array<uint32_t, 3>;

  virtual ~Device() = default;

  /// What it is, in words.
  virtual std::string name() const = 0;
  virtual DevicePlace place() const { return {}; }
  /// What its driver calls the queue that everything goes down; 0 where there is none.
  virtual uint64_t stream() const { return 0; }
  /// The same with the code that was loaded so far, and a queue of its own: what goes down one of
  /// the two waits for nothing that goes down the other. Kernels are the same; either may go first.
  virtual Result<std::unique_ptr<Device>> another() const = 0;
  /// A kernel of the code that the device was made with.
  virtual Result<Kernel> find(const std::string &kernel) = 0;
  /// Says what it does with each of its operands. Arrays of other addresses are other arrays; so
  /// kernels that do not touch what others write need not wait for them.
  virtual void describe(Kernel kernel, const std::vector<KernelAccess> &accesses) {}

  Result<Address> allocate(size_t bytes);
  virtual void release(Address address) = 0;
  /// After what was launched before.
  Status upload(Address to, const void *from, size_t bytes);
  /// Waits for what was launched before.
  Status download(void *to, Address from, size_t bytes);
  /// `operands` are the addresses of the numbers that the kernel takes, of 64 bits, of which a
  /// narrower one takes the first; they are read at once. A device may gather launches until
  /// `flush`.
  Status launch(Kernel kernel, const Sides &blocks, const Sides &threads,
                std::vector<void *> &operands);
  /// A loop takes another turn: what is launched from here may have been launched before.
  virtual Status turn() { return Done{}; }
  /// Lets all begin that was launched.
  virtual Status flush() { return Done{}; }
  /// Waits until all that was launched is done.
  virtual Status wait() = 0;
  /// Says that the host was busy with issuing.
  void spend(double seconds) { counted.seconds += seconds; }

  /// What was asked of it so far.
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
