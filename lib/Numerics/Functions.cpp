//===- Functions.cpp - Elementary functions on plain numbers --------------===//
//
// The scalar instantiation, compiled once for the constant folder and the interpreter.
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/Functions.h"
#include "LCI/Numerics/ScalarOps.h"

namespace lci::numerics {

const char *nameOf(Unary function) {
  constexpr const char *names[] = {"exp",  "exp2",    "log", "log2", "sin",  "cos",  "tan",
                                   "tanh", "sigmoid", "erf", "atan", "sqrt", "rsqrt"};
  return names[static_cast<int>(function)];
}

const char *nameOf(Binary function) { return function == Binary::Pow ? "pow" : "atan2"; }

float evaluate(Unary function, float x) {
  ScalarOps ops;
  return apply(ops, function, x);
}

float evaluate(Binary function, float x, float y) {
  ScalarOps ops;
  return apply(ops, function, x, y);
}

float minimum(float x, float y) {
  if (x != x || y != y)
    return std::numeric_limits<float>::quiet_NaN();
  return x < y || (x == y && std::signbit(x)) ? x : y;
}

float maximum(float x, float y) {
  if (x != x || y != y)
    return std::numeric_limits<float>::quiet_NaN();
  return x > y || (x == y && !std::signbit(x)) ? x : y;
}

int64_t floorDiv(int64_t a, int64_t b) {
  ScalarOps ops;
  auto quotient = floorDiv(ops, static_cast<uint64_t>(a), static_cast<uint64_t>(b));
  return static_cast<int64_t>(quotient);
}

int64_t floorMod(int64_t a, int64_t b) {
  ScalarOps ops;
  auto remainder = floorMod(ops, static_cast<uint64_t>(a), static_cast<uint64_t>(b));
  return static_cast<int64_t>(remainder);
}

} // namespace lci::numerics
