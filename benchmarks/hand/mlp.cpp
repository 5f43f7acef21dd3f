//===- mlp.cpp - A small network at every cell, by hand -------------------===//
//
// The program benchmarks/programs/mlp.lmpm: from the 9 by 9 numbers around a cell of a torus a
// hidden layer of 32 and 16 logits, of which the first best is the cell's token. Blocks of twelve
// cells by 32 outputs stay in AVX-512 registers; the stencil is read in place, from rows with a
// halo. The additions are fused, in the program's order, so that the tokens are the same.
//
//   mlp SIDE NUMBERS
//
// NUMBERS holds the field (SIDE * SIDE), w1 (81 * 32), b1 (32), w2 (32 * 16) and b2 (16) as f32.
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <algorithm>
#include <immintrin.h>

static constexpr int kReach = 4, kWindow = 9, kHidden = 32, kClasses = 16, kBlock = 12;

namespace {

class Network {
public:
  using Element = uint8_t;
  Network(int side, const std::vector<float> &numbers)
      : side(side), stride(side + 2 * kReach), field(static_cast<size_t>(stride) * stride),
        w1(numbers.data() + static_cast<size_t>(side) * side), b1(w1 + kWindow * kWindow * kHidden),
        w2(b1 + kHidden), b2(w2 + kHidden * kClasses) {
    for (int x = 0; x < stride; ++x)
      for (int y = 0; y < stride; ++y)
        field[static_cast<size_t>(x) * stride + y] =
            numbers[static_cast<size_t>((x - kReach + side) % side) * side +
                    (y - kReach + side) % side];
  }

  void load(const std::vector<uint8_t> &cells) { tokens = cells; }
  std::vector<uint8_t> save() { return tokens; }
  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch)
      for (int x = 0; x < side; ++x)
        for (int y = 0; y < side; y += kBlock)
          computeBlock(x, std::min(y, side - kBlock)); // the last one overlaps
  }

private:
  void computeBlock(int x, int y);

  int side, stride;
  std::vector<float> field; ///< with its halo
  const float *w1, *b1, *w2, *b2;
  std::vector<uint8_t> tokens;
};

} // namespace

/// Computes a block of cells of a row, beginning at one.
void Network::computeBlock(int x, int y) {
  __m512 sums[kBlock][2];
  for (auto &sum : sums)
    for (int half = 0; half < 2; ++half)
      sum[half] = _mm512_loadu_ps(b1 + 16 * half);
  const float *w = w1;
  for (int p = 0; p < kWindow; ++p)
    for (int q = 0; q < kWindow; ++q, w += kHidden) {
      __m512 low = _mm512_loadu_ps(w), high = _mm512_loadu_ps(w + 16);
      const float *from = field.data() + (x + p) * stride + y + q;
      for (int i = 0; i < kBlock; ++i) {
        __m512 input = _mm512_set1_ps(from[i]);
        sums[i][0] = _mm512_fmadd_ps(input, low, sums[i][0]);
        sums[i][1] = _mm512_fmadd_ps(input, high, sums[i][1]);
      }
    }
  alignas(64) float hidden[kBlock][kHidden];
  for (int i = 0; i < kBlock; ++i)
    for (int half = 0; half < 2; ++half)
      _mm512_store_ps(hidden[i] + 16 * half, _mm512_max_ps(sums[i][half], _mm512_setzero_ps()));
  __m512 logits[kBlock];
  std::fill_n(logits, kBlock, _mm512_loadu_ps(b2));
  for (int k = 0; k < kHidden; ++k) {
    __m512 row = _mm512_loadu_ps(w2 + k * kClasses);
    for (int i = 0; i < kBlock; ++i)
      logits[i] = _mm512_fmadd_ps(_mm512_set1_ps(hidden[i][k]), row, logits[i]);
  }
  for (int i = 0; i < kBlock; ++i) {
    __m512 best = _mm512_set1_ps(_mm512_reduce_max_ps(logits[i]));
    int first = __builtin_ctz(_mm512_cmp_ps_mask(logits[i], best, _CMP_EQ_OQ));
    tokens[static_cast<size_t>(x) * side + y + i] = static_cast<uint8_t>(first);
  }
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  std::vector<float> numbers = readElements<float>(argv[2]);
  Network network(std::atoi(argv[1]), numbers);
  return serve(network);
}
