//===- life.cu - Life on a torus, by hand for NVIDIA's GPUs ---------------===//
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 life.cu -o life
//   life [--size L ...] [--json]
//
// One bit a cell, 32 cells to a word, and several generations a launch, in registers: a warp holds
// rows of 32 words, a thread a column of words. Words of the left and right neighbours come by
// shuffles, the rows of the warps above and below through shared memory. The halo of a tile is read
// with it and recomputed: a word on each side, a row above and below for each generation.
//
// The method is that of "Game of Life: How a nerdsnipe led to a fast implementation of game of
// life" (https://binary-banter.github.io/game-of-life/), with the last four operations of its
// adder, which a SAT solver found. Its threads hold columns of 64 cells, of which 32 are valid;
// these hold rows, of which 30 words of 32 are valid, and add up a row once for the rows above and
// below: eight LOP3 for 32 cells, not ten.
//
// It first compares a small torus with cells computed one by one, then measures. The fastest of
// several tile shapes counts. A torus is a multiple of 32 wide and high.
//
//===----------------------------------------------------------------------===//

#include "measure.cuh"

static constexpr int kLanes = 32, kWarps = 8;
static constexpr int kWordsOfTile = kLanes - 2;
static constexpr int kLaunchesOfGraph = 64;

/// Truth tables of operations on three bits; the first argument is the highest bit.
enum Table { kXor3 = 0x96, kMajority = 0xE8 };

template <int table>
__device__ __forceinline__ uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
  return result;
}

/// The words of a row, those of the cells' neighbours left and right, and how many of the three are
/// alive: `ones` + 2 `twos`. Bit 0 is the leftmost cell.
struct Row {
  uint32_t self, left, right, ones, twos;
};

__device__ __forceinline__ Row makeRow(uint32_t self) {
  Row row;
  row.self = self;
  row.left = __funnelshift_l(__shfl_up_sync(~0u, self, 1), self, 1);
  row.right = __funnelshift_r(self, __shfl_down_sync(~0u, self, 1), 1);
  row.ones = lop3<kXor3>(row.left, self, row.right);
  row.twos = lop3<kMajority>(row.left, self, row.right);
  return row;
}

/// The next generation. With y + 2 carry = above.ones + below.ones + left, a cell has
/// right + y + 2 (carry + above.twos + below.twos) neighbours.
__device__ __forceinline__ uint32_t next(const Row &above, const Row &row, const Row &below) {
  uint32_t y = lop3<kXor3>(above.ones, below.ones, row.left);
  uint32_t carry = lop3<kMajority>(above.ones, below.ones, row.left);
  uint32_t first = lop3<0x3E>(row.right, y, row.self);
  uint32_t second = lop3<0x5B>(first, row.self, carry);
  uint32_t third = lop3<0x61>(second, above.twos, below.twos);
  return lop3<0xA2>(first, second, third);
}

/// A torus, in words.
struct Torus {
  int words, rows;
};

/// Wraps an index that is at most one period out of bounds; a small torus is smaller than a tile.
__device__ __forceinline__ int wrap(int place, int size) {
  place %= size;
  return place < 0 ? place + size : place;
}

/// A thread's column of words, and its position.
template <int kRows>
class Column {
public:
  __device__ Column(Torus torus, int margin)
      : torus(torus), lane(threadIdx.x), warp(threadIdx.y), margin(margin),
        word(int(blockIdx.x) * kWordsOfTile - 1 + lane),
        firstRow(int(blockIdx.y) * (kWarps * kRows - 2 * margin) - margin + warp * kRows) {}

