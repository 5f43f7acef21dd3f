//===- Functions.h - The elementary functions by name -----------*- C++ -*-===//
//
// The list of functions, and one dispatch for each policy: the interpreter and the folder call
// `evaluate`, the lowering instantiates `apply` with the operations that build IR.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_FUNCTIONS_H
#define LCI_NUMERICS_FUNCTIONS_H

#include "LCI/Numerics/ArcTangent.h"
#include "LCI/Numerics/ErrorFunction.h"
#include "LCI/Numerics/Exponential.h"
#include "LCI/Numerics/Integers.h"
#include "LCI/Numerics/Logarithm.h"
#include "LCI/Numerics/Power.h"
#include "LCI/Numerics/Trigonometry.h"

namespace lci::numerics {

/// Functions of one float, in the order of the dialect's `Elementary`.
enum class Unary { Exp, Exp2, Log, Log2, Sin, Cos, Tan, Tanh, Sigmoid, Erf, Atan, Sqrt, Rsqrt };

/// Functions of two floats, in the order of the dialect's `ElementaryBinary`.
enum class Binary { Pow, Atan2 };

/// Every unary function, for tests and tables.
inline constexpr Unary kAllUnary[] = {
    Unary::Exp,  Unary::Exp2,    Unary::Log, Unary::Log2, Unary::Sin,  Unary::Cos,  Unary::Tan,
    Unary::Tanh, Unary::Sigmoid, Unary::Erf, Unary::Atan, Unary::Sqrt, Unary::Rsqrt};

/// The function's name in the language.
const char *nameOf(Unary function);
const char *nameOf(Binary function);

template <typename Ops>
typename Ops::F32 apply(Ops &ops, Unary function, typename Ops::F32 x) {
  switch (function) {
  case Unary::Exp:
    return exp(ops, x);
  case Unary::Exp2:
    return exp2(ops, x);
  case Unary::Log:
    return log(ops, x);
  case Unary::Log2:
    return log2(ops, x);
  case Unary::Sin:
    return sin(ops, x);
  case Unary::Cos:
    return cos(ops, x);
  case Unary::Tan:
    return tan(ops, x);
  case Unary::Tanh:
    return tanh(ops, x);
  case Unary::Sigmoid:
    return sigmoid(ops, x);
  case Unary::Erf:
    return erf(ops, x);
  case Unary::Atan:
    return atan(ops, x);
  case Unary::Sqrt:
    return sqrt(ops, x);
  case Unary::Rsqrt:
    return rsqrt(ops, x);
  }
  __builtin_unreachable();
}

template <typename Ops>
typename Ops::F32 apply(Ops &ops, Binary function, typename Ops::F32 x, typename Ops::F32 y) {
  switch (function) {
  case Binary::Pow:
    return pow(ops, x, y);
  case Binary::Atan2:
    return atan2(ops, x, y);
  }
  __builtin_unreachable();
}

/// The value of the function at a plain number, for folds and the interpreter.
float evaluate(Unary function, float x);
float evaluate(Binary function, float x, float y);

/// min and max of IEEE 754-2019, NaN canonical.
float minimum(float x, float y);
float maximum(float x, float y);

/// Floor division and modulo, see Integers.h.
int64_t floorDiv(int64_t a, int64_t b);
int64_t floorMod(int64_t a, int64_t b);

} // namespace lci::numerics

#endif // LCI_NUMERICS_FUNCTIONS_H
