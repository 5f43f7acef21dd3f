//===- SafeTensorsTest.cpp - Weights, valid and invalid -------------------===//
#include "LCI/Bindings/SafeTensors.h"
#include "TempFolder.h"

using namespace lci;

namespace {
using Bytes = std::vector<uint8_t>;

Bytes file(const std::string &header, size_t dataSize) {
  Bytes bytes;
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<uint8_t>(header.size() >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.resize(bytes.size() + dataSize);
  return bytes;
}

std::string errorOf(const std::string &header, size_t dataSize) {
  auto arrays = decodeSafeTensors(file(header, dataSize), "w");
  return arrays ? "no error" : arrays.error();
}

TEST(SafeTensorsTest, RoundTrips) {
  std::map<std::string, Array> written;
  for (int type = 0; type <= static_cast<int>(DType::F64); ++type) {
    Array array(static_cast<DType>(type), {2, 3});
    for (size_t i = 0; i < array.bytes().size(); ++i)
      array.bytes()[i] = static_cast<uint8_t>(i + type);
    written.emplace(nameOf(array.dtype()), array);
  }
  written.emplace("scalar", Array::scalar(int64_t(7)));
  written.emplace("empty", Array(DType::F32, {0, 4}));
  auto read = decodeSafeTensors(encodeSafeTensors(written), "w");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, written);
}

TEST(SafeTensorsTest, MetadataIsSkipped) {
  auto read = decodeSafeTensors(
      file(
          R"({"__metadata__":{"format":"pt"},"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}})",
          2),
      "w");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->size(), 1u);
}

TEST(SafeTensorsTest, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(decodeSafeTensors({1, 2}, "w").error(),
            "'w': not a safetensors file (it has no header)");
  EXPECT_EQ(decodeSafeTensors(Bytes(8, 0xff), "w").error(),
            "'w': the file ends inside its header, or is no safetensors file");
  EXPECT_EQ(errorOf("[]", 0), "'w': expected the header to be a JSON object");
  EXPECT_EQ(errorOf("{", 0).substr(0, 29), "'w': the header is not JSON: ");
  EXPECT_EQ(errorOf(R"({"a":1})", 0), "'w': tensor 'a': expected an object");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}})", 1),
            "'w': tensor 'a': expected a dtype of BOOL, I8 to I64, U8 to U64, F16, BF16, F32 or "
            "F64, but got 'F8'");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"I8","shape":[1]}})", 1),
            "'w': tensor 'a': expected 'shape' and two 'data_offsets'");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"I8","shape":[-1],"data_offsets":[0,1]}})", 1),
            "'w': tensor 'a': the shape or the data offsets are not natural numbers, or too large");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4),
            "'w': tensor 'a': expected 8 bytes for shape (2,) of float32, but got data offsets 0 "
            ".. 4");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[1,2]}})", 2),
            "'w': tensor 'a' begins at byte 1 of the data, but expected 0");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},)"
                    R"("b":{"dtype":"I8","shape":[2],"data_offsets":[1,3]}})",
                    3),
            "'w': tensor 'b' begins at byte 1 of the data, but expected 2");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}})", 3),
            "'w': expected 2 bytes of data, but got 3");
}

TEST(SafeTensorsTest, EveryTruncationIsAnErrorAndDamageNeverCrashes) {
  Bytes good = encodeSafeTensors({{"a", Array(DType::I16, {3})}, {"b", Array::scalar(1.0)}});
  for (size_t at = 0; at < good.size(); ++at) {
    EXPECT_FALSE(decodeSafeTensors(Bytes(good.begin(), good.begin() + at), "w")) << at;
    for (uint8_t byte : {0, 34, 57, 123, 255}) {
      Bytes bad = good;
      bad[at] = byte;
      auto read = decodeSafeTensors(bad, "w");
      if (read)
        for (const auto &[name, array] : *read)
          EXPECT_EQ(static_cast<int64_t>(array.bytes().size()),
                    array.size() * byteWidth(array.dtype()));
    }
  }
}

class SafeTensorsFileTest : public FolderTest {};

TEST_F(SafeTensorsFileTest, AMissingTensorListsWhatThereIs) {
  Bytes bytes = encodeSafeTensors({{"W1", Array::scalar(1.0)}, {"b1", Array::scalar(2.0)}});
  write("w.safetensors", std::string(bytes.begin(), bytes.end()));
  EXPECT_EQ(readSafeTensor(path("w.safetensors"), "b1")->doubleAt(0), 2.0);
  EXPECT_EQ(readSafeTensor(path("w.safetensors"), "W2").error(),
            "'" + path("w.safetensors") + "' has no tensor 'W2'; it holds: W1, b1");
  EXPECT_FALSE(readSafeTensor(path("none.safetensors"), "W2"));
}
} // namespace
