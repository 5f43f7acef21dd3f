//===- Worker.cpp - A thread that executes tasks in order -----------------===//

#include "Worker.h"

using namespace lci;

Worker::~Worker() {
  {
    std::lock_guard<std::mutex> guard(mutex);
    ends = true;
  }
  changed.notify_all();
  thread.join();
}

void Worker::enqueue(std::function<void()> task) {
  {
    std::lock_guard<std::mutex> guard(mutex);
    tasks.push(std::move(task));
  }
  changed.notify_all();
}

void Worker::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return tasks.empty(); });
}

void Worker::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return ends || !tasks.empty(); });
    if (tasks.empty())
      return;
    std::function<void()> &task = tasks.front(); // push does not move the other tasks
    lock.unlock();
    task();
    lock.lock();
    tasks.pop();
    changed.notify_all();
  }
}
