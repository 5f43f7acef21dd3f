//===- Arrays.cpp - Conversions between arrays and data -------------------===//

#include "Arrays.h"
#include "LCI/Runtime/Tokens.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;

static uint64_t getElement(const Array &array, int64_t i) {
  if (isFloat(array.dtype()))
    return Datum::number(::lci::withOneNaN(static_cast<float>(array.doubleAt(i)))).bits;
  return static_cast<uint64_t>(array.intAt(i));
}

Datum mlir::lci::toDatum(const Array &array) {
  if (array.rank() == 0)
    return Datum{getElement(array, 0), nullptr};
  Tensor tensor(array.shape());
  for (int64_t i = 0; i < array.size(); ++i)
    tensor.elements[i] = getElement(array, i);
  return Datum::array(std::move(tensor));
}

Tensor mlir::lci::toCells(const Array &array, int64_t absent) {
  Tensor cells(array.shape());
  for (int64_t i = 0; i < array.size(); ++i) {
    uint64_t element = getElement(array, i);
    cells.elements[i] = absent >= 0 && element == ~uint64_t(0) ? absent : element;
  }
  return cells;
}

Array mlir::lci::toArray(const Tensor &cells, bool isFloat, int64_t vocabulary) {
  DType dtype = isFloat ? DType::F32 : vocabulary ? ::lci::tokenType(vocabulary) : DType::I64;
  Array array(dtype, {cells.shape.begin(), cells.shape.end()});
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t element = static_cast<int64_t>(cells.elements[i]);
    if (isFloat)
      array.data<uint32_t>()[i] = static_cast<uint32_t>(element);
    else
      array.setInt(i, vocabulary && element == vocabulary ? -1 : element);
  }
  return array;
}

Array mlir::lci::toArray(const ValueState &state) {
  Kind kind = state.getKind();
  return toArray(state.cells, kind == Kind::F32 || kind == Kind::Latent,
                 kind == Kind::Token ? state.getVocabulary() : 0);
}

Datum mlir::lci::canonicalizeCell(const ValueState &state, Datum content) {
  if (state.getKind() == Kind::F32)
    return Datum{canonicalizeFloat(content.bits), nullptr};
  if (state.getKind() != Kind::Latent)
    return content;
  Tensor row = *content.tensor;
  for (uint64_t &element : row.elements)
    element = canonicalizeFloat(element);
  return Datum::array(std::move(row));
}
