//===- SafeTensors.cpp - Fuzz target: weights -----------------------------===//
#include "LCI/Bindings/SafeTensors.h"
#include "Readers.h"

using namespace lci;

void fuzz::runSafeTensors(llvm::StringRef input) {
  Result<std::map<std::string, Array>> arrays = decodeSafeTensors(bytesOf(input), kName);
  if (!wasRead(arrays))
    return;
  Result<std::map<std::string, Array>> again = decodeSafeTensors(encodeSafeTensors(*arrays), kName);
  check(again && *again == *arrays, "arrays that were written are read as others");
}
