//===- Backend.cpp - Counters and observations of all back ends -----------===//

#include "LCI/Runtime/Backend.h"
#include "Text.h"
#include <limits>

static constexpr const char kRejected[] = ".invalid";

bool lci::isRejectionCount(const std::string &counter) { return endsWith(counter, kRejected); }

std::string lci::rejectionCountOf(const std::string &value) { return value + kRejected; }

int64_t lci::rejectionsOf(const std::string &value, const Counters &counters) {
  auto found = counters.find(rejectionCountOf(value));
  return found == counters.end() ? 0 : found->second;
}

int64_t lci::rejectionsIn(const Counters &counters) {
  int64_t rejections = 0;
  for (const auto &[name, count] : counters)
    if (isRejectionCount(name))
      rejections += count;
  return rejections;
}

lci::Array lci::observedNumber(float number) {
  Array observed(DType::F32, {});
  *observed.data<float>() = withOneNaN(number);
  return observed;
}
