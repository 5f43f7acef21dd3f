//===- Arrays.cpp - NumPy's arrays and ours -------------------------------===//

#include "Arrays.h"
#include "Core.h"

namespace py = pybind11;
using ::lci::Array;
using ::lci::DType;

/// The types of both sides, by the name that both have for them.
static constexpr DType kTypes[] = {DType::Bool, DType::I8,  DType::I16, DType::I32,
                                   DType::I64,  DType::U8,  DType::U16, DType::U32,
                                   DType::U64,  DType::F16, DType::F32, DType::F64};

/// Row by row and in the machine's order of bytes, of which NumPy's name of a type says nothing.
static py::array toDense(const py::array &array) {
  py::object dtype = array.dtype(), given = array;
  if (!dtype.attr("isnative").cast<bool>())
    given = array.attr("astype")(dtype.attr("newbyteorder")("="));
  auto dense = py::array::ensure(given, py::array::c_style);
  if (!dense)
    throw py::error_already_set();
  return dense;
}

Array lmpm::python::toArray(const py::array &array, const std::string &what) {
  auto name = py::cast<std::string>(array.dtype().attr("name"));
  for (DType type : kTypes) {
    if (name != ::lci::nameOf(type))
      continue;
    py::array dense = toDense(array);
    std::vector<int64_t> shape(dense.shape(), dense.shape() + dense.ndim());
    const auto *bytes = static_cast<const uint8_t *>(dense.data());
    return Array(type, std::move(shape), std::vector<uint8_t>(bytes, bytes + dense.nbytes()));
  }
  raise(ErrorId::WrongElements,
        what + ": expected an array of bool, integers or floats of at most 64 bits, but got " +
            "elements of " + name);
}

py::array lmpm::python::toNumpy(Array array) {
  if (array.dtype() == DType::BF16) // which NumPy has not
    array = array.asFloat32();
  auto *owned = new Array(std::move(array));
  py::capsule owner(owned, [](void *pointer) { delete static_cast<Array *>(pointer); });
  return py::array(py::dtype(::lci::nameOf(owned->dtype())), owned->shape(), owned->bytes().data(),
                   owner);
}
