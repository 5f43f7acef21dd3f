//===- StopFlag.cpp - Stop a program between two ticks --------------------===//
#include "LCI/Runtime/StopFlag.h"
#include <cstddef>

using namespace lci;

static constexpr uint8_t kIdle = 0, kArmed = 1;

// Flags exist as long as the process: a signal handler may access them at any time.
static constexpr size_t kMaxFlags = 256;
static std::atomic<uint8_t> flags[kMaxFlags];
static std::atomic<bool> taken[kMaxFlags];

StopFlag::StopFlag() {
  for (size_t i = 0; i < kMaxFlags && !state; ++i)
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

/// Has no effect after it was disarmed: epochs that run then could not be undone.
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
