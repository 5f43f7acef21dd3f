//===- CPrograms.h - Programs and handles of the C interface ----*- C++ -*-===//
//
// Programs behind their handles, and the guards of calls from C: arguments are validated, and no
// exception leaves them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_RUNTIME_CPROGRAMS_H
#define LCI_LIB_RUNTIME_CPROGRAMS_H

#include "LCI/Runtime/BundleProgram.h"
#include "LCI/Runtime/CArrays.h"
#include "LCI/Runtime/Handles.h"
#include "LCI/Runtime/lci.h"
#include "Worker.h"
#include <unistd.h>

namespace lci {

//===----------------------------------------------------------------------===//
// Objects behind the handles
//===----------------------------------------------------------------------===//

/// Threads do not survive a fork: handles are bound to their process.
struct OfProcess {
  pid_t process = getpid();
};

struct Program : OfProcess {
  explicit Program(std::unique_ptr<BundleProgram> program)
      : program(std::move(program)), names(this->program->names()) {
    for (const SlotForm &form : this->program->values())
      shapes.push_back(form.shape());
  }

  std::unique_ptr<BundleProgram> program;
  std::vector<std::string> names;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<std::string> warnings; ///< as they were counted last
  bool isStarted = false;
  int64_t epoch = 0;        ///< after all tickets
  Status state = Done{};    ///< why no epoch can run any more, if so; written by the worker
  Counters counters;        ///< since the start; written by the worker
  FirstRejections rejected; ///< since the start; written by the worker
  std::mutex mutex;         ///< serializes calls
  Worker worker;            ///< destroyed before the others
};

// Never destroyed: a program that was not released may be running while the process ends.
inline Handles<Program> &programs() {
  static auto *all = new Handles<Program>();
  return *all;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// The text of lci_error(), for each thread.
inline thread_local std::string lastError;

/// Calls a function, and converts exceptions to failures.
template <typename Work>
std::invoke_result_t<Work> attempt(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    return Failure{ErrorId::NoMemory, "there is no memory left for what was asked"};
  } catch (const std::exception &error) {
    return Failure{ErrorId::WrongMachine, std::string("cannot do what was asked: ") + error.what()};
  }
}

/// The same, and stores the error for lci_error.
template <typename Work>
std::invoke_result_t<Work> call(Work work) {
  auto result = attempt(work);
  Status kept = attempt([&]() -> Status {
    lastError = result ? "" : result.failure().text();
    return Done{};
  });
  if (!kept)
    lastError.clear();
  return result;
}

/// For functions that only return whether they failed.
template <typename Work>
int callForStatus(Work work) {
  return call(work) ? 0 : 1;
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// The error of an invalid handle.
template <typename T>
Result<std::shared_ptr<T>> checkHandle(std::shared_ptr<T> found, const void *handle,
                                       const std::string &what) {
  if (!handle)
    return missing(what);
  if (!found)
    return wrongCall("expected " + what + ", but got another pointer, or one of the past");
  if (found->process != getpid())
    return wrongCall("expected " + what + " of this process, but got one from before a fork");
  return found;
}

inline Result<std::shared_ptr<Program>> findProgram(const lci_program *handle) {
  auto found = programs().find(reinterpret_cast<uintptr_t>(handle));
  return checkHandle(std::move(found), handle, "a program that is not released");
}

/// Calls a function on a program, one thread at a time.
template <typename Work>
std::invoke_result_t<Work, Program &> withProgram(const lci_program *handle, Work work) {
  Result<std::shared_ptr<Program>> found = findProgram(handle);
  if (!found)
    return found.failure();
  std::lock_guard<std::mutex> lock((*found)->mutex);
  return work(**found);
}

/// A text of a program, by its number.
template <typename Texts>
const char *findText(const lci_program *program, int64_t number, const char *what, Texts texts) {
  auto text = call([&] {
    return withProgram(program, [&](Program &of) -> Result<const char *> {
      const std::vector<std::string> &all = texts(of);
      auto count = static_cast<int64_t>(all.size());
      if (number < 0 || number >= count)
        return wrongCall(std::string("expected the number of a ") + what + ", below " +
                         std::to_string(count) + ", but got " + std::to_string(number));
      return all[static_cast<size_t>(number)].c_str();
    });
  });
  return text ? *text : nullptr;
}

inline Status checkStarted(const Program &program) {
  if (program.isStarted)
    return Done{};
  return wrongCall("expected lci_start before epochs and values");
}

} // namespace lci

#endif // LCI_LIB_RUNTIME_CPROGRAMS_H
