//===- Stream.cpp - Draws as plain calls ----------------------------------===//

#include "LCI/Numerics/Stream.h"

using namespace lci::numerics;

namespace {
ScalarOps ops;
} // namespace

uint64_t lci::numerics::threshold(float probability) { return thresholdOf(ops, probability); }

uint64_t lci::numerics::metropolisThreshold(float gain, float temperature) {
  return metropolisThreshold(ops, gain, temperature);
}

std::vector<uint64_t> lci::numerics::drawBlocks(const std::vector<uint64_t> &numbers) {
  size_t numWords = numbers.size() - 2;
  Key<ScalarOps> key{numbers[numWords], numbers[numWords + 1]};
  std::vector<uint64_t> drawn;
  for (size_t i = 0; i < numWords; i += 4)
    for (uint64_t word :
         philox(ops, {numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]}, key))
      drawn.push_back(word);
  return drawn;
}

Stream::Stream(uint64_t seed, uint64_t declaration, uint64_t ordinal)
    : key(streamKey(ops, declaration, ordinal, seed)) {}

uint32_t Stream::thresholdDraw(const DrawSite &site) const {
  return static_cast<uint32_t>(numerics::thresholdDraw(ops, key, site));
}

bool Stream::isBelow(const DrawSite &site, uint64_t threshold) const {
  auto test = testEagerly(ops, key, site, threshold);
  return test.isUndecided ? testRest(ops, key, site, threshold) : test.isLess;
}

bool Stream::bernoulli(const DrawSite &site, float probability) const {
  return isBelow(site, threshold(probability));
}

uint32_t Stream::numberDraw(const DrawSite &site) const {
  return static_cast<uint32_t>(numerics::numberDraw(ops, key, site));
}

float Stream::uniform(const DrawSite &site) const { return uniformOf(ops, numberDraw(site)); }

int64_t Stream::randint(const DrawSite &site, int64_t n) const {
  return static_cast<int64_t>(randintOf(ops, numberDraw(site), static_cast<uint64_t>(n)));
}

float Stream::normal(const DrawSite &site) const { return normalQuantile(ops, numberDraw(site)); }
