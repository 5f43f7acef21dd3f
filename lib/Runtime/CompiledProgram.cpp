//===- CompiledProgram.cpp - Compiled code and its state ------------------===//
//
// The back end of compiled code, for CPU code and launch plans alike: it finds the slots of a
// function by role and name, sets them, and calls the code. Functions beside that of epochs work on
// its arrays where they store cells alike.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/CompiledProgram.h"
#include "LCI/Runtime/Switches.h"
#include "RejectionSearch.h"
#include "Text.h"

using namespace lci;

const FunctionBeside *lci::findBeside(const std::string &symbol) {
  for (const FunctionBeside &beside : kFunctionsBeside)
    if (endsWith(symbol, beside.suffix))
      return &beside;
  return nullptr;
}

CompiledProgram::CompiledProgram(std::string name, CompiledFunctions functions,
                                 std::shared_ptr<void> owner, const Device *kernelDevice,
                                 std::unique_ptr<DeviceCells> cells, std::unique_ptr<StopFlag> flag)
    : backendName(std::move(name)), owner(std::move(owner)), kernelDevice(kernelDevice),
      cells(std::move(cells)), flag(std::move(flag)), functions(std::move(functions)) {}

Result<CompiledFunction> CompiledFunction::another(Device *device) const {
  Result<std::unique_ptr<Code>> same = code->another(device);
  if (!same)
    return same.failure();
  return CompiledFunction(form(), std::move(*same));
}

Result<std::unique_ptr<CompiledProgram>> CompiledProgram::another() const {
  assert(!flag && "code that looks at a flag has one state");
  std::shared_ptr<Device> queue;
  if (kernelDevice) {
    Result<std::unique_ptr<Device>> made = kernelDevice->another();
    if (!made)
      return made.failure();
    queue = std::move(*made);
  }
  Result<CompiledFunction> again = functions.run.another(queue.get());
  if (!again)
    return again.failure();
  CompiledFunctions others{std::move(*again), {}, {}, {}, {}};
  for (auto [suffix, place] : kFunctionsBeside) {
    if (!(functions.*place))
      continue;
    Result<CompiledFunction> made = (functions.*place)->another(queue.get());
    if (!made)
      return made.failure();
    others.*place = std::move(*made);
  }
  std::shared_ptr<void> keeps = queue ? queue : owner;
  return std::make_unique<CompiledProgram>(backendName, std::move(others), std::move(keeps),
                                           queue.get());
}

//===----------------------------------------------------------------------===//
// Arguments and values
//===----------------------------------------------------------------------===//

template <typename Map>
static const Array *find(const Map &map, const std::string &name) {
  auto entry = map.find(name);
  return entry == map.end() ? nullptr : &entry->second;
}

/// Sets a parameter, palette, region or weight.
static Status setGiven(Slot &slot, const Array *given) {
  if (!given)
    return Failure{ErrorId::UnboundName, "expected a " + std::string(roleWord(slot.role)) + " '" +
                                             slot.name + "', but none is given"};
  if (slot.elements && !given->holds(*slot.elements))
    return Failure{ErrorId::OtherProgram, std::string(kOtherElements) + slot.name + "'"};
  if (slot.isArray)
    return slot.write(*given);
  if (given->size() != 1)
    return Failure{ErrorId::WrongShape, "expected one number for '" + slot.name + "', but got " +
                                            shapeText(given->shape())};
  if (slot.kind == ElementKind::F32)
    slot.setFloat(static_cast<float>(given->doubleAt(0)));
  else
    slot.setInt(given->intAt(0));
  return Done{};
}

/// Sets what a run is given; the other slots are set before each call.
static Status setArgument(Slot &slot, const RunArguments &arguments) {
  switch (slot.role) {
  case Role::Seed:
    slot.setInt(static_cast<int64_t>(arguments.seed));
    return Done{};
  case Role::Replica:
    slot.setInt(static_cast<int64_t>(arguments.replica));
    return Done{};
  case Role::Enable:
    slot.setInt(isOn(arguments.enables, slot.name));
    return Done{};
  case Role::Bounds: {
    const Array *region = find(arguments.regions, slot.name);
    std::optional<Array> bounds;
    if (region)
      bounds = boundsOf(*region);
    return setGiven(slot, bounds ? &*bounds : nullptr);
  }
  case Role::Param:
    return setGiven(slot, find(arguments.params, slot.name));
  case Role::Palette:
    return setGiven(slot, find(arguments.palettes, slot.name));
  case Role::Region:
    return setGiven(slot, find(arguments.regions, slot.name));
  case Role::Weight:
    return setGiven(slot, find(arguments.weights, slot.name));
  default:
    return Done{};
  }
}

Status CompiledProgram::setArguments(CompiledFunction &function, const RunArguments &arguments) {
  for (Slot &slot : function.slots)
    if (Status set = setArgument(slot, arguments); !set)
      return set;
  return Done{};
}

Status CompiledProgram::setArguments(const RunArguments &arguments) {
  Status set = setArguments(functions.run, arguments);
  for (auto [suffix, place] : kFunctionsBeside)
    if (set && functions.*place)
      set = setArguments(*(functions.*place), arguments);
  return set;
}

