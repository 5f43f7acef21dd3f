//===- variety.cpp - Automata, fields and samplers, by hand ---------------===//
//
//   variety brain|cyclic|plurality|bugs|life3|heat|excitable|reaction|epidemic|voter \
//           DEPTH WIDTH HEIGHT
//
// The program that an expert would write for each, who knows about borders, restrict and
// auto-vectorisation: cells in bytes or f32 with a border around them, ping-pong buffers, sums of
// columns shared by the cells of a row. Nothing is packed into bits. DEPTH is 1 in two dimensions.
//
//===----------------------------------------------------------------------===//

#include "protocol.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace {

/// Cells in rows with a border of `radius`, on the first axis too if there are several planes.
template <typename T>
class Lattice {
public:
  Lattice(int64_t depth, int64_t width, int64_t height, int64_t radius)
      : depth(depth), width(width), height(height), radius(radius), deep(depth > 1 ? radius : 0),
        stride(height + 2 * radius), plane((width + 2 * radius) * stride),
        cells((depth + 2 * deep) * plane + 64) {}

  T *row(int64_t z, int64_t x) const {
    return cells.get() + (z + deep) * plane + (x + radius) * stride + radius;
  }
  void load(const std::vector<T> &all) {
    for (int64_t i = 0; i < depth * width; ++i)
      std::memcpy(row(i / width, i % width), &all[i * height], height * sizeof(T));
  }
  std::vector<T> save() const {
    std::vector<T> all(depth * width * height);
    for (int64_t i = 0; i < depth * width; ++i)
      std::memcpy(&all[i * height], row(i / width, i % width), height * sizeof(T));
    return all;
  }

  /// Fills the border: from the opposite end, or with the nearest cell.
  void refresh(bool wraps) {
    auto source = [&](int64_t at, int64_t extent) {
      return wraps ? (at + extent) % extent : std::clamp<int64_t>(at, 0, extent - 1);
    };
    for (int64_t z = 0; z < depth; ++z)
      for (int64_t x = 0; x < width; ++x)
        for (int64_t i = 1; i <= radius; ++i) {
          row(z, x)[-i] = row(z, x)[source(-i, height)];
          row(z, x)[height - 1 + i] = row(z, x)[source(height - 1 + i, height)];
        }
    auto copyRow = [&](int64_t z, int64_t to) {
      std::memcpy(row(z, to) - radius, row(z, source(to, width)) - radius, stride * sizeof(T));
    };
    for (int64_t z = 0; z < depth; ++z)
      for (int64_t i = 1; i <= radius; ++i) {
        copyRow(z, -i);
        copyRow(z, width - 1 + i);
      }
    for (int64_t i = 1; i <= deep; ++i)
      for (int64_t to : {-i, depth - 1 + i})
        std::memcpy(row(to, -radius) - radius, row(source(to, depth), -radius) - radius,
                    plane * sizeof(T));
  }

  int64_t depth, width, height, radius, deep, stride, plane;
  Aligned<T> cells;
};

/// Philox4x32-10 of a counter: four words.
std::array<uint32_t, 4> philox(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t d = 0, key0 = 7, key1 = 9;
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xD2511F53) * a, second = uint64_t(0xCD9E8D57) * c;
    a = uint32_t(second >> 32) ^ b ^ key0;
    b = uint32_t(second);
    c = uint32_t(first >> 32) ^ d ^ key1;
    d = uint32_t(first);
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return {a, b, c, d};
}

using Byte = uint8_t;

/// A program that computes the next state of a row from rows of the previous one.
template <typename T, typename Rule>
class TwoBuffers {
public:
  using Element = T;
  TwoBuffers(Rule rule, bool wraps, std::array<int64_t, 3> extents, int64_t radius)
      : rule(rule), wraps(wraps), cells(extents[0], extents[1], extents[2], radius),
        next(extents[0], extents[1], extents[2], radius) {}
  void load(const std::vector<T> &all) { cells.load(all); }
  std::vector<T> save() { return cells.save(); }
  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch) {
      cells.refresh(wraps);
      for (int64_t z = 0; z < cells.depth; ++z)
        for (int64_t x = 0; x < cells.width; ++x)
          rule(next.row(z, x), cells, z, x, epoch);
      std::swap(cells.cells, next.cells);
    }
  }

