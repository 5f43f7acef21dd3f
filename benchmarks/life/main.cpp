//===- main.cpp - Compiled Life against plain C++ -------------------------===//
//
// Times the object file that lmpm-translate writes for life.mlir against a loop that a programmer
// would write, halo and 8-bit sums included, and checks that both agree. How to build it:
// README.md.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int64_t kSize = 1024, kPitch = kSize + 2;
constexpr int64_t kEpochs = 200;
constexpr int kSamples = 7;

using Storage = std::vector<int8_t>;

} // namespace

/// What lmpm-translate made of life.mlir: state, first and last epoch, seed, counters, second
/// buffer.
extern "C" void life(int8_t *state, int64_t first, int64_t last, int64_t seed, int64_t *counts,
                     int8_t *scratch);

static void refreshHalo(int8_t *cells) {
  std::memcpy(cells, cells + kSize * kPitch, kPitch);
  std::memcpy(cells + (kSize + 1) * kPitch, cells + kPitch, kPitch);
  for (int64_t x = 0; x < kPitch; ++x) {
    cells[x * kPitch] = cells[x * kPitch + kSize];
    cells[x * kPitch + kSize + 1] = cells[x * kPitch + 1];
  }
}

static int64_t step(const int8_t *__restrict old, int8_t *__restrict now) {
  int64_t changed = 0;
  for (int64_t x = 1; x <= kSize; ++x) {
    const int8_t *above = old + (x - 1) * kPitch, *row = above + kPitch, *below = row + kPitch;
    int64_t inRow = 0;
    for (int64_t y = 1; y <= kSize; ++y) {
      auto sum = static_cast<uint8_t>(above[y - 1] + above[y] + above[y + 1] + row[y - 1] +
                                      row[y + 1] + below[y - 1] + below[y] + below[y + 1]);
      auto next = static_cast<int8_t>((sum == 3) | ((sum == 2) & row[y]));
      inRow += next != row[y];
      now[x * kPitch + y] = next;
    }
    changed += inRow;
  }
  return changed;
}

static int64_t plain(Storage &state, Storage &scratch) {
  int64_t changed = 0;
  int8_t *from = state.data(), *to = scratch.data();
  for (int64_t epoch = 0; epoch < kEpochs; ++epoch) {
    refreshHalo(from);
    changed += step(from, to);
    std::swap(from, to);
  }
  return changed; // an even number of epochs ends in `state`
}

template <typename Run>
static double bestRate(Run run) {
  double best = 0;
  for (int i = 0; i < kSamples; ++i) {
    auto start = std::chrono::steady_clock::now();
    run();
    std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(kEpochs * kSize * kSize) / taken.count());
  }
  return best;
}

int main() {
  Storage start(kPitch * kPitch), scratch(kPitch * kPitch);
  uint32_t random = 1;
  for (int64_t x = 1; x <= kSize; ++x)
    for (int64_t y = 1; y <= kSize; ++y) {
      random = random * 1664525 + 1013904223;
      start[x * kPitch + y] = static_cast<int8_t>(random >> 31);
    }
  Storage ours = start, theirs = start;
  int64_t counted = 0;
  life(ours.data(), 0, kEpochs, 0, &counted, scratch.data());
  int64_t expected = plain(theirs, scratch);
  refreshHalo(ours.data());
  refreshHalo(theirs.data());
  if (ours != theirs || counted != expected) {
    std::puts("the two differ");
    return 1;
  }
  std::printf("compiled ticks: %.1f cells/ns\n",
              bestRate([&] { life(ours.data(), 0, kEpochs, 0, &counted, scratch.data()); }));
  std::printf("plain C++:      %.1f cells/ns\n", bestRate([&] { plain(theirs, scratch); }));
}
