//===- Npz.cpp - One array out of an .npz archive -------------------------===//
//
// An .npz file is a zip archive of .npy files, stored or deflated. Only what
// NumPy writes is read: no encryption, no split archives; sizes come from the
// central directory, which is right also where the local headers are not.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Memory.h"
#include "LCI/Runtime/Npy.h"
#include <zlib.h>

using namespace lci;

/// Little-endian numbers at byte offsets that were checked before.
static uint64_t number(const uint8_t *at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes; i-- > 0;)
    value = value << 8 | at[i];
  return value;
}

namespace {
/// One line of the central directory.
struct Entry {
  std::string name;
  uint64_t method, packed, unpacked, offset, crc;
};
} // namespace

/// Sizes that do not fit 32 bits are in the zip64 extra field, in this order.
static void readZip64(Entry &entry, const uint8_t *extra, size_t size) {
  for (size_t at = 0; at + 4 <= size;) {
    size_t length = number(extra + at + 2, 2), next = at + 4;
    if (number(extra + at, 2) == 1)
      for (uint64_t *field : {&entry.unpacked, &entry.packed, &entry.offset})
        if (*field == 0xffffffff && next + 8 <= at + 4 + length && next + 8 <= size) {
          *field = number(extra + next, 8);
          next += 8;
        }
    at += 4 + length;
  }
}

/// The central directory; empty if the file is no zip archive.
static std::vector<Entry> directory(const std::vector<uint8_t> &file) {
  std::vector<Entry> entries;
  size_t end = file.size() < 22 ? 0 : file.size() - 22;
  while (end > 0 && number(&file[end], 4) != 0x06054b50)
    --end;
  if (end == 0)
    return entries;
  uint64_t at = number(&file[end + 16], 4);
  if (at == 0xffffffff && end >= 20 && number(&file[end - 20], 4) == 0x07064b50) {
    uint64_t record = number(&file[end - 12], 8);
    if (record <= end && end - record >= 56)
      at = number(&file[record + 48], 8);
  }
  while (at <= end && end - at >= 46 && number(&file[at], 4) == 0x02014b50) {
    const uint8_t *line = &file[at];
    size_t name = number(line + 28, 2), extra = number(line + 30, 2), note = number(line + 32, 2);
    if (end - at - 46 < name + extra + note)
      break;
    Entry entry{std::string(reinterpret_cast<const char *>(line) + 46, name),
                number(line + 10, 2),
                number(line + 20, 4),
                number(line + 24, 4),
                number(line + 42, 4),
                number(line + 16, 4)};
    readZip64(entry, line + 46 + name, extra);
    entries.push_back(std::move(entry));
    at += 46 + name + extra + note;
  }
  return entries;
}

static bool inflateInto(const uint8_t *packed, uint64_t size, std::vector<uint8_t> &out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  // zlib counts in 32 bits; longer members are passed in pieces.
  const uint64_t piece = 1u << 30;
  uint64_t fed = 0, got = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_in = const_cast<uint8_t *>(packed + fed);
    stream.avail_in = static_cast<uInt>(std::min(piece, size - fed));
    stream.next_out = out.data() + got;
    stream.avail_out = static_cast<uInt>(std::min<uint64_t>(piece, out.size() - got));
    uInt in = stream.avail_in, room = stream.avail_out;
    code = inflate(&stream, Z_NO_FLUSH);
    fed += in - stream.avail_in;
    got += room - stream.avail_out;
  }
  inflateEnd(&stream);
  return code == Z_STREAM_END && got == out.size();
}

static uint32_t checksum(const std::vector<uint8_t> &bytes) {
  uLong crc = crc32(0, nullptr, 0);
  return static_cast<uint32_t>(crc32_z(crc, bytes.data(), bytes.size()));
}

/// The limit of deflate's compression: a larger claim is refused before it is allocated.
static bool isPossible(const Entry &entry) { return entry.unpacked / 1032 <= entry.packed + 1; }

/// The bytes of one member, or nothing if the archive is broken there.
static std::optional<std::vector<uint8_t>> extract(const std::vector<uint8_t> &file,
                                                   const Entry &entry) {
  if (entry.offset > file.size() || file.size() - entry.offset < 30)
    return std::nullopt;
  const uint8_t *local = &file[entry.offset];
  uint64_t begin = entry.offset + 30 + number(local + 26, 2) + number(local + 28, 2);
  if (number(local, 4) != 0x04034b50 || begin > file.size() || file.size() - begin < entry.packed)
    return std::nullopt;
  std::vector<uint8_t> bytes;
  if (entry.method == 0) {
    bytes.assign(file.begin() + begin, file.begin() + begin + entry.packed);
  } else {
    if (entry.method != 8 || !isPossible(entry))
      return std::nullopt;
    bytes.resize(entry.unpacked);
    if (!inflateInto(file.data() + begin, entry.packed, bytes))
      return std::nullopt;
  }
  if (checksum(bytes) != entry.crc)
    return std::nullopt;
  return bytes;
}

Result<Array> lci::readNpz(const std::string &path, const std::string &name) {
  Result<std::vector<uint8_t>> file = readFile(path);
  if (!file)
    return file.failure();
  std::vector<Entry> entries = directory(*file);
  if (entries.empty())
    return Failure{ErrorId::MalformedArray, "'" + path + "': not an .npz archive, or an empty one"};
  std::string names;
  for (const Entry &entry : entries) {
    if (entry.name == name || entry.name == name + ".npy") {
      Status room = isPossible(entry) ? checkFits(saturatingMultiply(entry.unpacked, 2),
                                                  "'" + path + "#" + name + "'")
                                      : Status(Done());
      if (!room)
        return room.failure();
      if (std::optional<std::vector<uint8_t>> bytes = extract(*file, entry))
        return decodeNpy(bytes->data(), bytes->size(), path + "#" + name);
      return Failure{ErrorId::MalformedArray,
                     "'" + path + "': the archive is damaged at '" + entry.name + "'"};
    }
    // NumPy's archives have files, whose arrays are called without their extension.
    bool isFile =
        entry.name.size() > 4 && entry.name.compare(entry.name.size() - 4, 4, ".npy") == 0;
    names += (names.empty() ? "" : ", ") + entry.name.substr(0, entry.name.size() - 4 * isFile);
  }
  return Failure{ErrorId::NoSuchArray,
                 "'" + path + "' has no array '" + name + "'; it holds: " + names};
}
