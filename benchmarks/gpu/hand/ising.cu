//===- ising.cu - The Ising model by Metropolis, by hand for NVIDIA's GPUs ===//
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 ising.cu -o ising
//   ising [--size L ...] [--json]
//
// The method of Romero, Bisson, Fatica and Bernaschi, "A Performance Study of the 2D Ising Model on
// GPUs" (https://arxiv.org/abs/1906.06297; https://github.com/NVIDIA/ising-gpu, `optimized`): black
// and white spins are stored in separate arrays, four bits for each, sixteen to a word of 64 bits,
// so that three additions of words count the neighbours of sixteen spins. A block holds a tile of
// the other colour with its halo in shared memory, and a table of acceptance; each thread updates
// two words.
//
// Each spin has 32 random bits of Philox4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy
// as 1, 2, 3", 2011). Two things differ from the published program, in favour of speed: the counter
// is made of the spin's index and the half sweep, so that no generator state is set up, and the
// table holds thresholds for the bits themselves, so that no draw becomes a float.
//
// A torus of L x L spins, a multiple of 1024, at J = 1 and beta = 0.44. The program first compares
// a small one with spins updated one by one from the same draws, then measures.
//
//===----------------------------------------------------------------------===//

#include "measure.cuh"
#include <array>
#include <cmath>

static constexpr int kBlock = 16; // threads a side
static constexpr int kSpinsOfWord = 16, kSpinsOfPair = 2 * kSpinsOfWord;
static constexpr int kRounds = 10;
static constexpr double kBeta = 0.44;
static constexpr uint64_t kSeed = 0x9E3779B97F4A7C15u;

/// The keys of all rounds. As an argument of a kernel they cost neither registers nor additions.
struct Keys {
  uint2 ofRound[kRounds];
};

static Keys makeKeys(uint64_t seed) {
  Keys keys;
  for (uint32_t round = 0; round < kRounds; ++round)
    keys.ofRound[round] = {uint32_t(seed) + round * 0x9E3779B9u,
                           uint32_t(seed >> 32) + round * 0xBB67AE85u};
  return keys;
}

__host__ __device__ __forceinline__ uint4 philox(uint4 counter, const Keys &keys) {
  for (int round = 0; round < kRounds; ++round) {
    uint64_t first = uint64_t(counter.x) * 0xD2511F53u, second = uint64_t(counter.z) * 0xCD9E8D57u;
    counter = {uint32_t(second >> 32) ^ counter.y ^ keys.ofRound[round].x, uint32_t(second),
               uint32_t(first >> 32) ^ counter.w ^ keys.ofRound[round].y, uint32_t(first)};
  }
  return counter;
}

/// The draws of four spins: those of the block `block` of a pair of words, in a half sweep.
__host__ __device__ __forceinline__ uint4 drawsOf(uint32_t pair, uint32_t block, uint32_t halfSweep,
                                                  const Keys &keys) {
  return philox(make_uint4(pair, block, halfSweep, 0), keys);
}

/// A spin flips if its draw is at most the limit at (neighbours up) + 8 (itself up), four bits.
struct Limits {
  uint32_t of[16];
};

static Limits makeLimits() {
  Limits limits = {};
  for (int up = 0; up < 2; ++up)
    for (int sum = 0; sum <= 4; ++sum) {
      double chance = std::exp(-2 * kBeta * (2 * up - 1) * (2 * sum - 4));
      limits.of[8 * up + sum] = uint32_t(std::min(std::ceil(chance * 0x1p32), 0x1p32) - 1);
    }
  return limits;
}

using Pair = ulonglong2;

/// A colour's spins by rows, in pairs of words. Row r's spin k is at column 2k + (r + colour) % 2.
struct Lattice {
  int rows, pairsOfRow;
};

/// The tile of the other colour that a block reads, with its halo.
struct Tile {
  Pair at[kBlock + 2][kBlock + 2];
};

__device__ __forceinline__ int wrap(int place, int size) {
  return place < 0 ? place + size : place < size ? place : place - size;
}

