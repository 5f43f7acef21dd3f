//===- AgreementPlanesTest.cpp - Agreements on planes against cells -------===//
//
// A tick whose candidates have levels, fractions as scores, ties and hard constraints, computed on
// planes of bits and cell by cell, on arrays of random tokens.
//
//===----------------------------------------------------------------------===//

#include "../../Support/Jit.h"
#include "LCI/Conversion/Passes.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::lci;

namespace {

constexpr int64_t kCells = 200;
using Cells = std::array<int8_t, kCells>;

// For cells without an admissible candidate the token is 7, else the winner and four times its
// score, in three bits.
constexpr const char *kProgram = R"mlir(
#here = affine_map<(i) -> (i)>
func.func @run(
    %a: memref<200xi8> {lci.arrangement = #lci.arrangement<ARRANGEMENT>, lci.extents = array<i64: 200>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 8 : i64},
    %b: memref<200xi8> {lci.arrangement = #lci.arrangement<ARRANGEMENT>, lci.extents = array<i64: 200>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "B", lci.role = "state", lci.vocabulary = 8 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a, %b : memref<200xi8>, memref<200xi8>)
        target(%a : memref<200xi8>) box [0] [200] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %inA: memref<200xi8>, %inB: memref<200xi8>):
      %zero = arith.constant 0 : i64
      %unit = arith.constant 1 : i64
      %five = arith.constant 5 : i64
      %seven = arith.constant 7 : i64
      %four = arith.constant 4.0 : f32
      %half = arith.constant -0.5 : f32
      %some = arith.constant 0.75 : f32
      %none = arith.constant 0.0 : f32
      %true = arith.constant true
      %x = lci.load %inA[#here] (%i) [#lci.boundary<open>] : memref<200xi8> -> i8
      %y = lci.load %inB[#here] (%i) [#lci.boundary<open>] : memref<200xi8> -> i8
      %x3 = arith.trunci %x : i8 to i3
      %y3 = arith.trunci %y : i8 to i3
      %mine = arith.extui %x3 : i3 to i64
      %other = arith.extui %y3 : i3 to i64
      %w, %found, %score = lci.agree %zero to %five score f32 {
      ^bb0(%k: i64):
        %sum = arith.addi %mine, %k : i64
        %bits = arith.andi %sum, %other : i64
        %yes = arith.cmpi ne, %bits, %zero : i64
        %same = arith.cmpi eq, %mine, %k : i64
        %far = arith.cmpi sgt, %other, %k : i64
        %level = arith.extui %far : i1 to i64
        %difference = arith.subi %other, %k : i64
        %number = arith.sitofp %difference : i64 to f32
        %part = arith.mulf %number, %half : f32
        %bonus = arith.select %same, %some, %none : f32
        %total = arith.addf %part, %bonus : f32
        %tie = arith.andi %k, %unit : i64
        %proposed = arith.cmpi ult, %k, %mine : i64
        lci.candidate %yes levels(%level) score %total ties(%tie) proposed %proposed
      }
      %whole = arith.mulf %score, %four : f32
      %integer = arith.fptosi %whole : f32 to i8
      %token = arith.trunci %w : i64 to i8
      %both = arith.addi %token, %integer : i8
      %low = arith.trunci %both : i8 to i3
      %last3 = arith.trunci %seven : i64 to i3
      %chosen = arith.select %found, %low, %last3 : i3
      %new = arith.extui %chosen : i3 to i8
      lci.install %new if %true : i8
    }
  }
  return
}
)mlir";

/// Compiles the program with this arrangement of its arrays; sets whether they are planes.
std::unique_ptr<mlir::lci::test::Jit> compile(MLIRContext *context, StringRef arrangement,
                                              bool &isSliced) {
  std::string text = kProgram;
  StringRef hole = "ARRANGEMENT";
  for (size_t at; (at = text.find(hole.str())) != std::string::npos;)
    text.replace(at, hole.size(), arrangement.str());
  auto module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    return nullptr;
  PassManager manager(context);
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createAssignLayoutsPass());
  functions.addPass(createBitslicePass());
  functions.addPass(createConvertLCIToLinalgPass());
  EXPECT_TRUE(succeeded(manager.run(*module)));
  isSliced = false;
  module->walk([&](linalg::GenericOp op) {
    isSliced |= getElementTypeOrSelf(op.getOutputs().front()).isInteger(64);
  });
  PassManager loops(context);
  loops.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  loops.addPass(memref::createExpandStridedMetadataPass());
  loops.addPass(createLowerAffinePass());
  loops.addPass(createCanonicalizerPass());
  module->walk([](func::FuncOp function) { // LLVM has no such attributes
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.setArgAttrs(i, ArrayRef<NamedAttribute>());
  });
  EXPECT_TRUE(succeeded(loops.run(*module)));
  return std::make_unique<mlir::lci::test::Jit>(*module);
}

TEST(AgreementPlanes, FindTheSameWinners) {
  auto context = mlir::lci::test::makeContext();
  DialectRegistry more;
  more.insert<affine::AffineDialect, linalg::LinalgDialect>();
  context->appendDialectRegistry(more);
  bool isSliced = false, isStillSliced = true;
  auto planes = compile(context.get(), "planes", isSliced);
  auto rows = compile(context.get(), "rows", isStillSliced);
  ASSERT_TRUE(planes && rows);
  EXPECT_TRUE(isSliced);
  EXPECT_FALSE(isStillSliced);
  // The arguments are followed by three planes of each array.
  using Words = int64_t *;
  using Run = void(int8_t *, int8_t *, int64_t, int64_t, Words, Words, Words, Words, Words, Words);
  int64_t words[6][16];
  auto *byPlanes = planes->lookup<Run>("run"), *byRows = rows->lookup<Run>("run");
  std::mt19937 dice(7);
  for (int round = 0; round < 20; ++round) {
    Cells a, b;
    for (int64_t i = 0; i < kCells; ++i) {
      a[i] = static_cast<int8_t>(dice() % 8);
      b[i] = static_cast<int8_t>(dice() % 8);
    }
    Cells a2 = a, b2 = b;
    auto run = [&](Run *compiled, Cells &first, Cells &second) {
      compiled(first.data(), second.data(), 0, 1 + round % 3, words[0], words[1], words[2],
               words[3], words[4], words[5]);
    };
    run(byRows, a, b);
    run(byPlanes, a2, b2);
    ASSERT_EQ(a, a2) << "in round " << round;
  }
}

} // namespace
