// RUN: lmpm-opt %s --lci-bufferize-state --canonicalize --cse --split-input-file | FileCheck %s
// Results become arguments, and access to elements becomes loads and stores.

// How a program starts: values the caller gave no buffer for are further arguments.

// CHECK-LABEL: func @p.init
// CHECK-SAME:    (%{{.*}}: i64 {lci.role = "seed"}, %[[A:[a-z0-9]*]]: memref<4xi64> {{{.*}}lci.name = "A", lci.role = "state"
// CHECK-SAME:     %[[B:[a-z0-9]*]]: memref<3xf32> {{{.*}}lci.name = "B", lci.role = "input"
// CHECK-DAG:     %[[ABSENT:.*]] = arith.constant 7 : i64
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     linalg.fill ins(%[[ABSENT]] : i64) outs(%[[A]] : memref<4xi64>)
// CHECK-DAG:     linalg.fill ins(%[[ZERO]] : f32) outs(%[[B]] : memref<3xf32>)
// CHECK:         lci.tick @A {{.*}} target(%[[A]] : memref<4xi64>)
// CHECK:         return{{$}}
func.func @p.init(%seed: i64 {lci.role = "seed"}) -> (tensor<4xi64> {lci.role = "state", lci.name = "A"}, tensor<3xf32> {lci.role = "input", lci.name = "B"}) {
  %zero = arith.constant 0 : i64
  %absent = arith.constant dense<7> : tensor<4xi64>
  %zeros = arith.constant dense<0.0> : tensor<3xf32>
  %a = lci.tick @A at %zero, %zero, %seed target(%absent : tensor<4xi64>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %s: i64):
    %v = arith.index_cast %x : index to i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  } -> tensor<4xi64>
  return %a, %zeros : tensor<4xi64>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func @elements
// CHECK-SAME:    %[[P:[a-z0-9]*]]: memref<3xf32> {{.*}}, %[[K:[a-z0-9]*]]: memref<2xi64>
// CHECK-NOT:     tensor
// CHECK:         %[[X:.*]] = memref.load %[[P]][%c1]
// CHECK:         %[[N:.*]] = arith.fptosi %[[X]]
// CHECK:         memref.store %[[N]], %[[K]][%c1]
// CHECK:         %[[READ:.*]] = memref.load %[[K]][%c1]
// CHECK:         return %[[READ]] : i64
func.func @elements(%p: tensor<3xf32> {lci.role = "param"}, %k: tensor<2xi64>) -> (tensor<2xi64>, i64) {
  %one = arith.constant 1 : index
  %x = tensor.extract %p[%one] : tensor<3xf32>
  %n = arith.fptosi %x : f32 to i64
  %next = tensor.insert %n into %k[%one] : tensor<2xi64>
  %read = tensor.extract %next[%one] : tensor<2xi64>
  return %next, %read : tensor<2xi64>, i64
}

// -----

// A table made in the function is a constant buffer; what a model reads as a whole stays a tensor.

func.func private @model(tensor<3xf32>, tensor<2xf32>) -> f32

// CHECK-LABEL: func @table_and_weights
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<4xf32> {{.*}}, %[[W:[a-z0-9]*]]: memref<2xf32>
// CHECK:         %[[T:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK:         %[[TABLE:.*]] = bufferization.to_buffer %[[T]] read_only
// CHECK:         lci.tick @A {{.*}} inputs(%[[TABLE]], %[[W]] : memref<3xf32>, memref<2xf32>)
// CHECK:         ^bb0({{.*}}, %[[INNER:.*]]: memref<3xf32>, %[[INNER_W:.*]]: memref<2xf32>):
// CHECK-DAG:     %[[TT:.*]] = bufferization.to_tensor %[[INNER]] restrict
// CHECK-DAG:     %[[WW:.*]] = bufferization.to_tensor %[[INNER_W]] restrict
// CHECK:         call @model(%[[TT]], %[[WW]])
func.func @table_and_weights(%A: tensor<4xf32>, %w: tensor<2xf32>, %t: i64) -> tensor<4xf32> {
  %table = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %n = lci.tick @A at %t, %t, %t inputs(%table, %w : tensor<3xf32>, tensor<2xf32>) target(%A : tensor<4xf32>) class_stride 1 {
  ^bb0(%i: index, %e: i64, %ph: i64, %s: i64, %tab: tensor<3xf32>, %ww: tensor<2xf32>):
    %v = func.call @model(%tab, %ww) : (tensor<3xf32>, tensor<2xf32>) -> f32
    %yes = arith.constant true
    lci.install %v if %yes : f32
  } -> tensor<4xf32>
  return %n : tensor<4xf32>
}

// -----

// A branch whose phase stays in place.

// CHECK-LABEL: func @branch
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<4xi8>
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      lci.tick @A {{.*}} target(%[[A]] : memref<4xi8>)
// CHECK-NOT:     scf.yield
// CHECK:         return{{$}}
func.func @branch(%A: tensor<4xi8>, %on: i1, %t: i64) -> tensor<4xi8> {
  %r = scf.if %on -> tensor<4xi8> {
    %n = lci.tick @A at %t, %t, %t target(%A : tensor<4xi8>) class_stride 1 {
    ^bb0(%i: index, %e: i64, %ph: i64, %s: i64):
      %v = arith.trunci %e : i64 to i8
      %yes = arith.constant true
      lci.install %v if %yes : i8
    } -> tensor<4xi8>
    scf.yield %n : tensor<4xi8>
  } else {
    scf.yield %A : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
