//===- SafeTensors.h - Weights in the safetensors format --------*- C++ -*-===//
//
// A .safetensors file is a length, a JSON header and raw little-endian arrays. The reader checks
// the header completely (types, shapes, offsets that neither overlap nor leave holes) before it
// reads any element.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_BINDINGS_SAFETENSORS_H
#define LCI_BINDINGS_SAFETENSORS_H

#include "LCI/Runtime/Array.h"
#include <map>

namespace lci {

/// All arrays of a file image; `name` is quoted in the messages.
Result<std::map<std::string, Array>> decodeSafeTensors(const std::vector<uint8_t> &bytes,
                                                       const std::string &name);
/// The file image of some arrays.
std::vector<uint8_t> encodeSafeTensors(const std::map<std::string, Array> &arrays);

Result<std::map<std::string, Array>> readSafeTensors(const std::string &path);
/// One array of a file; the error lists the arrays of the file.
Result<Array> readSafeTensor(const std::string &path, const std::string &name);

} // namespace lci

#endif // LCI_BINDINGS_SAFETENSORS_H
