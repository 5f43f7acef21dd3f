//===- Bits.cpp - Logic, shifts, comparisons, selects ---------------------===//

#include "Operations.h"
#include <algorithm>
#include <map>

using namespace lci::ptx;

namespace {

uint64_t maskOf(unsigned bits) { return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }

/// A function of the bits of up to three registers, at the width of the type.
template <uint64_t (*function)(uint64_t, uint64_t, uint64_t, unsigned bits)>
void step(Warp &warp, const Instruction &i, uint32_t mask) {
  unsigned bits = i.source().bits;
  uint64_t all = maskOf(i.type().bits);
  forEach(warp, i, mask,
          [&](uint64_t a, uint64_t b, uint64_t c) { return function(a, b, c, bits) & all; });
}

uint64_t both(uint64_t a, uint64_t b, uint64_t, unsigned) { return a & b; }
uint64_t either(uint64_t a, uint64_t b, uint64_t, unsigned) { return a | b; }
uint64_t differ(uint64_t a, uint64_t b, uint64_t, unsigned) { return a ^ b; }
uint64_t invert(uint64_t a, uint64_t, uint64_t, unsigned) { return ~a; }
/// A shift amount has 32 bits; larger ones than the width shift all bits out.
uint64_t shiftLeft(uint64_t a, uint64_t b, uint64_t, unsigned bits) {
  uint64_t by = static_cast<uint32_t>(b);
  return by >= bits ? 0 : a << by;
}
uint64_t shiftRight(uint64_t a, uint64_t b, uint64_t, unsigned bits) {
  uint64_t by = static_cast<uint32_t>(b);
  return by >= bits ? 0 : (a & maskOf(bits)) >> by;
}
uint64_t shiftSigned(uint64_t a, uint64_t b, uint64_t, unsigned bits) {
  uint64_t by = std::min<uint64_t>(static_cast<uint32_t>(b), bits - 1);
  return static_cast<uint64_t>(static_cast<int64_t>(a << (64 - bits)) >> (64 - bits) >> by);
}
uint64_t countOnes(uint64_t a, uint64_t, uint64_t, unsigned bits) {
  return static_cast<uint64_t>(__builtin_popcountll(a & maskOf(bits)));
}
uint64_t countZeros(uint64_t a, uint64_t, uint64_t, unsigned bits) {
  a &= maskOf(bits);
  return a == 0 ? bits : static_cast<uint64_t>(__builtin_clzll(a)) - (64 - bits);
}
uint64_t reverse(uint64_t a, uint64_t, uint64_t, unsigned bits) {
  uint64_t made = 0;
  for (unsigned bit = 0; bit < bits; ++bit)
    made |= (a >> bit & 1) << (bits - 1 - bit);
  return made;
}
/// A bit field.
uint64_t extract(uint64_t a, uint64_t from, uint64_t many, unsigned bits) {
  from &= 255;
  many &= 255;
  return from >= bits ? 0 : (a & maskOf(bits)) >> from & maskOf(static_cast<unsigned>(many));
}
/// Sign-extended by its last bit, or by the last one of the register.
uint64_t extractSigned(uint64_t a, uint64_t from, uint64_t many, unsigned bits) {
  from &= 255;
  many &= 255;
  if (many == 0)
    return 0;
  uint64_t sign = a >> std::min<uint64_t>(from + many - 1, bits - 1) & 1;
  uint64_t kept = from >= bits ? 0 : std::min<uint64_t>(many, bits - from);
  uint64_t above = sign ? ~maskOf(static_cast<unsigned>(kept)) : 0;
  return (kept ? extract(a, from, kept, bits) : 0) | above;
}
/// 32 bits of the concatenation of two registers, from an offset on.
uint64_t funnelLeft(uint64_t a, uint64_t b, uint64_t by, unsigned) {
  return ((b << 32 | a) << (by & 31)) >> 32;
}
uint64_t funnelRight(uint64_t a, uint64_t b, uint64_t by, unsigned) {
  return (b << 32 | a) >> (by & 31);
}
/// Selects four of eight bytes, or their signs.
uint64_t permute(uint64_t a, uint64_t b, uint64_t selection, unsigned) {
  uint64_t all = b << 32 | (a & 0xFFFFFFFF), made = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    uint64_t from = selection >> 4 * byte & 15, value = all >> 8 * (from & 7) & 255;
    if (from & 8)
      value = value & 128 ? 255 : 0;
    made |= value << 8 * byte;
  }
  return made;
}

/// Inserts a bit field of one register into another.
void insert(Warp &warp, const Instruction &i, uint32_t mask) {
  unsigned bits = i.type().bits;
  Lanes scratch;
  const uint64_t *many = warp.lanesOf(i.operands[4], scratch);
  forLanes(mask, [&](unsigned lane) {
    uint64_t part = warp.read(i.operands[1], lane), whole = warp.read(i.operands[2], lane);
    uint64_t from = warp.read(i.operands[3], lane) & 255;
    uint64_t field = from >= bits ? 0 : maskOf(static_cast<unsigned>(many[lane] & 255)) << from;
    uint64_t made = (whole & ~field) | (from >= bits ? 0 : part << from & field);
    warp.write(i.operands[0], lane, made & maskOf(bits));
  });
}

