//===- Digest.cpp - SHA-256 (FIPS 180-4) ----------------------------------===//
//
// SHA-256 of a stream of bytes, block by block, and a fast fingerprint of 64 bits for contents that
// nobody forges.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Digest.h"
#include <algorithm>
#include <cstring>

using namespace lci;

constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t word, int by) { return word >> by | word << (32 - by); }

static uint32_t bigEndian(const uint8_t *at) {
  return uint32_t(at[0]) << 24 | uint32_t(at[1]) << 16 | uint32_t(at[2]) << 8 | at[3];
}

void Hasher::block(const uint8_t *bytes) {
  uint32_t w[64];
  for (int i = 0; i < 16; ++i)
    w[i] = bigEndian(bytes + 4 * i);
  for (int i = 16; i < 64; ++i) {
    uint32_t low = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t high = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    uint32_t sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    uint32_t sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    uint32_t first = h + sumE + choice + roundConstants[i] + w[i];
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + sumA + majority;
  }
  const uint32_t next[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i)
    state[i] += next[i];
}

Hasher &Hasher::add(const void *data, size_t size) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  totalSize += size;
  while (size > 0) {
    if (pendingSize == 0 && size >= 64) {
      block(bytes);
      bytes += 64, size -= 64;
      continue;
    }
    size_t taken = std::min(size, 64 - pendingSize);
    std::memcpy(pending.data() + pendingSize, bytes, taken);
    bytes += taken, size -= taken, pendingSize += taken;
    if (pendingSize == 64) {
      block(pending.data());
      pendingSize = 0;
    }
  }
  return *this;
}

Hasher &Hasher::add(const std::string &text) {
  return add(static_cast<uint64_t>(text.size())).add(text.data(), text.size());
}

Hasher &Hasher::add(uint64_t number) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = static_cast<uint8_t>(number >> (8 * i));
  return add(bytes, 8);
}

Digest Hasher::finish() {
  uint64_t bits = totalSize * 8;
  const uint8_t one = 0x80, zero = 0;
  add(&one, 1);
  while (pendingSize != 56)
    add(&zero, 1);
  uint8_t length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  add(length, 8);
  Digest digest;
  for (int i = 0; i < 32; ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

Digest lci::digestOf(const void *data, size_t size) { return Hasher().add(data, size).finish(); }

std::string lci::hexText(const Digest &digest) {
  std::string text;
  for (uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

uint64_t lci::fingerprintOf(const void *data, size_t size) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  uint64_t print = size;
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min(sizeof(word), size - at));
    print = (print ^ word) * 0x9e3779b97f4a7c15; // odd: no two words fall together
    print ^= print >> 32;
  }
  return print;
}
