//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Reads .npy versions 1 to 3 (either byte order, C or Fortran order) and .npz archives, and writes
// .npy version 1. Every malformed file is an error with the file, the expected and the found
// content.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_NPY_H
#define LCI_RUNTIME_NPY_H

#include "LCI/Runtime/Array.h"
#include <map>

namespace lci {

/// Decodes an .npy image in memory; `name` is quoted in the messages.
Result<Array> decodeNpy(const uint8_t *data, size_t size, const std::string &name);
/// The .npy image of an array.
std::vector<uint8_t> encodeNpy(const Array &array);

Result<Array> readNpy(const std::string &path);
Status writeNpy(const std::string &path, const Array &array);

/// One member of an .npz archive (`name` with or without its .npy).
Result<Array> readNpz(const std::string &path, const std::string &name);

} // namespace lci

#endif // LCI_RUNTIME_NPY_H
