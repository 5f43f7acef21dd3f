//===- Handles.h - Handles of objects for C callers -------------*- C++ -*-===//
//
// A handle is a number that is never reused, so that a handle that is used after its end, or twice,
// or in place of one of another kind, is told from all valid ones.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_HANDLES_H
#define LCI_RUNTIME_HANDLES_H

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace lci {

/// The number of the next handle, of any kind.
inline std::atomic<uintptr_t> nextHandle = 1;

/// The handles of one kind. Any thread may look one up; the object lives while it is used.
template <typename T>
class Handles {
public:
  uintptr_t add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> guard(mutex);
    uintptr_t handle = nextHandle++;
    objects.emplace(handle, std::move(object));
    return handle;
  }
  /// Null if the handle does not exist, or no longer.
  std::shared_ptr<T> find(uintptr_t handle) {
    std::lock_guard<std::mutex> guard(mutex);
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second;
  }
  /// The same, and ends the handle.
  std::shared_ptr<T> take(uintptr_t handle) {
    std::lock_guard<std::mutex> guard(mutex);
    auto node = objects.extract(handle);
    return node ? std::move(node.mapped()) : nullptr;
  }

private:
  std::mutex mutex;
  std::map<uintptr_t, std::shared_ptr<T>> objects;
};

} // namespace lci

#endif // LCI_RUNTIME_HANDLES_H
