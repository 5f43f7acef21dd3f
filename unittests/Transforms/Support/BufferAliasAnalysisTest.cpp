//===- BufferAliasAnalysisTest.cpp - Disjoint buffers and views -----------===//
//
// Each rule on IR for which it holds and on IR for which it just does not; views of one buffer at
// random, compared with the sets of their elements.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::lci;

namespace {
class BufferAliasAnalysisTest : public testing::Test {
protected:
  BufferAliasAnalysisTest() {
    context.loadDialect<arith::ArithDialect, bufferization::BufferizationDialect, func::FuncDialect,
                        LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect,
                        tensor::TensorDialect>();
    context.allowUnregisteredDialects();
  }

  /// The operands of the operation "test.pair" in a function with two `noalias` arguments, %a and
  /// %b, and two others, %c and %d.
  std::pair<Value, Value> parse(const std::string &body) {
    module = parseSourceString<ModuleOp>(
        "memref.global constant @g : memref<64xi8> = dense<1>\n"
        "func.func @f(%a: memref<64xi8> "
        "{llvm.noalias}, %b: memref<64xi8> {llvm.noalias}, "
        "%c: memref<64xi8>, %d: memref<64xi8>, %i: index, %t: i1) {\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%m = memref.alloc() : memref<64xi8>\n%n = memref.alloc() : memref<64xi8>\n" +
            body + "\nreturn\n}",
        &context);
    std::pair<Value, Value> found;
    if (module)
      module->walk([&](Operation *op) {
        if (op->getName().getStringRef() == "test.pair")
          found = {op->getOperand(0), op->getOperand(1)};
      });
    return found;
  }

  bool disjoint(const std::string &body) {
    auto [left, right] = parse(body);
    EXPECT_TRUE(left && right) << body;
    bool is = left && areDisjoint(left, right);
    EXPECT_EQ(is, left && areDisjoint(right, left)) << body;
    return is;
  }

