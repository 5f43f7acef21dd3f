//===- nca.cpp - A growing automaton, by hand -----------------------------===//
//
// The program benchmarks/programs/nca.lmpm when every cell is awake (rate 1; it draws nothing): 16
// channels and their slopes along x and y, a hidden layer of 128, and its increment of the
// channels, on a torus. Blocks of cells by outputs stay in AVX-512 registers: three by 128, then 24
// by 16. The additions are fused, in the program's order, so that the channels are the same.
//
//   nca SIDE NUMBERS
//
// NUMBERS holds W1 (128 * 48), b1 (128), W2 (16 * 128), kx (9) and ky (9) as f32.
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <algorithm>
#include <immintrin.h>

static constexpr int kChannels = 16, kSeen = 48, kHidden = 128, kCells = 24, kBlock = 3;

static std::vector<float> transpose(const float *matrix, int rows, int columns) {
  std::vector<float> result(static_cast<size_t>(rows) * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      result[j * rows + i] = matrix[i * columns + j];
  return result;
}

namespace {

class Automaton {
public:
  using Element = float;
  Automaton(int side, const std::vector<float> &numbers)
      : side(side), stride(side + 2), cells(static_cast<size_t>(stride) * stride * kChannels),
        after(cells), w1(transpose(numbers.data(), kHidden, kSeen)),
        w2(transpose(numbers.data() + kHidden * (kSeen + 1), kChannels, kHidden)),
        b1(numbers.data() + kHidden * kSeen),
        kx(numbers.data() + kHidden * (kSeen + 1 + kChannels)), ky(kx + 9) {}

  void load(const std::vector<float> &all) {
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y)
        std::copy_n(all.data() + (static_cast<size_t>(x) * side + y) * kChannels, kChannels,
                    at(cells, x, y));
  }
  std::vector<float> save() {
    std::vector<float> all;
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y)
        all.insert(all.end(), at(cells, x, y), at(cells, x, y) + kChannels);
    return all;
  }
  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch) {
      refreshHalo();
      for (int x = 0; x < side; ++x)
        for (int y = 0; y < side; y += kCells)
          computeBlock(x, std::min(y, side - kCells)); // the last one overlaps
      std::swap(cells, after);
    }
  }

private:
  float *at(std::vector<float> &array, int x, int y) {
    return array.data() + (static_cast<size_t>(x + 1) * stride + y + 1) * kChannels;
  }
  void refreshHalo();
  __m512 slope(const float *kernel, int x, int y);
  void computeHidden(const float *seen, float *hidden);
  void computeBlock(int x, int y);

  int side, stride;
  std::vector<float> cells, after; ///< with a halo of one
  std::vector<float> w1, w2;       ///< transposed: outputs contiguous
  const float *b1, *kx, *ky;
};

} // namespace

void Automaton::refreshHalo() {
  for (int x = -1; x <= side; ++x)
    for (int y = -1; y <= side; ++y)
      if (x < 0 || y < 0 || x == side || y == side)
        std::copy_n(at(cells, (x + side) % side, (y + side) % side), kChannels, at(cells, x, y));
}

/// A slope: products and sums, each rounded, in row-major order.
__m512 Automaton::slope(const float *kernel, int x, int y) {
  __m512 sum = _mm512_setzero_ps();
  for (int i = 0; i < 9; ++i) {
    __m512 term = _mm512_mul_ps(_mm512_set1_ps(kernel[i]),
                                _mm512_loadu_ps(at(cells, x + i / 3 - 1, y + i % 3 - 1)));
    sum = i == 0 ? term : _mm512_add_ps(sum, term);
  }
  return sum;
}

void Automaton::computeHidden(const float *seen, float *hidden) {
  __m512 sums[kBlock][8];
  for (int k = 0; k < kSeen; ++k)
    for (int j = 0; j < 8; ++j) {
      __m512 row = _mm512_loadu_ps(w1.data() + k * kHidden + 16 * j);
      for (int i = 0; i < kBlock; ++i) {
        __m512 input = _mm512_set1_ps(seen[i * kSeen + k]);
        sums[i][j] = k == 0 ? _mm512_mul_ps(input, row) : _mm512_fmadd_ps(input, row, sums[i][j]);
      }
    }
  for (int i = 0; i < kBlock; ++i)
    for (int j = 0; j < 8; ++j) {
      __m512 biased = _mm512_add_ps(sums[i][j], _mm512_loadu_ps(b1 + 16 * j));
      _mm512_storeu_ps(hidden + i * kHidden + 16 * j, _mm512_max_ps(biased, _mm512_setzero_ps()));
    }
}

void Automaton::computeBlock(int x, int y) {
  alignas(64) float seen[kCells * kSeen], hidden[kCells * kHidden];
  for (int i = 0; i < kCells; ++i) {
    _mm512_storeu_ps(seen + i * kSeen, _mm512_loadu_ps(at(cells, x, y + i)));
    _mm512_storeu_ps(seen + i * kSeen + 16, slope(kx, x, y + i));
    _mm512_storeu_ps(seen + i * kSeen + 32, slope(ky, x, y + i));
  }
  for (int i = 0; i < kCells; i += kBlock)
    computeHidden(seen + i * kSeen, hidden + i * kHidden);
  __m512 sums[kCells];
  for (int k = 0; k < kHidden; ++k) {
    __m512 row = _mm512_loadu_ps(w2.data() + k * kChannels);
    for (int i = 0; i < kCells; ++i) {
      __m512 input = _mm512_set1_ps(hidden[i * kHidden + k]);
      sums[i] = k == 0 ? _mm512_mul_ps(input, row) : _mm512_fmadd_ps(input, row, sums[i]);
    }
  }
  for (int i = 0; i < kCells; ++i)
    _mm512_storeu_ps(at(after, x, y + i),
                     _mm512_add_ps(_mm512_loadu_ps(at(cells, x, y + i)), sums[i]));
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  std::vector<float> numbers = readElements<float>(argv[2]);
  Automaton automaton(std::atoi(argv[1]), numbers);
  return serve(automaton);
}
