//===- Worker.h - A thread that does one thing after the other --*- C++ -*-===//

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
  /// Ends after all that was asked for.
  ~Worker();

  void ask(std::function<void()> task);
  /// Waits until all that was asked for is done.
  void wait();

private:
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::queue<std::function<void()>> tasks; ///< the first one is under way
  bool ends = false;
  std::thread thread; ///< begins when the others are there
};

} // namespace lci

#endif // LCI_LIB_RUNTIME_WORKER_H
