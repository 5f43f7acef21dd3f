//===- DigestTest.cpp - SHA-256 against FIPS 180-4's examples -------------===//
#include "LCI/Runtime/Digest.h"
#include <gtest/gtest.h>

using namespace lci;

namespace {
std::string sha256(const std::string &text) { return hexText(digestOf(text.data(), text.size())); }

TEST(DigestTest, KnownAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(DigestTest, PiecesDoNotMatter) {
  std::string text(300, 'x');
  for (size_t cut : {1u, 55u, 56u, 63u, 64u, 65u, 128u, 299u}) {
    Hasher hasher;
    hasher.add(text.data(), cut).add(text.data() + cut, text.size() - cut);
    EXPECT_EQ(hexText(hasher.finish()), sha256(text)) << cut;
  }
}

TEST(DigestTest, TextsKeepTheirBorders) {
  EXPECT_NE(Hasher().add(std::string("ab")).add(std::string("c")).finish(),
            Hasher().add(std::string("a")).add(std::string("bc")).finish());
}
} // namespace
