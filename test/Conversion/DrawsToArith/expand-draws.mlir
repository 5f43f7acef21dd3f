// RUN: lmpm-opt %s --lci-expand-draws | FileCheck %s
// RUN: lmpm-opt %s --lci-expand-draws=lazy=false | FileCheck %s --check-prefix=EAGER
// RUN: not lmpm-opt %s --lci-expand-draws=eager-blocks=-1 2>&1 | FileCheck %s --check-prefix=BAD
// Draws become Philox on the cell's number; the stream's key is computed once, before the tick, by one function.

// BAD: error: expected 'eager-blocks' from 0 to 2, but got -1
// CHECK-NOT: lci.{{bernoulli|uniform|randint|normal}}
// EAGER-NOT: lci.{{bernoulli|uniform|randint|normal}}

// CHECK-LABEL: func @coin
// CHECK-SAME: (%[[STATE:.*]]: tensor<6x80xi64>, %[[PROB:.*]]: f32, %[[E:.*]]: i64, %[[P:.*]]: i64, %[[SEED:.*]]: i64)
// EAGER-LABEL: func @coin
func.func @coin(%s: tensor<6x80xi64>, %prob: f32, %e: i64, %p: i64, %seed: i64) -> tensor<6x80xi64> {
  // CHECK: %[[DECLARATION:.*]] = arith.constant 1 : i64
  // CHECK: %[[ORDINAL:.*]] = arith.constant 2 : i64
  // CHECK: %[[KEY:.*]]:2 = call @lci.stream_key(%[[DECLARATION]], %[[ORDINAL]], %[[SEED]]) : (i64, i64, i64) -> (i64, i64)
  // CHECK: lci.tick @A at %[[E]], %[[P]], %[[SEED]] inputs(%[[STATE]], %[[PROB]], %[[KEY]]#0, %[[KEY]]#1 : tensor<6x80xi64>, f32, i64, i64)
  %n = lci.tick @A at %e, %p, %seed inputs(%s, %prob : tensor<6x80xi64>, f32)
      target(%s : tensor<6x80xi64>) class_stride 2 {
  // CHECK: ^bb0(%[[ROW:.*]]: index, %[[COLUMN:.*]]: index, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: tensor<6x80xi64>, %{{.*}}: f32, %{{.*}}: i64, %{{.*}}: i64):
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %key: i64, %in: tensor<6x80xi64>, %q: f32):
    // 40 cells of the class in a row are two groups of 32.
    // CHECK-DAG: arith.index_cast %[[ROW]]
    // CHECK-DAG: arith.index_cast %[[COLUMN]]
    // CHECK-DAG: arith.constant 64 : i64
    // CHECK-DAG: arith.divui
    // CHECK: %[[UNDECIDED:.*]] = arith.andi %{{.*}} : i1
    // CHECK: %[[BIT:.*]] = scf.if %[[UNDECIDED]] -> (i1) {
    // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args
    // CHECK: } else {
    // CHECK: arith.extui %[[BIT]]
    // EAGER-NOT: scf.if
    %b = lci.bernoulli %q stream <1, 2>
    %t = arith.extui %b : i1 to i64
    %yes = arith.constant true
    lci.install %t if %yes : i64
  } -> tensor<6x80xi64>
  return %n : tensor<6x80xi64>
}

// Two draws of one stream share its key; number draws take no branch.
// CHECK-LABEL: func @numbers
func.func @numbers(%s: tensor<8xf32>, %e: i64, %p: i64, %seed: i64) -> tensor<8xf32> {
  // CHECK: lci.tick
  // CHECK-SAME: : tensor<8xf32>, i64, i64, i64, i64)
  %n = lci.tick @A at %e, %p, %seed inputs(%s : tensor<8xf32>) target(%s : tensor<8xf32>)
      class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %in: tensor<8xf32>):
    // CHECK-NOT: scf.if
    // CHECK: math.sqrt
    %one = arith.constant 1 : i64
    %u = lci.uniform number %one stream <1, 0>
    %v = lci.normal stream <1, 0>
    %k = lci.randint %one stream <1, 1>
    %f = arith.sitofp %k : i64 to f32
    %w = arith.addf %u, %v : f32
    %t = arith.addf %w, %f : f32
    %yes = arith.constant true
    // CHECK: lci.install
    lci.install %t if %yes : f32
  } -> tensor<8xf32>
  return %n : tensor<8xf32>
}

// A draw below a threshold is the same test, without the threshold's arithmetic.
// CHECK-LABEL: func @below
func.func @below(%s: tensor<8xi1>, %t: i64, %e: i64, %seed: i64) -> tensor<8xi1> {
  %n = lci.tick @A at %e, %e, %seed inputs(%t : i64) target(%s : tensor<8xi1>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %limit: i64):
    // CHECK-NOT: f32
    // CHECK: %[[BITS:.*]] = arith.constant 24 : i64
    // CHECK: %[[HEAD:.*]] = arith.shrui %{{.*}}, %[[BITS]] : i64
    // CHECK: arith.cmpi ult, %{{.*}}, %[[HEAD]] : i64
    // CHECK: scf.if
    // CHECK-NOT: lci.draw_below
    // CHECK: lci.install
    %b = lci.draw_below %limit stream <1, 2>
    %yes = arith.constant true
    lci.install %b if %yes : i1
  } -> tensor<8xi1>
  return %n : tensor<8xi1>
}
// The key: ten rounds of Philox on the seed.
// CHECK-LABEL: func private @lci.stream_key
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: i64, %[[SEED:.*]]: i64) -> (i64, i64) attributes {passthrough = ["noinline"]}
// CHECK: arith.shrui %[[SEED]]
// CHECK: return