private:
  Rule rule;
  bool wraps;
  Lattice<T> cells, next;
};

//===----------------------------------------------------------------------===//
// Automata
//===----------------------------------------------------------------------===//

/// The number of the eight neighbours in three rows that are `token`.
inline Byte countAround(const Byte *up, const Byte *here, const Byte *down, int64_t y, Byte token) {
  Byte count = Byte(up[y - 1] == token) + Byte(up[y] == token);
  count = Byte(count + Byte(up[y + 1] == token) + Byte(here[y - 1] == token));
  count = Byte(count + Byte(here[y + 1] == token) + Byte(down[y - 1] == token));
  return Byte(count + Byte(down[y] == token) + Byte(down[y + 1] == token));
}

void brain(Byte *__restrict out, const Lattice<Byte> &in, int64_t z, int64_t x, int64_t) {
  const Byte *up = in.row(z, x - 1), *here = in.row(z, x), *down = in.row(z, x + 1);
  for (int64_t y = 0; y < in.height; ++y) {
    Byte fires = countAround(up, here, down, y, 1) == 2;
    out[y] = here[y] == 0 ? fires : Byte(here[y] == 1 ? 2 : 0);
  }
}

void cyclic(Byte *__restrict out, const Lattice<Byte> &in, int64_t z, int64_t x, int64_t) {
  const Byte *up = in.row(z, x - 1), *here = in.row(z, x), *down = in.row(z, x + 1);
  for (int64_t y = 0; y < in.height; ++y) {
    Byte next = here[y] == 11 ? 0 : Byte(here[y] + 1);
    bool isNear =
        (up[y] == next) | (down[y] == next) | (here[y - 1] == next) | (here[y + 1] == next);
    out[y] = isNear ? next : here[y];
  }
}

void plurality(Byte *__restrict out, const Lattice<Byte> &in, int64_t z, int64_t x, int64_t) {
  const Byte *up = in.row(z, x - 1), *here = in.row(z, x), *down = in.row(z, x + 1);
  for (int64_t y = 0; y < in.height; ++y) {
    Byte next = (here[y] + 1) & 3, best = 0, most = 0;
    for (Byte token = 0; token < 4; ++token) {
      Byte score = Byte(2 * countAround(up, here, down, y, token) + (token == next ? 3 : 0));
      best = score > most ? token : best;
      most = std::max(score, most);
    }
    out[y] = best;
  }
}

/// Adds rows cell by cell: sums of columns.
template <size_t N>
void addRows(Byte *__restrict sum, std::array<const Byte *, N> rows, int64_t begin, int64_t end) {
  for (int64_t y = begin; y < end; ++y) {
    Byte total = 0;
    for (size_t i = 0; i < N; ++i)
      total = Byte(total + rows[i][y]);
    sum[y] = total;
  }
}

void growBugs(Byte *__restrict out, const Byte *__restrict sum, const Byte *__restrict here,
              int64_t height) {
  for (int64_t y = 0; y < height; ++y) {
    Byte self = here[y], n = Byte(sum[y - 3] + sum[y - 2] + sum[y - 1] + sum[y] + sum[y + 1] +
                                  sum[y + 2] + sum[y + 3] - self);
    out[y] = self ? Byte((n >= 15) & (n <= 22)) : Byte((n >= 14) & (n <= 19));
  }
}

void growLife(Byte *__restrict out, const Byte *__restrict sum, const Byte *__restrict here,
              int64_t height) {
  for (int64_t y = 0; y < height; ++y) {
    Byte self = here[y], n = Byte(sum[y - 1] + sum[y] + sum[y + 1] - self);
    out[y] = Byte((n == 5) | ((n == 4) & self));
  }
}

/// A buffer for the sums of a row and its borders.
Byte *columnsOf(const Lattice<Byte> &in) {
  static std::vector<Byte> columns(in.stride + 64);
  return columns.data() + in.radius;
}

void bugs(Byte *__restrict out, const Lattice<Byte> &in, int64_t z, int64_t x, int64_t) {
  std::array<const Byte *, 7> rows;
  for (int64_t i = 0; i < 7; ++i)
    rows[i] = in.row(z, x + i - 3);
  addRows(columnsOf(in), rows, -3, in.height + 3);
  growBugs(out, columnsOf(in), rows[3], in.height);
}

