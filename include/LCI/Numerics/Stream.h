//===- Stream.h - Draws as plain calls --------------------------*- C++ -*-===//
//
// The scalar instantiation of Draws.h as one class, for the interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_STREAM_H
#define LCI_NUMERICS_STREAM_H

#include "LCI/Numerics/Draws.h"
#include "LCI/Numerics/ScalarOps.h"
#include <vector>

namespace lci::numerics {

/// The site of a draw.
using DrawSite = Site<ScalarOps>;

/// The threshold of a probability, ceil(p 2^32) in 33 bits.
uint64_t threshold(float probability);

/// The threshold at which `metropolis` accepts a proposal.
uint64_t metropolisThreshold(float gain, float temperature);

/// The words of blocks of Philox: `numbers` has four words of each block's counter, consecutively,
/// and then the two of the key.
std::vector<uint64_t> drawBlocks(const std::vector<uint64_t> &numbers);

/// The draws of one call of a declaration.
class Stream {
public:
  Stream(uint64_t seed, uint64_t declaration, uint64_t ordinal);

  /// The draw that `bernoulli`, `sample` and `metropolis` compare, all 32 bits.
  uint32_t thresholdDraw(const DrawSite &site) const;

  /// thresholdDraw(site) < threshold, computing the last 24 bits only where they matter.
  bool isBelow(const DrawSite &site, uint64_t threshold) const;

  bool bernoulli(const DrawSite &site, float probability) const;

  /// The word from which `uniform`, `randint` and `normal` are computed.
  uint32_t numberDraw(const DrawSite &site) const;

  float uniform(const DrawSite &site) const;
  int64_t randint(const DrawSite &site, int64_t n) const;
  float normal(const DrawSite &site) const;

private:
  Key<ScalarOps> key;
};

} // namespace lci::numerics

#endif // LCI_NUMERICS_STREAM_H
