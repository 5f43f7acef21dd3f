//===- CheckMath.cpp - Every function on every input ----------------------===//
//
// The target check-math: compares each function with the true value on all 2^32 floats (the normal
// quantile on all 2^32 draws), and pow and atan2, whose inputs are too many, on random pairs.
// Prints one line a function; fails if one that must be correctly rounded is not.
//
// --hard-cases also prints the inputs nearest to a tie, as rows of HardCases.inc.
//
//   check-math [--functions=exp,log,…] [--threads=N] [--stride=N] [--pairs=N] [--hard-cases]
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/Normal.h"
#include "LCI/Numerics/ScalarOps.h"
#include "Truth.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lci::numerics;
using namespace lci::numerics::truth;

namespace {

constexpr uint32_t kBlock = 4096;
constexpr uint64_t kBlocks = (uint64_t(1) << 32) / kBlock;

struct Options {
  std::string functions;
  unsigned threads = 2;
  uint64_t stride = 1;
  uint64_t pairs = uint64_t(1) << 22;
  bool hardCases = false;
};

/// The results of one function's check, shared by the threads.
struct Findings {
  std::atomic<uint64_t> wrong{0}, hard{0}, next{0};
  std::mutex mutex;
  std::vector<std::string> examples;
  std::vector<std::pair<double, std::string>> hardCases; // by gap

