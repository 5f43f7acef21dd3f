//===- sor.cpp - Red-black successive over-relaxation, by hand ------------===//
//
//   sor plain|blocked WIDTH HEIGHT OMEGA SOURCE
//
// Poisson's equation with a fixed border, red cells first, in f32; SOURCE is a file of the
// right-hand side. Colours are stored separately, so that the cells of a row are consecutive.
// `plain` sweeps the grid once per colour. `blocked` makes one pass over it for eight epochs:
// half-sweeps are skewed by one row, so that rows are still in the cache when the next one needs
// them.
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <algorithm>

namespace {

class Relaxation {
public:
  using Element = float;
  Relaxation(int64_t width, int64_t height, float omega, int64_t depth,
             const std::vector<float> &source)
      : width(width), height(height), half(width / 2), depth(depth), omega(omega),
        cells{Aligned<float>(height * half), Aligned<float>(height * half)},
        sources{Aligned<float>(height * half), Aligned<float>(height * half)} {
    split(source, sources);
  }

  void load(const std::vector<float> &all) { split(all, cells); }
  std::vector<float> save() {
    std::vector<float> all(width * height);
    for (int64_t row = 0; row < height; ++row)
      for (int64_t column = 0; column < width; ++column)
        all[row * width + column] = cells[(row + column) & 1][row * half + column / 2];
    return all;
  }

  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; epoch += depth)
      pass(2 * std::min(depth, last - epoch));
  }

private:
  void split(const std::vector<float> &all, Aligned<float> (&colours)[2]) {
    for (int64_t row = 0; row < height; ++row)
      for (int64_t column = 0; column < width; ++column)
        colours[(row + column) & 1][row * half + column / 2] = all[row * width + column];
  }

  /// A pass of so many half-sweeps, each one row behind the previous one.
  void pass(int64_t halfSweeps) {
    if (depth == 1) {
      for (int64_t colour = 0; colour < 2; ++colour)
        for (int64_t row = 1; row + 1 < height; ++row)
          update(colour, row);
      return;
    }
    for (int64_t front = 1; front < height - 1 + halfSweeps; ++front)
      for (int64_t sweep = 0; sweep < halfSweeps; ++sweep)
        if (int64_t row = front - sweep; row >= 1 && row + 1 < height)
          update(sweep & 1, row);
  }

  __attribute__((noinline)) void update(int64_t colour, int64_t row) {
    int64_t column = (row + colour) & 1;
    float *__restrict mine = &cells[colour][row * half];
    const float *middle = &cells[1 - colour][row * half], *source = &sources[colour][row * half];
    const float *up = middle - half, *down = middle + half, *side = middle + (column ? 1 : -1);
    // Excludes the first and the last column of the grid.
    for (int64_t at = 1 - column; at < half - column; ++at) {
      float mean = (up[at] + down[at] + middle[at] + side[at] - source[at]) * 0.25f;
      mine[at] += omega * (mean - mine[at]);
    }
  }

  int64_t width, height, half, depth;
  float omega;
  Aligned<float> cells[2], sources[2];
};

} // namespace

int main(int count, char **arguments) {
  if (count != 6) {
    std::fprintf(stderr,
                 "expected a form, two extents, a factor and a file, but got %d arguments\n",
                 count - 1);
    return 2;
  }
  int64_t width = std::atoll(arguments[2]), height = std::atoll(arguments[3]);
  if (width % 2 != 0) {
    std::fprintf(stderr, "expected an even number of cells in a row, but got %lld\n",
                 static_cast<long long>(width));
    return 2;
  }
  Relaxation program(width, height, std::strtof(arguments[4], nullptr),
                     std::string(arguments[1]) == "blocked" ? 8 : 1,
                     readElements<float>(arguments[5]));
  return serve(program);
}
