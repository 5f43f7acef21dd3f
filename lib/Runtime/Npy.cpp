//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// The header of an .npy file is the text of a Python dictionary; HeaderParser
// reads exactly the dictionaries NumPy writes.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Npy.h"
#include "LCI/Runtime/File.h"
#include <algorithm>

using namespace lci;

namespace {
/// The contents of the header.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};
} // namespace

namespace {
/// A reader of `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
public:
  explicit HeaderParser(std::string text) : text(std::move(text)) {}

  /// Nothing on success, else an error.
  std::optional<std::string> parse(Header &header) {
    bool seen[3] = {false, false, false};
    if (!take('{'))
      return expected("'{'");
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':'))
        return expected("a quoted key and ':'");
      int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
      if (which < 0)
        return "unknown header key '" + key + "'";
      if (seen[which])
        return "header key '" + key + "' appears twice";
      seen[which] = true;
      if (auto error = value(which, header))
        return error;
      take(',');
    }
    for (int i = 0; i < 3; ++i)
      if (!seen[i])
        return std::string("the header has no ") + keyNames[i];
    return peek() ? expected("the end of the header") : std::nullopt;
  }

private:
  static constexpr const char *keyNames[] = {"'descr'", "'fortran_order'", "'shape'"};

  char peek() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
    return at < text.size() ? text[at] : 0;
  }
  bool take(char c) {
    if (peek() != c)
      return false;
    ++at;
    return true;
  }
  bool word(const char *w) {
    peek();
    if (text.compare(at, std::strlen(w), w) != 0)
      return false;
    at += std::strlen(w);
    return true;
  }
  bool string(std::string &out) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = text.find(quote, at + 1);
    if (end == std::string::npos)
      return false;
    out = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return true;
  }
  std::optional<std::string> expected(const std::string &what) {
    char c = peek();
    return "expected " + what + " in the header, but got " +
           (c ? std::string("'") + c + "'" : std::string("its end"));
  }

  std::optional<std::string> value(int which, Header &header) {
    if (which == 2)
      return tuple(header.shape);
    if (which == 1) {
      header.fortranOrder = word("True");
      if (header.fortranOrder || word("False"))
        return std::nullopt;
      return expected("True or False");
    }
    if (peek() == '[')
      return "records (structured arrays) are not supported, expected one plain number type";
    return string(header.descr) ? std::nullopt : expected("a quoted type");
  }

  std::optional<std::string> tuple(std::vector<int64_t> &shape) {
    if (!take('('))
      return expected("'('");
    while (!take(')')) {
      int64_t extent = 0;
      if (peek() < '0' || peek() > '9')
        return expected("an extent");
      for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        if (extent > (INT64_MAX - 9) / 10)
          return "an extent of the shape does not fit 64 bits";
        extent = extent * 10 + (text[at] - '0');
      }
      take('L'); // Python 2 wrote 3L
      shape.push_back(extent);
      if (!take(',') && peek() != ')')
        return expected("',' or ')'");
    }
    return std::nullopt;
  }

  std::string text;
  size_t at = 0;
};
} // namespace

namespace {
/// NumPy's type letter and width for each element type; bfloat16 has none.
struct NumpyType {
  char letter;
  DType dtype;
};
} // namespace
constexpr NumpyType numpyTypes[] = {
    {'b', DType::Bool}, {'i', DType::I8},  {'i', DType::I16}, {'i', DType::I32},
    {'i', DType::I64},  {'u', DType::U8},  {'u', DType::U16}, {'u', DType::U32},
    {'u', DType::U64},  {'f', DType::F16}, {'f', DType::F32}, {'f', DType::F64},
};

/// `<i4` and its like; `big` is whether bytes must be swapped.
static std::optional<DType> typeOf(const std::string &descr, bool &big) {
  if (descr.size() < 3 || !std::strchr("<>|=", descr[0]))
    return std::nullopt;
  big = descr[0] == '>';
  for (const NumpyType &code : numpyTypes)
    if (descr[1] == code.letter && descr.substr(2) == std::to_string(byteWidth(code.dtype)))
      return code.dtype;
  return std::nullopt;
}

static std::string descrOf(DType dtype) {
  if (dtype == DType::BF16)
    return "<V2"; // NumPy's name of the registered bfloat16 extension type
  for (const NumpyType &code : numpyTypes)
    if (code.dtype == dtype)
      return (byteWidth(dtype) == 1 ? "|" : "<") + std::string(1, code.letter) +
             std::to_string(byteWidth(dtype));
  __builtin_unreachable();
}

static void swapBytes(std::vector<uint8_t> &bytes, int64_t width) {
  for (size_t i = 0; i + width <= bytes.size(); i += width)
    std::reverse(bytes.begin() + i, bytes.begin() + i + width);
}

