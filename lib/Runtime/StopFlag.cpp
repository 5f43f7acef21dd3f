//===- StopFlag.cpp - Stops a program between two ticks -------------------===//
#include "LCI/Runtime/StopFlag.h"
#include <cstddef>

using namespace lci;

static constexpr uint8_t kIdle = 0, kArmed = 1;

// Flags stay where they are for as long as the process runs: a handler of signals may look at them
// at any time.
static constexpr size_t kMostFlags = 256;
static std::atomic<uint8_t> flags[kMostFlags];
static std::atomic<bool> taken[kMostFlags];

StopFlag::StopFlag() {
  for (size_t i = 0; i < kMostFlags && !state; ++i)
    if (!taken[i].exchange(true))
      state = &flags[i];
}

StopFlag::~StopFlag() {
  disarm();
  if (state)
    taken[state - flags] = false;
}

bool StopFlag::arm() {
  if (state)
    state->store(kArmed);
  return state;
}

bool StopFlag::disarm() { return state && state->exchange(kIdle) == kRaised; }

/// Not after it was disarmed: what runs then could not be taken back.
static void raise(std::atomic<uint8_t> &flag) {
  uint8_t armed = kArmed;
  flag.compare_exchange_strong(armed, StopFlag::kRaised);
}

void StopFlag::raise() {
  if (state)
    ::raise(*state);
}

void StopFlag::raiseAll() {
  for (std::atomic<uint8_t> &flag : flags)
    ::raise(flag);
}
