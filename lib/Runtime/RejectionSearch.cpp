//===- RejectionSearch.cpp - Find the first rejected proposal -------------===//

#include "RejectionSearch.h"
#include <algorithm>
#include <limits>

using namespace lci;

static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();

namespace {
/// A rule of which a proposal is rejected before a place, or nothing.
using FindRejecting = std::function<Result<std::optional<std::string>>(int64_t before)>;
} // namespace

/// The indices of a cell, by its number among those of a phase.
static std::vector<int64_t> indicesOf(int64_t number, const std::vector<int64_t> &shape) {
  std::vector<int64_t> indices(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; number /= shape[axis])
    indices[axis] = number % shape[axis];
  return indices;
}

/// The first place with a rejected proposal. The number of phases is not known here: the last place
/// is doubled until one is before it.
static Result<int64_t> findPlace(int64_t cells, const FindRejecting &find) {
  int64_t first = 0, last = cells; // it is not before `first`, and in the end before `last`
  for (bool isBefore = false; !isBefore || last - first > 1;) {
    int64_t middle = isBefore ? first + (last - first) / 2 : last;
    Result<std::optional<std::string>> rule = find(middle);
    if (!rule)
      return rule.failure();
    isBefore |= rule->has_value();
    if (!isBefore)
      last = last > kAll / 2 ? kAll : 2 * last;
    (*rule ? last : first) = middle;
  }
  return first;
}

Result<std::optional<RejectedCell>> lci::findFirstRejected(const std::string &value,
                                                           const std::vector<int64_t> &shape,
                                                           const std::vector<std::string> &counters,
                                                           const CountRejected &count) {
  std::string start = rejectionCountOf(value) + ".";
  FindRejecting find = [&](int64_t before) -> Result<std::optional<std::string>> {
    Result<Counters> counted = count(before);
    if (!counted)
      return counted.failure();
    for (const std::string &name : counters)
      if (name.compare(0, start.size(), start) == 0 && (*counted)[name] > 0)
        return std::optional(name.substr(start.size()));
    return std::optional<std::string>();
  };
  Result<std::optional<std::string>> rule = find(kAll);
  if (!rule)
    return rule.failure();
  if (!*rule)
    return std::optional<RejectedCell>();
  int64_t cells = std::max<int64_t>(*elementCount(shape), 1);
  Result<int64_t> place = findPlace(cells, find);
  if (!place)
    return place.failure();
  rule = find(*place + 1);
  if (!rule)
    return rule.failure();
  if (!*rule) // code of a bundle that somebody changed
    return std::optional<RejectedCell>();
  return std::optional(RejectedCell{**rule, indicesOf(*place % cells, shape)});
}