  /// Of two whole buffers.
  bool disjoint(const std::string &left, const std::string &right) {
    return disjoint("\"test.pair\"(" + left + ", " + right +
                    ") : (memref<64xi8>, memref<64xi8>) -> ()");
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// A loop that carries two buffers, with what it yields, and a pair in its body.
std::string loop(const std::string &first, const std::string &second, const std::string &yielded,
                 const std::string &pair) {
  return "%r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%x = " + first + ", %y = " + second +
         ") -> (memref<64xi8>, memref<64xi8>) {\n\"test.pair\"(" + pair +
         ") : (memref<64xi8>, memref<64xi8>) -> ()\n%z = memref.alloc() : memref<64xi8>\n"
         "scf.yield " +
         yielded + " : memref<64xi8>, memref<64xi8>\n}";
}
} // namespace

TEST_F(BufferAliasAnalysisTest, ArgumentsAndAllocations) {
  EXPECT_TRUE(disjoint("%a", "%b"));
  EXPECT_TRUE(disjoint("%a", "%c"));
  EXPECT_FALSE(disjoint("%c", "%d"));
  EXPECT_FALSE(disjoint("%a", "%a"));
  EXPECT_TRUE(disjoint("%m", "%n"));
  EXPECT_TRUE(disjoint("%m", "%c"));
  EXPECT_FALSE(disjoint("%m", "%m"));
}

TEST_F(BufferAliasAnalysisTest, WhatAnUnknownOperationReturnsMayBeAnyBuffer) {
  EXPECT_FALSE(disjoint("%u = \"test.some\"() : () -> memref<64xi8>\n"
                        "\"test.pair\"(%u, %a) : (memref<64xi8>, memref<64xi8>) -> ()"));
}

TEST_F(BufferAliasAnalysisTest, TablesAreObjects) {
  auto buffer = [](const std::string &tensor) {
    return "%k = arith.constant dense<1> : tensor<64xi8>\n%e = tensor.empty() : tensor<64xi8>\n"
           "%u = bufferization.to_buffer " +
           tensor +
           " read_only : tensor<64xi8> to memref<64xi8>\n"
           "\"test.pair\"(%u, %a) : (memref<64xi8>, memref<64xi8>) -> ()";
  };
  EXPECT_TRUE(disjoint(buffer("%k")));
  EXPECT_FALSE(disjoint(buffer("%e")));
}

TEST_F(BufferAliasAnalysisTest, GlobalsAreObjects) {
  auto pair = [](const std::string &other) {
    return "%g = memref.get_global @g : memref<64xi8>\n\"test.pair\"(%g, " + other +
           ") : (memref<64xi8>, memref<64xi8>) -> ()";
  };
  EXPECT_TRUE(disjoint(pair("%m")));
  EXPECT_TRUE(disjoint(pair("%a")));
  EXPECT_FALSE(disjoint(pair("%c")));
}

TEST_F(BufferAliasAnalysisTest, Choices) {
  std::string choice = "%s = arith.select %t, %a, %m : memref<64xi8>\n";
  std::string pair = ") : (memref<64xi8>, memref<64xi8>) -> ()";
  EXPECT_TRUE(disjoint(choice + "\"test.pair\"(%s, %b" + pair));
  EXPECT_FALSE(disjoint(choice + "\"test.pair\"(%s, %m" + pair));
  EXPECT_FALSE(disjoint(choice + "\"test.pair\"(%s, %s" + pair));
  std::string branch = "%s = scf.if %t -> memref<64xi8> {\nscf.yield %a : memref<64xi8>\n} else {\n"
                       "scf.yield %m : memref<64xi8>\n}\n";
  EXPECT_TRUE(disjoint(branch + "\"test.pair\"(%s, %b" + pair));
  EXPECT_FALSE(disjoint(branch + "\"test.pair\"(%s, %a" + pair));
}

TEST_F(BufferAliasAnalysisTest, PingPongBuffers) {
  EXPECT_TRUE(disjoint(loop("%a", "%b", "%y, %x", "%x, %y")));
  EXPECT_TRUE(disjoint(loop("%a", "%m", "%y, %x", "%y, %n")));
  EXPECT_FALSE(disjoint(loop("%a", "%b", "%y, %x", "%x, %a")));
  EXPECT_FALSE(disjoint(loop("%a", "%a", "%y, %x", "%x, %y")));
  EXPECT_FALSE(disjoint(loop("%c", "%d", "%y, %x", "%x, %y")));
  EXPECT_FALSE(disjoint(loop("%a", "%b", "%y, %y", "%x, %y")));
  EXPECT_FALSE(disjoint(loop("%a", "%b", "%z, %z", "%x, %y")));
  std::string results = "\n\"test.pair\"(%r#0, %r#1) : (memref<64xi8>, memref<64xi8>) -> ()";
  std::string unused = "%n, %m";
  EXPECT_TRUE(disjoint(loop("%a", "%b", "%y, %x", unused) + results));
  EXPECT_FALSE(disjoint(loop("%c", "%d", "%y, %x", unused) + results));
}

TEST_F(BufferAliasAnalysisTest, ChoicesByOneCondition) {
  std::string pair = "\"test.pair\"(%s#0, %s#1) : (memref<64xi8>, memref<64xi8>) -> ()";
  auto branch = [&](const std::string &onTrue, const std::string &onFalse) {
    return "%s:2 = scf.if %t -> (memref<64xi8>, memref<64xi8>) {\nscf.yield " + onTrue +
           " : memref<64xi8>, memref<64xi8>\n} else {\nscf.yield " + onFalse +
           " : memref<64xi8>, memref<64xi8>\n}\n" + pair;
  };
  EXPECT_TRUE(disjoint(branch("%a, %b", "%b, %a")));
  EXPECT_FALSE(disjoint(branch("%a, %b", "%b, %b")));
  EXPECT_FALSE(disjoint(branch("%a, %a", "%b, %a")));
  auto selects = [](const std::string &condition) {
    return "%o = arith.constant true\n%p = arith.select %t, %a, %b : memref<64xi8>\n"
           "%q = arith.select " +
           condition +
           ", %b, %a : memref<64xi8>\n"
           "\"test.pair\"(%p, %q) : (memref<64xi8>, memref<64xi8>) -> ()";
  };
  EXPECT_TRUE(disjoint(selects("%t")));
  EXPECT_FALSE(disjoint(selects("%o")));
}

// A loop within a loop, and buffers that are swapped behind a condition, stay disjoint; what is
// concluded of an inner loop under an assumption that fails is not kept.
TEST_F(BufferAliasAnalysisTest, NestedLoops) {
  auto nested = [](const std::string &outer, const std::string &yielded) {
    return "%r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%x = " + outer +
           ") -> (memref<64xi8>, memref<64xi8>) {\n"
           "%s:2 = scf.for %l = %c0 to %i step %c1 iter_args(%u = %x, %v = %y) -> "
           "(memref<64xi8>, memref<64xi8>) {\n"
           "\"test.pair\"(%u, %v) : (memref<64xi8>, memref<64xi8>) -> ()\n"
           "%w:2 = scf.if %t -> (memref<64xi8>, memref<64xi8>) {\n"
           "scf.yield %u, %v : memref<64xi8>, memref<64xi8>\n} else {\n"
           "scf.yield %v, %u : memref<64xi8>, memref<64xi8>\n}\n"
           "scf.yield %w#0, %w#1 : memref<64xi8>, memref<64xi8>\n}\n"
           "scf.yield " +
           yielded + " : memref<64xi8>, memref<64xi8>\n}";
  };
  EXPECT_TRUE(disjoint(nested("%a, %y = %b", "%s#1, %s#0")));
  EXPECT_FALSE(disjoint(nested("%a, %y = %b", "%s#1, %s#1")));
  EXPECT_FALSE(disjoint(nested("%a, %y = %b", "%s#1, %x")));
  EXPECT_FALSE(disjoint(nested("%a, %y = %a", "%s#1, %s#0")));
}

// Each pair that a loop carries has a proof of its own: what else it carries does not matter.
TEST_F(BufferAliasAnalysisTest, PairsOfALoopThatCarriesMore) {
  auto carries = [](const std::string &pair, const std::string &yielded) {
    return "%r:4 = scf.for %k = %c0 to %i step %c1 iter_args(%x = %a, %y = %b, %v = %c, %w = %d) "
           "-> (memref<64xi8>, memref<64xi8>, memref<64xi8>, memref<64xi8>) {\n"
           "\"test.pair\"(" +
           pair + ") : (memref<64xi8>, memref<64xi8>) -> ()\nscf.yield " + yielded +
           " : memref<64xi8>, memref<64xi8>, memref<64xi8>, memref<64xi8>\n}";
  };
  EXPECT_TRUE(disjoint(carries("%x, %y", "%y, %x, %w, %v")));
  EXPECT_TRUE(disjoint(carries("%x, %w", "%y, %x, %w, %v")));
  EXPECT_FALSE(disjoint(carries("%v, %w", "%y, %x, %w, %v")));
  // %x and %y are %w and %v by and by, which may be one buffer.
  EXPECT_FALSE(disjoint(carries("%x, %y", "%w, %v, %v, %w")));
  EXPECT_TRUE(disjoint(carries("%x, %v", "%v, %y, %x, %v")));
  EXPECT_FALSE(disjoint(carries("%x, %v", "%v, %y, %v, %x")));
}

TEST_F(BufferAliasAnalysisTest, OtherPassesMayAddIt) {
  auto [left, right] = parse("\"test.pair\"(%a, %b) : (memref<64xi8>, memref<64xi8>) -> ()");
  AliasAnalysis aliases(*module);
  EXPECT_FALSE(aliases.alias(left, right).isNo());
  aliases.addAnalysisImplementation(BufferAliasAnalysis());
  EXPECT_TRUE(aliases.alias(left, right).isNo());
}

//===----------------------------------------------------------------------===//
// Views at random
//===----------------------------------------------------------------------===//

namespace {
/// A view of a vector, or a view of it; its elements are indices of the vector.
struct View {
  int64_t offset, size, stride;

