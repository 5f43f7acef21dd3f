//===- Checkpoint.cpp - Checkpoint files ----------------------------------===//
//
// A sealed file (LCI/Runtime/Codec.h) whose payload is the fields of Checkpoint in order.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Checkpoint.h"
#include "LCI/Runtime/Codec.h"
#include "LCI/Runtime/File.h"

using namespace lci;

static constexpr FileKind kCheckpoint = {
    {'L', 'C', 'I', 'C', 'H', 'K', 'P', 'T'}, /*version=*/3, "checkpoint"};

/// The payload, in which arrays stay where they are.
static Encoder payloadOf(const Checkpoint &checkpoint) {
  Encoder payload;
  payload.number(checkpoint.epoch);
  payload.number(checkpoint.phase);
  payload.number(checkpoint.seed);
  payload.raw(checkpoint.program.data(), checkpoint.program.size());
  payload.number(checkpoint.arrays.size());
  for (const auto &[name, array] : checkpoint.arrays) {
    payload.text(name);
    payload.arrayInPlace(array);
  }
  payload.number(checkpoint.texts.size());
  for (const auto &[name, text] : checkpoint.texts) {
    payload.text(name);
    payload.text(text);
  }
  return payload;
}

std::vector<uint8_t> lci::encodeCheckpoint(const Checkpoint &checkpoint) {
  Encoder payload = payloadOf(checkpoint);
  std::vector<uint8_t> file = headerOf(kCheckpoint, payload.parts());
  for (std::string_view part : payload.parts())
    file.insert(file.end(), part.begin(), part.end());
  return file;
}

Result<Checkpoint> lci::decodeCheckpoint(const std::vector<uint8_t> &bytes,
                                         const std::string &name) {
  Result<Decoder> payload = unseal(kCheckpoint, bytes, name);
  if (!payload)
    return payload.failure();
  Decoder &reader = *payload;
  Checkpoint checkpoint;
  checkpoint.epoch = reader.number();
  checkpoint.phase = reader.number();
  checkpoint.seed = reader.number();
  reader.raw(checkpoint.program.data(), checkpoint.program.size());
  for (uint64_t n = reader.count(); reader.good() && n > 0; --n) {
    std::string key = reader.text();
    checkpoint.arrays.insert_or_assign(std::move(key), reader.array());
  }
  for (uint64_t n = reader.count(); reader.good() && n > 0; --n) {
    std::string key = reader.text();
    checkpoint.texts.insert_or_assign(std::move(key), reader.text());
  }
  if (!reader.complete() || checkpoint.epoch > static_cast<uint64_t>(kMaxEpochs))
    return malformed(kCheckpoint, name);
  return checkpoint;
}

Status lci::checkEpochs(int64_t epochs, ErrorId id) {
  if (epochs <= kMaxEpochs)
    return Done{};
  return Failure{id, "expected a run of at most " + std::to_string(kMaxEpochs) +
                         " epochs, which draws can number, but got " + std::to_string(epochs)};
}

Status lci::writeCheckpoint(const std::string &path, const Checkpoint &checkpoint) {
  Encoder payload = payloadOf(checkpoint);
  Parts parts = payload.parts();
  std::vector<uint8_t> header = headerOf(kCheckpoint, parts);
  parts.insert(parts.begin(), partOf(header));
  return writeFileAtomically(path, parts);
}

Result<Checkpoint> lci::readCheckpoint(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  return decodeCheckpoint(*bytes, path);
}
