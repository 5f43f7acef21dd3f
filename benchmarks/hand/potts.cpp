//===- potts.cpp - The Potts model with eight states by Gibbs sampling ----===//
//
//   potts avx512|plain WIDTH HEIGHT SEED W0 W1 W2 W3 W4
//
// A torus, red cells first; W is the weight of a state that so many of the four neighbours have.
// `avx512` counts all states at once, in the four bits each of a 32-bit lane, looks their weights
// up by a permutation, and takes a word of Philox for each cell, 64 cells at a time; colours are
// stored separately, four times the state in a byte. Rows are multiples of 128 cells. `plain` is
// C++ in place with bytes and a cheap private generator.
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <array>
#include <cstring>
#ifdef __AVX512F__
#include "philox512.h"
#endif

namespace {

constexpr int kStates = 8;
using Weights = std::array<float, 16>;

struct Settings {
  int64_t width, height;
  uint64_t seed;
  Weights weights;
};

//===----------------------------------------------------------------------===//
// Separate colours, 64 cells at a time
//===----------------------------------------------------------------------===//

#ifdef __AVX512F__
class Lanes {
public:
  using Element = uint8_t;
  explicit Lanes(const Settings &settings)
      : height(settings.height), half(settings.width / 2), pitch(half + 2 * kMargin),
        keys(keysOfStream(settings.seed, 0, 0)), weights(_mm512_loadu_ps(settings.weights.data())),
        colours{Aligned<uint8_t>(pitch * (height + 2)), Aligned<uint8_t>(pitch * (height + 2))} {}

  void load(const std::vector<uint8_t> &cells) {
    for (int64_t row = 0; row < height; ++row)
      for (int64_t column = 0; column < 2 * half; ++column)
        rowOf((row + column) & 1, row)[column / 2] = 4 * cells[row * 2 * half + column];
    for (int colour = 0; colour < 2; ++colour)
      refreshHalo(colour);
  }
  std::vector<uint8_t> save() {
    std::vector<uint8_t> cells;
    for (int64_t row = 0; row < height; ++row)
      for (int64_t column = 0; column < 2 * half; ++column)
        cells.push_back(rowOf((row + column) & 1, row)[column / 2] / 4);
    return cells;
  }

  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch)
      for (int colour = 0; colour < 2; ++colour) {
        PhiloxTick tick(keys, uint32_t(epoch), 16 * uint32_t(colour) + 8);
        for (int64_t row = 0; row < height; ++row)
          updateRow(colour, row, tick);
        refreshHalo(colour);
      }
  }

private:
  static constexpr int64_t kMargin = 64;

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

  /// One in the four bits of the state that byte `byte` of each lane holds.
  static INLINE Vector vote(Vector states, int byte) {
    Vector bits = _mm512_and_si512(_mm512_srli_epi32(states, 8 * byte), all32(0xff));
    return _mm512_sllv_epi32(all32(1), bits);
  }

  /// Four times the state that a random word selects among the sums of weights.
  INLINE Vector pick(Vector counts, Vector word) {
    __m512 sums[kStates];
    for (int state = 0; state < kStates; ++state) { // a permutation looks at four bits
      __m512 weight = _mm512_permutexvar_ps(_mm512_srli_epi32(counts, 4 * state), weights);
      sums[state] = state ? _mm512_add_ps(sums[state - 1], weight) : weight;
    }
    __m512 unit = _mm512_cvtepi32_ps(_mm512_srli_epi32(word, 8));
    __m512 drawn = _mm512_mul_ps(_mm512_mul_ps(unit, _mm512_set1_ps(0x1p-24f)), sums[kStates - 1]);
    Vector state = _mm512_setzero_si512();
    for (int i = 0; i + 1 < kStates; ++i)
      state = _mm512_mask_add_epi32(state, _mm512_cmp_ps_mask(sums[i], drawn, _CMP_LE_OQ), state,
                                    all32(4));
    return state;
  }

  __attribute__((noinline)) void updateRow(int colour, int64_t row, const PhiloxTick &tick) {
    uint8_t *mine = rowOf(colour, row);
    const uint8_t *middle = rowOf(1 - colour, row), *up = rowOf(1 - colour, row - 1),
                  *down = rowOf(1 - colour, row + 1);
    const uint8_t *side = middle + (((row + colour) & 1) ? 1 : -1);
    const Vector lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int64_t at = 0; at < half; at += 64) {
      Vector group = _mm512_add_epi32(lanes, all32(uint32_t((row * half + at) / 4)));
      Vector words[1][4];
      philox16<1>(group, tick, 0, words);
      Vector u = _mm512_loadu_si512(up + at), d = _mm512_loadu_si512(down + at),
             m = _mm512_loadu_si512(middle + at), s = _mm512_loadu_si512(side + at);
      Vector states = _mm512_setzero_si512();
#pragma clang loop unroll(full)
      for (int byte = 0; byte < 4; ++byte) {
        Vector counts = _mm512_add_epi32(_mm512_add_epi32(vote(u, byte), vote(d, byte)),
                                         _mm512_add_epi32(vote(m, byte), vote(s, byte)));
        Vector picked = pick(counts, words[0][byte]);
        states = _mm512_or_si512(states, _mm512_slli_epi32(picked, 8 * byte));
      }
      _mm512_storeu_si512(mine + at, states);
    }
  }

  int64_t height, half, pitch;
  RoundKeys keys;
  __m512 weights;
  Aligned<uint8_t> colours[2];
};