  void add(const std::string &example) {
    if (wrong++ >= 8)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    examples.push_back(example);
  }
  void addHard(double gap, const std::string &line) {
    std::lock_guard<std::mutex> lock(mutex);
    hardCases.emplace_back(gap, line);
  }
};

std::string describe(float x, float got, float expected) {
  char text[160];
  std::snprintf(text, sizeof(text), "    at %a (0x%08x): %a, but the nearest is %a", x, bitsOf(x),
                got, expected);
  return text;
}

std::string hardCase(Unary function, float x, float expected) {
  char text[96];
  std::snprintf(text, sizeof(text), "{Unary::%c%s, 0x%08x, 0x%08x},", nameOf(function)[0] - 32,
                nameOf(function) + 1, bitsOf(x), bitsOf(expected));
  return text;
}

/// One block of consecutive inputs, a loop that the compiler can vectorise.
template <Unary function>
__attribute__((noinline)) void evaluateBlock(const float *x, float *y) {
  ScalarOps ops;
  for (uint32_t i = 0; i < kBlock; ++i)
    y[i] = apply(ops, function, x[i]);
}

template <Unary function>
void checkBlock(uint64_t block, Oracle &oracle, Findings &findings) {
  static thread_local float x[kBlock], y[kBlock];
  for (uint32_t i = 0; i < kBlock; ++i)
    x[i] = floatOf(static_cast<uint32_t>(block * kBlock + i));
  evaluateBlock<function>(x, y);
  for (uint32_t i = 0; i < kBlock; ++i) {
    uint64_t hardBefore = oracle.decidedByMpfr();
    float expected = oracle.nearest(function, x[i]);
    if (oracle.decidedByMpfr() != hardBefore)
      findings.addHard(oracle.lastGap(), hardCase(function, x[i], expected));
    if (bitsOf(y[i]) != bitsOf(expected))
      findings.add(describe(x[i], y[i], expected));
  }
}

__attribute__((noinline)) void evaluateNormalBlock(uint32_t first, float *y) {
  ScalarOps ops;
  for (uint32_t i = 0; i < kBlock; ++i)
    y[i] = normalQuantile(ops, static_cast<uint64_t>(first + i));
}

void checkNormalBlock(uint64_t block, Oracle &oracle, Findings &findings) {
  static thread_local float y[kBlock];
  auto first = static_cast<uint32_t>(block * kBlock);
  evaluateNormalBlock(first, y);
  for (uint32_t i = 0; i < kBlock; ++i) {
    if (oracle.isNearestNormal(first + i, y[i]))
      continue;
    char text[96];
    std::snprintf(text, sizeof(text), "    at draw 0x%08x: %a", first + i, y[i]);
    findings.add(text);
  }
}

using Block = std::function<void(uint64_t block, Oracle &oracle, Findings &findings)>;

struct Check {
  const char *name;
  Block block;
  bool mustBeExact;
};

void showProgress(const char *name, uint64_t done, uint64_t total) {
  static const bool isTerminal = isatty(fileno(stderr)) != 0;
  if (isTerminal && done % (total / 64 + 1) == 0)
    std::fprintf(stderr, "\r%-8s %3d %%\r", name, static_cast<int>(100 * done / total));
}

/// Runs the blocks on all threads and reports; true if the function is as accurate as required.
bool run(const Check &check, uint64_t blocks, const Options &options) {
  Findings findings;
  auto start = std::chrono::steady_clock::now();
  auto work = [&] {
    Oracle oracle;
    for (uint64_t block; (block = findings.next++ * options.stride) < blocks;) {
      showProgress(check.name, block / options.stride, blocks / options.stride);
      check.block(block, oracle, findings);
    }
    findings.hard += oracle.decidedByMpfr();
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < options.threads; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf(
      "%-8s misrounded %llu of %llu, %llu decided by MPFR, %.0f s\n", check.name,
      static_cast<unsigned long long>(findings.wrong.load()),
      static_cast<unsigned long long>((blocks + options.stride - 1) / options.stride * kBlock),
      static_cast<unsigned long long>(findings.hard.load()), seconds.count());
  for (const std::string &example : findings.examples)
    std::printf("%s\n", example.c_str());
  std::sort(findings.hardCases.begin(), findings.hardCases.end());
  for (size_t i = 0; options.hardCases && i < findings.hardCases.size() && i < 48; ++i)
    std::printf("%s\n", findings.hardCases[i].second.c_str());
  std::fflush(stdout);
  return !check.mustBeExact || findings.wrong == 0;
}

/// Random pairs: bits for atan2; for pow numbers whose power is a float, and integers that may tie.
void checkPairBlock(Binary function, uint64_t block, Oracle &oracle, Findings &findings) {
  std::mt19937_64 random(block);
  std::uniform_real_distribution<double> exponent(-126, 127), sign(-1, 1);
  for (uint32_t i = 0; i < kBlock; ++i) {
    float x = floatOf(static_cast<uint32_t>(random())),
          y = floatOf(static_cast<uint32_t>(random()));
    if (function == Binary::Pow && i % 2 == 0) {
      x = std::fabs(x);
      y = static_cast<float>(exponent(random) / std::log2(static_cast<double>(x)));
    } else if (function == Binary::Pow) {
      x = static_cast<float>(random() % 8192) * 0.25f;
      y = static_cast<float>(random() % 16) * 0.5f - 2;
    } else if (i % 2 == 0) {
      y = static_cast<float>(x * sign(random));
    }
    ScalarOps ops;
    float got = apply(ops, function, x, y), expected = oracle.nearest(function, x, y);
    if (bitsOf(got) == bitsOf(expected))
      continue;
    char text[160];
    std::snprintf(text, sizeof(text), "    at (%a, %a): %a, but the nearest is %a", x, y, got,
                  expected);
    findings.add(text);
  }
}

template <Unary function>
void addCheck(std::vector<Check> &checks) {
  checks.push_back({nameOf(function), checkBlock<function>, true});
}

std::vector<Check> allChecks() {
  std::vector<Check> checks;
  addCheck<Unary::Exp>(checks);
  addCheck<Unary::Exp2>(checks);
  addCheck<Unary::Log>(checks);
  addCheck<Unary::Log2>(checks);
  addCheck<Unary::Sin>(checks);
  addCheck<Unary::Cos>(checks);
  addCheck<Unary::Tan>(checks);
  addCheck<Unary::Tanh>(checks);
  addCheck<Unary::Sigmoid>(checks);
  addCheck<Unary::Erf>(checks);
  addCheck<Unary::Atan>(checks);
  addCheck<Unary::Sqrt>(checks);
  addCheck<Unary::Rsqrt>(checks);
  checks.push_back({"normal", checkNormalBlock, true});
  for (Binary function : {Binary::Pow, Binary::Atan2}) {
    auto block = [function](uint64_t index, Oracle &oracle, Findings &findings) {
      checkPairBlock(function, index, oracle, findings);
    };
    checks.push_back({nameOf(function), block, false});
  }
  return checks;
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    size_t equals = argument.find('=');
    std::string key = argument.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (key == "--functions")
      options.functions = "," + value + ",";
    else if (key == "--threads")
      options.threads = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    else if (key == "--stride")
      options.stride = std::strtoull(value.c_str(), nullptr, 10);
    else if (key == "--pairs")
      options.pairs = std::strtoull(value.c_str(), nullptr, 10);
    else if (key == "--hard-cases")
      options.hardCases = true;
    else
      return false;
  }
  return options.threads > 0 && options.stride > 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: check-math [--functions=exp,log] [--threads=N] [--stride=N] [--pairs=N] "
                 "[--hard-cases]\n");
    return 2;
  }
  bool isGood = true;
  for (const Check &check : allChecks()) {
    if (!options.functions.empty() &&
        options.functions.find(std::string(",") + check.name + ",") == std::string::npos)
      continue;
    bool isPairs = std::string(check.name) == "pow" || std::string(check.name) == "atan2";
    isGood &= run(check, isPairs ? options.pairs / kBlock * options.stride : kBlocks, options);
  }
  return isGood ? 0 : 1;
}
