//===- Interrupts.cpp - Ctrl-C while compiled code runs -------------------===//

#include "Interrupts.h"
#include "LCI/Runtime/StopFlag.h"
#include <thread>

using namespace lmpm::python;

/// The thread that imports the package, which is the one that Python interrupts.
static const std::thread::id importer = std::this_thread::get_id();
/// Python's handler.
static struct sigaction previous;

static void handle(int number) {
  ::lci::StopFlag::raiseAll();
  previous.sa_handler(number);
}

StopsOnInterrupt::StopsOnInterrupt() {
  if (std::this_thread::get_id() != importer || ::sigaction(SIGINT, nullptr, &previous) != 0 ||
      (previous.sa_flags & SA_SIGINFO) || previous.sa_handler == SIG_DFL ||
      previous.sa_handler == SIG_IGN || previous.sa_handler == handle)
    return;
  struct sigaction ours = previous;
  ours.sa_handler = handle;
  isInstalled = ::sigaction(SIGINT, &ours, nullptr) == 0;
}

StopsOnInterrupt::~StopsOnInterrupt() {
  if (isInstalled)
    ::sigaction(SIGINT, &previous, nullptr);
}
