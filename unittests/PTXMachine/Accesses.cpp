//===- Accesses.cpp - Loads, stores, and atomic additions -----------------===//

#include "Operations.h"
#include <algorithm>

using namespace lci::ptx;

namespace {

/// One register, or those of a vector.
template <typename Function>
void forParts(const Operand &operand, Function function) {
  if (operand.form != Operand::Vector)
    return function(operand, 0);
  for (size_t part = 0; part < operand.parts.size(); ++part)
    function(operand.parts[part], part);
}

size_t countParts(const Operand &operand) {
  return operand.form == Operand::Vector ? operand.parts.size() : 1;
}

/// A number in memory, extended to a register by its type's sign.
uint64_t loadFrom(const unsigned char *bytes, const Type &type) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, type.bytes());
  if (type.kind == Kind::Signed && type.bits < 64 && (bits >> (type.bits - 1) & 1))
    bits |= ~uint64_t(0) << type.bits;
  return bits;
}

void load(Warp &warp, const Instruction &i, uint32_t mask) {
  Type type = i.type();
  forLanes(mask, [&](unsigned lane) {
    uint64_t bytes = type.bytes() * countParts(i.operands[0]);
    const unsigned char *from = warp.access(i, i.operands[1], lane, bytes, /*written=*/nullptr);
    if (from)
      forParts(i.operands[0], [&](const Operand &to, size_t part) {
        warp.write(to, lane, loadFrom(from + part * type.bytes(), type));
      });
  });
}

void store(Warp &warp, const Instruction &i, uint32_t mask) {
  Type type = i.type();
  unsigned char written[16];
  forLanes(mask, [&](unsigned lane) {
    uint64_t bytes = type.bytes() * countParts(i.operands[1]);
    forParts(i.operands[1], [&](const Operand &from, size_t part) {
      uint64_t bits = warp.read(from, lane);
      std::memcpy(written + part * type.bytes(), &bits, type.bytes());
    });
    if (unsigned char *to = warp.access(i, i.operands[0], lane, bytes, written))
      std::memcpy(to, written, bytes);
  });
}

template <typename T>
T combine(const std::string &how, T old, T value) {
  return how == "add"   ? static_cast<T>(old + value)
         : how == "min" ? std::min(old, value)
         : how == "max" ? std::max(old, value)
         : how == "and" ? static_cast<T>(old & value)
         : how == "or"  ? static_cast<T>(old | value)
         : how == "xor" ? static_cast<T>(old ^ value)
                        : value; // exch
}

/// Read-modify-write. `red` does not return the old value.
template <typename T>
struct Atomic {
  static void step(Warp &warp, const Instruction &i, uint32_t mask) {
    bool tells = i.words[0] == "atom";
    forLanes(mask, [&](unsigned lane) {
      const Operand &address = i.operands[tells ? 1 : 0], &value = i.operands[tells ? 2 : 1];
      unsigned char *at = warp.access(i, address, lane, sizeof(T), /*written=*/nullptr);
      if (!at)
        return;
      T old;
      std::memcpy(&old, at, sizeof old);
      T made = combine(*std::prev(i.words.end(), 2), old, as<T>(warp.read(value, lane)));
      std::memcpy(at, &made, sizeof made);
      if (tells)
        warp.write(i.operands[0], lane, bitsOf(old));
    });
  }
};

} // namespace

Step lci::ptx::findAccess(const Instruction &i) {
  const std::string &name = i.words[0];
  if ((name == "atom" || name == "red") && i.space == Space::Global) {
    static const char *known[] = {"add", "min", "max", "and", "or", "xor", "exch"};
    const std::string &how = *std::prev(i.words.end(), 2);
    bool isKnown = std::find(std::begin(known), std::end(known), how) != std::end(known) &&
                   i.type().kind != Kind::Float;
    return isKnown ? forIntegers<Atomic>(i.type()) : nullptr;
  }
  bool isKnown = i.types.size() == 1;
  if (name == "ld" && isKnown)
    return load;
  return name == "st" && isKnown && i.space != Space::Parameters ? store : nullptr;
}
