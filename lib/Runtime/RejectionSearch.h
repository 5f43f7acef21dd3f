//===- RejectionSearch.h - Find the first rejected proposal -----*- C++ -*-===//
#ifndef LCI_LIB_RUNTIME_REJECTIONSEARCH_H
#define LCI_LIB_RUNTIME_REJECTIONSEARCH_H

#include "LCI/Runtime/Backend.h"
#include <functional>

namespace lci {

/// Counts the proposals that an epoch rejects before a place, as `<value>.invalid.<rule>`. The
/// places are the cells of the first phase in row-major order, then those of the second, and so on.
using CountRejected = std::function<Result<Counters>(int64_t before)>;

/// The first cell of a value that rejects a proposal, by bisection; nothing where none does. Of the
/// rules it is the first one in `counters`, the names of what is counted.
Result<std::optional<RejectedCell>> findFirstRejected(const std::string &value,
                                                      const std::vector<int64_t> &shape,
                                                      const std::vector<std::string> &counters,
                                                      const CountRejected &count);

} // namespace lci

#endif // LCI_LIB_RUNTIME_REJECTIONSEARCH_H