  __device__ void load(const uint32_t *__restrict__ cells) {
    uint32_t size = uint32_t(torus.words) * torus.rows;
    uint32_t place = uint32_t(wrap(firstRow, torus.rows)) * torus.words + wrap(word, torus.words);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      at[i] = cells[place];
      place += torus.words;
      place = min(place, place - size); // the less of the two is within the torus
    }
  }

  __device__ void step(uint32_t (*edges)[2][kLanes]) {
    edges[warp][0][lane] = at[0];
    edges[warp][1][lane] = at[kRows - 1];
    __syncthreads();
    // At the tile's ends any value will do: the invalid rows grow by one a generation, and are not
    // stored.
    Row above = makeRow(edges[max(warp - 1, 0)][1][lane]);
    uint32_t beyond = edges[min(warp + 1, kWarps - 1)][0][lane];
    Row row = makeRow(at[0]);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      Row below = makeRow(i + 1 < kRows ? at[i + 1] : beyond);
      at[i] = next(above, row, below);
      above = row;
      row = below;
    }
  }

  /// Stores the rows within the margins of the tile and within the torus.
  __device__ void store(uint32_t *__restrict__ cells) const {
    bool inside = lane > 0 && lane + 1 < kLanes && word < torus.words;
    int begin = margin - warp * kRows;
    int end = min(kWarps * kRows - margin - warp * kRows, torus.rows - firstRow);
    end = inside ? end : 0;
    uint32_t place = uint32_t(firstRow) * torus.words + word;
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      if (i >= begin && i < end)
        cells[place] = at[i];
      place += torus.words;
    }
  }

private:
  Torus torus;
  int lane, warp, margin, word, firstRow;
  uint32_t at[kRows];
};

template <int kRows, int kGenerations>
__global__ void __launch_bounds__(kLanes *kWarps)
    advance(Torus torus, const uint32_t *__restrict__ from, uint32_t *__restrict__ to) {
  // Two sets of edges, alternating: one barrier a generation is then enough.
  __shared__ uint32_t edges[2][kWarps][2][kLanes];
  Column<kRows> column(torus, kGenerations);
  column.load(from);
#pragma unroll 1
  for (int generation = 0; generation < kGenerations; ++generation)
    column.step(edges[generation % 2]);
  column.store(to);
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

/// A kernel, with its launch parameters.
struct Shape {
  int rows, generations;
  void (*kernel)(Torus, const uint32_t *, uint32_t *);
};

template <int kRows, int kGenerations>
static constexpr Shape shape() {
  static_assert(kGenerations <= 32, "a word holds the margin at a side");
  static_assert(kWarps * kRows > 2 * kGenerations, "a tile has rows within its margins");
  return {kRows, kGenerations, advance<kRows, kGenerations>};
}

static constexpr Shape kSingle[] = {shape<4, 1>(), shape<8, 1>(), shape<16, 1>()};
static constexpr Shape kBlocked[] = {shape<16, 8>(),  shape<24, 8>(),  shape<32, 8>(),
                                     shape<48, 8>(),  shape<16, 16>(), shape<24, 16>(),
                                     shape<32, 16>(), shape<48, 16>()};

/// A torus on the device, with a second buffer for the next generation.
class Life {
public:
  Life(int64_t size, const std::vector<uint32_t> &words)
      : torus{int(size / 32), int(size)},
        buffers{Buffer<uint32_t>(words), Buffer<uint32_t>(words)} {
    CHECK(cudaStreamCreate(&stream));
  }
  ~Life() { cudaStreamDestroy(stream); }

  /// After an even number of launches the newest generation is in the first buffer again.
  void launch(const Shape &shape, int count) {
    int rowsOfTile = kWarps * shape.rows - 2 * shape.generations;
    dim3 grid((torus.words + kWordsOfTile - 1) / kWordsOfTile,
              (torus.rows + rowsOfTile - 1) / rowsOfTile);
    for (int i = 0; i < count; ++i)
      shape.kernel<<<grid, dim3(kLanes, kWarps), 0, stream>>>(torus, buffers[i % 2].data,
                                                              buffers[(i + 1) % 2].data);
    CHECK(cudaGetLastError());
  }

  std::vector<uint32_t> read() {
    CHECK(cudaStreamSynchronize(stream));
    return buffers[0].read();
  }

  /// Cells per nanosecond. Launches are in a graph, which costs less than a launch for each.
  double measure(const Shape &shape, int timings, float least) {
    cudaGraph_t graph;
    cudaGraphExec_t launches;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch(shape, kLaunchesOfGraph);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&launches, graph, 0));
    auto enqueue = [&](int count) {
      for (int i = 0; i < count; ++i)
        CHECK(cudaGraphLaunch(launches, stream));
    };
    double nanoseconds = nanosecondsOfStep(stream, enqueue, timings, least);
    CHECK(cudaGraphExecDestroy(launches));
    CHECK(cudaGraphDestroy(graph));
    return double(torus.rows) * torus.rows * shape.generations * kLaunchesOfGraph / nanoseconds;
  }

