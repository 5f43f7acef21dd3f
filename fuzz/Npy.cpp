//===- Npy.cpp - Fuzz target: array files ---------------------------------===//
#include "LCI/Runtime/Npy.h"
#include "Readers.h"

using namespace lci;

void fuzz::runNpy(llvm::StringRef input) {
  Result<Array> array = decodeNpy(input.bytes_begin(), input.size(), kName);
  if (!wasRead(array))
    return;
  std::vector<uint8_t> written = encodeNpy(*array);
  Result<Array> again = decodeNpy(written.data(), written.size(), kName);
  check(again && *again == *array, "an array that was written is read as another one");
}
