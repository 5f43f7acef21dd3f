//===- TokenBits.h - Bits of the tokens of an array -------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_TOKENBITS_H
#define LCI_TRANSFORMS_SUPPORT_TOKENBITS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace mlir::lci {

/// Bits of a token that an argument or result holds by its attributes; the absent token counts if
/// there may be one. Nothing if the attributes do not describe tokens.
inline std::optional<unsigned> getTokenBits(DictionaryAttr attributes) {
  auto vocabulary = attributes ? attributes.getAs<IntegerAttr>("lci.vocabulary") : nullptr;
  if (!vocabulary)
    return std::nullopt;
  int64_t numTokens = vocabulary.getInt() + attributes.contains("lci.may_be_absent");
  return llvm::Log2_64_Ceil(std::max<int64_t>(numTokens, 2));
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_TOKENBITS_H
