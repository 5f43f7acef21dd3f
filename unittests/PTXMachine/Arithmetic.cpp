//===- Arithmetic.cpp - Arithmetic instructions ---------------------------===//
//
// Each is computed by the host's operation of the same name, which rounds as PTX does.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include <cmath>
#include <limits>
#include <type_traits>

using namespace lci::ptx;

namespace {

/// Integers are added and multiplied as unsigned, since they may wrap.
template <typename T>
using Round = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                          std::common_type<T>>::type;

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(Round<T>(a) + Round<T>(b));
  }
};
struct Sub {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(Round<T>(a) - Round<T>(b));
  }
};
struct Mul {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return a * b;
  }
};
struct MulHigh {
  template <typename T>
  T operator()(T a, T b) const {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>(Wide(a) * Wide(b) >> 8 * sizeof(T));
  }
};
/// Division by zero sets all bits; the least number divided by -1 is itself.
struct Div {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return b == 0                                           ? static_cast<T>(~T(0))
             : b == static_cast<T>(-1) && std::is_signed_v<T> ? Sub()(T(0), a)
                                                              : static_cast<T>(a / b);
    else
      return a / b;
  }
};
struct Rem {
  template <typename T>
  T operator()(T a, T b) const {
    return b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1)) ? T(b == 0 ? a : 0)
                                                                      : static_cast<T>(a % b);
  }
};
/// Minimum or maximum; a number rather than a NaN, and +0 is above -0.
template <bool isLargest>
struct Extreme {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (!std::is_integral_v<T>) {
      if (a != a || b != b)
        return a != a ? b : a;
      if (a == b)
        return std::signbit(a) == isLargest ? b : a;
    }
    return (isLargest ? a > b : a < b) ? a : b;
  }
};
using Min = Extreme<false>;
using Max = Extreme<true>;
/// NaN, if one operand is NaN.
template <typename Other>
struct OrNone {
  template <typename T>
  T operator()(T a, T b) const {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : Other()(a, b);
  }
};

template <typename F>
struct Binary {
  template <typename T>
  struct Of {
    static void step(Warp &warp, const Instruction &i, uint32_t mask) {
      forEach(warp, i, mask, [](uint64_t a, uint64_t b, uint64_t) {
        return bitsOf(canonical(F()(as<T>(a), as<T>(b))));
      });
    }
  };
};

struct Neg {
  template <typename T>
  T operator()(T a) const {
    if constexpr (std::is_integral_v<T>)
      return Sub()(T(0), a);
    else
      return -a;
  }
};
struct Abs {
  template <typename T>
  T operator()(T a) const {
    if constexpr (std::is_integral_v<T>)
      return a < 0 ? Sub()(T(0), a) : a;
    else
      return std::fabs(a);
  }
};
struct Rcp {
  template <typename T>
  T operator()(T a) const {
    return T(1) / a;
  }
};
struct Sqrt {
  template <typename T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};

/// The first operand's sign with the second one's magnitude.
struct CopySign {
  template <typename T>
  T operator()(T a, T b) const {
    return std::copysign(b, a);
  }
};

template <typename F>
struct Unary {
  template <typename T>
  struct Of {
    static void step(Warp &warp, const Instruction &i, uint32_t mask) {
      forEach(warp, i, mask,
              [](uint64_t a, uint64_t, uint64_t) { return bitsOf(canonical(F()(as<T>(a)))); });
    }
  };
};

struct MulAdd {
  template <typename T>
  T operator()(T a, T b, T c) const {
    if constexpr (std::is_integral_v<T>)
      return Add()(Mul()(a, b), c);
    else
      return std::fma(a, b, c);
  }
};
struct MulHighAdd {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return Add()(MulHigh()(a, b), c);
  }
};

template <typename F>
struct Ternary {
  template <typename T>
  struct Of {
    static void step(Warp &warp, const Instruction &i, uint32_t mask) {
      forEach(warp, i, mask, [](uint64_t a, uint64_t b, uint64_t c) {
        return bitsOf(canonical(F()(as<T>(a), as<T>(b), as<T>(c))));
      });
    }
  };
};