/// Loads the block's tile; the first threads of each row and column load the halo.
__device__ __forceinline__ void loadTile(Tile &tile, const Pair *__restrict__ spins,
                                         Lattice lattice, int row, int column) {
  auto copy = [&](int down, int right) {
    size_t from = size_t(wrap(row + down, lattice.rows)) * lattice.pairsOfRow +
                  wrap(column + right, lattice.pairsOfRow);
    tile.at[threadIdx.y + 1 + down][threadIdx.x + 1 + right] = spins[from];
  };
  copy(0, 0);
  if (threadIdx.y == 0)
    copy(-1, 0);
  if (threadIdx.y == kBlock - 1)
    copy(1, 0);
  if (threadIdx.x == 0)
    copy(0, -1);
  if (threadIdx.x == kBlock - 1)
    copy(0, 1);
}

/// The spins of a pair at the left or at the right of those of `here`.
__device__ __forceinline__ Pair besides(Pair here, uint64_t before, uint64_t behind, bool toLeft) {
  if (toLeft)
    return {here.x << 4 | before >> 60, here.y << 4 | here.x >> 60};
  return {here.x >> 4 | here.y << 60, here.y >> 4 | behind << 60};
}

/// The number of up neighbours of each spin of a pair, four bits for each.
__device__ __forceinline__ Pair countUp(const Tile &tile, bool toLeft) {
  int row = threadIdx.y + 1, column = threadIdx.x + 1;
  Pair above = tile.at[row - 1][column], here = tile.at[row][column],
       below = tile.at[row + 1][column];
  Pair side = besides(here, tile.at[row][column - 1].y, tile.at[row][column + 1].x, toLeft);
  return {above.x + here.x + below.x + side.x, above.y + here.y + below.y + side.y};
}

/// Flips the spins of a word whose draws are within their limits.
__device__ __forceinline__ uint64_t flip(uint64_t spins, uint64_t sums, const uint32_t *limits,
                                         uint32_t pair, uint32_t firstBlock, uint32_t halfSweep,
                                         const Keys &keys) {
  uint64_t cases = sums | spins << 3;
#pragma unroll
  for (int block = 0; block < kSpinsOfWord / 4; ++block) {
    uint4 draws = drawsOf(pair, firstBlock + block, halfSweep, keys);
    const uint32_t drawn[] = {draws.x, draws.y, draws.z, draws.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int bit = 4 * (4 * block + i);
      if (drawn[i] <= limits[cases >> bit & 15])
        spins ^= uint64_t(1) << bit;
    }
  }
  return spins;
}

