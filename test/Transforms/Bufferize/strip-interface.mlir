// RUN: lmpm-opt %s --lci-strip-interface | FileCheck %s
// What arguments say goes; what functions say, and what LLVM reads, stays, and stands where LLVM looks for it.

// CHECK: func.func @p(%{{.*}}: memref<8xi8> {llvm.noalias}, %{{.*}}: i64) -> i64 attributes {lci.counters = ["A.changed"], passthrough = ["noinline"]} {
func.func @p(%A: memref<8xi8> {lci.role = "state", lci.name = "A", llvm.noalias}, %s: i64 {lci.role = "seed"})
    -> (i64 {lci.name = "B"}) attributes {lci.counters = ["A.changed"], passthrough = ["noinline"]} {
  return %s : i64
}

// CHECK: llvm.func @loop
llvm.func @loop(%more: i1) {
  llvm.br ^head
^head:
  llvm.cond_br %more, ^body, ^exit
^body:
  // CHECK: llvm.br ^{{.*}} {loop_annotation = #
  llvm.br ^head {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^exit:
  llvm.return
}

// Nobody else calls what is private; a declaration is somebody else's.

// CHECK: llvm.func internal @tick() attributes {sym_visibility = "private"}
llvm.func @tick() attributes {sym_visibility = "private"} {
  llvm.return
}
// CHECK: llvm.func @malloc(i64) -> !llvm.ptr attributes {sym_visibility = "private"}
llvm.func @malloc(i64) -> !llvm.ptr attributes {sym_visibility = "private"}
