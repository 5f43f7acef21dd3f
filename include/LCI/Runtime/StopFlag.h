//===- StopFlag.h - Stops a program between two ticks -----------*- C++ -*-===//
//
// An epoch may take long, and only the state between epochs is one that a program goes on from. So
// whoever runs one keeps the state, arms the program's flag, and recalls the state if the flag was
// raised meanwhile: ticks that find it raised do nothing.
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

  /// What `word` points to where ticks are to do nothing.
  static constexpr uint8_t kRaised = 2;
  /// What ticks look at, for as long as the flag lives; null if there are too many flags.
  const std::atomic<uint8_t> *word() const { return state; }
  bool isRaised() const { return state && state->load() == kRaised; }

  /// From now on the flag may be raised. Says whether it can be.
  bool arm();
  /// Whether it was raised; it is not any more.
  bool disarm();
  /// Raises it, if it is armed.
  void raise();
  /// Raises all that are armed. A handler of signals may call it.
  static void raiseAll();

private:
  std::atomic<uint8_t> *state = nullptr;
};

} // namespace lci

#endif // LCI_RUNTIME_STOPFLAG_H
