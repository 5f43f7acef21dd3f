//===- CompiledState.cpp - The state of compiled code between calls -------===//
//
// Compiled code may keep values in persistent arrays from epoch to epoch (`lci-persist-layouts`).
// Arrays are copied back only when a value is read or set, and large ones take no memory in
// between.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/CompiledProgram.h"
#include <algorithm>
#include <limits>
#include <set>

using namespace lci;

void CompiledProgram::setRange(int64_t firstEpoch, int64_t lastEpoch, int64_t firstPhase,
                               int64_t lastPhase) {
  functions.run.find(Role::First)->setInt(firstEpoch);
  Slot *last = functions.run.find(Role::Last), *begin = functions.run.find(Role::FirstPhase),
       *end = functions.run.find(Role::LastPhase);
  if (last)
    last->setInt(lastEpoch);
  if (begin && end) {
    begin->setInt(firstPhase);
    end->setInt(lastPhase);
  }
}

bool CompiledProgram::isPersistent(const Slot &array) const {
  return array.role == Role::State &&
         std::any_of(functions.run.slots.begin(), functions.run.slots.end(), [&](const Slot &slot) {
           return slot.role == Role::Persistent && slot.name == array.name;
         });
}

/// Drops the arrays of states that are in their persistent ones, which calls do not use.
void CompiledProgram::dropArrays() {
  for (Slot &slot : functions.run.slots)
    if (isPersistent(slot))
      functions.run.drop(slot);
}

/// Runs the range that is set, from the persistent arrays if those are up to date.
Result<Counters> CompiledProgram::callRun(bool bringsBack) {
  Slot *enters = functions.run.find(Role::Enter), *leaves = functions.run.find(Role::Leave);
  if (!enters || !leaves)
    return functions.run.call();
  enters->setInt(!persistentHolds);
  leaves->setInt(bringsBack);
  if (persistentHolds && !bringsBack)
    dropArrays();
  persistentHolds = true;
  arraysHold = bringsBack;
  Result<Counters> counters = functions.run.call();
  if (!bringsBack)
    dropArrays();
  return counters;
}

/// Runs no epochs, after which the persistent arrays equal their arrays.
Status CompiledProgram::fillPersistent() {
  if (persistentHolds || !functions.run.find(Role::Enter))
    return Done{};
  setRange(0, 0, 0, 0);
  functions.run.find(Role::Enter)->setInt(1);
  functions.run.find(Role::Leave)->setInt(0);
  persistentHolds = true;
  Result<Counters> none = functions.run.call();
  return none ? Status(Done{}) : Status(none.failure());
}

/// Runs no epochs, after which the arrays equal their persistent ones, on the host or on the
/// device.
Status CompiledProgram::bringArraysBack() {
  if (arraysHold)
    return Done{};
  setRange(0, 0, 0, 0);
  Result<Counters> none = callRun(/*bringsBack=*/true);
  return none ? Status(Done{}) : Status(none.failure());
}

/// Then also copies all values from the device into their slots.
Status CompiledProgram::bringBack() {
  if (Status brought = bringArraysBack(); !brought)
    return brought;
  for (Slot &slot : functions.run.slots)
    if (slot.isValue())
      if (Status fetched = functions.run.fetch(slot); !fetched)
        return fetched;
  return Done{};
}

Result<Counters> CompiledProgram::runEpochs(int64_t first, int64_t last) {
  setRange(first, last, 0, std::numeric_limits<int64_t>::max());
  return callRun(/*bringsBack=*/false);
}

Result<Counters> CompiledProgram::runTick(int64_t epoch, int64_t phase) {
  if (!functions.run.find(Role::FirstPhase))
    return Failure{ErrorId::CannotInterpret,
                   "'" + functions.run.symbol + "' is not compiled to stop inside of an epoch"};
  setRange(epoch, epoch + 1, phase, phase + 1);
  return callRun(/*bringsBack=*/false);
}

/// The slots that hold the state now: the persistent arrays of a value, if those are up to date.
std::vector<Slot *> CompiledProgram::findState() {
  std::vector<Slot *> state;
  for (Slot &slot : functions.run.slots)
    if (slot.role == Role::State && !(persistentHolds && isPersistent(slot)))
      state.push_back(&slot);
    else if (slot.role == Role::Persistent && persistentHolds &&
             findValue(slot.name)->role == Role::State)
      state.push_back(&slot);
  return state;
}

size_t CompiledProgram::stateSize() const {
  size_t bytes = 0;
  std::set<std::string> kept;
  for (const Slot &slot : functions.run.slots)
    if (isPersistent(slot))
      kept.insert(slot.name);
  for (const Slot &slot : functions.run.slots)
    if (slot.role == (kept.count(slot.name) ? Role::Persistent : Role::State))
      bytes += slot.size();
  return bytes;
}

/// The bytes of a function's arrays, without those of values that are lent to it.
uint64_t CompiledProgram::sizeOfCopies(const CompiledFunction &function) {
  bool mayWrite = functions.rejections && &function == &*functions.rejections;
  uint64_t bytes = 0;
  for (const Slot &slot : function.slots) {
    Slot *value = valueOf(slot);
    if (!value || mayWrite || !canLend(*value, function, slot))
      bytes += slot.size();
  }
  return bytes;
}

uint64_t CompiledProgram::memoryNeeded() {
  uint64_t held = stateSize(), beside = 0; // the copy to go back to, and arrays of a moment
  for (const Slot &slot : functions.run.slots) {
    held += slot.size();
    if (slot.isValue()) // an array for a file
      beside += static_cast<uint64_t>(elementCount(slot.shape()).value_or(0)) *
                static_cast<uint64_t>(byteWidth(slot.canonicalType()));
  }
  for (auto [suffix, place] : kFunctionsBeside) {
    uint64_t copies = functions.*place ? sizeOfCopies(*(functions.*place)) : 0;
    if (functions.run.code->worksOnSlots())
      beside = std::max(beside, copies);
    else
      held += copies;
  }
  return held + beside;
}

bool CompiledProgram::remember() {
  if (!fillPersistent()) // which are often much smaller than their arrays
    return false;
  std::vector<Slot *> state = findState();
  for (Slot *slot : state)
    if (!functions.run.fetch(*slot))
      return false;
  bool isSame = remembered.size() == state.size();
  for (size_t i = 0; i < state.size() && isSame; ++i)
    isSame = remembered[i].first == state[i];
  if (!isSame) {
    remembered.clear();
    for (Slot *slot : state)
      remembered.emplace_back(slot, slot->duplicate());
    return true;
  }
  for (auto &[slot, copy] : remembered)
    copy.copyCells(*slot);
  return true;
}

void CompiledProgram::recall() {
  persistentHolds = false;
  for (const auto &[slot, copy] : remembered) {
    slot->copyCells(copy);
    persistentHolds |= slot->role == Role::Persistent;
  }
  arraysHold = !persistentHolds;
}
