// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-hoist-invariant-buffers))' | FileCheck %s
// A table that stays the same is computed before the loop, and once for all who have an equal one.

#line = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @out(
// CHECK-SAME:    %[[ODDS:[a-z0-9]*]]: memref<4xi64>
// CHECK:         %[[TABLE:.*]] = memref.alloc() : memref<8x4xi64>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.load %[[ODDS]]
// CHECK:             memref.store %{{.*}}, %[[TABLE]]
// CHECK:         scf.for %{{.*}} = %c0 to %c9
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        linalg.generic {{.*}} ins(%[[TABLE]]
// CHECK:             linalg.generic {{.*}} ins(%[[TABLE]]
// CHECK:         memref.dealloc %[[TABLE]]
// CHECK-NOT:     memref.dealloc
func.func @out(%odds: memref<4xi64>, %on: i1, %x: memref<8x4xi64> {llvm.noalias}, %y: memref<8x4xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %first = memref.alloc() : memref<8x4xi64>
  %second = memref.alloc() : memref<8x4xi64>
  scf.for %epoch = %c0 to %c9 step %c1 {
    scf.if %on {
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          %odd = memref.load %odds[%j] : memref<4xi64>
          %bit = arith.index_cast %i : index to i64
          %plane = arith.shrui %odd, %bit : i64
          memref.store %plane, %first[%i, %j] : memref<8x4xi64>
        }
      }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%first : memref<8x4xi64>) outs(%x : memref<8x4xi64>) {
      ^bb0(%in: i64, %out: i64):
        linalg.yield %in : i64
      }
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          %odd = memref.load %odds[%j] : memref<4xi64>
          %bit = arith.index_cast %i : index to i64
          %plane = arith.shrui %odd, %bit : i64
          memref.store %plane, %second[%i, %j] : memref<8x4xi64>
        }
      }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%second : memref<8x4xi64>) outs(%y : memref<8x4xi64>) {
      ^bb0(%in: i64, %out: i64):
        linalg.yield %in : i64
      }
    }
  }
  memref.dealloc %first : memref<8x4xi64>
  memref.dealloc %second : memref<8x4xi64>
  return
}

// -----

// What it is computed from changes in each epoch, but not in the branches: there is one table for both of them.
// CHECK-LABEL: func.func @each_epoch(
// CHECK:         %[[TABLE:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for %[[EPOCH:.*]] = %c0 to %c9
// CHECK-NEXT:      memref.store %{{.*}}, %[[ODDS:.*]][%c0]
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.load %[[ODDS]]
// CHECK-NEXT:        memref.store %{{.*}}, %[[TABLE]]
// CHECK:           scf.if
// CHECK-NEXT:        memref.load %[[TABLE]]
// CHECK:           scf.if
// CHECK-NEXT:        memref.load %[[TABLE]]
func.func @each_epoch(%odds: memref<4xi64> {llvm.noalias}, %on: i1, %x: memref<8xi64> {llvm.noalias}, %number: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %first = memref.alloc() : memref<4xi64>
  %second = memref.alloc() : memref<4xi64>
  scf.for %epoch = %c0 to %c9 step %c1 {
    memref.store %number, %odds[%c0] : memref<4xi64>
    scf.if %on {
      scf.for %j = %c0 to %c4 step %c1 {
        %odd = memref.load %odds[%j] : memref<4xi64>
        memref.store %odd, %first[%j] : memref<4xi64>
      }
      %v = memref.load %first[%c1] : memref<4xi64>
      memref.store %v, %x[%c0] : memref<8xi64>
    }
    scf.if %on {
      scf.for %j = %c0 to %c4 step %c1 {
        %odd = memref.load %odds[%j] : memref<4xi64>
        memref.store %odd, %second[%j] : memref<4xi64>
      }
      %v = memref.load %second[%c1] : memref<4xi64>
      memref.store %v, %x[%c1] : memref<8xi64>
    }
  }
  memref.dealloc %first : memref<4xi64>
  memref.dealloc %second : memref<4xi64>
  return
}

// -----

