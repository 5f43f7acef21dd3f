// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-groups=1 min-saved=90},lci-fuse-ticks{min-cells=0}))' --debug-only=lci-unroll-jam-rows,lci-fuse-ticks -o /dev/null 2>&1 | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-groups=1}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// REQUIRES: assertions
// What passes consider is printed for those that are named, by LLVM's flag.

// CHECK: [lci-unroll-jam-rows UnrollJamRows.cpp{{.*}}] A: 4 rows cost {{[0-9]+}} instead of {{[0-9]+}} and read 6 windows instead of 12, which is not worth it
// CHECK: [lci-unroll-jam-rows UnrollJamRows.cpp{{.*}}] A: 2 rows cost
// CHECK: [lci-fuse-ticks FuseTicks.cpp{{.*}}] A and B are fused
// CHECK-NOT: lci-assign-layouts
// QUIET-NOT: lci-

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>

func.func @f(%a: memref<10x16xi64> {llvm.noalias}, %b: memref<8x16xi64> {llvm.noalias}, %c: memref<8x16xi64> {llvm.noalias}, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %s = arith.addi %x, %y : i64
    %t = arith.addi %s, %z : i64
    lci.install %t if %yes : i64
  }
  lci.tick @B at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%c : memref<8x16xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    lci.install %x if %yes : i64
  }
  return
}
