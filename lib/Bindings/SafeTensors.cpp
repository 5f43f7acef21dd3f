//===- SafeTensors.cpp - Weights in the safetensors format ----------------===//
//
// Decodes the header as JSON, after checks of its length and nesting, and copies each array out of
// the data; encodes arrays in the order of their names. Every dtype of the format that NumPy or the
// runtime knows is supported: BOOL, I8 to I64, U8 to U64, F16, BF16, F32, F64.
//
//===----------------------------------------------------------------------===//
#include "LCI/Bindings/SafeTensors.h"
#include "LCI/Bindings/Nest.h"
#include "LCI/Runtime/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace lci;

namespace {
struct TypeName {
  const char *name;
  DType dtype;
};
} // namespace
constexpr TypeName typeNames[] = {
    {"BOOL", DType::Bool}, {"I8", DType::I8},   {"I16", DType::I16},   {"I32", DType::I32},
    {"I64", DType::I64},   {"U8", DType::U8},   {"U16", DType::U16},   {"U32", DType::U32},
    {"U64", DType::U64},   {"F16", DType::F16}, {"BF16", DType::BF16}, {"F32", DType::F32},
    {"F64", DType::F64},
};

namespace {
/// One line of the header.
struct Entry {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};
} // namespace

/// Parses an entry of the header; the error is relative to the tensor.
static Result<Entry> readEntry(llvm::StringRef name, const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return Failure{ErrorId::MalformedArray, "expected an object"};
  Entry entry{name.str(), DType::F32, {}, 0, 0};
  llvm::StringRef type = object->getString("dtype").value_or("");
  const auto *known =
      llvm::find_if(typeNames, [&](const TypeName &candidate) { return type == candidate.name; });
  if (known == std::end(typeNames))
    return Failure{ErrorId::MalformedArray,
                   "expected a dtype of BOOL, I8 to I64, U8 to U64, F16, BF16, F32 or F64, but "
                   "got '" +
                       type.str() + "'"};
  entry.dtype = known->dtype;
  const llvm::json::Array *shape = object->getArray("shape");
  const llvm::json::Array *offsets = object->getArray("data_offsets");
  if (!shape || !offsets || offsets->size() != 2)
    return Failure{ErrorId::MalformedArray, "expected 'shape' and two 'data_offsets'"};
  for (const llvm::json::Value &extent : *shape)
    entry.shape.push_back(extent.getAsInteger().value_or(-1));
  std::optional<uint64_t> begin = (*offsets)[0].getAsUINT64(), end = (*offsets)[1].getAsUINT64();
  std::optional<int64_t> count = elementCount(entry.shape);
  if (!count || !begin || !end)
    return Failure{ErrorId::MalformedArray,
                   "the shape or the data offsets are not natural numbers, or too large"};
  entry.begin = *begin, entry.end = *end;
  uint64_t wanted = static_cast<uint64_t>(*count * byteWidth(entry.dtype));
  if (*begin > *end || *end - *begin != wanted)
    return Failure{ErrorId::MalformedArray, "expected " + std::to_string(wanted) +
                                                " bytes for shape " + shapeText(entry.shape) +
                                                " of " + nameOf(entry.dtype) +
                                                ", but got data offsets " + std::to_string(*begin) +
                                                " .. " + std::to_string(*end)};
  return entry;
}

/// Checks that the arrays tile the data without holes, as the format requires.
static std::optional<std::string> checkTiling(std::vector<Entry> &entries, uint64_t size) {
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t at = 0;
  for (const Entry &entry : entries) {
    if (entry.begin != at)
      return "tensor '" + entry.name + "' begins at byte " + std::to_string(entry.begin) +
             " of the data, but expected " + std::to_string(at);
    at = entry.end;
  }
  if (at != size)
    return "expected " + std::to_string(at) + " bytes of data, but got " + std::to_string(size);
  return std::nullopt;
}

Result<std::map<std::string, Array>> lci::decodeSafeTensors(const std::vector<uint8_t> &bytes,
                                                            const std::string &name) {
  auto fail = [&](const std::string &what) {
    return Failure{ErrorId::MalformedArray, "'" + name + "': " + what};
  };
  if (bytes.size() < 8)
    return fail("not a safetensors file (it has no header)");
  uint64_t length = llvm::support::endian::read64le(bytes.data());
  if (length > bytes.size() - 8)
    return fail("the file ends inside its header, or is no safetensors file");
  llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()) + 8, length);
  if (findDeepNest(text))
    return fail("the header is nested too deep");
  llvm::Expected<llvm::json::Value> header = llvm::json::parse(text);
  if (!header)
    return fail("the header is not JSON: " + llvm::toString(header.takeError()));
  const llvm::json::Object *object = header->getAsObject();
  if (!object)
    return fail("expected the header to be a JSON object");

  std::vector<Entry> entries;
  for (const auto &[key, value] : *object) {
    if (key == "__metadata__")
      continue;
    Result<Entry> entry = readEntry(key, value);
    if (!entry)
      return fail("tensor '" + key.str() + "': " + entry.error());
    entries.push_back(std::move(*entry));
  }
  const uint8_t *data = bytes.data() + 8 + length;
  if (auto error = checkTiling(entries, bytes.size() - 8 - length))
    return fail(*error);
  std::map<std::string, Array> arrays;
  for (const Entry &entry : entries)
    arrays.emplace(entry.name, Array(entry.dtype, entry.shape,
                                     std::vector<uint8_t>(data + entry.begin, data + entry.end)));
  return arrays;
}

std::vector<uint8_t> lci::encodeSafeTensors(const std::map<std::string, Array> &arrays) {
  llvm::json::Object header;
  std::vector<uint8_t> data;
  for (const auto &[name, array] : arrays) {
    size_t begin = data.size();
    data.insert(data.end(), array.bytes().begin(), array.bytes().end());
    DType dtype = array.dtype();
    const auto *known =
        llvm::find_if(typeNames, [&](const TypeName &type) { return type.dtype == dtype; });
    header[name] = llvm::json::Object{{"dtype", known->name},
                                      {"shape", llvm::json::Array(array.shape())},
                                      {"data_offsets", llvm::json::Array{begin, data.size()}}};
  }
  std::string text = llvm::formatv("{0}", llvm::json::Value(std::move(header))).str();
  text.append((8 - text.size() % 8) % 8, ' '); // data begins at a multiple of eight
  std::vector<uint8_t> bytes(8);
  llvm::support::endian::write64le(bytes.data(), text.size());
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

Result<std::map<std::string, Array>> lci::readSafeTensors(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  return decodeSafeTensors(*bytes, path);
}

Result<Array> lci::readSafeTensor(const std::string &path, const std::string &name) {
  Result<std::map<std::string, Array>> arrays = readSafeTensors(path);
  if (!arrays)
    return arrays.failure();
  if (auto found = arrays->find(name); found != arrays->end())
    return std::move(found->second);
  std::string names;
  for (const auto &[key, array] : *arrays)
    names += (names.empty() ? "" : ", ") + key;
  return Failure{ErrorId::NoSuchArray,
                 "'" + path + "' has no tensor '" + name + "'; it holds: " + names};
}
