//===- StopFlag.h - Stop a program between two ticks ------------*- C++ -*-===//
//
// An epoch may take long, and a program can only continue from a state between epochs. So the
// caller saves the state, arms the program's flag, and restores the state if the flag was raised
// meanwhile: ticks that find it raised do nothing.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_STOPFLAG_H
#define LCI_RUNTIME_STOPFLAG_H

#include <atomic>
#include <cstdint>

namespace lci {

class StopFlag {
public:
  StopFlag();
  ~StopFlag();
  StopFlag(const StopFlag &) = delete;
  StopFlag &operator=(const StopFlag &) = delete;

  /// The value of `word` with which ticks do nothing.
  static constexpr uint8_t kRaised = 2;
  /// The flag that ticks read, while this lives; null if there are too many flags.
  const std::atomic<uint8_t> *word() const { return state; }
  bool isRaised() const { return state && state->load() == kRaised; }

  /// The flag may be raised from now on. Returns whether it can be.
  bool arm();
  /// Returns whether it was raised, and resets it.
  bool disarm();
  /// Raises it, if it is armed.
  void raise();
  /// Raises all that are armed. Safe in a signal handler.
  static void raiseAll();

private:
  std::atomic<uint8_t> *state = nullptr;
};

} // namespace lci

#endif // LCI_RUNTIME_STOPFLAG_H
