//===- protocol.h - Protocol of the hand-written programs -------*- C++ -*-===//
//
// One command per line on the standard input: `load FILE` takes the cells from a file of raw
// elements, `run FIRST LAST` computes these epochs and prints the seconds they took, `save FILE`
// writes the cells. A program is a class with the three functions; nothing else is timed.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_BENCHMARKS_HAND_PROTOCOL_H
#define LCI_BENCHMARKS_HAND_PROTOCOL_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

/// The error for a form that was not compiled in.
inline int refuseForm(const std::string &form) {
  std::fprintf(stderr, "'%s' needs AVX-512, which this machine has not\n", form.c_str());
  return 3;
}

/// Page-aligned memory, all zero.
template <typename T>
struct Aligned {
  struct Free {
    void operator()(T *memory) const { std::free(memory); }
  };
  explicit Aligned(size_t count)
      : memory(
            static_cast<T *>(std::aligned_alloc(4096, (count * sizeof(T) + 4095) / 4096 * 4096))) {
    std::fill_n(memory.get(), count, T());
  }
  T *get() const { return memory.get(); }
  T &operator[](size_t i) const { return memory.get()[i]; }
  std::unique_ptr<T, Free> memory;
};

/// The raw elements of a file.
template <typename T>
std::vector<T> readElements(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> elements(static_cast<size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(elements.data()),
            static_cast<std::streamsize>(elements.size() * sizeof(T)));
  return elements;
}

template <typename T>
void writeElements(const std::string &path, const std::vector<T> &elements) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(elements.data()),
             static_cast<std::streamsize>(elements.size() * sizeof(T)));
}

/// Executes the harness's commands until the end of input. `Program` has `Element`,
/// `load(elements)`, `run(first, last)` and `save()`.
template <typename Program>
int serve(Program &program) {
  std::string command, path;
  while (std::cin >> command) {
    if (command == "load") {
      std::cin >> path;
      program.load(readElements<typename Program::Element>(path));
    } else if (command == "save") {
      std::cin >> path;
      writeElements(path, program.save());
    } else if (command == "run") {
      int64_t first = 0, last = 0;
      std::cin >> first >> last;
      auto start = std::chrono::steady_clock::now();
      program.run(first, last);
      std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      std::printf("%.9f\n", taken.count());
      std::fflush(stdout);
      continue;
    }
    std::puts("ok");
    std::fflush(stdout);
  }
  return 0;
}

#endif // LCI_BENCHMARKS_HAND_PROTOCOL_H
