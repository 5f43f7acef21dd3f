// RUN: lmpm-opt %s --lci-expand-philox | FileCheck %s --check-prefixes=CHECK,LANES
// RUN: lmpm-opt %s --lci-attach-gpu-target --lci-expand-philox | FileCheck %s --check-prefixes=CHECK,REGISTERS
// Ten rounds of two products for each block; results are below 2^32.

// Two blocks, round by round: four products come before the next round's. What no cell computes is
// in lanes, as the host has them.
// CHECK-LABEL: func @two
// CHECK-COUNT-4: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:         arith.addi
// CHECK-COUNT-36: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK-NOT:     arith.muli
// CHECK:         return
func.func @two(%a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %low: i64, %high: i64) -> (i64, i64) {
  %w:8 = lci.philox %a, %b, %c, %d, %e, %b, %c, %d key %low, %high : i64
  return %w#0, %w#7 : i64, i64
}

// CHECK-LABEL: func @cells
// LANES-COUNT-40: arith.muli %{{.*}}, %{{.*}} : i64
// LANES:         linalg.yield
// REGISTERS:     arith.trunci
// REGISTERS-COUNT-4: arith.mului_extended %{{.*}}, %{{.*}} : i32
// REGISTERS:     arith.addi %{{.*}}, %{{.*}} : i32
// REGISTERS-COUNT-36: arith.mului_extended %{{.*}}, %{{.*}} : i32
// REGISTERS-NOT: arith.mului_extended
// REGISTERS-NOT: arith.andi
// REGISTERS:     arith.extui %{{.*}} : i32 to i64
// REGISTERS:     linalg.yield
func.func @cells(%out: memref<8xi64>, %b: i64, %low: i64, %high: i64) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : memref<8xi64>) {
  ^bb0(%a: i64):
    %w:8 = lci.philox %a, %b, %b, %b, %b, %b, %b, %a key %low, %high : i64
    %sum = arith.addi %w#0, %w#7 : i64
    linalg.yield %sum : i64
  }
  return
}

// CHECK-LABEL: func @vectors
// LANES:         arith.muli %{{.*}}, %{{.*}} : vector<8xi64>
// REGISTERS:     arith.mului_extended %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK-NOT:     lci.philox
func.func @vectors(%s: tensor<8xi64>, %a: vector<8xi64>, %e: i64) -> tensor<8xi64> {
  %n = lci.tick @A at %e, %e, %e inputs(%a : vector<8xi64>) target(%s : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %b: vector<8xi64>):
    %true = arith.constant true
    %w:4 = lci.philox %b, %b, %b, %b key %b, %b : vector<8xi64>
    %x = vector.extract %w#3[0] : i64 from vector<8xi64>
    lci.install %x if %true : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// Of constants the authors' known answer.
// CHECK-LABEL: func @known
// CHECK-DAG:     arith.constant 1083123565 : i64
// CHECK-NOT:     lci.philox
func.func @known() -> i64 {
  %most = arith.constant 0xffffffff : i64
  %w:4 = lci.philox %most, %most, %most, %most key %most, %most : i64
  return %w#0 : i64
}
