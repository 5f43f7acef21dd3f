//===- Checkpoint.cpp - A run between two epochs, on disk -----------------===//
//
// Layout, all numbers little-endian:
//   8 bytes magic, u64 version, 32 bytes SHA-256 of the payload, payload
// The payload is the fields of Checkpoint in order; texts and names are a u64
// length and the bytes, arrays a type, a rank, extents and their bytes.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Checkpoint.h"
#include "LCI/Runtime/File.h"

using namespace lci;

constexpr char magic[8] = {'L', 'C', 'I', 'C', 'H', 'K', 'P', 'T'};
constexpr uint64_t version = 1;
constexpr size_t headerSize = sizeof(magic) + 8 + sizeof(Digest);

namespace {
class Writer {
public:
  void number(uint64_t value) {
    for (int i = 0; i < 8; ++i)
      bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
  void raw(const void *data, size_t size) {
    const auto *from = static_cast<const uint8_t *>(data);
    bytes.insert(bytes.end(), from, from + size);
  }
  void text(const std::string &value) {
    number(value.size());
    raw(value.data(), value.size());
  }
  void array(const Array &value) {
    number(static_cast<uint64_t>(value.dtype()));
    number(static_cast<uint64_t>(value.rank()));
    for (int64_t extent : value.shape())
      number(static_cast<uint64_t>(extent));
    raw(value.bytes().data(), value.bytes().size());
  }
  std::vector<uint8_t> bytes;
};
} // namespace

namespace {
/// Reads what Writer wrote; once it failed it stays failed and yields zeros.
class Reader {
public:
  Reader(const uint8_t *data, size_t size) : at(data), left(size) {}

  uint64_t number() {
    const uint8_t *from = take(8);
    uint64_t value = 0;
    for (int i = 8; from && i-- > 0;)
      value = value << 8 | from[i];
    return value;
  }
  void raw(void *to, size_t size) {
    if (const uint8_t *from = take(size); from && size)
      std::memcpy(to, from, size);
  }
  std::string text() {
    uint64_t size = number();
    const uint8_t *from = take(size);
    return from ? std::string(reinterpret_cast<const char *>(from), size) : std::string();
  }
  Array array() {
    uint64_t type = number(), rank = number();
    if (type > static_cast<uint64_t>(DType::F64) || rank > left / 8)
      ok = false;
    std::vector<int64_t> shape;
    for (uint64_t i = 0; ok && i < rank; ++i)
      shape.push_back(static_cast<int64_t>(number()));
    std::optional<int64_t> count = elementCount(shape);
    if (!ok || !count || static_cast<uint64_t>(*count) > left) {
      ok = false;
      return Array();
    }
    DType dtype = static_cast<DType>(type);
    size_t size = static_cast<size_t>(*count * byteWidth(dtype));
    const uint8_t *from = take(size);
    return from ? Array(dtype, shape, std::vector<uint8_t>(from, from + size)) : Array();
  }
  /// Everything was there, and nothing else.
  bool complete() const { return ok && left == 0; }
  bool good() const { return ok; }

private:
  const uint8_t *take(uint64_t size) {
    if (!ok || size > left) {
      ok = false;
      return nullptr;
    }
    const uint8_t *from = at;
    at += size;
    left -= size;
    return from;
  }
  const uint8_t *at;
  uint64_t left;
  bool ok = true;
};
} // namespace

std::vector<uint8_t> lci::encodeCheckpoint(const Checkpoint &checkpoint) {
  Writer payload;
  payload.number(checkpoint.epoch);
  payload.number(checkpoint.phase);
  payload.number(checkpoint.seed);
  payload.raw(checkpoint.program.data(), checkpoint.program.size());
  payload.number(checkpoint.arrays.size());
  for (const auto &[name, array] : checkpoint.arrays) {
    payload.text(name);
    payload.array(array);
  }
  payload.number(checkpoint.texts.size());
  for (const auto &[name, text] : checkpoint.texts) {
    payload.text(name);
    payload.text(text);
  }
  Writer file;
  file.raw(magic, sizeof(magic));
  file.number(version);
  Digest digest = digestOf(payload.bytes.data(), payload.bytes.size());
  file.raw(digest.data(), digest.size());
  file.raw(payload.bytes.data(), payload.bytes.size());
  return std::move(file.bytes);
}

Result<Checkpoint> lci::decodeCheckpoint(const std::vector<uint8_t> &bytes,
                                         const std::string &name) {
  auto fail = [&](const std::string &what) { return Failure{"'" + name + "': " + what}; };
  if (bytes.size() < headerSize || std::memcmp(bytes.data(), magic, sizeof(magic)) != 0)
    return fail("not a checkpoint");
  Reader header(bytes.data() + sizeof(magic), headerSize - sizeof(magic));
  uint64_t found = header.number();
  if (found != version)
    return fail("expected checkpoint version " + std::to_string(version) + ", but got " +
                std::to_string(found));
  Digest stored;
  header.raw(stored.data(), stored.size());
  const uint8_t *payload = bytes.data() + headerSize;
  size_t size = bytes.size() - headerSize;
  if (digestOf(payload, size) != stored)
    return fail("the checkpoint is damaged (its digest does not match its contents)");

  Reader reader(payload, size);
  Checkpoint checkpoint;
  checkpoint.epoch = reader.number();
  checkpoint.phase = reader.number();
  checkpoint.seed = reader.number();
  reader.raw(checkpoint.program.data(), checkpoint.program.size());
  for (uint64_t n = reader.number(); reader.good() && n > 0; --n) {
    std::string key = reader.text();
    checkpoint.arrays.insert_or_assign(std::move(key), reader.array());
  }
  for (uint64_t n = reader.number(); reader.good() && n > 0; --n) {
    std::string key = reader.text();
    checkpoint.texts.insert_or_assign(std::move(key), reader.text());
  }
  if (!reader.complete())
    return fail("the checkpoint's contents are malformed");
  return checkpoint;
}

Status lci::writeCheckpoint(const std::string &path, const Checkpoint &checkpoint) {
  return writeFileAtomically(path, encodeCheckpoint(checkpoint));
}

Result<Checkpoint> lci::readCheckpoint(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  return decodeCheckpoint(*bytes, path);
}
