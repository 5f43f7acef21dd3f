// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-persist-layouts))' | FileCheck %s
// Copies between arrays and the storage of their layout are made when the caller says so.

// A state goes in and out, an input only in, in two parts each.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[U:[a-z0-9]*]]: memref<8xf32> {{{[^}]*}}"state"}, %[[F:[a-z0-9]*]]: memref<8xf32> {{{[^}]*}}"input"}, %{{[a-z0-9]*}}: i64 {{{[^}]*}}"first"},
// CHECK-SAME: %[[U0:[a-z0-9]*]]: memref<4xf32> {lci.name = "U", lci.role = "storage"}, %[[U1:[a-z0-9]*]]: memref<4xf32> {{{[^}]*}}"storage"},
// CHECK-SAME: %[[F0:[a-z0-9]*]]: memref<8xf32> {{{[^}]*}}"storage"},
// CHECK-SAME: %[[ENTER:[a-z0-9]*]]: i1 {lci.role = "enter"}, %[[LEAVE:[a-z0-9]*]]: i1 {lci.role = "leave"})
func.func @parts(%u: memref<8xf32> {lci.name = "U", lci.role = "state"},
                 %f: memref<8xf32> {lci.name = "F", lci.role = "input"},
                 %first: i64 {lci.role = "first"},
                 %u0: memref<4xf32> {lci.name = "U", lci.role = "scratch"},
                 %u1: memref<4xf32> {lci.name = "U", lci.role = "scratch"},
                 %f0: memref<8xf32> {lci.name = "F", lci.role = "scratch"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %even = memref.subview %u[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  %odd = memref.subview %u[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  // CHECK: scf.if %[[ENTER]] {
  // CHECK-NEXT: linalg.copy ins(%{{.*}}) outs(%[[U0]] :
  // CHECK: scf.if %[[ENTER]] {
  // CHECK-NEXT: linalg.copy ins(%{{.*}}) outs(%[[U1]] :
  // CHECK: scf.if %[[ENTER]] {
  // CHECK-NEXT: linalg.copy ins(%[[F]] : {{.*}}) outs(%[[F0]] :
  linalg.copy ins(%even : memref<4xf32, strided<[2]>>) outs(%u0 : memref<4xf32>)
  linalg.copy ins(%odd : memref<4xf32, strided<[2], offset: 1>>) outs(%u1 : memref<4xf32>)
  linalg.copy ins(%f : memref<8xf32>) outs(%f0 : memref<8xf32>)
  // CHECK: scf.for
  scf.for %i = %c0 to %c1 step %c1 {
    lci.tick @U at %first, %first, %first inputs(%u1, %f0 : memref<4xf32>, memref<8xf32>) target(%u0 : memref<4xf32>) class_stride 1 {
    ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %other: memref<4xf32>, %in: memref<8xf32>):
      %l = lci.load %other[affine_map<(d0) -> (d0)>] (%x) [#lci.boundary<open>] : memref<4xf32> -> f32
      %yes = arith.constant true
      lci.install %l if %yes : f32
    }
  }
  // CHECK: scf.if %[[LEAVE]] {
  // CHECK-NEXT: linalg.copy ins(%[[U0]] :
  // CHECK: scf.if %[[LEAVE]] {
  // CHECK-NEXT: linalg.copy ins(%[[U1]] :
  linalg.copy ins(%u0 : memref<4xf32>) outs(%even : memref<4xf32, strided<[2]>>)
  linalg.copy ins(%u1 : memref<4xf32>) outs(%odd : memref<4xf32, strided<[2], offset: 1>>)
  return
}

// -----

// Ping-pong buffers: which of them holds the cells at the end is not known here.
// CHECK-LABEL: func.func @turns(
// CHECK-NOT: scf.if
func.func @turns(%u: memref<8xf32> {lci.name = "U", lci.role = "state"}, %first: i64 {lci.role = "first"},
                 %a: memref<8xf32> {lci.name = "U", lci.role = "scratch"},
                 %b: memref<8xf32> {lci.name = "U", lci.role = "scratch"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  linalg.copy ins(%u : memref<8xf32>) outs(%a : memref<8xf32>)
  %last:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%from = %a, %to = %b) -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %to, %from : memref<8xf32>, memref<8xf32>
  }
  linalg.copy ins(%last#0 : memref<8xf32>) outs(%u : memref<8xf32>)
  return
}

// -----

// Ping-pong buffers, of which one is the home that the cells are brought to.
// CHECK-LABEL: func.func @home(
// CHECK-SAME: %[[U:[a-z0-9]*]]: memref<8xf32> {{{[^}]*}}"state"}, {{.*}}, %[[A:[a-z0-9]*]]: memref<6xf32> {{{[^}]*}}"storage"},
// CHECK-SAME: %{{[a-z0-9]*}}: memref<6xf32> {{{[^}]*}}"scratch"}, %[[ENTER:[a-z0-9]*]]: i1 {lci.role = "enter"}, %[[LEAVE:[a-z0-9]*]]: i1 {lci.role = "leave"})
func.func @home(%u: memref<8xf32> {lci.name = "U", lci.role = "state"}, %first: i64 {lci.role = "first"},
                %a: memref<6xf32> {lci.name = "U", lci.role = "scratch"},
                %b: memref<6xf32> {lci.name = "U", lci.role = "scratch"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cells = memref.subview %u[1] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1], offset: 1>>
  // CHECK: scf.if %[[ENTER]] {
  // CHECK-NEXT: linalg.copy ins(%{{.*}}) outs(%[[A]] :
  linalg.copy ins(%cells : memref<6xf32, strided<[1], offset: 1>>) outs(%a : memref<6xf32>)
  %last:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%from = %a, %to = %b) -> (memref<6xf32>, memref<6xf32>) {
    scf.yield %to, %from : memref<6xf32>, memref<6xf32>
  }
  // CHECK: linalg.copy ins(%{{.*}}#0 : {{.*}}) outs(%[[A]] :
  linalg.copy ins(%last#0 : memref<6xf32>) outs(%a : memref<6xf32>)
  // CHECK: scf.if %[[LEAVE]] {
  // CHECK-NEXT: linalg.copy ins(%[[A]] :
  linalg.copy ins(%a : memref<6xf32>) outs(%cells : memref<6xf32, strided<[1], offset: 1>>)
  return
}

// -----

// What may be the home after the loop is written once the cells have left it.
// CHECK-LABEL: func.func @later(
// CHECK-NOT: scf.if
func.func @later(%u: memref<8xf32> {lci.name = "U", lci.role = "state"}, %first: i64 {lci.role = "first"},
                 %a: memref<8xf32> {lci.name = "U", lci.role = "scratch"},
                 %b: memref<8xf32> {lci.name = "U", lci.role = "scratch"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  linalg.copy ins(%u : memref<8xf32>) outs(%a : memref<8xf32>)
  %last:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%from = %a, %to = %b) -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %to, %from : memref<8xf32>, memref<8xf32>
  }
  linalg.copy ins(%last#0 : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.copy ins(%a : memref<8xf32>) outs(%u : memref<8xf32>)
  memref.store %zero, %last#1[%c0] : memref<8xf32>
  return
}

// -----

// Somebody else reads the array, which has to be up to date then.
// CHECK-LABEL: func.func @touched(
// CHECK-NOT: scf.if
func.func @touched(%u: memref<8xf32> {lci.name = "U", lci.role = "state"}, %first: i64 {lci.role = "first"},
                   %a: memref<8xf32> {lci.name = "U", lci.role = "scratch"}) -> f32 {
  %c0 = arith.constant 0 : index
  linalg.copy ins(%u : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.copy ins(%a : memref<8xf32>) outs(%u : memref<8xf32>)
  %x = memref.load %u[%c0] : memref<8xf32>
  return %x : f32
}

// -----

// The storage is read after the cells have left it, and before they come.
// CHECK-LABEL: func.func @after(
// CHECK-NOT: scf.if
func.func @after(%u: memref<8xf32> {lci.name = "U", lci.role = "state"}, %v: memref<8xf32>,
                 %first: i64 {lci.role = "first"},
                 %a: memref<8xf32> {lci.name = "U", lci.role = "scratch"}) {
  linalg.copy ins(%u : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.copy ins(%a : memref<8xf32>) outs(%u : memref<8xf32>)
  lci.tick @V at %first, %first, %first inputs(%a : memref<8xf32>) target(%v : memref<8xf32>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xf32>):
    %l = lci.load %in[affine_map<(d0) -> (d0)>] (%x) [#lci.boundary<open>] : memref<8xf32> -> f32
    %yes = arith.constant true
    lci.install %l if %yes : f32
  }
  return
}

// -----

// A state that is not copied back.
// CHECK-LABEL: func.func @lost(
// CHECK-NOT: scf.if
func.func @lost(%u: memref<8xf32> {lci.name = "U", lci.role = "state"}, %first: i64 {lci.role = "first"},
                %a: memref<8xf32> {lci.name = "U", lci.role = "scratch"}) {
  linalg.copy ins(%u : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}

// -----

// A function that does not run epochs is called once.
// CHECK-LABEL: func.func @once(
// CHECK-NOT: scf.if
func.func @once(%u: memref<8xf32> {lci.name = "U", lci.role = "state"},
                %a: memref<8xf32> {lci.name = "U", lci.role = "scratch"}) {
  linalg.copy ins(%u : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.copy ins(%a : memref<8xf32>) outs(%u : memref<8xf32>)
  return
}
