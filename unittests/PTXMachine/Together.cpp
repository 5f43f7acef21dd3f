//===- Together.cpp - Warp-level instructions -----------------------------===//

#include "Operations.h"
#include <cmath>

using namespace lci::ptx;

namespace {

/// The lane that a lane reads from in a shuffle, and whether it is in range.
std::pair<unsigned, bool> sourceOf(const Instruction &i, unsigned lane, unsigned by, unsigned how) {
  unsigned segment = how >> 8 & 31, clamp = how & 31;
  unsigned least = lane & segment, most = least | (clamp & ~segment);
  unsigned from = i.has("up")     ? lane - by
                  : i.has("down") ? lane + by
                  : i.has("bfly") ? lane ^ by
                                  : least | (by & ~segment);
  bool isThere = i.has("up") ? static_cast<int>(from) >= static_cast<int>(most) : from <= most;
  return {isThere ? from : lane, isThere};
}

/// `d|p, value, by, how, threads`
void shuffle(Warp &warp, const Instruction &i, uint32_t mask) {
  uint64_t given[kLanes] = {};
  forLanes(mask, [&](unsigned lane) { given[lane] = warp.read(i.operands[1], lane); });
  const Operand &to = i.operands[0];
  forLanes(mask, [&](unsigned lane) {
    auto by = static_cast<unsigned>(warp.read(i.operands[2], lane)) & 31;
    auto how = static_cast<unsigned>(warp.read(i.operands[3], lane));
    auto [from, isThere] = sourceOf(i, lane, by, how);
    if (!(mask >> from & 1))
      return warp.fail(i, lane, "takes something from a thread that does not take part");
    warp.write(to.form == Operand::Vector ? to.parts[0] : to, lane, given[from]);
    if (to.form == Operand::Vector)
      warp.write(to.parts[1], lane, isThere);
  });
}

/// `d, value, threads`
void sumUp(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t sum = 0;
  forLanes(mask,
           [&](unsigned lane) { sum += static_cast<uint32_t>(warp.read(i.operands[1], lane)); });
  forLanes(mask, [&](unsigned lane) { warp.write(i.operands[0], lane, sum); });
}

/// Truncates to eleven bits.
float cut(uint64_t bits) { return as<float>(bits & 0xFFFFE000); }

/// `d, a, b, c` of 16 by 8 by 8 numbers: thread 4g + t has the columns t and t + 4 of the rows g
/// and g + 8 of `a`, the rows t and t + 4 of the column g of `b`, and the columns 2t and 2t + 1 of
/// rows g and g + 8 of `c` and `d`. Products are added in order.
void multiply(Warp &warp, const Instruction &i, uint32_t mask) {
  float a[16][8], b[8][8], c[16][8];
  forLanes(mask, [&](unsigned lane) {
    unsigned g = lane / 4, t = lane % 4;
    auto get = [&](unsigned matrix, unsigned part) {
      return warp.read(i.operands[matrix].parts[part], lane);
    };
    for (unsigned part = 0; part < 4; ++part) {
      a[g + part % 2 * 8][t + part / 2 * 4] = cut(get(1, part));
      c[g + part / 2 * 8][2 * t + part % 2] = as<float>(get(3, part));
    }
    for (unsigned part = 0; part < 2; ++part)
      b[t + part * 4][g] = cut(get(2, part));
  });
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column)
      for (unsigned step = 0; step < 8; ++step)
        c[row][column] = canonical(std::fma(a[row][step], b[step][column], c[row][column]));
  forLanes(mask, [&](unsigned lane) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned part = 0; part < 4; ++part)
      warp.write(i.operands[0].parts[part], lane, bitsOf(c[g + part / 2 * 8][2 * t + part % 2]));
  });
}

} // namespace

Step lci::ptx::findTogether(const Instruction &i) {
  if (i.name.compare(0, 10, "shfl.sync.") == 0)
    return shuffle;
  if (i.name == "redux.sync.add.s32" || i.name == "redux.sync.add.u32")
    return sumUp;
  return i.name == "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" ? multiply : nullptr;
}