void life3(Byte *__restrict out, const Lattice<Byte> &in, int64_t z, int64_t x, int64_t) {
  std::array<const Byte *, 9> rows;
  for (int64_t i = 0; i < 9; ++i)
    rows[i] = in.row(z + i / 3 - 1, x + i % 3 - 1);
  addRows(columnsOf(in), rows, -1, in.height + 1);
  growLife(out, columnsOf(in), rows[4], in.height);
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

void heat(float *__restrict out, const Lattice<float> &in, int64_t z, int64_t x, int64_t) {
  const float *here = in.row(z, x), *up = in.row(z, x - 1), *down = in.row(z, x + 1);
  const float *front = in.row(z - 1, x), *back = in.row(z + 1, x);
  for (int64_t y = 0; y < in.height; ++y) {
    float near = front[y] + up[y] + here[y - 1] + here[y + 1] + down[y] + back[y];
    out[y] = here[y] + 0.1f * (near - 6.0f * here[y]);
  }
}

/// Keeps the second field privately.
struct Excitable {
  std::shared_ptr<Aligned<float>> rest;

  void operator()(float *__restrict out, const Lattice<float> &in, int64_t z, int64_t x,
                  int64_t) const {
    const float *up = in.row(z, x - 1), *here = in.row(z, x), *down = in.row(z, x + 1);
    float *__restrict slow = rest->get() + x * in.height;
    for (int64_t y = 0; y < in.height; ++y) {
      float u = here[y], v = slow[y], near = up[y] + here[y - 1] + here[y + 1] + down[y];
      out[y] = u + 0.05f * (u - u * u * u - v + 0.7f * (near - 4.0f * u));
      slow[y] = v + 0.05f * 0.08f * (u + 0.7f - 0.8f * v);
    }
  }
};

/// Keeps the second field privately, double-buffered like the first.
class Reaction {
public:
  explicit Reaction(std::array<int64_t, 3> extents) {
    for (auto &field : fields) {
      field = std::make_shared<Lattice<float>>(1, extents[1], extents[2], 1);
      field->load(std::vector<float>(extents[1] * extents[2], 0.25f));
    }
  }

  void operator()(float *__restrict out, const Lattice<float> &in, int64_t, int64_t x, int64_t) {
    if (x == 0) {
      std::swap(fields[0], fields[1]);
      fields[0]->refresh(/*wraps=*/true);
    }
    react(out, fields[1]->row(0, x), in, *fields[0], x);
  }

private:
  /// The diffusion to the cells of a row from the eight around each: columns are summed first.
  static const float *spread(const Lattice<float> &in, int64_t x, std::vector<float> &room) {
    room.resize(2 * in.stride + 2);
    const float *up = in.row(0, x - 1), *here = in.row(0, x), *down = in.row(0, x + 1);
    float *__restrict columns = room.data() + 1, *__restrict sums = columns + in.stride;
    const int64_t height = in.height;
    for (int64_t y = -1; y <= height; ++y)
      columns[y] = up[y] + down[y];
    for (int64_t y = 0; y < height; ++y)
      sums[y] = 0.2f * (columns[y] + (here[y - 1] + here[y + 1])) +
                0.05f * (columns[y - 1] + columns[y + 1]) - here[y];
    return sums;
  }

  static void react(float *__restrict fed, float *__restrict killed, const Lattice<float> &us,
                    const Lattice<float> &vs, int64_t x) {
    static std::vector<float> roomOfUs, roomOfVs;
    const float *moreU = spread(us, x, roomOfUs), *moreV = spread(vs, x, roomOfVs);
    const float *here = us.row(0, x), *other = vs.row(0, x);
    const int64_t height = us.height;
    for (int64_t y = 0; y < height; ++y) {
      float u = here[y], v = other[y], eaten = u * v * v;
      fed[y] = u + moreU[y] - eaten + 0.05f * (1.0f - u);
      killed[y] = v + 0.5f * moreV[y] + eaten - 0.1f * v;
    }
  }

  std::array<std::shared_ptr<Lattice<float>>, 2> fields; ///< now, and next
};

//===----------------------------------------------------------------------===//
// Samplers
//===----------------------------------------------------------------------===//

void epidemic(Byte *__restrict out, const Lattice<Byte> &in, int64_t z, int64_t x, int64_t epoch) {
  const Byte *up = in.row(z, x - 1), *here = in.row(z, x), *down = in.row(z, x + 1);
  static const std::array<uint32_t, 9> limits = [] {
    std::array<uint32_t, 9> made;
    for (int n = 0; n < 9; ++n)
      made[n] = uint32_t(std::min(0.2 * n, 1.0) * 4294967295.0);
    return made;
  }();
  for (int64_t y = 0; y < in.height; y += 4) {
    auto group = uint32_t((x * in.height + y) / 4);
    auto caught = philox(group, uint32_t(epoch), 0), healed = philox(group, uint32_t(epoch), 1);
    for (int64_t i = 0; i < 4; ++i) {
      Byte self = here[y + i], n = countAround(up, here, down, y + i, 1);
      out[y + i] = self == 0   ? Byte(caught[i] < limits[n])
                   : self == 1 ? Byte(healed[i] < 429496730 ? 2 : 1)
                               : self;
    }
  }
}

/// In place, one colour after another.
class Voter {
public:
  using Element = Byte;
  explicit Voter(std::array<int64_t, 3> extents) : cells(1, extents[1], extents[2], 1) {}
  void load(const std::vector<Byte> &all) { cells.load(all); }
  std::vector<Byte> save() { return cells.save(); }
  void run(int64_t first, int64_t last) {
    for (int64_t sweep = 2 * first; sweep < 2 * last; ++sweep) {
      cells.refresh(/*wraps=*/true);
      for (int64_t x = 0; x < cells.width; ++x)
        update(x, sweep);
    }
  }

private:
  void update(int64_t x, int64_t sweep) {
    Byte *here = cells.row(0, x);
    const Byte *up = cells.row(0, x - 1), *down = cells.row(0, x + 1);
    for (int64_t y = 0; y < cells.height; y += 8) {
      auto drawn = philox(uint32_t((x * cells.height + y) / 8), uint32_t(sweep), 0);
      for (int64_t i = 0; i < 4; ++i) {
        int64_t at = y + 2 * i + ((x + sweep) & 1);
        uint32_t side = drawn[i] >> 30;
        here[at] = side == 0   ? up[at]
                   : side == 1 ? down[at]
                   : side == 2 ? here[at - 1]
                               : here[at + 1];
      }
    }
  }

  Lattice<Byte> cells;
};

template <typename T, typename Rule>
int serveRule(Rule rule, bool wraps, std::array<int64_t, 3> extents, int64_t radius) {
  TwoBuffers<T, Rule> program(rule, wraps, extents, radius);
  return serve(program);
}

} // namespace

