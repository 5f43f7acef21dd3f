//===- WorkgroupMemory.h - Memory that a block's threads share --*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_WORKGROUPMEMORY_H
#define LCI_TRANSFORMS_SUPPORT_WORKGROUPMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::lci {

/// The type of an array that the threads of a block share.
inline MemRefType getWorkgroupType(ArrayRef<int64_t> shape, Type element) {
  auto space =
      gpu::AddressSpaceAttr::get(element.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  return MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_WORKGROUPMEMORY_H
