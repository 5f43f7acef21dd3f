//===- CheckpointTest.cpp - A run comes back bit for bit, or not at all ---===//
#include "LCI/Runtime/Checkpoint.h"
#include "TempFolder.h"

using namespace lci;

namespace {
Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.epoch = 12;
  checkpoint.phase = 3;
  checkpoint.seed = ~uint64_t(0);
  checkpoint.program = digestOf("p", 1);
  Array tokens(DType::I8, {4, 4});
  tokens.setInt(5, -1);
  checkpoint.arrays.emplace("value/Spin", tokens);
  checkpoint.arrays.emplace("stamp/Spin", Array(DType::I64, {4, 4}));
  checkpoint.arrays.emplace("value/Empty", Array(DType::F32, {0, 7}));
  checkpoint.arrays.emplace("value/Scalar", Array::scalar(-0.0));
  checkpoint.texts["set/RuleSet"] = "HardLock\nTopology";
  checkpoint.texts[""] = "";
  return checkpoint;
}

class CheckpointTest : public FolderTest {};

TEST_F(CheckpointTest, RoundTrips) {
  Checkpoint written = sample();
  ASSERT_TRUE(writeCheckpoint(path("c"), written));
  Result<Checkpoint> read = readCheckpoint(path("c"));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->epoch, written.epoch);
  EXPECT_EQ(read->phase, written.phase);
  EXPECT_EQ(read->seed, written.seed);
  EXPECT_EQ(read->program, written.program);
  EXPECT_EQ(read->arrays, written.arrays);
  EXPECT_EQ(read->texts, written.texts);
}

TEST_F(CheckpointTest, EveryFlippedBitAndEveryTruncationIsFound) {
  std::vector<uint8_t> good = encodeCheckpoint(sample());
  for (size_t at = 0; at < good.size(); ++at) {
    std::vector<uint8_t> bad = good;
    bad[at] ^= 1 << (at % 8);
    EXPECT_FALSE(decodeCheckpoint(bad, "c")) << at;
    bad.assign(good.begin(), good.begin() + at);
    EXPECT_FALSE(decodeCheckpoint(bad, "c")) << at;
  }
}

TEST_F(CheckpointTest, NoRunHasSoManyEpochs) {
  Checkpoint far = sample();
  far.epoch = kMaxEpochs;
  EXPECT_TRUE(decodeCheckpoint(encodeCheckpoint(far), "c"));
  for (uint64_t epoch :
       {uint64_t(kMaxEpochs) + 1, uint64_t(INT64_MAX), uint64_t(1) << 63, ~uint64_t(0)}) {
    far.epoch = epoch;
    EXPECT_EQ(decodeCheckpoint(encodeCheckpoint(far), "c").error(),
              "'c': the checkpoint's contents are malformed");
  }
}

TEST_F(CheckpointTest, ErrorsSayWhatIsWrong) {
  std::vector<uint8_t> bytes = encodeCheckpoint(sample());
  EXPECT_EQ(decodeCheckpoint({1, 2}, "c").error(), "'c': not a checkpoint");
  std::vector<uint8_t> later = bytes;
  later[8] = 4;
  EXPECT_EQ(decodeCheckpoint(later, "c").error(), "'c': expected checkpoint version 3, but got 4");
  bytes.back() ^= 1;
  EXPECT_EQ(decodeCheckpoint(bytes, "c").error(),
            "'c': the checkpoint is damaged (its digest does not match its contents)");
}

/// Inconsistent contents under a valid digest are rejected too.
TEST_F(CheckpointTest, MalformedContentsUnderARightDigestAreRefused) {
  std::vector<uint8_t> good = encodeCheckpoint(sample());
  constexpr size_t payload = 48;
  size_t refused = 0;
  for (size_t at = payload; at < good.size(); ++at)
    for (uint8_t byte : {0x00, 0x7f, 0xff}) {
      std::vector<uint8_t> bad = good;
      bad[at] = byte;
      Digest digest = digestOf(bad.data() + payload, bad.size() - payload);
      std::copy(digest.begin(), digest.end(), bad.begin() + 16);
      Result<Checkpoint> read = decodeCheckpoint(bad, "c");
      if (read) {
        EXPECT_EQ(encodeCheckpoint(*read).size(), bad.size());
        continue;
      }
      EXPECT_EQ(read.error(), "'c': the checkpoint's contents are malformed");
      ++refused;
    }
  EXPECT_GT(refused, 0u);
}
} // namespace
