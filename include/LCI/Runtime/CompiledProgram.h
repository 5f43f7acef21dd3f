//===- CompiledProgram.h - Compiled code and its state ----------*- C++ -*-===//
//
// Runs the functions that a program was compiled to, on this machine or on a device with separate
// memory. The arguments of functions are described by slots, so that programs and hand-written
// ticks run alike.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_RUNTIME_COMPILEDPROGRAM_H
#define LCI_RUNTIME_COMPILEDPROGRAM_H

#include "LCI/Runtime/Backend.h"
#include "LCI/Runtime/DeviceCells.h"
#include "LCI/Runtime/StopFlag.h"
#include "LCI/Runtime/Storage.h"

namespace lci {

/// The code of one function.
class Code {
public:
  virtual ~Code() = default;
  /// Runs it on its argument slots.
  virtual Status run(std::vector<Slot> &slots) = 0;
  /// Whether it works on the buffers of its slots, and leaves nothing elsewhere between calls, so
  /// that other buffers may take their places.
  virtual bool worksOnSlots() const { return true; }
  /// Updates a slot, if the code keeps its array elsewhere.
  virtual Status fetch(std::vector<Slot> &, Slot &) { return Done{}; }
  /// The up-to-date address of a slot's buffer on a device; 0 on the host.
  virtual Result<Device::Address> place(std::vector<Slot> &, Slot &) { return Device::Address(0); }
  /// Marks that buffer as newer than the slot.
  virtual void markFilled(std::vector<Slot> &, Slot &) {}
  /// The same code for other slots, on `device` if it runs on one.
  virtual Result<std::unique_ptr<Code>> another(Device *device) const = 0;
};

/// The arguments and counters of a function.
struct FunctionForm {
  std::string symbol;
  std::vector<SlotForm> slots;
  std::vector<std::string> counters;
};

/// A function: a slot for each of its arguments, and code.
struct CompiledFunction {
  std::string symbol;
  std::vector<Slot> slots;
  std::vector<std::string> counters;
  std::unique_ptr<Code> code;

  CompiledFunction() = default;
  /// With empty slots.
  CompiledFunction(const FunctionForm &form, std::unique_ptr<Code> code);
  FunctionForm form() const;
  /// The same with empty slots, on a device if the code runs on one.
  Result<CompiledFunction> another(Device *device) const;

  /// The slot of a role, of that name if it has one, or null.
  Slot *find(Role role, const std::string &name = "");
  /// Brings a slot's cells back from the device, if they are newer there.
  Status fetch(Slot &slot) { return code->fetch(slots, slot); }
  /// Drops the buffer of a slot whose cells are not needed any more. A small one is kept: making it
  /// again would take more time than it is worth.
  void drop(Slot &slot) const;
  /// Runs it, and returns its counters.
  Result<Counters> call();
};

/// The functions of a program: the one that runs epochs, and those beside it.
struct CompiledFunctions {
  CompiledFunction run;
  std::optional<CompiledFunction> init, observer, violations, rejections;
};

/// A function beside the one that runs epochs: what its name has behind that of the other.
struct FunctionBeside {
  const char *suffix;
  std::optional<CompiledFunction> CompiledFunctions::*place;
};
/// Names are part of bundles, and stay.
inline constexpr FunctionBeside kFunctionsBeside[] = {
    {".init", &CompiledFunctions::init},
    {".observe", &CompiledFunctions::observer},
    {".breaches", &CompiledFunctions::violations},
    {".rejections", &CompiledFunctions::rejections},
};
/// The kind of a function by its name, or null.
const FunctionBeside *findBeside(const std::string &symbol);

/// Compiled code and its state.
class CompiledProgram final : public Backend, private DeviceValues {
public:
  /// `name` is its name in `--backend`; `owner` keeps the code alive; `cells` allows to read and
  /// set values on the device; `flag` is read by ticks, if they can be stopped.
  CompiledProgram(std::string name, CompiledFunctions functions, std::shared_ptr<void> owner,
                  const Device *kernelDevice = nullptr,
                  std::unique_ptr<DeviceCells> cells = nullptr,
                  std::unique_ptr<StopFlag> flag = nullptr);
  /// A separate state for the same code, with another queue of the device: both can run at once,
  /// each in a thread. It is as before `setArguments`, and its arrays are read and set through the
  /// host. The code must read no flag, which would stop both.
  Result<std::unique_ptr<CompiledProgram>> another() const;

  const char *name() const override { return backendName.c_str(); }
  Status setArguments(const RunArguments &arguments) override;
  Status initialise() override;
  Status setValue(const std::string &name, const Array &value) override;
  Result<Array> value(const std::string &name) override;
  Result<Counters> runEpochs(int64_t first, int64_t last) override;
  /// Needs a function with arguments of the roles `first_phase` and `last_phase`.
  Result<Counters> runTick(int64_t epoch, int64_t phase) override;
  /// Needs a function with an argument of the role `replica`, and states for records.
  bool keepsRecords() const override;
  std::optional<Records> records(const std::string &name) override;
  Status setRecords(const std::string &name, const Records &records) override;
  bool remember() override;
  void recall() override;
  size_t stateSize() const override;
  uint64_t memoryNeeded() override;
  StopFlag *stopFlag() override { return flag.get(); }
  Result<Observations> observe(int64_t epoch) override;
  Result<Counters> broken(int64_t epoch) override;
  bool mayReject() const override;
  Result<std::optional<RejectedCell>> findRejected(const std::string &name, int64_t epoch) override;
  const Device *device() const override { return kernelDevice; }
  DeviceValues *onDevice() override { return cells ? this : nullptr; }

  const Device &where() const override { return cells->where(); }
  Result<DeviceInput> takeOver(const ForeignArray &array, const CanonicalForm &form,
                               const std::string &name) override {
    return cells->toCanonical(array, form, name);
  }
  Status setOnDevice(const std::string &name, const DeviceInput &value) override;
  Result<DeviceArray> valueOnDevice(const std::string &name) override;

private:
  Status setArguments(CompiledFunction &function, const RunArguments &arguments);
  Slot *findValue(const std::string &name);
  Result<Slot *> findHeld(const std::string &name);
  int64_t countLevels(const std::string &name);
  Slot *valueOf(const Slot &slot);
  bool canLend(const Slot &value, const CompiledFunction &function, const Slot &slot) const;
  Status takeInitial(Slot &target, Slot &slot);
  Result<Counters> look(CompiledFunction &function, int64_t epoch, bool mayWrite = false);
  void setRange(int64_t firstEpoch, int64_t lastEpoch, int64_t firstPhase, int64_t lastPhase);
  Result<Counters> callRun(bool bringsBack);
  Status fillPersistent();
  bool isPersistent(const Slot &array) const;
  void dropArrays();
  uint64_t sizeOfCopies(const CompiledFunction &function);
  Status bringBack();
  Status bringArraysBack();
  std::vector<Slot *> findState();

  std::string backendName;
  std::shared_ptr<void> owner; ///< is destroyed after the functions
  const Device *kernelDevice;
  std::unique_ptr<DeviceCells> cells; ///< null where values are read and set through the host only
  std::unique_ptr<StopFlag> flag;
  CompiledFunctions functions;
  /// For arrays that compiled code keeps in another layout (`lci-persist-layouts`): whether the
  /// arrays are up to date, and whether their persistent ones are.
  bool arraysHold = true, persistentHolds = false;
  std::vector<std::pair<Slot *, Slot>> remembered; ///< slots of the state, and copies of them
};

} // namespace lci

#endif // LCI_RUNTIME_COMPILEDPROGRAM_H
