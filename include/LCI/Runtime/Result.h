//===- Result.h - A value or the reason why there is none -------*- C++ -*-===//
//
// The runtime uses neither LLVM nor exceptions, so functions that can fail for reasons outside the
// program (files, sizes, formats) return one of these. Messages follow the house style: lower case,
// no full stop, what was expected and what was found.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RESULT_H
#define LCI_RUNTIME_RESULT_H

#include "LCI/Errors/ErrorId.h"
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace lci {
using lmpm::ErrorId;

/// The reason of a failure, as a sentence for the user.
struct Failure {
  ErrorId id;
  std::string message;

  /// As the tools print it: with the identifier at its end.
  std::string text() const { return lmpm::withErrorId(message, id); }
};

/// Either a `T` or a Failure; test it before looking inside.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return get(); }
  const T &operator*() const { return const_cast<Result *>(this)->get(); }
  T *operator->() { return &get(); }
  const T *operator->() const { return &**this; }

  /// The reason; only where the result is a failure.
  const std::string &error() const { return failure().message; }
  /// The failure itself, to be passed up through a function of another type.
  const Failure &failure() const {
    assert(state.index() == 1 && "asked a success for its error");
    return *std::get_if<1>(&state);
  }

private:
  T &get() {
    assert(state.index() == 0 && "took the value of a failure");
    return *std::get_if<0>(&state);
  }
  std::variant<T, Failure> state;
};

/// The result of a function that returns no value.
struct Done {};
using Status = Result<Done>;

} // namespace lci

#endif // LCI_RUNTIME_RESULT_H
