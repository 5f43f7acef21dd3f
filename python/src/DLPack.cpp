//===- DLPack.cpp - Arrays by the protocol of DLPack ----------------------===//

#include "DLPack.h"
#include "Core.h"
#include "Rooms.h"
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace lmpm::python;
using ::lci::DeviceArray;
using ::lci::DType;
using ::lci::ErrorId;
using ::lci::ForeignArray;

//===----------------------------------------------------------------------===//
// What is in a capsule, as the protocol lays it out
//===----------------------------------------------------------------------===//

namespace {
enum DeviceKind : int32_t { kHost = 1, kCUDA = 2 };
enum TypeCode : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBFloat = 4, kBool = 6 };

struct PackedType {
  uint8_t code, bits;
  uint16_t lanes;
};

struct PackedTensor {
  void *data;
  int32_t deviceKind, deviceOrdinal;
  int32_t rank;
  PackedType type;
  int64_t *shape, *strides; ///< strides in elements; null: row-major
  uint64_t byteOffset;
};

/// What owns a tensor, before version 1 and since.
struct Managed {
  PackedTensor tensor;
  void *owner;
  void (*release)(Managed *);
};

struct ManagedVersioned {
  uint32_t major, minor;
  void *owner;
  void (*release)(ManagedVersioned *);
  uint64_t flags;
  PackedTensor tensor;
};

template <typename M>
constexpr const char *kName = "dltensor";
template <>
constexpr const char *kName<ManagedVersioned> = "dltensor_versioned";
} // namespace

static PackedType packedType(DType dtype) {
  TypeCode code = dtype == DType::Bool    ? kBool
                  : dtype == DType::BF16  ? kBFloat
                  : ::lci::isFloat(dtype) ? kFloat
                  : dtype >= DType::U8    ? kUInt
                                          : kInt;
  return {code, static_cast<uint8_t>(8 * byteWidth(dtype)), 1};
}

static std::optional<DType> dtypeOf(const PackedType &type) {
  for (int number = 0; number <= static_cast<int>(DType::F64); ++number) {
    PackedType known = packedType(static_cast<DType>(number));
    if (known.code == type.code && known.bits == type.bits && type.lanes == 1)
      return static_cast<DType>(number);
  }
  return std::nullopt;
}

std::pair<int, int> lmpm::python::deviceNumbers(const ::lci::DevicePlace &place) {
  return {place.isGPU ? kCUDA : kHost, place.ordinal};
}

//===----------------------------------------------------------------------===//
// In
//===----------------------------------------------------------------------===//

static const PackedTensor &tensorIn(const py::capsule &capsule, const std::string &what) {
  std::string name = capsule.name() ? capsule.name() : "";
  if (name == kName<Managed>)
    return capsule.get_pointer<Managed>()->tensor;
  auto *versioned =
      name == kName<ManagedVersioned> ? capsule.get_pointer<ManagedVersioned>() : nullptr;
  if (!versioned || versioned->major != 1)
    raise(ErrorId::WrongElements,
          what + ": expected a capsule of DLPack, of version 1 or before, but got " +
              (versioned ? "version " + std::to_string(versioned->major) : "'" + name + "'"));
  return versioned->tensor;
}

ForeignArray lmpm::python::toForeign(const py::capsule &capsule, const std::string &what) {
  const PackedTensor &tensor = tensorIn(capsule, what);
  std::optional<DType> dtype = dtypeOf(tensor.type);
  if (!dtype)
    raise(ErrorId::WrongElements,
          what +
              ": expected an array of bool, integers or floats, but got elements of DLPack's "
              "type " +
              std::to_string(tensor.type.code) + " with " + std::to_string(tensor.type.bits) +
              " bits");
  ForeignArray array;
  array.dtype = *dtype;
  array.address = reinterpret_cast<uint64_t>(tensor.data) + tensor.byteOffset;
  array.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  array.strides.resize(array.shape.size());
  int64_t dense = byteWidth(*dtype);
  for (size_t axis = array.shape.size(); axis-- > 0; dense *= array.shape[axis])
    array.strides[axis] = tensor.strides ? tensor.strides[axis] * byteWidth(*dtype) : dense;
  return array;
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

const std::vector<int64_t> &Tensor::shape() const {
  if (auto *there = std::get_if<DeviceArray>(&array))
    return there->shape();
  return std::get<1>(array)->shape();
}

DType Tensor::dtype() const {
  if (auto *there = std::get_if<DeviceArray>(&array))
    return there->dtype();
  return std::get<1>(array)->dtype();
}

std::pair<int, int> Tensor::device() const {
  if (auto *there = std::get_if<DeviceArray>(&array))
    return deviceNumbers(there->device().place());
  return {kHost, 0};
}

void *Tensor::address() const {
  if (auto *there = std::get_if<DeviceArray>(&array))
    return reinterpret_cast<void *>(there->address());
  return const_cast<uint8_t *>(std::get<1>(array)->bytes().data());
}

namespace {
/// What a capsule points into. It goes on any thread, with the interpreter's lock or without.
template <typename M>
struct Export {
  M managed;
  std::vector<int64_t> shape, strides;
  Tensor keeps;

  explicit Export(const Tensor &tensor) : shape(tensor.shape()), keeps(tensor) {
    strides.resize(shape.size(), 1);
    for (size_t axis = shape.size(); axis-- > 1;)
      strides[axis - 1] = strides[axis] * shape[axis];
  }
};
} // namespace

/// A capsule that nobody took frees what it holds; one that somebody took has another name.
template <typename M>
static void freeUnused(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, kName<M>))
    return;
  auto *managed = static_cast<M *>(PyCapsule_GetPointer(capsule, kName<M>));
  managed->release(managed);
}

template <typename M>
static py::capsule wrap(const Tensor &tensor, void *address) {
  auto *made = new Export<M>(tensor);
  auto [kind, ordinal] = tensor.device();
  M &managed = made->managed = M();
  managed.tensor = {address,
                    kind,
                    ordinal,
                    static_cast<int32_t>(made->shape.size()),
                    packedType(tensor.dtype()),
                    made->shape.data(),
                    made->strides.data(),
                    0};
  managed.owner = made;
  managed.release = [](M *released) { delete static_cast<Export<M> *>(released->owner); };
  if constexpr (std::is_same_v<M, ManagedVersioned>)
    managed.major = 1;
  return py::reinterpret_steal<py::capsule>(PyCapsule_New(&managed, kName<M>, freeUnused<M>));
}

py::capsule Tensor::capsule(bool isVersioned) const {
  return isVersioned ? wrap<ManagedVersioned>(*this, address()) : wrap<Managed>(*this, address());
}

void lmpm::python::registerTensor(py::module_ &module) {
  py::class_<Tensor>(module, "Tensor")
      .def_property_readonly("shape",
                             [](const Tensor &self) { return py::tuple(py::cast(self.shape())); })
      .def_property_readonly("dtype",
                             [](const Tensor &self) { return ::lci::nameOf(self.dtype()); })
      .def_property_readonly("device", &Tensor::device)
      .def("capsule", &Tensor::capsule, py::arg("versioned"));
}
