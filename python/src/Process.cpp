//===- Process.cpp - Threads, forks and the end of Python -----------------===//

#include "Process.h"
#include "Core.h"
#include "Rooms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <pthread.h>
#include <set>

using namespace lmpm::python;

/// How long the end of Python waits for what cannot be cancelled, as a compilation or a long tick.
static constexpr auto kPatience = std::chrono::seconds(30);

namespace {
/// A stretch under way.
struct Stretch {
  std::thread::id thread;
  std::function<void()> cancel;
};
} // namespace

namespace lmpm::python {
/// All that this process has to look after. The mutex is held for moments, and by whoever forks.
struct Process {
  std::mutex mutex;
  std::list<Stretch> stretches; ///< the last ones first
  std::set<Turns *> turns;
  std::set<mlir::MLIRContext *> contexts;
  std::unique_ptr<llvm::DefaultThreadPool> pool;
  std::unique_ptr<std::condition_variable> ended = std::make_unique<std::condition_variable>();
  std::optional<std::thread::id> ending; ///< the thread that ends Python
  std::atomic<bool> isGone = false;      ///< nobody waits any more

  void afterFork();
  void end();
  /// Whether the thread that asks may still work without the interpreter's lock.
  bool isOver() const { return ending && *ending != std::this_thread::get_id(); }
};
} // namespace lmpm::python

/// Never destroyed: threads may outlast everything.
static Process &process() {
  static auto *only = new Process();
  return *only;
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

/// In the child, which has one thread. What the others waited at is left as it is.
void Process::afterFork() {
  static auto *lost = new std::list<Stretch>();
  for (auto stretch = stretches.begin(), next = stretch; stretch != stretches.end();
       stretch = next) {
    ++next;
    if (stretch->thread != std::this_thread::get_id())
      lost->splice(lost->end(), stretches, stretch);
  }
  (void)ended.release();
  ended = std::make_unique<std::condition_variable>();
  (void)pool.release();
  for (mlir::MLIRContext *context : contexts)
    context->disableMultithreading();
  for (Turns *each : turns)
    each->afterFork();
}

void Turns::afterFork() {
  bool isTaken = !queue.empty(), isOurs = isTaken && owner == std::this_thread::get_id();
  isLost |= isTaken && !isOurs;
  queue.resize(isOurs ? 1 : 0);
  (void)changed.release();
  changed = std::make_unique<std::condition_variable>();
}

static void watchForks() {
  pthread_atfork([] { process().mutex.lock(); }, [] { process().mutex.unlock(); },
                 [] {
                   process().afterFork();
                   process().mutex.unlock();
                 });
}

SharedThreads::SharedThreads(mlir::MLIRContext &context) : context(context) {
  std::lock_guard<std::mutex> guard(process().mutex);
  if (!process().pool)
    process().pool = std::make_unique<llvm::DefaultThreadPool>();
  context.disableMultithreading();
  context.setThreadPool(*process().pool);
  process().contexts.insert(&context);
}

SharedThreads::~SharedThreads() {
  std::lock_guard<std::mutex> guard(process().mutex);
  process().contexts.erase(&context);
}

//===----------------------------------------------------------------------===//
// Without the interpreter's lock
//===----------------------------------------------------------------------===//

void lmpm::python::raiseAtEnd(const std::string &message) {
  throw std::runtime_error(withErrorId(message, ErrorId::WrongCall));
}

Unlocked::Unlocked(std::function<void()> cancel) {
  {
    std::lock_guard<std::mutex> guard(process().mutex);
    if (process().isOver())
      raiseAtEnd("expected calls before Python ends, but got one while it does");
    process().stretches.push_front({std::this_thread::get_id(), std::move(cancel)});
  }
  state = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
  while (process().isGone && process().isOver()) // there is no lock any more
    std::this_thread::sleep_for(std::chrono::hours(1));
  PyEval_RestoreThread(state);
  // Only now: who ends Python waits until nobody here asks for the lock.
  std::list<Stretch> over; // is destroyed when the mutex is free: it may hold the last of something
  std::lock_guard<std::mutex> guard(process().mutex);
  auto mine = std::this_thread::get_id();
  auto &all = process().stretches;
  auto own = llvm::find_if(all, [&](const Stretch &stretch) { return stretch.thread == mine; });
  over.splice(over.end(), all, own);
  process().ended->notify_all();
}

void lmpm::python::withPython(const std::function<void()> &callback) {
  if (process().isGone && process().isOver())
    return;
  py::gil_scoped_acquire locked;
  callback();
}

/// Cancels what is under way, in whatever threads, and waits for it.
void Process::end() {
  auto mine = std::this_thread::get_id();
  auto isDone = [&] {
    for (const Stretch &stretch : stretches)
      if (stretch.thread != mine)
        return false;
    return true;
  };
  std::unique_lock<std::mutex> lock(mutex);
  ending = mine;
  for (const Stretch &stretch : stretches)
    if (stretch.cancel && stretch.thread != mine)
      stretch.cancel();
  isGone = !ended->wait_for(lock, kPatience, isDone);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

Turns::Turns() : changed(std::make_unique<std::condition_variable>()) {
  std::lock_guard<std::mutex> guard(process().mutex);
  process().turns.insert(this);
}

Turns::~Turns() {
  std::lock_guard<std::mutex> guard(process().mutex);
  process().turns.erase(this);
}

bool Turns::isMine() const {
  std::lock_guard<std::mutex> guard(process().mutex);
  return !queue.empty() && owner == std::this_thread::get_id();
}

bool Turns::isWaitedFor() const {
  std::lock_guard<std::mutex> guard(process().mutex);
  return queue.size() > 1;
}

/// Raises what Python's handlers of signals raise, such as Ctrl-C.
static void checkSignals() {
  withPython([] {
    if (PyErr_CheckSignals())
      throw py::error_already_set();
  });
}

void Turns::begin() {
  std::unique_lock<std::mutex> lock(process().mutex);
  if (isLost)
    raise(ErrorId::WrongCall,
          "expected a program that nobody ran when the process was forked, but got one whose run "
          "stayed in the parent; compile it again");
  uint64_t number = next++;
  queue.push_back(number);
  auto isNext = [&] { return queue.front() == number; };
  while (!changed->wait_for(lock, std::chrono::milliseconds(50), isNext)) {
    lock.unlock();
    try {
      checkSignals();
    } catch (...) {
      lock.lock();
      queue.erase(llvm::find(queue, number));
      changed->notify_all();
      throw;
    }
    lock.lock();
  }
  owner = std::this_thread::get_id();
}

void Turns::end() {
  std::lock_guard<std::mutex> guard(process().mutex);
  queue.pop_front();
  owner = {};
  changed->notify_all();
}

//===----------------------------------------------------------------------===//
// To Python
//===----------------------------------------------------------------------===//

void lmpm::python::registerProcess(py::module_ &) {
  watchForks();
  // Who waits must not hold the lock that the others ask for.
  auto end = [] {
    py::gil_scoped_release unlocked;
    process().end();
  };
  py::module_::import("atexit").attr("register")(py::cpp_function(end));
}
