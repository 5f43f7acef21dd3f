//===- measure.cuh - Checked calls, buffers and timings ---------*- C++ -*-===//
//
// What the programs of this folder share. A timing is the median of seven, each of as many steps as
// last 20 milliseconds, between two events of the device.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

inline void check(cudaError_t status, const char *file, int line) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check(call, __FILE__, __LINE__)

/// Words in the device's memory.
template <typename Word>
class Buffer {
public:
  explicit Buffer(const std::vector<Word> &words) : count(words.size()) {
    CHECK(cudaMalloc(&data, count * sizeof(Word)));
    CHECK(cudaMemcpy(data, words.data(), count * sizeof(Word), cudaMemcpyHostToDevice));
  }
  Buffer(Buffer &&other) : data(std::exchange(other.data, nullptr)), count(other.count) {}
  ~Buffer() { cudaFree(data); }

  std::vector<Word> read() const {
    std::vector<Word> words(count);
    CHECK(cudaMemcpy(words.data(), data, count * sizeof(Word), cudaMemcpyDeviceToHost));
    return words;
  }

  Word *data = nullptr;
  size_t count;
};

/// The n-th random word: Steele, Lea and Flood's SplitMix64.
inline uint64_t randomWord(uint64_t n) {
  uint64_t word = (n + 1) * 0x9E3779B97F4A7C15u;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

/// Milliseconds between two events around `enqueue(count)`, which puts so many steps on `stream`.
template <typename Enqueue>
float milliseconds(cudaStream_t stream, Enqueue enqueue, int count) {
  cudaEvent_t first, last;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&last));
  CHECK(cudaEventRecord(first, stream));
  enqueue(count);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(last, stream));
  CHECK(cudaEventSynchronize(last));
  float elapsed;
  CHECK(cudaEventElapsedTime(&elapsed, first, last));
  CHECK(cudaEventDestroy(first));
  CHECK(cudaEventDestroy(last));
  return elapsed;
}

/// Nanoseconds of a step: the median of some timings that last at least as long as is said. The
/// first runs, which find out how many steps that takes, warm the device up.
template <typename Enqueue>
double nanosecondsOfStep(cudaStream_t stream, Enqueue enqueue, int timings = 7, float least = 20) {
  int count = 1;
  while (milliseconds(stream, enqueue, count) < least)
    count *= 2;
  std::vector<float> samples(timings);
  for (float &sample : samples)
    sample = milliseconds(stream, enqueue, count);
  std::nth_element(samples.begin(), samples.begin() + timings / 2, samples.end());
  return samples[timings / 2] * 1e6 / count;
}

/// What the command line says.
struct Options {
  std::vector<int64_t> sizes;
  bool json = false;
};

/// Reads `[--size L ...] [--json]`; a size is a multiple of `unit`.
inline Options readOptions(int argc, char **argv, int64_t unit) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    int64_t size = std::atoll(argv[i]);
    if (!std::strcmp(argv[i], "--json"))
      options.json = true;
    else if (size > 0 && size % unit == 0)
      options.sizes.push_back(size);
    else if (std::strcmp(argv[i], "--size")) {
      std::fprintf(stderr, "usage: %s [--size L ...] [--json]; L is a multiple of %d\n", argv[0],
                   int(unit));
      std::exit(2);
    }
  }
  if (options.sizes.empty())
    options.sizes = {4096, 16384};
  return options;
}

inline void print(const Options &options, const char *program, const std::string &contestant,
                  int64_t size, const char *unit, double perNanosecond) {
  const char *format = options.json
                           ? "{\"program\": \"%s\", \"contestant\": \"%s\", \"size\": %lld, "
                             "\"unit\": \"%s\", \"per_ns\": %.1f}\n"
                           : "%s, %s, %lld squared: %s per nanosecond: %.1f\n";
  std::printf(format, program, contestant.c_str(), (long long)size, unit, perNanosecond);
  std::fflush(stdout);
}
