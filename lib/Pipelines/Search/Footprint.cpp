//===- Footprint.cpp - The bytes that code accesses -----------------------===//
//
// The data of a loop arrive once in the smallest cache that holds all of them. Where a cache holds
// those of one iteration, the further data of the next one arrive; where it does not, all of
// them arrive each time.
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;

static double bytesOf(const Footprint &data) {
  double bytes = 0;
  for (const auto &[buffer, extent] : data)
    bytes += extent.bytes;
  return bytes;
}

Counts mlir::lci::accessTo(Value buffer, Extent extent) {
  Counts counts;
  counts.data[buffer] = extent;
  counts.bytes.fill(extent.bytes);
  return counts;
}

/// Both; bytes that overlap count once.
static Extent join(const Extent &left, const Extent &right) {
  Extent both{std::min(left.low, right.low), std::max(left.high, right.high), 0};
  double shared = std::min(left.high, right.high) - std::max(left.low, right.low);
  double density = std::min(left.bytes / std::max(left.high - left.low, 1.0),
                            right.bytes / std::max(right.high - right.low, 1.0));
  both.bytes = left.bytes + right.bytes - std::max(shared, 0.0) * density;
  both.bytes = std::clamp(both.bytes, std::max(left.bytes, right.bytes), both.high - both.low);
  return both;
}

void mlir::lci::append(Counts &counts, const Counts &next, const CostMachine &machine) {
  counts.operations += next.operations;
  counts.cycles += next.cycles;
  counts.launches += next.launches;
  for (const auto &[buffer, extent] : next.data) {
    auto [found, isNew] = counts.data.insert({buffer, extent});
    if (!isNew)
      found->second = join(found->second, extent);
  }
  double all = bytesOf(counts.data);
  for (auto [level, bytes, more] : llvm::zip_equal(machine.levels, counts.bytes, next.bytes))
    bytes = all <= level.bytes ? all : bytes + more;
}

/// How far the data of a buffer move from one iteration to the next.
static double shiftOf(const Extent &extent, const Footprint &next, Value buffer) {
  auto found = next.find(buffer);
  return found == next.end() ? 0 : std::abs(found->second.low - extent.low);
}

Counts mlir::lci::repeat(const Counts &body, const Counts &next, double trips,
                         const CostMachine &machine) {
  Counts all;
  if (trips < 1)
    return all;
  all.operations = trips * body.operations;
  all.cycles = trips * body.cycles;
  all.launches = trips * body.launches;
  double fresh = 0;
  for (const auto &[buffer, extent] : body.data) {
    double shift = shiftOf(extent, next.data, buffer), far = (trips - 1) * shift;
    double bytes = extent.bytes + (trips - 1) * std::min(shift, extent.bytes);
    all.data[buffer] = {extent.low, extent.high + far,
                        std::min(bytes, extent.high - extent.low + far)};
    fresh += bytes;
  }
  double ofAll = bytesOf(all.data), ofOne = bytesOf(body.data);
  for (auto [level, bytes, once] : llvm::zip_equal(machine.levels, all.bytes, body.bytes))
    bytes = ofAll <= level.bytes ? ofAll : ofOne <= level.bytes ? fresh : trips * once;
  return all;
}