/// A truth table of three bits, the first one's being the highest.
void lookUp(Warp &warp, const Instruction &i, uint32_t mask) {
  uint64_t table = i.operands[4].bits;
  forEach(warp, i, mask, [&](uint64_t a, uint64_t b, uint64_t c) {
    uint64_t made = 0;
    for (unsigned row = 0; row < 8; ++row)
      if (table >> row & 1)
        made |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return made & maskOf(32);
  });
}

/// The order of two numbers, as bits: less, equal, more, and unordered.
enum : unsigned { Less = 1, Equal = 2, More = 4, NoOrder = 8 };

unsigned ordersOf(const std::string &word) {
  static const std::map<std::string, unsigned> known{
      {"eq", Equal},        {"ne", Less | More},  {"lt", Less},     {"lo", Less},
      {"le", Less | Equal}, {"ls", Less | Equal}, {"gt", More},     {"hi", More},
      {"ge", More | Equal}, {"hs", More | Equal}, {"nan", NoOrder}, {"num", Less | Equal | More}};
  auto found = known.find(word);
  if (found == known.end() && word.size() == 3 && word[2] == 'u')
    return ordersOf(word.substr(0, 2)) | NoOrder;
  return found == known.end() ? 0 : found->second;
}

/// Sets a predicate, or all bits of a register.
template <typename T>
struct Compare {
  static void step(Warp &warp, const Instruction &i, uint32_t mask) {
    uint64_t yes = i.words[0] == "setp" ? 1 : maskOf(32);
    unsigned orders = ordersOf(i.words[1]);
    forEach(warp, i, mask, [&](uint64_t left, uint64_t right, uint64_t) {
      T a = as<T>(left), b = as<T>(right);
      unsigned order = a < b ? Less : a > b ? More : a == b ? Equal : NoOrder;
      return orders & order ? yes : 0;
    });
  }
};

void select(Warp &warp, const Instruction &i, uint32_t mask) {
  uint64_t all = maskOf(i.type().bits);
  forEach(warp, i, mask,
          [&](uint64_t a, uint64_t b, uint64_t which) { return (which & 1 ? a : b) & all; });
}

/// Moves a register, or packs and unpacks one: the first part has the lowest bits.
void move(Warp &warp, const Instruction &i, uint32_t mask) {
  const Operand &to = i.operands[0], &from = i.operands[1];
  forLanes(mask, [&](unsigned lane) {
    uint64_t bits = warp.read(from, lane);
    unsigned width = i.type().bits;
    if (from.form == Operand::Vector) {
      width /= static_cast<unsigned>(from.parts.size());
      bits = 0;
      for (size_t part = 0; part < from.parts.size(); ++part)
        bits |= (warp.read(from.parts[part], lane) & maskOf(width)) << part * width;
    }
    if (to.form != Operand::Vector)
      return warp.write(to, lane, bits & maskOf(i.type().bits));
    width = i.type().bits / static_cast<unsigned>(to.parts.size());
    for (size_t part = 0; part < to.parts.size(); ++part)
      warp.write(to.parts[part], lane, bits >> part * width & maskOf(width));
  });
}

Step findComparison(const Instruction &i) {
  bool isKnown = i.types.size() == (i.words[0] == "set" ? 2 : 1) && i.operands.size() == 3 &&
                 i.operands[0].form == Operand::Register && !i.has("ftz") &&
                 ordersOf(i.words[1]) != 0;
  if (i.words[0] == "set")
    isKnown &= i.type().bits == 32 && i.type().kind != Kind::Float;
  return isKnown ? forAny<Compare>(i.source()) : nullptr;
}

} // namespace

Step lci::ptx::findBits(const Instruction &i) {
  const std::string &name = i.words[0];
  if (name == "setp" || name == "set")
    return findComparison(i);
  if (name == "and")
    return step<both>;
  if (name == "or")
    return step<either>;
  if (name == "xor")
    return step<differ>;
  if (name == "not")
    return step<invert>;
  if (name == "shl")
    return step<shiftLeft>;
  if (name == "shr")
    return i.type().kind == Kind::Signed ? step<shiftSigned> : step<shiftRight>;
  if (name == "popc")
    return step<countOnes>;
  if (name == "clz")
    return step<countZeros>;
  if (name == "brev")
    return step<reverse>;
  if (name == "bfe")
    return i.type().kind == Kind::Signed ? step<extractSigned> : step<extract>;
  if (name == "bfi")
    return insert;
  if (name == "shf" && i.has("wrap"))
    return i.has("l") ? step<funnelLeft> : step<funnelRight>;
  if (name == "prmt" && i.words.size() == 2)
    return step<permute>;
  if (name == "lop3" && i.operands.back().form == Operand::Immediate)
    return lookUp;
  if (name == "selp")
    return select;
  if (name == "mov")
    return move;
  return nullptr;
}
