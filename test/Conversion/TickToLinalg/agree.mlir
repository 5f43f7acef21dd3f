// RUN: lmpm-opt %s --convert-lci-to-linalg --canonicalize --cse | FileCheck %s
// The agreement is a loop over candidates in token order in which only a better one wins: levels first, then score (NaN last), then proposals.

// CHECK-LABEL: func @best
// CHECK-SAME:    %[[SCORES:.*]]: memref<16xf32>, %[[LO:.*]]: i64, %[[HI:.*]]: i64
func.func @best(%scores: memref<16xf32>, %lo: i64, %hi: i64) -> (i64, i1) {
  // CHECK: %[[BEST:.*]]:5 = scf.for %[[K:.*]] = %[[LO]] to %[[HI]] step %c1_i64 iter_args(%[[TOKEN:.*]] = %[[LO]], %[[FOUND:.*]] = %false, %[[SCORE:.*]] = %{{.*}}, %[[PROPOSED:.*]] = %false, %[[LEVEL:.*]] = %c0_i64)
  %w, %found = lci.agree %lo to %hi {
  ^bb0(%k: i64):
    // CHECK: %[[S:.*]] = memref.load %[[SCORES]]
    %i = arith.index_cast %k : i64 to index
    %s = memref.load %scores[%i] : memref<16xf32>
    %odd = arith.trunci %k : i64 to i1
    %yes = arith.constant true
    // CHECK: %[[MORE:.*]] = arith.cmpf ugt, %[[S]], %[[SCORE]]
    // CHECK: arith.cmpf oeq, %[[S]], %[[SCORE]]
    // CHECK: %[[ABOVE:.*]] = arith.cmpi sgt, %[[K]], %[[LEVEL]]
    // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[K]], %[[LEVEL]]
    // CHECK: %[[BETTER:.*]] = arith.andi
    // CHECK: arith.select %{{.*}}, %[[K]], %[[TOKEN]] : i64
    lci.candidate %yes levels(%k) score %s proposed %odd
  }
  // CHECK: return %[[BEST]]#0, %[[BEST]]#1
  return %w, %found : i64, i1
}

// The score of the best is a result if it has a use.
// CHECK-LABEL: func @highest
// CHECK: %[[BEST:.*]]:4 = scf.for
// CHECK: return %[[BEST]]#2 : f32
func.func @highest(%scores: memref<16xf32>, %lo: i64, %hi: i64) -> f32 {
  %w, %found, %score = lci.agree %lo to %hi score f32 {
  ^bb0(%k: i64):
    %i = arith.index_cast %k : i64 to index
    %s = memref.load %scores[%i] : memref<16xf32>
    %yes = arith.constant true
    lci.candidate %yes levels() score %s proposed %yes
  }
  return %score : f32
}
