//===- Conversions.cpp - Conversion instructions --------------------------===//

#include "Operations.h"
#include <cmath>
#include <limits>
#include <type_traits>

using namespace lci::ptx;

namespace {

/// Rounds to an integer in the requested mode: up, down, to zero or to nearest.
template <typename From>
From toWhole(const Instruction &i, From value) {
  return i.has("rpi")   ? std::ceil(value)
         : i.has("rmi") ? std::floor(value)
         : i.has("rzi") ? std::trunc(value)
         : i.has("rni") ? std::nearbyint(value)
                        : value;
}

template <typename To, typename From>
To convert(const Instruction &i, From value) {
  if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    constexpr bool isWide = sizeof(To) == 8 || sizeof(From) == 8;
    if (value != value)
      return isWide ? static_cast<To>(uint64_t(1) << (8 * sizeof(To) - 1)) : To(0);
    value = toWhole(i, value);
    if (value >= std::ldexp(From(1), std::numeric_limits<To>::digits))
      return std::numeric_limits<To>::max();
    if (value < static_cast<From>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    return static_cast<To>(value);
  } else if constexpr (!std::is_integral_v<From>) {
    return canonical(static_cast<To>(toWhole(i, value)));
  } else {
    return static_cast<To>(value);
  }
}

template <typename From>
struct Convert {
  template <typename To>
  struct Into {
    /// A register that is wider than its type is extended by the type's sign.
    static void step(Warp &warp, const Instruction &i, uint32_t mask) {
      forEach(warp, i, mask, [&](uint64_t from, uint64_t, uint64_t) {
        To made = convert<To>(i, as<From>(from));
        if constexpr (sizeof(To) < 2)
          return uint64_t(static_cast<uint16_t>(made));
        return bitsOf(made);
      });
    }
  };
  static Step find(const Type &to) { return forAny<Into>(to); }
};

/// The nearest number of eleven bits, ties away from zero.
void roundToTF32(Warp &warp, const Instruction &i, uint32_t mask) {
  forEach(warp, i, mask, [](uint64_t from, uint64_t, uint64_t) {
    auto bits = static_cast<uint32_t>(from);
    bool isFinite = (bits & 0x7F800000) != 0x7F800000;
    return uint64_t((bits + (isFinite ? 0x1000 : 0)) & 0xFFFFE000);
  });
}

Step findFrom(const Type &to, const Type &from) {
  bool isSigned = from.kind == Kind::Signed;
  if (from.kind == Kind::Float)
    return from.bits == 32   ? Convert<float>::find(to)
           : from.bits == 64 ? Convert<double>::find(to)
                             : nullptr;
  switch (from.bits) {
  case 8:
    return isSigned ? Convert<int8_t>::find(to) : Convert<uint8_t>::find(to);
  case 16:
    return isSigned ? Convert<int16_t>::find(to) : Convert<uint16_t>::find(to);
  case 32:
    return isSigned ? Convert<int32_t>::find(to) : Convert<uint32_t>::find(to);
  case 64:
    return isSigned ? Convert<int64_t>::find(to) : Convert<uint64_t>::find(to);
  default:
    return nullptr;
  }
}

/// Global addresses are identical to generic ones.
void keep(Warp &warp, const Instruction &i, uint32_t mask) {
  forEach(warp, i, mask, [](uint64_t from, uint64_t, uint64_t) { return from; });
}

void toLocal(Warp &warp, const Instruction &i, uint32_t mask) {
  forEach(warp, i, mask, [](uint64_t from, uint64_t, uint64_t) { return from & ~kLocalAddress; });
}
void fromLocal(Warp &warp, const Instruction &i, uint32_t mask) {
  forEach(warp, i, mask, [](uint64_t from, uint64_t, uint64_t) { return from | kLocalAddress; });
}

} // namespace

Step lci::ptx::findConversion(const Instruction &i) {
  if (i.words[0] == "cvta" && i.has("local"))
    return i.has("to") ? toLocal : fromLocal;
  if (i.words[0] == "cvta")
    return i.has("global") ? keep : nullptr;
  if (i.words[0] != "cvt" || i.has("sat") || i.has("ftz") || i.types.size() != 2)
    return nullptr;
  if (i.has("tf32"))
    return i.has("rna") ? roundToTF32 : nullptr;
  bool isNearest = !i.has("rz") && !i.has("rm") && !i.has("rp");
  return isNearest ? findFrom(i.type(), i.source()) : nullptr;
}
