//===- ising.cpp - The Ising model by heat bath, by hand ------------------===//
//
//   ising avx512|plain WIDTH HEIGHT SEED DECLARATION ORDINAL T0 T1 T2 T3 T4
//
// A torus, red cells first; T is the threshold of each sum of neighbours. `avx512` makes the same
// decisions as the compiled program, to the bit: colours are stored separately, one bit a cell;
// sixteen groups of 32 cells draw eight bits at once, and a decision is made bit by bit, most
// significant first. Groups with an undecided cell (one of eight) are put on a list and processed
// separately. Its rows are multiples of 1024 cells. `plain` is C++ that a compiler vectorises:
// bytes, separate colours, and lanes of a cheap private generator.
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <array>
#include <cstring>
#ifdef __AVX512F__
#include "philox512.h"
#endif

using Thresholds = std::array<uint64_t, 5>;

struct Settings {
  int64_t width, height;
  uint64_t seed;
  uint32_t declaration, ordinal;
  Thresholds thresholds;
};

/// The columns of a row's red (0) or black (1) cells begin at this one.
static int64_t firstColumn(int64_t row, int64_t colour) { return (row + colour) & 1; }

//===----------------------------------------------------------------------===//
// One bit a cell, in order
//===----------------------------------------------------------------------===//

namespace {

#ifdef __AVX512F__

/// The inputs of a group's decision: the sum of the four neighbours as the parity and the carry of
/// three of them, and the fourth.
struct Neighbours {
  Vector parity, carry, side;
};

/// Groups that wait for the same four bits of their draws.
struct Waiting {
  static constexpr int kBatch = 32;
  alignas(64) uint32_t group[kBatch + 16], open[kBatch + 16], parity[kBatch + 16],
      carry[kBatch + 16], side[kBatch + 16];
  int count = 0;
};

class Bits {
public:
  using Element = uint8_t;
  explicit Bits(const Settings &settings)
      : settings(settings),
        keys(keysOfStream(settings.seed, settings.declaration, settings.ordinal)),
        perRow(settings.width / 1024), colours{Aligned<Vector>(perRow * settings.height),
                                               Aligned<Vector>(perRow * settings.height)} {
    for (int bit = 0; bit < 32; ++bit)
      for (int sum = 0; sum < 5; ++sum)
        codes[bit] |= ((settings.thresholds[sum] >> (31 - bit)) & 1) << sum;
  }

  void load(const std::vector<uint8_t> &cells) {
    forEach([&](int64_t place, uint32_t *word, int bit) {
      *word = (*word & ~(1u << bit)) | uint32_t(cells[place]) << bit;
    });
  }
  std::vector<uint8_t> save() {
    std::vector<uint8_t> cells(settings.width * settings.height);
    forEach([&](int64_t place, uint32_t *word, int bit) { cells[place] = (*word >> bit) & 1; });
    return cells;
  }

  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch)
      for (int colour = 0; colour < 2; ++colour)
        halfSweep(colour, uint32_t(epoch));
  }

