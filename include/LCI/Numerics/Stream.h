//===- Stream.h - Draws as plain calls ---------------------------*- C++ -*===//
//
// The scalar instantiation of Draws.h behind one class: what the interpreter calls.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_STREAM_H
#define LCI_NUMERICS_STREAM_H

#include "LCI/Numerics/Draws.h"
#include "LCI/Numerics/ScalarOps.h"
#include <vector>

namespace lci::numerics {

/// Where and when a draw happens.
using DrawSite = Site<ScalarOps>;

/// The threshold of a probability, ceil(p 2^32) in 33 bits.
uint64_t threshold(float probability);

/// The threshold at which `metropolis` takes a proposal.
uint64_t metropolisThreshold(float gain, float temperature);

/// The words of blocks of Philox: the numbers are four of each block's counter, one block after the
/// other, and then the two of the key.
std::vector<uint64_t> drawBlocks(const std::vector<uint64_t> &numbers);

/// The draws of one call of a declaration.
class Stream {
public:
  Stream(uint64_t seed, uint64_t declaration, uint64_t ordinal);

  /// The draw that `bernoulli`, `sample` and `metropolis` compare, all 32 bits.
  uint32_t thresholdDraw(const DrawSite &site) const;

  /// thresholdDraw(site) < threshold, looking at the last 24 bits only where they matter.
  bool isBelow(const DrawSite &site, uint64_t threshold) const;

  bool bernoulli(const DrawSite &site, float probability) const;

  /// The word that `uniform`, `randint` and `normal` are made from.
  uint32_t numberDraw(const DrawSite &site) const;

  float uniform(const DrawSite &site) const;
  int64_t randint(const DrawSite &site, int64_t n) const;
  float normal(const DrawSite &site) const;

private:
  Key<ScalarOps> key;
};

} // namespace lci::numerics

#endif // LCI_NUMERICS_STREAM_H
