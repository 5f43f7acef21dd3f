//===- limits.cpp - Peak rates of a core ----------------------------------===//
//
// A loop of one kind of operation, as fast as it goes: an upper bound for programs that need that
// many of them. An epoch is 2^20 operations.
//
//   fma        multiply-adds of 16 lanes
//   vector     logic of 512 bits
//   philox     blocks of Philox4x32-10
//   bytes=N    bytes read or written, of an array of N
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <string>

static constexpr int64_t kOperations = 1 << 20;

namespace {
/// Holds no cells.
struct Limit {
  using Element = uint8_t;
  virtual ~Limit() = default;
  void load(const std::vector<uint8_t> &) {}
  std::vector<uint8_t> save() { return {}; }
  virtual void run(int64_t first, int64_t last) = 0;
};

class Bytes final : public Limit {
public:
  explicit Bytes(size_t size) : numbers(size / sizeof(float)), count(size / sizeof(float)) {}

  void run(int64_t first, int64_t last) override {
    float *cells = numbers.get();
    for (int64_t left = (last - first) * kOperations; left > 0;
         left -= static_cast<int64_t>(2 * count * sizeof(float))) {
      for (size_t i = 0; i < count; ++i)
        cells[i] += 1;
      asm volatile("" : : "r"(cells) : "memory");
    }
  }

private:
  Aligned<float> numbers;
  size_t count;
};
} // namespace

#ifdef __AVX512F__
#include "philox512.h"

namespace {
/// As many chains as a core has registers for, which hides the latency.
constexpr int kChains = 16;

/// Applies `step` to all chains round-robin, for so many operations altogether.
template <typename Lanes, typename Step>
void runChains(int64_t operations, Step step) {
  Lanes lanes[kChains] = {};
  for (int64_t i = 0; i < operations / kChains; ++i)
#pragma clang loop unroll(full)
    for (int chain = 0; chain < kChains; ++chain) {
      lanes[chain] = step(lanes[chain]);
      asm volatile("" : "+v"(lanes[chain]));
    }
}

class MultiplyAdds final : public Limit {
  void run(int64_t first, int64_t last) override {
    __m512 factor = _mm512_set1_ps(0.5f);
    runChains<__m512>((last - first) * kOperations,
                      [&](__m512 sum) { return _mm512_fmadd_ps(sum, factor, factor); });
  }
};

class Logic final : public Limit {
  void run(int64_t first, int64_t last) override {
    Vector mask = all32(0x55);
    runChains<Vector>((last - first) * kOperations,
                      [&](Vector word) { return xor3(word, mask, mask); });
  }
};

class Blocks final : public Limit {
  void run(int64_t first, int64_t last) override {
    constexpr int kBlocks = 2, kGroups = 16;
    RoundKeys keys = keysOfStream(7, 3, 0);
    for (int64_t epoch = first; epoch < last; ++epoch) {
      PhiloxTick tick(keys, static_cast<uint32_t>(epoch), 0);
      Vector groups = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      for (int64_t i = 0; i < kOperations / (kBlocks * kGroups); ++i) {
        Vector words[kBlocks][4];
        philox16<kBlocks>(groups, tick, 0, words);
        for (auto &block : words)
          for (Vector &word : block)
            asm volatile("" : : "v"(word));
        groups = _mm512_add_epi32(groups, all32(kGroups));
      }
    }
  }
};
} // namespace
#endif // __AVX512F__

static std::unique_ptr<Limit> make(const std::string &kind) {
  if (kind.rfind("bytes=", 0) == 0)
    return std::make_unique<Bytes>(std::stoull(kind.substr(6)));
#ifdef __AVX512F__
  if (kind == "fma")
    return std::make_unique<MultiplyAdds>();
  if (kind == "vector")
    return std::make_unique<Logic>();
  if (kind == "philox")
    return std::make_unique<Blocks>();
#endif
  return nullptr;
}

int main(int argc, char **argv) {
  std::string kind = argc == 2 ? argv[1] : "";
  std::unique_ptr<Limit> limit = make(kind);
  return limit ? serve(*limit) : refuseForm(kind);
}