private:
  template <typename Visit>
  void forEach(Visit visit) {
    for (int64_t row = 0; row < settings.height; ++row)
      for (int64_t column = 0; column < settings.width; ++column) {
        int colour = int((row + column) & 1);
        auto *words = reinterpret_cast<uint32_t *>(&colours[colour][row * perRow]);
        int64_t rank = column / 2;
        visit(row * settings.width + column, words + rank / 32, int(rank % 32));
      }
  }

  INLINE Neighbours neighboursOf(const Vector *other, int64_t row, int64_t at, int colour) {
    const Vector *here = other + row * perRow;
    Vector middle = here[at];
    Vector up = other[(row ? row - 1 : settings.height - 1) * perRow + at];
    Vector down = other[(row + 1 < settings.height ? row + 1 : 0) * perRow + at];
    Vector side;
    if (firstColumn(row, colour) == 0) { // the other one is on the left
      Vector before = here[at ? at - 1 : perRow - 1];
      side = _mm512_shldi_epi64(middle, _mm512_alignr_epi64(middle, before, 7), 1);
    } else {
      Vector behind = here[at + 1 < perRow ? at + 1 : 0];
      side = _mm512_shrdi_epi64(middle, _mm512_alignr_epi64(behind, middle, 1), 1);
    }
    return {xor3(up, down, middle), _mm512_ternarylogic_epi32(up, down, middle, 0xE8), side};
  }

  /// The bit of each cell's threshold, by its sum: one operation, a different one for each of the
  /// 32 columns of bits in a table of five thresholds.
  template <int code>
  static INLINE Vector thresholdBit(const Neighbours &n) {
    constexpr auto sumOf = [](int i) { return (i >> 2 & 1) + 2 * (i >> 1 & 1) + (i & 1); };
    constexpr int table = [&] {
      int bits = 0;
      for (int i = 0; i < 8; ++i)
        bits |= (code >> sumOf(i) & 1) << i;
      return bits;
    }();
    return _mm512_ternarylogic_epi32(n.parity, n.carry, n.side, table);
  }
  template <int count>
  static INLINE void thresholdBits(int code, const Neighbours n[count], Vector bits[count]) {
    switch (code) {
#define CASE(c)                                                                                    \
  case c:                                                                                          \
    for (int i = 0; i < count; ++i)                                                                \
      bits[i] = thresholdBit<c>(n[i]);                                                             \
    break;
#define CASES(c) CASE(c) CASE(c + 1) CASE(c + 2) CASE(c + 3)
      CASES(0)
      CASES(4)
      CASES(8)
      CASES(12)
      CASES(16)
      CASES(20)
      CASES(24)
      CASES(28)
#undef CASES
#undef CASE
    default:
      __builtin_unreachable();
    }
  }

  /// Compares one more bit of the draw: the first bit that differs from the threshold's decides.
  static INLINE void compare(Vector threshold, Vector drawn, Vector &isLess, Vector &open) {
    isLess = _mm512_ternarylogic_epi32(open, threshold, isLess, 0xCA); // open ? threshold : isLess
    open = _mm512_ternarylogic_epi32(open, threshold, drawn, 0x90); // open & (threshold == drawn)
  }

  static INLINE void push(Waiting &list, Vector group, Vector open, const Neighbours &n) {
    __mmask16 some = _mm512_test_epi32_mask(open, open);
    auto put = [&](uint32_t *to, Vector what) {
      _mm512_storeu_si512(to + list.count, _mm512_maskz_compress_epi32(some, what));
    };
    put(list.group, group), put(list.open, open);
    put(list.parity, n.parity), put(list.carry, n.carry), put(list.side, n.side);
    list.count += __builtin_popcount(some);
  }

  __attribute__((noinline)) void halfSweep(int colour, uint32_t epoch) {
    PhiloxTick tick(keys, epoch, 16 * uint32_t(colour));
    Vector *mine = colours[colour].get();
    const Vector *other = colours[1 - colour].get();
    const Vector lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int64_t row = 0, number = 0; row < settings.height; ++row)
      for (int64_t at = 0; at < perRow; ++at, ++number) {
        Neighbours n = neighboursOf(other, row, at, colour);
        Vector group = _mm512_add_epi32(lanes, all32(uint32_t(number * 16)));
        Vector words[2][4];
        philox16<2>(group, tick, 0, words);
        Vector isLess = _mm512_setzero_si512(), open = all32(~0u), threshold;
#pragma clang loop unroll(full)
        for (int bit = 0; bit < 8; ++bit) {
          thresholdBits<1>(codes[bit], &n, &threshold);
          compare(threshold, words[bit / 4][bit % 4], isLess, open);
        }
        mine[number] = _mm512_andnot_si512(open, isLess);
        push(waiting[2], group, open, n);
        if (waiting[2].count >= Waiting::kBatch - 16)
          goOn(2, tick, mine);
      }
    for (int block = 2; block < 8; ++block)
      while (waiting[block].count > 0)
        goOn(block, tick, mine);
  }

  /// Four more bits for up to sixteen groups of a list.
  __attribute__((noinline)) void goOn(int block, const PhiloxTick &tick, Vector *mine) {
    Waiting &list = waiting[block];
    int count = std::min(list.count, 16);
    auto take = [&](uint32_t *from) {
      Vector taken = _mm512_loadu_si512(from);
      _mm512_storeu_si512(from, _mm512_loadu_si512(from + 16));
      return taken;
    };
    Vector group = take(list.group), wasOpen = take(list.open);
    Neighbours n{take(list.parity), take(list.carry), take(list.side)};
    wasOpen = _mm512_maskz_mov_epi32(__mmask16((1u << count) - 1), wasOpen);
    list.count -= count;
    Vector words[1][4], threshold, isLess = _mm512_setzero_si512(), open = wasOpen;
    philox16<1>(group, tick, block, words);
    for (int bit = 0; bit < 4; ++bit) {
      thresholdBits<1>(codes[4 * block + bit], &n, &threshold);
      compare(threshold, words[0][bit], isLess, open);
    }
    alignas(64) uint32_t where[16], up[16];
    _mm512_store_si512(where, group);
    _mm512_store_si512(up, _mm512_ternarylogic_epi32(wasOpen, isLess, open, 0x40));
    auto *cells = reinterpret_cast<uint32_t *>(mine);
    for (int i = 0; i < count; ++i)
      cells[where[i]] |= up[i];
    if (block + 1 == 8) // equal to the threshold: not below it
      return;
    push(waiting[block + 1], group, open, n);
    if (waiting[block + 1].count >= Waiting::kBatch - 16)
      goOn(block + 1, tick, mine);
  }

  Settings settings;
  RoundKeys keys;
  int64_t perRow;
  Aligned<Vector> colours[2];
  int codes[32] = {};
  Waiting waiting[8];
};