int main(int count, char **arguments) {
  if (count != 5) {
    std::fprintf(stderr, "expected a form and three extents, but got %d arguments\n", count - 1);
    return 2;
  }
  std::string form = arguments[1];
  std::array<int64_t, 3> extents = {std::atoll(arguments[2]), std::atoll(arguments[3]),
                                    std::atoll(arguments[4])};
  if (form == "brain")
    return serveRule<Byte>(brain, true, extents, 1);
  if (form == "cyclic")
    return serveRule<Byte>(cyclic, true, extents, 1);
  if (form == "plurality")
    return serveRule<Byte>(plurality, true, extents, 1);
  if (form == "bugs")
    return serveRule<Byte>(bugs, true, extents, 3);
  if (form == "life3")
    return serveRule<Byte>(life3, true, extents, 1);
  if (form == "heat")
    return serveRule<float>(heat, false, extents, 1);
  if (form == "excitable")
    return serveRule<float>(Excitable{std::make_shared<Aligned<float>>(extents[1] * extents[2])},
                            true, extents, 1);
  if (form == "reaction")
    return serveRule<float>(Reaction(extents), true, extents, 1);
  if (form == "epidemic")
    return serveRule<Byte>(epidemic, true, extents, 1);
  if (form == "voter") {
    Voter program(extents);
    return serve(program);
  }
  std::fprintf(stderr, "expected a form, but got '%s'\n", form.c_str());
  return 2;
}
