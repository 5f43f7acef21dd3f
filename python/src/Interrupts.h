//===- Interrupts.h - Ctrl-C while compiled code runs -----------*- C++ -*-===//

#ifndef LMPM_PYTHON_INTERRUPTS_H
#define LMPM_PYTHON_INTERRUPTS_H

#include <csignal>

namespace lmpm::python {

/// While it lives, Ctrl-C also stops programs between two ticks. Python's own handler is called as
/// ever: it writes down that there was one, and nobody asks for that in the middle of an epoch.
/// Does nothing in threads that Python does not interrupt, or where nobody handles Ctrl-C.
class StopsOnInterrupt {
public:
  StopsOnInterrupt();
  ~StopsOnInterrupt();
  StopsOnInterrupt(const StopsOnInterrupt &) = delete;
  StopsOnInterrupt &operator=(const StopsOnInterrupt &) = delete;

private:
  bool isInstalled = false;
};

} // namespace lmpm::python

#endif // LMPM_PYTHON_INTERRUPTS_H