#endif // __AVX512F__

//===----------------------------------------------------------------------===//
// Bytes, with a cheap generator
//===----------------------------------------------------------------------===//

class Bytes {
public:
  using Element = uint8_t;
  explicit Bytes(const Settings &settings)
      : height(settings.height), half(settings.width / 2), pitch(half + 2 * kMargin),
        colours{Aligned<uint8_t>(pitch * (height + 2)), Aligned<uint8_t>(pitch * (height + 2))} {
    for (int sum = 0; sum < 5; ++sum)
      thresholds[sum] = uint32_t(std::min<uint64_t>(settings.thresholds[sum], 0xffffffff));
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] = uint32_t(settings.seed) * 747796405u + 2891336453u * (lane + 1);
  }

  void load(const std::vector<uint8_t> &cells) {
    for (int64_t row = 0; row < height; ++row)
      for (int64_t column = 0; column < 2 * half; ++column)
        rowOf((row + column) & 1, row)[column / 2] = cells[row * 2 * half + column];
    for (int colour = 0; colour < 2; ++colour)
      refreshHalo(colour);
  }
  std::vector<uint8_t> save() {
    std::vector<uint8_t> cells;
    for (int64_t row = 0; row < height; ++row)
      for (int64_t column = 0; column < 2 * half; ++column)
        cells.push_back(rowOf((row + column) & 1, row)[column / 2]);
    return cells;
  }

  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch)
      for (int colour = 0; colour < 2; ++colour) {
        for (int64_t row = 0; row < height; ++row)
          updateRow(colour, row);
        refreshHalo(colour);
      }
  }

private:
  static constexpr int64_t kMargin = 64, kLanes = 32;

  uint8_t *rowOf(int64_t colour, int64_t row) {
    return colours[colour].get() + (row + 1) * pitch + kMargin;
  }
  void refreshHalo(int colour) {
    for (int64_t row = 0; row < height; ++row) {
      uint8_t *cells = rowOf(colour, row);
      cells[-1] = cells[half - 1], cells[half] = cells[0];
    }
    std::memcpy(rowOf(colour, -1), rowOf(colour, height - 1), half);
    std::memcpy(rowOf(colour, height), rowOf(colour, 0), half);
  }

  __attribute__((noinline)) void updateRow(int colour, int64_t row) {
    uint8_t *__restrict mine = rowOf(colour, row);
    const uint8_t *up = rowOf(1 - colour, row - 1), *middle = rowOf(1 - colour, row),
                  *down = rowOf(1 - colour, row + 1);
    const uint8_t *side = middle + (firstColumn(row, colour) ? 1 : -1);
    const uint32_t t0 = thresholds[0], t1 = thresholds[1], t2 = thresholds[2], t3 = thresholds[3],
                   t4 = thresholds[4];
    for (int64_t first = 0; first < half; first += kLanes)
#pragma clang loop vectorize(enable)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        int64_t at = first + lane;
        uint32_t x = lanes[lane];
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        lanes[lane] = x;
        uint32_t sum = uint32_t(up[at]) + down[at] + middle[at] + side[at];
        uint32_t limit = sum == 0 ? t0 : sum == 1 ? t1 : sum == 2 ? t2 : sum == 3 ? t3 : t4;
        mine[at] = x < limit;
      }
  }

  int64_t height, half, pitch;
  Aligned<uint8_t> colours[2];
  uint32_t thresholds[5];
  alignas(64) uint32_t lanes[kLanes];
};

} // namespace

int main(int count, char **arguments) {
  if (count != 12) {
    std::fprintf(stderr, "expected a form and ten numbers, but got %d arguments\n", count - 1);
    return 2;
  }
  Settings settings{std::atoll(arguments[2]),
                    std::atoll(arguments[3]),
                    std::strtoull(arguments[4], nullptr, 10),
                    uint32_t(std::atoi(arguments[5])),
                    uint32_t(std::atoi(arguments[6])),
                    {}};
  for (int sum = 0; sum < 5; ++sum)
    settings.thresholds[sum] = std::strtoull(arguments[7 + sum], nullptr, 10);
  if (std::string(arguments[1]) == "plain") {
    Bytes program(settings);
    return serve(program);
  }
#ifdef __AVX512F__
  if (settings.width % 1024 != 0) {
    std::fprintf(stderr, "expected a multiple of 1024 cells in a row, but got %lld\n",
                 static_cast<long long>(settings.width));
    return 2;
  }
  Bits program(settings);
  return serve(program);
#else
  return refuseForm(arguments[1]);
#endif
}
