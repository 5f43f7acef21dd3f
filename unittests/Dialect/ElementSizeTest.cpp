//===- ElementSizeTest.cpp - Element sizes against LLVM's data layout -----===//

#include "LCI/Dialect/ElementSize.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Bytes between the elements of an LLVM array on the processors we compile for.
class ElementSizeTest : public ::testing::Test {
protected:
  void expectEqual(Type type, llvm::Type *lowered) {
    for (StringRef layout : {"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:"
                             "32:64-S128",
                             "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"})
      EXPECT_EQ(bytesOfElement(type),
                int64_t(llvm::DataLayout(layout).getTypeAllocSize(lowered).getFixedValue()))
          << layout.str() << ", " << text(type);
  }

  static std::string text(Type type) {
    std::string words;
    llvm::raw_string_ostream(words) << type;
    return words;
  }

  MLIRContext context;
  llvm::LLVMContext llvmContext;
};

} // namespace

TEST_F(ElementSizeTest, Integers) {
  for (unsigned bits = 1; bits <= 128; ++bits)
    expectEqual(IntegerType::get(&context, bits), llvm::IntegerType::get(llvmContext, bits));
}

TEST_F(ElementSizeTest, OtherNumbers) {
  expectEqual(Float32Type::get(&context), llvm::Type::getFloatTy(llvmContext));
  expectEqual(Float64Type::get(&context), llvm::Type::getDoubleTy(llvmContext));
  expectEqual(IndexType::get(&context), llvm::Type::getInt64Ty(llvmContext));
}

TEST_F(ElementSizeTest, Vectors) {
  for (unsigned bits : {1U, 7U, 8U, 17U, 32U, 33U, 40U, 64U})
    for (unsigned lanes = 1; lanes <= 20; ++lanes) {
      auto row = VectorType::get({lanes}, IntegerType::get(&context, bits));
      auto *lowered = llvm::FixedVectorType::get(llvm::IntegerType::get(llvmContext, bits), lanes);
      expectEqual(row, lowered);
      expectEqual(VectorType::get({3, lanes}, row.getElementType()),
                  llvm::ArrayType::get(lowered, 3));
    }
  expectEqual(VectorType::get({}, Float32Type::get(&context)), llvm::Type::getFloatTy(llvmContext));
}

TEST_F(ElementSizeTest, Arrays) {
  EXPECT_EQ(bytesOfArray(MemRefType::get({19, 16}, IntegerType::get(&context, 33))), 19 * 16 * 8);
}
