//===- Process.h - Threads, forks and the end of Python ---------*- C++ -*-===//
//
// Compiled code runs without the lock of the interpreter, in whatever thread asked. Python may end
// meanwhile, and a thread that then asks for its lock never comes back; or the process is forked,
// and the child has the memory of threads that it does not have. Both are looked after here.
//
//===----------------------------------------------------------------------===//
#ifndef LMPM_PYTHON_PROCESS_H
#define LMPM_PYTHON_PROCESS_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <pybind11/pybind11.h>
#include <thread>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace lmpm::python {
namespace py = pybind11;

/// A stretch of a thread without the lock of the interpreter. When Python ends it is cancelled, if
/// it knows how, and waited for; later ones are refused.
class Unlocked {
public:
  explicit Unlocked(std::function<void()> cancel = {});
  ~Unlocked();
  Unlocked(const Unlocked &) = delete;
  Unlocked &operator=(const Unlocked &) = delete;

private:
  PyThreadState *state = nullptr;
};

/// Throws what becomes a RuntimeError: lmpm.Error is made by code in Python, and a thread may not
/// come back from that while Python ends.
[[noreturn]] void raiseAtEnd(const std::string &message);

/// Calls back into Python from such a stretch, unless there is no Python any more.
void withPython(const std::function<void()> &callback);

/// Who may work with something: one thread after the other, in the order in which they came. One
/// that a callback brings here again while it is its turn waits for nothing.
class Turns {
public:
  Turns();
  ~Turns();
  Turns(const Turns &) = delete;
  Turns &operator=(const Turns &) = delete;

  bool isMine() const;
  /// Whether somebody else waits.
  bool isWaitedFor() const;

private:
  friend class Turn;
  friend struct Process;
  void begin();
  void end();
  void afterFork();

  std::deque<uint64_t> queue; ///< the first one has its turn
  uint64_t next = 0;
  std::thread::id owner;
  bool isLost = false; ///< a thread that a fork left behind had its turn
  std::unique_ptr<std::condition_variable> changed;
};

/// One of them, without the lock of the interpreter; Ctrl-C ends the wait.
class Turn {
public:
  explicit Turn(Turns &turns) : turns(turns) { turns.begin(); }
  ~Turn() { turns.end(); }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

private:
  Turns &turns;
};

/// Has a context use the threads that all contexts share, while it lives. After a fork a context of
/// the parent uses none, since they are not there.
class SharedThreads {
public:
  explicit SharedThreads(mlir::MLIRContext &context);
  ~SharedThreads();
  SharedThreads(const SharedThreads &) = delete;
  SharedThreads &operator=(const SharedThreads &) = delete;

private:
  mlir::MLIRContext &context;
};

} // namespace lmpm::python

#endif // LMPM_PYTHON_PROCESS_H