private:
  Torus torus;
  Buffer<uint32_t> buffers[2];
  cudaStream_t stream;
};

static std::vector<uint32_t> randomCells(int64_t size) {
  std::vector<uint32_t> words(size * size / 32);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = uint32_t(randomWord(i));
  return words;
}

/// The next generation, cell by cell.
static std::vector<uint32_t> plainStep(const std::vector<uint32_t> &words, int64_t size) {
  std::vector<uint32_t> result(words.size());
  auto cell = [&](int64_t row, int64_t column) {
    return words[(row * size + column) / 32] >> (column % 32) & 1;
  };
  for (int64_t row = 0; row < size; ++row)
    for (int64_t column = 0; column < size; ++column) {
      int64_t left = (column ? column : size) - 1, right = column + 1 < size ? column + 1 : 0;
      int64_t above = (row ? row : size) - 1, below = row + 1 < size ? row + 1 : 0;
      uint32_t around = cell(row, left) + cell(row, right);
      for (int64_t near : {above, below})
        around += cell(near, left) + cell(near, column) + cell(near, right);
      bool alive = around == 3 || (around == 2 && cell(row, column));
      result[(row * size + column) / 32] |= uint32_t(alive) << column % 32;
    }
  return result;
}

/// Whether the cells of a shape equal those computed one by one, after two launches; `known` are
/// the generations known so far.
static bool agrees(const Shape &shape, int64_t size, std::vector<std::vector<uint32_t>> &known) {
  size_t generation = 2 * shape.generations;
  while (known.size() <= generation)
    known.push_back(plainStep(known.back(), size));
  Life life(size, known[0]);
  life.launch(shape, 2);
  bool equal = life.read() == known[generation];
  if (!equal)
    std::fprintf(stderr, "life: %d rows, %d generations a launch: other cells at %d squared\n",
                 shape.rows, shape.generations, int(size));
  return equal;
}

/// A torus smaller than a tile, one of several tiles, and one whose last tiles are narrow.
static bool checkAll() {
  bool equal = true;
  for (int64_t size : {64, 992}) {
    std::vector<std::vector<uint32_t>> known = {randomCells(size)};
    for (const Shape &shape : kSingle)
      equal &= agrees(shape, size, known);
    for (const Shape &shape : kBlocked)
      equal &= agrees(shape, size, known);
  }
  return equal;
}

/// Measures the fastest of some shapes, which a short trial finds.
template <size_t count>
static void measureBest(const Options &options, int64_t size, Life &life,
                        const Shape (&shapes)[count]) {
  const Shape *best = nullptr;
  double most = 0;
  for (const Shape &shape : shapes)
    if (double speed = life.measure(shape, 3, 5); speed > most)
      most = speed, best = &shape;
  std::string name = "hand, " + std::to_string(best->generations) + " generation" +
                     (best->generations == 1 ? "" : "s") + " a launch";
  print(options, "life", name, size, "cells", life.measure(*best, 7, 20));
}

int main(int argc, char **argv) {
  Options options = readOptions(argc, argv, 32);
  if (!checkAll())
    return 1;
  for (int64_t size : options.sizes) {
    Life life(size, randomCells(size));
    measureBest(options, size, life, kBlocked);
    measureBest(options, size, life, kSingle);
  }
}
