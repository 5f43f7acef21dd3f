//===- Records.cpp - Commit records of each cell --------------------------===//
#include "LCI/Runtime/Records.h"

using namespace lci;

/// The shape of a value's levels.
static std::vector<int64_t> withPriorities(std::vector<int64_t> shape, int64_t priorities) {
  shape.push_back(priorities);
  return shape;
}

Records lci::emptyRecords(const std::vector<int64_t> &shape, int64_t priorities) {
  return {Array(DType::I64, shape), Array(DType::I64, withPriorities(shape, priorities)),
          Array(DType::F32, shape), Array(DType::I64, shape)};
}

bool lci::areRecordsOf(const Records &records, const std::vector<int64_t> &shape,
                       int64_t priorities) {
  auto is = [](const Array &array, DType dtype, const std::vector<int64_t> &shape) {
    return array.dtype() == dtype && array.shape() == shape;
  };
  return is(records.stamps, DType::I64, shape) && is(records.scores, DType::F32, shape) &&
         is(records.replicas, DType::I64, shape) &&
         is(records.levels, DType::I64, withPriorities(shape, priorities));
}