Slot *CompiledProgram::findValue(const std::string &name) {
  for (Slot &slot : functions.run.slots)
    if (slot.isValue() && slot.name == name)
      return &slot;
  return nullptr;
}

static Failure noSuchValue(const std::string &name) {
  return Failure{ErrorId::NoSuchName, "expected a value of the program, but got '" + name + "'"};
}

Status CompiledProgram::setValue(const std::string &name, const Array &value) {
  Slot *slot = findValue(name);
  if (!slot)
    return noSuchValue(name);
  if (Status brought = bringBack(); !brought) // the other values
    return brought;
  persistentHolds = false;
  return slot->write(value);
}

/// The slot of a value, after its array has been copied back from its persistent ones.
Result<Slot *> CompiledProgram::findHeld(const std::string &name) {
  Slot *slot = findValue(name);
  if (!slot)
    return noSuchValue(name);
  if (Status brought = bringArraysBack(); !brought)
    return brought.failure();
  return slot;
}

Result<Array> CompiledProgram::value(const std::string &name) {
  Result<Slot *> found = findHeld(name);
  if (!found)
    return found.failure();
  Slot *slot = *found;
  if (Status fetched = functions.run.fetch(*slot); !fetched)
    return fetched.failure();
  return slot->read();
}

Status CompiledProgram::setOnDevice(const std::string &name, const DeviceInput &value) {
  Result<Slot *> found = findHeld(name);
  if (!found)
    return found.failure();
  Slot *slot = *found;
  persistentHolds = false;
  Result<Device::Address> buffer = functions.run.code->place(functions.run.slots, *slot);
  if (!buffer)
    return buffer.failure();
  Status written = cells->write(*slot, *buffer, value);
  if (written)
    functions.run.code->markFilled(functions.run.slots, *slot);
  return written;
}