/// The full product of two numbers, plus a summand.
template <typename T>
struct MulWide {
  static void step(Warp &warp, const Instruction &i, uint32_t mask) {
    using Wide = std::conditional_t<sizeof(T) == 2,
                                    std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
    bool isMore = i.words[0] == "mad";
    forEach(warp, i, mask, [&](uint64_t a, uint64_t b, uint64_t c) {
      Wide all = Mul()(static_cast<Wide>(as<T>(a)), static_cast<Wide>(as<T>(b)));
      return bitsOf(isMore ? Add()(all, as<Wide>(c)) : all);
    });
  }
};

/// Two numbers in one register.
template <typename F, typename T, unsigned inputs>
void stepPairs(Warp &warp, const Instruction &i, uint32_t mask) {
  forEach(warp, i, mask, [](uint64_t a, uint64_t b, uint64_t c) {
    uint64_t made = 0;
    for (size_t shift : {size_t(0), 8 * sizeof(T)}) {
      auto get = [&](uint64_t pair) { return as<T>(pair >> shift); };
      T value{};
      if constexpr (inputs == 2)
        value = F()(get(a), get(b));
      else
        value = F()(get(a), get(b), get(c));
      made |= bitsOf(canonical(value)) << shift;
    }
    return made;
  });
}

template <typename F>
Step findPair(const Type &type) {
  if (type.kind == Kind::Float)
    return type.bits == 32 ? stepPairs<F, float, 2> : nullptr;
  return type.bits != 16             ? nullptr
         : type.kind == Kind::Signed ? stepPairs<F, int16_t, 2>
                                     : stepPairs<F, uint16_t, 2>;
}

Step findPairs(const Instruction &i) {
  const std::string &name = i.words[0];
  Type type = i.type();
  if (name == "fma" && type.kind == Kind::Float && type.bits == 32)
    return stepPairs<MulAdd, float, 3>;
  return name == "add"   ? findPair<Add>(type)
         : name == "sub" ? findPair<Sub>(type)
         : name == "mul" ? findPair<Mul>(type)
         : name == "min" ? findPair<Min>(type)
         : name == "max" ? findPair<Max>(type)
                         : nullptr;
}

/// Only instructions that round to nearest, without flushing or saturation.
bool isExact(const Instruction &i) {
  for (const char *word : {"approx", "ftz", "sat", "rz", "rm", "rp", "full", "cc"})
    if (i.has(word))
      return false;
  return true;
}

} // namespace

Step lci::ptx::findArithmetic(const Instruction &i) {
  const std::string &name = i.words[0];
  Type type = i.type();
  bool isFloat = type.kind == Kind::Float, isNone = i.has("NaN");
  if (!isExact(i) || i.types.size() != 1)
    return nullptr;
  if (type.lanes == 2)
    return findPairs(i);
  if (name == "add")
    return forAny<Binary<Add>::Of>(type);
  if (name == "sub")
    return forAny<Binary<Sub>::Of>(type);
  if ((name == "mul" || name == "mad") && i.has("wide"))
    return type.bits == 16
               ? type.kind == Kind::Signed ? MulWide<int16_t>::step : MulWide<uint16_t>::step
           : type.bits == 32
               ? type.kind == Kind::Signed ? MulWide<int32_t>::step : MulWide<uint32_t>::step
               : nullptr;
  if (name == "mul" && i.has("hi"))
    return forIntegers<Binary<MulHigh>::Of>(type);
  if (name == "mad" && i.has("hi"))
    return forIntegers<Ternary<MulHighAdd>::Of>(type);
  if (name == "mul")
    return forAny<Binary<Mul>::Of>(type);
  if (name == "mad" || name == "fma")
    return forAny<Ternary<MulAdd>::Of>(type);
  if (name == "div")
    return forAny<Binary<Div>::Of>(type);
  if (name == "rem")
    return forIntegers<Binary<Rem>::Of>(type);
  if (name == "min")
    return isFloat && isNone ? forFloats<Binary<OrNone<Min>>::Of>(type)
                             : forAny<Binary<Min>::Of>(type);
  if (name == "max")
    return isFloat && isNone ? forFloats<Binary<OrNone<Max>>::Of>(type)
                             : forAny<Binary<Max>::Of>(type);
  if (name == "copysign")
    return forFloats<Binary<CopySign>::Of>(type);
  if (name == "neg")
    return forAny<Unary<Neg>::Of>(type);
  if (name == "abs")
    return forAny<Unary<Abs>::Of>(type);
  if (name == "rcp")
    return forFloats<Unary<Rcp>::Of>(type);
  if (name == "sqrt")
    return forFloats<Unary<Sqrt>::Of>(type);
  return nullptr;
}
