// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-record-interface))' | FileCheck %s
// What callers must know of arguments, when pointers do not say it any more.

// CHECK: func.func @p(%{{.*}}: memref<4x6xi8> {{.*}}, %{{.*}}: i64 {lci.role = "seed"}, %{{.*}}: f32)
// CHECK-SAME: lci.counters = ["A.changed"], lci.interface = [
// CHECK-SAME: {lci.halo_low = array<i64: 0, 1>, lci.name = "A", lci.role = "state", lci.type = memref<4x6xi8>},
// CHECK-SAME: {lci.role = "seed", lci.type = i64},
// CHECK-SAME: {lci.type = f32}]
func.func @p(%A: memref<4x6xi8> {lci.role = "state", lci.name = "A", lci.halo_low = array<i64: 0, 1>, llvm.noalias},
             %s: i64 {lci.role = "seed"}, %x: f32) attributes {lci.counters = ["A.changed"]} {
  return
}

// Nobody calls what has no roles.

// CHECK: func.func private @tick(%{{.*}}: memref<8xi8> {llvm.noalias}) {
func.func private @tick(%A: memref<8xi8> {llvm.noalias}) {
  return
}
