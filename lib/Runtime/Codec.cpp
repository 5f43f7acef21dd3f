//===- Codec.cpp - Serialize numbers, texts and arrays --------------------===//
//
// Encoder and decoder of checkpoints and bundles, and sealed files around their payloads. Every
// size that is read is compared with the bytes that are left before anything is allocated, because
// a file may be damaged or crafted.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/Codec.h"

using namespace lci;

static constexpr size_t kHeaderSize = sizeof(FileKind::magic) + 8 + sizeof(Digest);

//===----------------------------------------------------------------------===//
// Encoder
//===----------------------------------------------------------------------===//

void Encoder::number(uint64_t value) {
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void Encoder::raw(const void *data, size_t size) {
  const auto *from = static_cast<const uint8_t *>(data);
  bytes.insert(bytes.end(), from, from + size);
}

void Encoder::text(const std::string &value) {
  number(value.size());
  raw(value.data(), value.size());
}

void Encoder::head(const Array &value) {
  number(static_cast<uint64_t>(value.dtype()));
  number(static_cast<uint64_t>(value.rank()));
  for (int64_t extent : value.shape())
    number(static_cast<uint64_t>(extent));
}

void Encoder::array(const Array &value) {
  head(value);
  raw(value.bytes().data(), value.bytes().size());
}

void Encoder::arrayInPlace(const Array &value) {
  head(value);
  inPlace.emplace_back(bytes.size(), partOf(value.bytes()));
}

Parts Encoder::parts() const {
  Parts parts;
  size_t from = 0;
  for (const auto &[to, array] : inPlace) {
    parts.push_back(partOf(bytes).substr(from, to - from));
    parts.push_back(array);
    from = to;
  }
  parts.push_back(partOf(bytes).substr(from));
  return parts;
}

//===----------------------------------------------------------------------===//
// Decoder
//===----------------------------------------------------------------------===//

const uint8_t *Decoder::take(uint64_t size) {
  if (!ok || size > left) {
    ok = false;
    return nullptr;
  }
  const uint8_t *from = at;
  at += size;
  left -= size;
  return from;
}

uint64_t Decoder::number() {
  const uint8_t *from = take(8);
  uint64_t value = 0;
  for (int i = 8; from && i-- > 0;)
    value = value << 8 | from[i];
  return value;
}

void Decoder::raw(void *to, size_t size) {
  if (const uint8_t *from = take(size); from && size)
    std::memcpy(to, from, size);
}

std::string Decoder::text() {
  uint64_t size = number();
  const uint8_t *from = take(size);
  return from ? std::string(reinterpret_cast<const char *>(from), size) : std::string();
}

uint64_t Decoder::count() {
  uint64_t count = number();
  ok &= count <= left;
  return ok ? count : 0;
}

Array Decoder::array() {
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

//===----------------------------------------------------------------------===//
// Sealed files
//===----------------------------------------------------------------------===//

std::vector<uint8_t> lci::headerOf(const FileKind &kind, const Parts &payload) {
  Encoder header;
  header.raw(kind.magic, sizeof(kind.magic));
  header.number(kind.version);
  Hasher hasher;
  for (std::string_view part : payload)
    hasher.add(part.data(), part.size());
  Digest digest = hasher.finish();
  header.raw(digest.data(), digest.size());
  return std::move(header.bytes);
}

std::vector<uint8_t> lci::seal(const FileKind &kind, const std::vector<uint8_t> &payload) {
  std::vector<uint8_t> file = headerOf(kind, {partOf(payload)});
  file.insert(file.end(), payload.begin(), payload.end());
  return file;
}

bool lci::isOfKind(const FileKind &kind, const std::vector<uint8_t> &bytes) {
  return bytes.size() >= kHeaderSize &&
         std::memcmp(bytes.data(), kind.magic, sizeof(kind.magic)) == 0;
}

Result<Decoder> lci::unseal(const FileKind &kind, const std::vector<uint8_t> &bytes,
                            const std::string &name) {
  std::string what = kind.what;
  auto fail = [&](const std::string &reason) {
    return Failure{ErrorId::MalformedFile, "'" + name + "': " + reason};
  };
  if (!isOfKind(kind, bytes))
    return fail("not a " + what);
  Decoder header(bytes.data() + sizeof(kind.magic), kHeaderSize - sizeof(kind.magic));
  uint64_t found = header.number();
  if (found != kind.version)
    return fail("expected " + what + " version " + std::to_string(kind.version) + ", but got " +
                std::to_string(found));
  Digest stored;
  header.raw(stored.data(), stored.size());
  const uint8_t *payload = bytes.data() + kHeaderSize;
  size_t size = bytes.size() - kHeaderSize;
  if (digestOf(payload, size) != stored)
    return fail("the " + what + " is damaged (its digest does not match its contents)");
  return Decoder(payload, size);
}

Failure lci::malformed(const FileKind &kind, const std::string &name) {
  return Failure{ErrorId::MalformedFile,
                 "'" + name + "': the " + kind.what + "'s contents are malformed"};
}
