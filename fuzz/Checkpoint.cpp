//===- Checkpoint.cpp - Fuzz target: checkpoints --------------------------===//
#include "LCI/Runtime/Checkpoint.h"
#include "Readers.h"

using namespace lci;

static void read(const std::vector<uint8_t> &bytes) {
  Result<Checkpoint> checkpoint = decodeCheckpoint(bytes, fuzz::kName);
  if (!fuzz::wasRead(checkpoint))
    return;
  std::vector<uint8_t> written = encodeCheckpoint(*checkpoint);
  Result<Checkpoint> again = decodeCheckpoint(written, fuzz::kName);
  fuzz::check(again && encodeCheckpoint(*again) == written,
              "a checkpoint that was written is read as another one");
}

void fuzz::runCheckpoint(llvm::StringRef input) {
  static const FileKind kind = kindOf(encodeCheckpoint(Checkpoint()));
  read(bytesOf(input));
  read(seal(kind, bytesOf(input)));
}
