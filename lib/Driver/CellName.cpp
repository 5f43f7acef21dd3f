//===- CellName.cpp - `Vid[2,5,7]@e=3` ------------------------------------===//
#include "LCI/Driver/CellName.h"
#include "LCI/Bindings/Bindings.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Failure;
using ::lci::Result;
using ::lci::Status;

Result<CellName> mlir::lci::parseCellName(StringRef text) {
  Failure malformed{ErrorId::CommandLine,
                    "expected a cell such as 'Vid[2,5,7]@e=3', but got '" + text.str() + "'"};
  CellName cell;
  auto [place, time] = text.split('@');
  size_t open = place.find('[');
  cell.value = place.take_front(open).trim().str();
  if (open == StringRef::npos || cell.value.empty() || !place.ends_with("]"))
    return malformed;
  StringRef inside = place.drop_front(open + 1).drop_back();
  while (!inside.trim().empty()) {
    auto [first, rest] = inside.split(',');
    int64_t index;
    if (first.trim().getAsInteger(10, index))
      return malformed;
    cell.indices.push_back(index);
    inside = rest;
  }
  if (text.contains('@') &&
      (!time.consume_front("e=") || time.getAsInteger(10, cell.epoch) || cell.epoch < 0))
    return malformed;
  return cell;
}

Status mlir::lci::checkCellName(const CellName &cell, ArrayRef<ValueInfo> values) {
  const ValueInfo *value =
      llvm::find_if(values, [&](const ValueInfo &info) { return info.name == cell.value; });
  if (value == values.end()) {
    std::vector<std::string> names;
    for (const ValueInfo &info : values)
      names.push_back(info.name);
    std::optional<std::string> near = ::lci::nearestName(cell.value, names);
    return Failure{ErrorId::NoSuchName, "the program has no value '" + cell.value + "'" +
                                            (near ? "; did you mean '" + *near + "'?" : "")};
  }
  std::vector<int64_t> extents(value->shape.begin(), value->shape.begin() + value->rank());
  bool inside = cell.indices.size() == extents.size();
  for (size_t axis = 0; inside && axis < extents.size(); ++axis)
    inside = cell.indices[axis] >= 0 && cell.indices[axis] < extents[axis];
  if (!inside)
    return Failure{ErrorId::OutsideValue, "expected a cell of '" + cell.value + "' inside " +
                                              ::lci::shapeText(extents) + ", but got " +
                                              ::lci::shapeText(cell.indices)};
  return ::lci::Done();
}
