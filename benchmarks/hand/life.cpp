//===- life.cpp - Conway's Life on a torus, by hand -----------------------===//
//
//   life vectors|plain|bytes WIDTH HEIGHT
//
// `vectors` and `plain` store one bit a cell and add the neighbours' bits by a boolean circuit: 512
// cells at once with AVX-512, 256 with AVX2, or 64; rows are multiples of that. `bytes` is the
// obvious program of an author who knows about halos: a byte a cell, and a loop that a compiler
// vectorises.
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <cstring>
#include <immintrin.h>

#define INLINE inline __attribute__((always_inline))

namespace {

//===----------------------------------------------------------------------===//
// Words of bits
//===----------------------------------------------------------------------===//

struct Word64 {
  uint64_t bits;
  static constexpr int kCells = 64;
  /// The cells on the left of these, of which `before` holds the first.
  static INLINE Word64 left(Word64 before, Word64 here) {
    return {here.bits << 1 | before.bits >> 63};
  }
  static INLINE Word64 right(Word64 here, Word64 behind) {
    return {here.bits >> 1 | behind.bits << 63};
  }
};

#ifdef __AVX512F__
struct Vector {
  __m512i bits;
  static constexpr int kCells = 512;
  static INLINE Vector left(Vector before, Vector here) {
    return {_mm512_shldi_epi64(here.bits, _mm512_alignr_epi64(here.bits, before.bits, 7), 1)};
  }
  static INLINE Vector right(Vector here, Vector behind) {
    return {_mm512_shrdi_epi64(here.bits, _mm512_alignr_epi64(behind.bits, here.bits, 1), 1)};
  }
};
#else
struct Vector {
  __m256i bits;
  static constexpr int kCells = 256;
  static INLINE Vector left(Vector before, Vector here) {
    __m256i across = _mm256_permute2x128_si256(before.bits, here.bits, 0x21);
    across = _mm256_alignr_epi8(here.bits, across, 8);
    return {_mm256_slli_epi64(here.bits, 1) | _mm256_srli_epi64(across, 63)};
  }
  static INLINE Vector right(Vector here, Vector behind) {
    __m256i across = _mm256_permute2x128_si256(here.bits, behind.bits, 0x21);
    across = _mm256_alignr_epi8(across, here.bits, 8);
    return {_mm256_srli_epi64(here.bits, 1) | _mm256_slli_epi64(across, 63)};
  }
};
#endif

template <typename Word>
INLINE Word xor3(Word a, Word b, Word c) {
  return {a.bits ^ b.bits ^ c.bits};
}
template <typename Word>
INLINE Word majority(Word a, Word b, Word c) {
  return {(a.bits & b.bits) | (c.bits & (a.bits ^ b.bits))};
}
#ifdef __AVX512F__
INLINE Vector xor3(Vector a, Vector b, Vector c) {
  return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0x96)};
}
INLINE Vector majority(Vector a, Vector b, Vector c) {
  return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xE8)};
}
#endif

/// The sum of three cells in a row, as two planes.
template <typename Word>
struct RowSum {
  Word ones, twos, self;
};

template <typename Word>
class Bits {
public:
  using Element = uint8_t;
  Bits(int64_t width, int64_t height)
      : perRow(width / Word::kCells), height(height), from(perRow * height), to(perRow * height),
        above(perRow), here(perRow) {}

  void load(const std::vector<uint8_t> &cells) {
    auto *words = reinterpret_cast<uint64_t *>(from.get());
    std::memset(words, 0, cells.size() / 8);
    for (size_t i = 0; i < cells.size(); ++i)
      words[i / 64] |= uint64_t(cells[i]) << (i % 64);
  }
  std::vector<uint8_t> save() {
    std::vector<uint8_t> cells(perRow * height * Word::kCells);
    auto *words = reinterpret_cast<uint64_t *>(from.get());
    for (size_t i = 0; i < cells.size(); ++i)
      cells[i] = words[i / 64] >> (i % 64) & 1;
    return cells;
  }
  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch) {
      if (2 * perRow * height * int64_t(sizeof(Word)) <= kCache)
        for (int64_t at = 0; at < perRow; ++at)
          column(at);
      else
        rows();
      std::swap(from.memory, to.memory);
    }
  }

