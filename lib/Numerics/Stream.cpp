//===- Stream.cpp - Draws as plain calls -----------------------------------===//

#include "LCI/Numerics/Stream.h"

using namespace lci::numerics;

namespace {
ScalarOps ops;
} // namespace

uint64_t lci::numerics::threshold(float probability) { return thresholdOf(ops, probability); }

uint64_t lci::numerics::metropolisThreshold(float gain, float temperature) {
  return metropolisThreshold(ops, gain, temperature);
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