  std::set<int64_t> elements() const {
    std::set<int64_t> found;
    for (int64_t i = 0; i < size; ++i)
      found.insert(offset + i * stride);
    return found;
  }
  View of(const View &around) const {
    return {around.offset + offset * around.stride, size, stride * around.stride};
  }
};

View makeView(std::mt19937 &random, int64_t extent) {
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  View view{below(extent), 1, 1 + below(4)};
  view.size = 1 + below((extent - 1 - view.offset) / view.stride + 1);
  return view;
}

std::string typeOf(const View &view) {
  return "memref<" + std::to_string(view.size) + "xi8, strided<[" + std::to_string(view.stride) +
         "], offset: " + std::to_string(view.offset) + ">>";
}

std::string cut(const std::string &name, const std::string &source, const std::string &sourceType,
                const View &view, const View &whole) {
  return "%" + name + " = memref.subview %" + source + "[" + std::to_string(view.offset) + "] [" +
         std::to_string(view.size) + "] [" + std::to_string(view.stride) + "] : " + sourceType +
         " to " + typeOf(whole) + "\n";
}
} // namespace

// What is said to be disjoint is; and of views of the vector itself that are, most are said to be.
TEST_F(BufferAliasAnalysisTest, ViewsOfOneBuffer) {
  std::mt19937 random(1);
  int claims = 0, apart = 0;
  for (int i = 0; i < 600; ++i) {
    std::string body;
    std::vector<View> views;
    std::vector<std::string> types;
    for (std::string name : {"v", "w"}) {
      View outer = makeView(random, 64);
      body += cut(name, "a", "memref<64xi8>", outer, outer);
      if (random() % 2) {
        View inner = makeView(random, outer.size), whole = inner.of(outer);
        body += cut(name + "2", name, typeOf(outer), inner, whole);
        outer = whole;
        name += "2";
      }
      views.push_back(outer);
      types.push_back("%" + name);
    }
    body += "\"test.pair\"(" + types[0] + ", " + types[1] + ") : (" + typeOf(views[0]) + ", " +
            typeOf(views[1]) + ") -> ()";
    std::set<int64_t> left = views[0].elements();
    bool meet = llvm::any_of(views[1].elements(), [&](int64_t at) { return left.count(at) > 0; });
    bool claimed = disjoint(body);
    EXPECT_FALSE(claimed && meet) << body;
    claims += claimed;
    apart += !meet;
  }
  EXPECT_GT(2 * claims, apart);
  EXPECT_GT(apart, 100);
}

// Offsets that are computed are compared by what is added to one base.
TEST_F(BufferAliasAnalysisTest, ViewsAtComputedOffsets) {
  std::string type = "memref<4xi8, strided<[1], offset: ?>>";
  auto pair = [&](int64_t distance) {
    return "%far = arith.constant " + std::to_string(distance) +
           " : index\n%j = arith.addi %i, %far : index\n"
           "%v = memref.subview %a[%i] [4] [1] : memref<64xi8> to " +
           type + "\n%w = memref.subview %a[%j] [4] [1] : memref<64xi8> to " + type +
           "\n\"test.pair\"(%v, %w) : (" + type + ", " + type + ") -> ()";
  };
  EXPECT_TRUE(disjoint(pair(4)));
  EXPECT_FALSE(disjoint(pair(3)));
}