#endif // __AVX512F__

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

class Bytes {
public:
  using Element = uint8_t;
  explicit Bytes(const Settings &settings)
      : settings(settings), cells(settings.width * settings.height),
        state(settings.seed * 2 + 0x9E3779B97F4A7C15) {}

  void load(const std::vector<uint8_t> &all) { cells = all; }
  std::vector<uint8_t> save() { return cells; }
  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch)
      for (int64_t colour = 0; colour < 2; ++colour)
        for (int64_t row = 0; row < settings.height; ++row)
          updateRow(colour, row);
  }

private:
  void updateRow(int64_t colour, int64_t row) {
    int64_t width = settings.width, height = settings.height;
    uint8_t *mine = &cells[row * width];
    const uint8_t *up = &cells[(row ? row - 1 : height - 1) * width];
    const uint8_t *down = &cells[(row + 1 < height ? row + 1 : 0) * width];
    for (int64_t at = (row + colour) & 1; at < width; at += 2) {
      int left = mine[at ? at - 1 : width - 1], right = mine[at + 1 < width ? at + 1 : 0];
      float sums[kStates], sum = 0;
      for (int k = 0; k < kStates; ++k) {
        int count = (up[at] == k) + (down[at] == k) + (left == k) + (right == k);
        sums[k] = sum += settings.weights[count];
      }
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      float drawn = float(state >> 40) * 0x1p-24f * sum;
      int picked = 0;
      for (int k = 0; k + 1 < kStates; ++k)
        picked += sums[k] <= drawn;
      mine[at] = uint8_t(picked);
    }
  }

  Settings settings;
  std::vector<uint8_t> cells;
  uint64_t state;
};

} // namespace

int main(int count, char **arguments) {
  if (count != 10) {
    std::fprintf(stderr, "expected a form and eight numbers, but got %d arguments\n", count - 1);
    return 2;
  }
  Settings settings{std::atoll(arguments[2]),
                    std::atoll(arguments[3]),
                    std::strtoull(arguments[4], nullptr, 10),
                    {}};
  for (int i = 0; i < 5; ++i)
    settings.weights[i] = std::strtof(arguments[5 + i], nullptr);
  if (std::string(arguments[1]) == "plain") {
    Bytes program(settings);
    return serve(program);
  }
#ifdef __AVX512F__
  if (settings.width % 128 != 0) {
    std::fprintf(stderr, "expected a multiple of 128 cells in a row, but got %lld\n",
                 static_cast<long long>(settings.width));
    return 2;
  }
  Lanes program(settings);
  return serve(program);
#else
  return refuseForm(arguments[1]);
#endif
}