private:
  /// Both states in the second level of a cache.
  static constexpr int64_t kCache = 1 << 20;

  INLINE RowSum<Word> sumOf(const Word *words, int64_t at) {
    Word here = words[at], left = Word::left(words[at ? at - 1 : perRow - 1], here),
         right = Word::right(here, words[at + 1 < perRow ? at + 1 : 0]);
    return {xor3(left, here, right), majority(left, here, right), here};
  }

  /// One column of words, from the top: the sums of the two previous rows stay in registers.
  __attribute__((noinline)) void column(int64_t at) {
    RowSum<Word> above = sumOf(from.get() + (height - 1) * perRow, at),
                 here = sumOf(from.get(), at);
    for (int64_t row = 0; row < height; ++row) {
      RowSum<Word> below = sumOf(from.get() + (row + 1 < height ? row + 1 : 0) * perRow, at);
      to[row * perRow + at] = decide(above, here, below);
      above = here, here = below;
    }
  }

  /// Row by row, which reads memory once; the sums are kept in line buffers of the width of the
  /// grid.
  __attribute__((noinline)) void rows() {
    for (int64_t at = 0; at < perRow; ++at) {
      above[at] = sumOf(from.get() + (height - 1) * perRow, at);
      here[at] = sumOf(from.get(), at);
    }
    for (int64_t row = 0; row < height; ++row) {
      const Word *next = from.get() + (row + 1 < height ? row + 1 : 0) * perRow;
      Word *result = to.get() + row * perRow;
      for (int64_t at = 0; at < perRow; ++at) {
        RowSum<Word> below = sumOf(next, at);
        result[at] = decide(above[at], here[at], below);
        above[at] = here[at], here[at] = below;
      }
    }
  }

  /// The sum of nine, the cell itself included, is 3, or 4 and the cell is alive.
  static INLINE Word decide(const RowSum<Word> &a, const RowSum<Word> &b, const RowSum<Word> &c) {
    Word ones = xor3(a.ones, b.ones, c.ones), carry = majority(a.ones, b.ones, c.ones);
    Word twos = xor3(a.twos, b.twos, c.twos), fours = majority(a.twos, b.twos, c.twos);
    return decide(ones, carry, twos, fours, b.self);
  }
  static INLINE Word decide(Word ones, Word carry, Word twos, Word fours, Word self);

  int64_t perRow, height;
  Aligned<Word> from, to;
  Aligned<RowSum<Word>> above, here;
};

/// ones + 2 (carry + twos) + 4 fours, in which twos and fours are of a sum of three: 3 is one and
/// one two; 4 is no one, and two twos or a four alone.
template <typename Word>
INLINE Word Bits<Word>::decide(Word ones, Word carry, Word twos, Word fours, Word self) {
  auto two = carry.bits ^ twos.bits, four = (carry.bits & twos.bits) ^ fours.bits;
  auto isThree = ones.bits & two & ~fours.bits;
  auto isFour = ~ones.bits & ~two & four;
  return {isThree | (isFour & self.bits)};
}

#ifdef __AVX512F__
template <>
INLINE Vector Bits<Vector>::decide(Vector ones, Vector carry, Vector twos, Vector fours,
                                   Vector self) {
  // Truth tables of carry, twos and fours: 2 (carry + twos) + 4 fours is 2, and is 4.
  constexpr int isTwo = 0x14, isFour = 0x42;
  __m512i two = _mm512_ternarylogic_epi64(carry.bits, twos.bits, fours.bits, isTwo);
  __m512i four = _mm512_ternarylogic_epi64(carry.bits, twos.bits, fours.bits, isFour);
  __m512i stays =
      _mm512_ternarylogic_epi64(four, ones.bits, self.bits, 0x20); // four & ~ones & self
  return {_mm512_ternarylogic_epi64(two, ones.bits, stays, 0xEA)};
}
#endif

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

class Bytes {
public:
  using Element = uint8_t;
  Bytes(int64_t width, int64_t height)
      : width(width), height(height), pitch(width + 2), from(pitch * (height + 2)),
        to(pitch * (height + 2)) {}

  void load(const std::vector<uint8_t> &cells) {
    for (int64_t row = 0; row < height; ++row)
      std::memcpy(rowOf(from, row), &cells[row * width], width);
  }
  std::vector<uint8_t> save() {
    std::vector<uint8_t> cells(width * height);
    for (int64_t row = 0; row < height; ++row)
      std::memcpy(&cells[row * width], rowOf(from, row), width);
    return cells;
  }
  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch) {
      for (int64_t row = 0; row < height; ++row)
        rowOf(from, row)[-1] = rowOf(from, row)[width - 1],
                    rowOf(from, row)[width] = rowOf(from, row)[0];
      std::memcpy(rowOf(from, -1) - 1, rowOf(from, height - 1) - 1, pitch);
      std::memcpy(rowOf(from, height) - 1, rowOf(from, 0) - 1, pitch);
      for (int64_t row = 0; row < height; ++row)
        update(rowOf(from, row), rowOf(to, row));
      std::swap(from.memory, to.memory);
    }
  }

private:
  uint8_t *rowOf(Aligned<uint8_t> &cells, int64_t row) {
    return cells.get() + (row + 1) * pitch + 1;
  }
  void update(const uint8_t *old, uint8_t *__restrict now) {
    const uint8_t *up = old - pitch, *down = old + pitch;
    for (int64_t x = 0; x < width; ++x) {
      auto sum = uint8_t(up[x - 1] + up[x] + up[x + 1] + old[x - 1] + old[x + 1] + down[x - 1] +
                         down[x] + down[x + 1]);
      now[x] = uint8_t((sum == 3) | ((sum == 2) & old[x]));
    }
  }

  int64_t width, height, pitch;
  Aligned<uint8_t> from, to;
};

} // namespace

int main(int count, char **arguments) {
  if (count != 4) {
    std::fprintf(stderr, "expected a form and two extents, but got %d arguments\n", count - 1);
    return 2;
  }
  std::string form = arguments[1];
  int64_t width = std::atoll(arguments[2]), height = std::atoll(arguments[3]);
  if (width % (form == "vectors" ? Vector::kCells : form == "plain" ? 64 : 1) != 0) {
    std::fprintf(stderr, "expected rows of whole words, but got %lld cells\n",
                 static_cast<long long>(width));
    return 2;
  }
  if (form == "bytes") {
    Bytes program(width, height);
    return serve(program);
  }
  if (form == "plain") {
    Bits<Word64> program(width, height);
    return serve(program);
  }
  Bits<Vector> program(width, height);
  return serve(program);
}