__global__ void __launch_bounds__(kBlock *kBlock)
    update(Lattice lattice, int colour, uint32_t halfSweep, const __grid_constant__ Keys keys,
           const __grid_constant__ Limits known, const Pair *__restrict__ other,
           Pair *__restrict__ mine) {
  __shared__ Tile tile;
  __shared__ uint32_t limits[16];
  int thread = threadIdx.y * kBlock + threadIdx.x;
  if (thread < 16)
    limits[thread] = known.of[thread];
  int row = blockIdx.y * kBlock + threadIdx.y, column = blockIdx.x * kBlock + threadIdx.x;
  loadTile(tile, other, lattice, row, column);
  uint32_t pair = uint32_t(row) * lattice.pairsOfRow + column;
  Pair spins = mine[pair];
  __syncthreads();
  Pair sums = countUp(tile, (row + colour) % 2 == 0);
  spins.x = flip(spins.x, sums.x, limits, pair, 0, halfSweep, keys);
  spins.y = flip(spins.y, sums.y, limits, pair, kSpinsOfWord / 4, halfSweep, keys);
  mine[pair] = spins;
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

/// A colour at random, half of the spins up.
static std::vector<uint64_t> randomColour(int64_t size, int colour) {
  std::vector<uint64_t> words(size * size / 2 / kSpinsOfWord);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = randomWord(2 * i + colour) & 0x1111111111111111u;
  return words;
}

/// A lattice on the device.
class Ising {
public:
  explicit Ising(int64_t size)
      : lattice{int(size), int(size / 2 / kSpinsOfPair)},
        colours{Buffer<uint64_t>(randomColour(size, 0)), Buffer<uint64_t>(randomColour(size, 1))} {}

  void sweep(int count) {
    dim3 grid(lattice.pairsOfRow / kBlock, lattice.rows / kBlock), block(kBlock, kBlock);
    for (int i = 0; i < 2 * count; ++i, ++halfSweep) {
      int colour = halfSweep % 2;
      update<<<grid, block>>>(lattice, colour, halfSweep, keys, limits, pairs(1 - colour),
                              pairs(colour));
    }
    CHECK(cudaGetLastError());
  }

  std::vector<uint64_t> read(int colour) const { return colours[colour].read(); }

private:
  Pair *pairs(int colour) { return reinterpret_cast<Pair *>(colours[colour].data); }

  Lattice lattice;
  Buffer<uint64_t> colours[2];
  uint32_t halfSweep = 0;
  Keys keys = makeKeys(kSeed);
  Limits limits = makeLimits();
};

/// The lattice spin by spin, one byte for each, with the same draws.
class Plain {
public:
  explicit Plain(int64_t size) : size(size), spins(size * size) {
    for (int colour = 0; colour < 2; ++colour) {
      std::vector<uint64_t> words = randomColour(size, colour);
      for (int64_t n = 0; n < size * size / 2; ++n)
        at(n, colour) = words[n / kSpinsOfWord] >> (4 * (n % kSpinsOfWord)) & 1;
    }
  }

  void halfSweep(uint32_t number) {
    uint32_t colour = number % 2;
    for (int64_t n = 0; n < size * size / 2; ++n) {
      uint4 draws = drawsOf(n / kSpinsOfPair, n % kSpinsOfPair / 4, number, keys);
      uint32_t draw = (&draws.x)[n % 4];
      uint8_t &spin = at(n, colour);
      double field = 2 * neighboursUp(&spin - spins.data()) - 4;
      if (draw < std::exp(-2 * kBeta * (2 * spin - 1) * field) * 0x1p32)
        spin ^= 1;
    }
  }

  /// Whether these are a colour's spins.
  bool equal(const std::vector<uint64_t> &words, int colour) {
    for (int64_t n = 0; n < size * size / 2; ++n)
      if (at(n, colour) != (words[n / kSpinsOfWord] >> (4 * (n % kSpinsOfWord)) & 15))
        return false;
    return true;
  }

private:
  /// A colour's n-th spin.
  uint8_t &at(int64_t n, int colour) {
    int64_t row = n / (size / 2), column = 2 * (n % (size / 2)) + (row + colour) % 2;
    return spins[row * size + column];
  }
  int neighboursUp(int64_t place) const {
    int64_t row = place / size, column = place % size, last = size - 1;
    return spins[(row ? row - 1 : last) * size + column] +
           spins[(row < last ? row + 1 : 0) * size + column] +
           spins[row * size + (column ? column - 1 : last)] +
           spins[row * size + (column < last ? column + 1 : 0)];
  }

  int64_t size;
  std::vector<uint8_t> spins;
  Keys keys = makeKeys(kSeed);
};

/// Philox against the first of its authors' known answers, the kernel against the plain lattice.
static bool checkAll() {
  uint4 zeros = philox(make_uint4(0, 0, 0, 0), makeKeys(0));
  if (zeros.x != 0x6627E8D5u || zeros.y != 0xE169C58Du || zeros.z != 0xBC57AC4Cu ||
      zeros.w != 0x9B00DBD8u) {
    std::fprintf(stderr, "ising: other numbers than Philox4x32-10's\n");
    return false;
  }
  constexpr int64_t size = 1024;
  constexpr int sweeps = 3;
  Ising ising(size);
  Plain plain(size);
  ising.sweep(sweeps);
  for (int i = 0; i < 2 * sweeps; ++i)
    plain.halfSweep(i);
  bool equal = plain.equal(ising.read(0), 0) && plain.equal(ising.read(1), 1);
  if (!equal)
    std::fprintf(stderr, "ising: other spins after %d sweeps\n", sweeps);
  return equal;
}

int main(int argc, char **argv) {
  Options options = readOptions(argc, argv, 2 * kSpinsOfPair * kBlock);
  if (!checkAll())
    return 1;
  for (int64_t size : options.sizes) {
    Ising ising(size);
    double nanoseconds = nanosecondsOfStep(nullptr, [&](int count) { ising.sweep(count); });
    print(options, "ising", "hand, 4 bits a spin", size, "flips",
          double(size) * size / nanoseconds);
  }
}
