//===- NpyTest.cpp - .npy and .npz files, valid and invalid ---------------===//
#include "LCI/Runtime/Npy.h"
#include "TempFolder.h"
#include <zlib.h>

using namespace lci;

namespace {
using Bytes = std::vector<uint8_t>;

/// An .npy file with an explicit header.
Bytes npy(const std::string &header, const Bytes &data, int version = 1) {
  Bytes bytes = {0x93, 'N', 'U', 'M', 'P', 'Y', static_cast<uint8_t>(version), 0};
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes.push_back(static_cast<uint8_t>(header.size() >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

Result<Array> decode(const Bytes &bytes) { return decodeNpy(bytes.data(), bytes.size(), "f.npy"); }

/// The error of a broken header or body.
std::string errorOfHeader(const std::string &header, const Bytes &data = {}) {
  Result<Array> array = decode(npy(header, data));
  return array ? "no error" : array.error();
}

TEST(NpyTest, RoundTripsEveryTypeAndShape) {
  for (int type = 0; type <= static_cast<int>(DType::F64); ++type)
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{}, {0}, {5}, {2, 3}, {2, 0, 3}, {2, 2, 2, 2}}) {
      Array array(static_cast<DType>(type), shape);
      for (size_t i = 0; i < array.bytes().size(); ++i)
        array.bytes()[i] = static_cast<uint8_t>(type == 0 ? i % 2 : i * 37);
      Bytes bytes = encodeNpy(array);
      size_t header = bytes.size() - array.bytes().size();
      EXPECT_EQ(header % 64, 0u);
      EXPECT_EQ(bytes[header - 1], '\n');
      Result<Array> back = decode(bytes);
      ASSERT_TRUE(back) << back.error();
      EXPECT_EQ(*back, array) << nameOf(array.dtype());
    }
}

TEST(NpyTest, WritesTheHeaderThatNumpyWrites) {
  Bytes bytes = encodeNpy(Array(DType::F32, {3, 4}));
  std::string text(bytes.begin(), bytes.end());
  EXPECT_NE(text.find("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"),
            std::string::npos);
  Bytes tokens = encodeNpy(Array(DType::I8, {7}));
  text.assign(tokens.begin(), tokens.end());
  EXPECT_NE(text.find("'|i1', 'fortran_order': False, 'shape': (7,), }"), std::string::npos);
}

TEST(NpyTest, ReadsBigEndianFortranOrderAndLaterVersions) {
  // [[1, 2, 3], [4, 5, 6]] column by column, high byte first.
  Bytes data = {0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6};
  for (int version : {1, 2, 3}) {
    Result<Array> array =
        decode(npy("{'shape': (2, 3), 'descr': '>i2', 'fortran_order': True}\n", data, version));
    ASSERT_TRUE(array) << array.error();
    EXPECT_EQ(array->shape(), (std::vector<int64_t>{2, 3}));
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(array->intAt(i), i + 1);
  }
  EXPECT_TRUE(
      decode(npy("{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (1L,), }", {9})));
}

TEST(NpyTest, FortranOrderOfRankThree) {
  Bytes data;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        data.push_back(static_cast<uint8_t>(i * 12 + j * 4 + k));
  Result<Array> array =
      decode(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }", data));
  ASSERT_TRUE(array);
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(array->intAt(i), i);
}

TEST(NpyTest, EveryTruncationIsAnError) {
  Bytes bytes = encodeNpy(Array(DType::I16, {3, 3}));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decodeNpy(bytes.data(), size, "f.npy")) << size;
}

TEST(NpyTest, AnyDamagedHeaderByteIsReadOrRefusedButNeverCrashes) {
  Bytes good = encodeNpy(Array(DType::I16, {3, 3}));
  for (size_t at = 0; at < good.size(); ++at)
    for (uint8_t byte : {0, 39, 40, 48, 57, 125, 255}) {
      Bytes bad = good;
      bad[at] = byte;
      Result<Array> array = decode(bad);
      if (array)
        EXPECT_EQ(static_cast<int64_t>(array->bytes().size()),
                  array->size() * byteWidth(array->dtype()));
    }
}

TEST(NpyTest, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(decode({1, 2, 3}).error(),
            "'f.npy': not an .npy file (its first bytes are not \\x93NUMPY)");
  EXPECT_EQ(decode(npy("{}", {}, 9)).error(),
            "'f.npy': expected .npy version 1, 2 or 3, but got 9");
  EXPECT_EQ(errorOfHeader("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }"),
            "'f.npy': expected integers, bool or floats of at most 64 bits, but got type '<c8'");
  EXPECT_EQ(
      errorOfHeader("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }"),
      "'f.npy': records (structured arrays) are not supported, expected one plain number type");
  EXPECT_EQ(errorOfHeader("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", Bytes(20)),
            "'f.npy': expected 24 bytes of data for shape (2, 3) of int32, but got 20");
  EXPECT_EQ(errorOfHeader(
                "{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 8), }"),
            "'f.npy': the shape (4611686018427387904, 8) is too large");
  EXPECT_EQ(errorOfHeader("{'descr': '<i4', 'shape': (2, 3), }"),
            "'f.npy': the header has no 'fortran_order'");
  EXPECT_EQ(errorOfHeader("{'descr': '<i4', 'descr': '<i4', 'shape': (2, 3), }"),
            "'f.npy': header key 'descr' appears twice");
  EXPECT_EQ(errorOfHeader("{'fortran_order': Maybe, }"),
            "'f.npy': expected True or False in the header, but got 'M'");
  EXPECT_EQ(errorOfHeader("{'what': 1}"), "'f.npy': unknown header key 'what'");
  EXPECT_EQ(errorOfHeader("{'shape': (-1,)}"),
            "'f.npy': expected an extent in the header, but got '-'");
  EXPECT_EQ(errorOfHeader("{'shape': (99999999999999999999,)}"),
            "'f.npy': an extent of the shape does not fit 64 bits");
}

class NpyFileTest : public FolderTest {};

TEST_F(NpyFileTest, FilesRoundTripAndMissingOnesAreNamed) {
  Array array = Array::scalar(2.5);
  ASSERT_TRUE(writeNpy(path("a.npy"), array));
  Result<Array> back = readNpy(path("a.npy"));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, array);
  Result<Array> missing = readNpy(path("b.npy"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(), "cannot open '" + path("b.npy") + "': No such file or directory");
}

/// Appends a little-endian number.
void put(Bytes &bytes, uint64_t value, int size) {
  for (int i = 0; i < size; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void append(Bytes &bytes, const Bytes &more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

Bytes deflated(const Bytes &bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  Bytes out(bytes.size() + 100);
  stream.next_in = const_cast<uint8_t *>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A zip archive of one member.
Bytes zip(const std::string &name, const Bytes &bytes, bool compress) {
  Bytes packed = compress ? deflated(bytes) : bytes, file;
  auto fields = [&] {
    put(file, compress ? 8 : 0, 2);
    put(file, 0, 4);
    put(file, crc32(0, bytes.data(), static_cast<uInt>(bytes.size())), 4);
    put(file, packed.size(), 4);
    put(file, bytes.size(), 4);
    put(file, name.size(), 2);
  };
  put(file, 0x04034b50, 4), put(file, 20, 2), put(file, 0, 2), fields(), put(file, 0, 2);
  append(file, Bytes(name.begin(), name.end()));
  append(file, packed);
  size_t directory = file.size();
  put(file, 0x02014b50, 4), put(file, 20, 2), put(file, 20, 2), put(file, 0, 2), fields();
  put(file, 0, 2), put(file, 0, 2), put(file, 0, 2), put(file, 0, 2), put(file, 0, 4);
  put(file, 0, 4);
  append(file, Bytes(name.begin(), name.end()));
  size_t size = file.size() - directory;
  put(file, 0x06054b50, 4), put(file, 0, 4), put(file, 1, 2), put(file, 1, 2);
  put(file, size, 4), put(file, directory, 4), put(file, 0, 2);
  return file;
}

TEST_F(NpyFileTest, ArchivesStoredAndDeflated) {
  Array array(DType::I32, {40, 5});
  for (int i = 0; i < 200; ++i)
    array.setInt(i, i / 7);
  for (bool compress : {false, true}) {
    Bytes file = zip("w.npy", encodeNpy(array), compress);
    write("a.npz", std::string(file.begin(), file.end()));
    for (const char *name : {"w", "w.npy"}) {
      Result<Array> back = readNpz(path("a.npz"), name);
      ASSERT_TRUE(back) << back.error();
      EXPECT_EQ(*back, array);
    }
    EXPECT_EQ(readNpz(path("a.npz"), "v").error(),
              "'" + path("a.npz") + "' has no array 'v'; it holds: w");
    // A changed byte of the data or its checksum, and every shorter file.
    Bytes damaged = file;
    damaged[80] ^= 1;
    write("b.npz", std::string(damaged.begin(), damaged.end()));
    EXPECT_EQ(readNpz(path("b.npz"), "w").error(),
              "'" + path("b.npz") + "': the archive is damaged at 'w.npy'");
    for (size_t size = 0; size < file.size(); size += 13) {
      write("c.npz", std::string(file.begin(), file.begin() + size));
      EXPECT_EQ(readNpz(path("c.npz"), "w").error(),
                "'" + path("c.npz") + "': not an .npz archive, or an empty one")
          << size;
    }
  }
}
} // namespace