// Between two tables what they are computed from is written; two others are not the same; one depends on the epoch; one
// is written elsewhere, too; of one nobody knows who reads it; and one counts.
// CHECK-LABEL: func.func @negative(
// CHECK-COUNT-7: memref.alloc()
// CHECK:         scf.for %[[EPOCH:.*]] = %c0 to %c9
// CHECK:           scf.for
// CHECK:           memref.store %{{.*}}, %{{.*}}[%c0] : memref<4xi64>
// CHECK:           scf.for
// CHECK:           scf.for
// CHECK:             arith.addi %{{.*}}, %[[EPOCH]]
// CHECK:           scf.for
// CHECK:           memref.store %{{.*}}, %{{.*}}[%c1] : memref<4xindex>
// CHECK:           scf.for
// CHECK:           func.call @read
// CHECK:           scf.for
// CHECK:             memref.atomic_rmw
// CHECK:         return
func.func private @read(memref<4xindex>)
func.func @negative(%odds: memref<4xi64> {llvm.noalias}, %number: i64, %c: index, %x: memref<8xi64> {llvm.noalias}, %z: memref<8xindex> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %d = memref.alloc() : memref<4xindex>
  %e = memref.alloc() : memref<4xindex>
  %f = memref.alloc() : memref<4xindex>
  %g = memref.alloc() : memref<4xindex>
  %h = memref.alloc() : memref<4xindex>
  scf.for %epoch = %c0 to %c9 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %odd = memref.load %odds[%j] : memref<4xi64>
      memref.store %odd, %a[%j] : memref<4xi64>
    }
    memref.store %number, %odds[%c0] : memref<4xi64>
    scf.for %j = %c0 to %c4 step %c1 {
      %odd = memref.load %odds[%j] : memref<4xi64>
      memref.store %odd, %b[%j] : memref<4xi64>
    }
    scf.for %j = %c0 to %c4 step %c1 {
      %sum = arith.addi %j, %epoch : index
      memref.store %sum, %d[%j] : memref<4xindex>
    }
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %j, %e[%j] : memref<4xindex>
    }
    memref.store %c1, %e[%c1] : memref<4xindex>
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %j, %f[%j] : memref<4xindex>
    }
    func.call @read(%f) : (memref<4xindex>) -> ()
    scf.for %j = %c0 to %c4 step %c1 {
      %old = memref.atomic_rmw addi %number, %x[%c0] : (i64, memref<8xi64>) -> i64
      memref.store %j, %g[%j] : memref<4xindex>
    }
    %v = memref.load %a[%c1] : memref<4xi64>
    %w = memref.load %b[%c1] : memref<4xi64>
    %u = memref.load %d[%c1] : memref<4xindex>
    %s = memref.load %e[%c1] : memref<4xindex>
    %t = memref.load %g[%c1] : memref<4xindex>
    %sum = arith.addi %v, %w : i64
    memref.store %sum, %x[%c0] : memref<8xi64>
    memref.store %u, %z[%c0] : memref<8xindex>
    memref.store %s, %z[%c1] : memref<8xindex>
    memref.store %t, %z[%c4] : memref<8xindex>
    memref.store %t, %h[%c0] : memref<4xindex>
    %r = memref.load %h[%c1] : memref<4xindex>
    memref.store %r, %z[%c] : memref<8xindex>
  }
  return
}

// -----

// A buffer that is allocated in the loop goes along.
// CHECK-LABEL: func.func @within(
// CHECK:         %[[TABLE:.*]] = memref.alloc() : memref<4xindex>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.store %{{.*}}, %[[TABLE]]
// CHECK:         scf.for
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        memref.load %[[TABLE]]
func.func @within(%on: i1, %z: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  scf.for %epoch = %c0 to %c9 step %c1 {
    scf.if %on {
      %table = memref.alloc() : memref<4xindex>
      scf.for %j = %c0 to %c4 step %c1 {
        memref.store %j, %table[%j] : memref<4xindex>
      }
      %v = memref.load %table[%c1] : memref<4xindex>
      memref.store %v, %z[%c0] : memref<8xindex>
    }
  }
  return
}