Result<DeviceArray> CompiledProgram::valueOnDevice(const std::string &name) {
  Result<Slot *> found = findHeld(name);
  if (!found)
    return found.failure();
  Slot *slot = *found;
  Result<Device::Address> buffer = functions.run.code->place(functions.run.slots, *slot);
  if (!buffer)
    return buffer.failure();
  return cells->read(*slot, *buffer);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

bool CompiledProgram::keepsRecords() const {
  for (const Slot &slot : functions.run.slots)
    if (slot.role == Role::Replica)
      return true;
  return false;
}

/// The number of priorities in the levels of a value's records.
int64_t CompiledProgram::countLevels(const std::string &name) {
  int64_t levels = 0;
  while (findValue(name + kLevelSuffix + std::to_string(levels)))
    ++levels;
  return levels;
}

std::optional<Records> CompiledProgram::records(const std::string &name) {
  Slot *slot = findValue(name);
  if (!keepsRecords() || !slot)
    return std::nullopt;
  int64_t levels = countLevels(name);
  Records records = emptyRecords(slot->extents, levels);
  auto read = [&](const std::string &part, Array &to) {
    if (findValue(name + part)) // a value without a rule has no commits
      if (Result<Array> array = value(name + part))
        to = std::move(*array);
  };
  read(kStampSuffix, records.stamps);
  read(kScoreSuffix, records.scores);
  read(kReplicaSuffix, records.replicas);
  for (int64_t level = 0; level < levels; ++level) {
    Array counts(DType::I64, slot->extents);
    read(kLevelSuffix + std::to_string(level), counts);
    for (int64_t i = 0; i < counts.size(); ++i)
      records.levels.setInt(i * levels + level, counts.intAt(i));
  }
  return records;
}

Status CompiledProgram::setRecords(const std::string &name, const Records &records) {
  Slot *slot = findValue(name);
  if (!keepsRecords() || !slot || !findValue(name + kStampSuffix))
    return Done{};
  int64_t levels = countLevels(name);
  if (!areRecordsOf(records, slot->extents, levels))
    return Failure{ErrorId::OtherProgram, "expected records of the shape of '" + name +
                                              "' and of " + std::to_string(levels) + " priorities"};
  Status done = setValue(name + kStampSuffix, records.stamps);
  done = done ? setValue(name + kScoreSuffix, records.scores) : done;
  done = done ? setValue(name + kReplicaSuffix, records.replicas) : done;
  for (int64_t level = 0; done && level < levels; ++level) {
    Array counts(DType::I64, slot->extents);
    for (int64_t i = 0; i < counts.size(); ++i)
      counts.setInt(i, records.levels.intAt(i * levels + level));
    done = setValue(name + kLevelSuffix + std::to_string(level), counts);
  }
  return done;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

CompiledFunction::CompiledFunction(const FunctionForm &form, std::unique_ptr<Code> code)
    : symbol(form.symbol), counters(form.counters), code(std::move(code)) {
  for (const SlotForm &slot : form.slots)
    slots.emplace_back(slot);
}

FunctionForm CompiledFunction::form() const {
  return {symbol, std::vector<SlotForm>(slots.begin(), slots.end()), counters};
}

Slot *CompiledFunction::find(Role role, const std::string &name) {
  for (Slot &slot : slots)
    if (slot.role == role && slot.name == name)
      return &slot;
  return nullptr;
}

void CompiledFunction::drop(Slot &slot) const {
  constexpr size_t kWorthDropping = 8 << 20;
  if (slot.size() >= kWorthDropping && code->worksOnSlots())
    slot.release();
}

Result<Counters> CompiledFunction::call() {
  Slot *counts = find(Role::Counts);
  if (counts)
    counts->clear();
  Status done = code->run(slots);
  if (done && counts)
    done = code->fetch(slots, *counts);
  if (!done)
    return done.failure();
  Counters counted;
  if (!counts)
    return counted;
  Array sums = counts->read();
  for (size_t i = 0; i < counters.size(); ++i)
    counted[counters[i]] += sums.intAt(static_cast<int64_t>(i));
  return counted;
}

/// The slot of the run for the same value; null if the slot is of none.
Slot *CompiledProgram::valueOf(const Slot &slot) {
  return slot.isValue() ? findValue(slot.name) : nullptr;
}

/// Whether a function can work on the buffer that holds a value.
bool CompiledProgram::canLend(const Slot &value, const CompiledFunction &function,
                              const Slot &slot) const {
  return functions.run.code->worksOnSlots() && function.code->worksOnSlots() &&
         slot.isStoredLike(value);
}

Status CompiledProgram::initialise() {
  if (!functions.init)
    return Done{};
  if (Status brought = bringBack(); !brought) // the values that it does not compute
    return brought;
  persistentHolds = false;
  for (Slot &slot : functions.init->slots)
    if (Slot *target = valueOf(slot); target && canLend(*target, *functions.init, slot)) {
      target->release(); // it fills zeros, as that of a separate slot would be
      slot.borrow(*target);
    }
  if (Result<Counters> made = functions.init->call(); !made)
    return made.failure();
  for (Slot &slot : functions.init->slots)
    if (Slot *target = valueOf(slot))
      if (Status taken = takeInitial(*target, slot); !taken)
        return taken;
  return Done{};
}

/// Takes over the cells that `init` has computed, if they are not there already.
Status CompiledProgram::takeInitial(Slot &target, Slot &slot) {
  if (canLend(target, *functions.init, slot)) {
    slot.release();
    return Done{};
  }
  if (Status fetched = functions.init->fetch(slot); !fetched)
    return fetched;
  target.copyCells(slot);
  functions.init->drop(slot);
  return Done{};
}

/// Calls a function that reads the state after `epoch` epochs. One that may write to its arrays
/// gets separate ones.
Result<Counters> CompiledProgram::look(CompiledFunction &function, int64_t epoch, bool mayWrite) {
  if (Status brought = bringBack(); !brought)
    return brought.failure();
  std::vector<Slot *> lent, copied;
  for (Slot &slot : function.slots) {
    if (!slot.isValue())
      continue;
    Slot &value = *findValue(slot.name);
    bool isLent = !mayWrite && canLend(value, function, slot);
    (isLent ? lent : copied).push_back(&slot);
    if (isLent)
      slot.borrow(value);
    else
      slot.copyCells(value);
  }
  function.find(Role::Epoch)->setInt(epoch);
  Result<Counters> counters = function.call();
  for (Slot *slot : lent)
    slot->release();
  for (Slot *slot : copied)
    function.drop(*slot);
  return counters;
}

Result<Counters> CompiledProgram::broken(int64_t epoch) {
  return functions.violations ? look(*functions.violations, epoch) : Counters();
}

Result<std::optional<RejectedCell>> CompiledProgram::findRejected(const std::string &name,
                                                                  int64_t epoch) {
  if (!functions.rejections)
    return std::optional<RejectedCell>();
  auto count = [&](int64_t before) {
    functions.rejections->find(Role::Before)->setInt(before);
    return look(*functions.rejections, epoch, /*mayWrite=*/true); // it runs the epoch
  };
  return findFirstRejected(name, findValue(name)->extents, functions.rejections->counters, count);
}

bool CompiledProgram::mayReject() const {
  for (const std::string &name : functions.run.counters)
    if (isRejectionCount(name))
      return true;
  return false;
}

Result<Observations> CompiledProgram::observe(int64_t epoch) {
  Observations observations;
  if (!functions.observer)
    return observations;
  // The counter of an observer is whether it observed something.
  Result<Counters> some = look(*functions.observer, epoch);
  if (!some)
    return some.failure();
  for (const std::string &name : functions.observer->counters) {
    observations.push_back({name, std::nullopt});
    Slot *slot = functions.observer->find(Role::Observation, name);
    if (!slot || !(*some)[name])
      continue;
    if (Status fetched = functions.observer->fetch(*slot); !fetched)
      return fetched.failure();
    Array seen = slot->read();
    bool isNumber = slot->kind == ElementKind::F32;
    observations.back().value = isNumber ? observedNumber(*seen.data<float>()) : seen;
  }
  return observations;
}