/// Column-major bytes to row-major ones.
static std::vector<uint8_t> fromFortran(const std::vector<uint8_t> &bytes,
                                        const std::vector<int64_t> &shape, int64_t width) {
  std::vector<uint8_t> result(bytes.size());
  std::vector<int64_t> index(shape.size(), 0);
  for (size_t to = 0; to < bytes.size(); to += width) {
    int64_t from = 0;
    for (size_t axis = shape.size(); axis-- > 0;)
      from = from * shape[axis] + index[axis];
    std::memcpy(result.data() + to, bytes.data() + from * width, width);
    for (size_t axis = shape.size(); axis-- > 0 && ++index[axis] == shape[axis];)
      index[axis] = 0;
  }
  return result;
}

/// The offset of the header text, or the error of the first bytes.
static std::optional<std::string> locateHeader(const uint8_t *data, size_t size, size_t &begin,
                                               size_t &length) {
  static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (size < 10 || std::memcmp(data, magic, sizeof(magic)) != 0)
    return "not an .npy file (its first bytes are not \\x93NUMPY)";
  unsigned version = data[6];
  if (version < 1 || version > 3)
    return "expected .npy version 1, 2 or 3, but got " + std::to_string(version);
  begin = version == 1 ? 10 : 12;
  if (size < begin)
    return "the file ends inside its header";
  length = data[8] | static_cast<size_t>(data[9]) << 8;
  if (version != 1)
    length |= static_cast<size_t>(data[10]) << 16 | static_cast<size_t>(data[11]) << 24;
  if (size - begin < length)
    return "the file ends inside its header";
  return std::nullopt;
}

Result<Array> lci::decodeNpy(const uint8_t *data, size_t size, const std::string &name) {
  auto fail = [&](const std::string &what) {
    return Failure{ErrorId::MalformedArray, "'" + name + "': " + what};
  };
  size_t begin = 0, length = 0;
  if (auto error = locateHeader(data, size, begin, length))
    return fail(*error);
  Header header;
  std::string text(reinterpret_cast<const char *>(data) + begin, length);
  if (auto error = HeaderParser(text).parse(header))
    return fail(*error);

  bool big = false;
  std::optional<DType> dtype = typeOf(header.descr, big);
  if (header.descr == "<V2")
    dtype = DType::BF16;
  if (!dtype)
    return fail("expected integers, bool or floats of at most 64 bits, but got type '" +
                header.descr + "'");
  std::optional<int64_t> count = elementCount(header.shape);
  if (!count)
    return fail("the shape " + shapeText(header.shape) + " is too large");
  size_t wanted = static_cast<size_t>(*count * byteWidth(*dtype)), found = size - begin - length;
  if (wanted != found)
    return fail("expected " + std::to_string(wanted) + " bytes of data for shape " +
                shapeText(header.shape) + " of " + nameOf(*dtype) + ", but got " +
                std::to_string(found));

  std::vector<uint8_t> bytes(data + begin + length, data + size);
  if (big)
    swapBytes(bytes, byteWidth(*dtype));
  if (header.fortranOrder && header.shape.size() > 1)
    bytes = fromFortran(bytes, header.shape, byteWidth(*dtype));
  return Array(*dtype, header.shape, std::move(bytes));
}

/// The bytes before the elements.
static std::vector<uint8_t> npyHeader(const Array &array) {
  std::string header = "{'descr': '" + descrOf(array.dtype()) +
                       "', 'fortran_order': False, 'shape': " + shapeText(array.shape()) + ", }";
  // NumPy aligns the data to 64 bytes and ends the header with a newline.
  size_t padded = (10 + header.size() + 1 + 63) / 64 * 64;
  header.append(padded - 10 - header.size() - 1, ' ').push_back('\n');
  std::vector<uint8_t> bytes = {0x93,
                                'N',
                                'U',
                                'M',
                                'P',
                                'Y',
                                1,
                                0,
                                static_cast<uint8_t>(header.size() & 255),
                                static_cast<uint8_t>(header.size() >> 8)};
  bytes.insert(bytes.end(), header.begin(), header.end());
  return bytes;
}

std::vector<uint8_t> lci::encodeNpy(const Array &array) {
  std::vector<uint8_t> bytes = npyHeader(array);
  bytes.insert(bytes.end(), array.bytes().begin(), array.bytes().end());
  return bytes;
}

Result<Array> lci::readNpy(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  return decodeNpy(bytes->data(), bytes->size(), path);
}

Status lci::writeNpy(const std::string &path, const Array &array) {
  std::vector<uint8_t> header = npyHeader(array);
  return writeFileAtomically(path, Parts{partOf(header), partOf(array.bytes())});
}
