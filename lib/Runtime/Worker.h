//===- Worker.h - A thread that executes tasks in order ---------*- C++ -*-===//
//
// The thread in which a program of the C interface runs its epochs: tasks run in the order in which
// they were added, so that a dispatch returns at once and tickets complete in order.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_RUNTIME_WORKER_H
#define LCI_LIB_RUNTIME_WORKER_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

namespace lci {

class Worker {
public:
  Worker() : thread([this] { work(); }) {}
  /// Ends after all tasks are done.
  ~Worker();

  void enqueue(std::function<void()> task);
  /// Waits until all tasks are done.
  void wait();

private:
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::queue<std::function<void()>> tasks; ///< the first one is in progress
  bool ends = false;
  std::thread thread; ///< initialized last: it uses the others
};

} // namespace lci

#endif // LCI_LIB_RUNTIME_WORKER_H
