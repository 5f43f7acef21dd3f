//===- Passes.td - Passes of bufferization -----------------*- tablegen -*-===//
//
// Bufferization of states into memrefs with halos, their scratch buffers, and the function
// interface.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_BUFFERIZE_PASSES_TD
#define LCI_TRANSFORMS_BUFFERIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizeStatePass : Pass<"lci-bufferize-state", "::mlir::ModuleOp"> {
  let summary = "Bufferize the arrays of functions of ticks into memrefs with halos.";
  let description = [{
    Tensor arguments become memrefs of their storage: the cells, and around them a halo as wide as
    the stencils of the ticks reach. Argument attributes describe the layout: `lci.extents`,
    `lci.halo_low`, `lci.halo_high`. Loads of a stencil then read storage without any border test;
    other loads (gathers) read the cells alone. `lci.refresh_halo` follows each phase that wrote a
    value with a wrapped or clamped halo; halos beyond open borders are filled once, with zero.

    A cache maps addresses at a distance of `alias-bytes` to the same few sets, so stencils on rows of
    numbers whose length is near a multiple of that would evict each other: such rows get spare
    elements behind their halo, the fewest that keep all rows of a stencil at a distance of a twelfth
    of `alias-bytes` in the cache.

    A phase is computed in place if the state before it has no further reader and each cell reads the
    array at its own index only. Otherwise the array has a second buffer, an argument of the role
    `scratch`. The two are ping-pong buffers through loops, without a copy where the boxes of the phase
    cover all cells. On return the result is in the argument. Tensors that the function creates and
    returns become further arguments.

    A tick of which one switch settles every cell (a lock's where it is on, that of the only rule
    where it is off) becomes a branch on that switch: the tick where the switch does not settle it,
    else nothing or, with ping-pong buffers, a copy of its box. If nothing else writes the array, the
    box is copied once, at the start.

    ```mlir
    func.func @shift(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %t: i64) -> tensor<8xi8> {
      %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi8>) target(%A : tensor<8xi8>)
          class_stride 1 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
        %v = lci.load %in[affine_map<(d0) -> (d0 - 1)>](%i) [#lci.boundary<wrap>]
            : tensor<8xi8> -> i8
        %yes = arith.constant true
        lci.install %v if %yes : i8
      } -> tensor<8xi8>
      return %n : tensor<8xi8>
    }
    ```
    becomes
    ```mlir
    func.func @shift(%A: memref<9xi8> {lci.halo_low = array<i64: 1>, …}, %t: i64,
                     %B: memref<9xi8> {lci.role = "scratch", …}) {
      lci.refresh_halo %A low [1] high [0] [#lci.boundary<wrap>] : memref<9xi8>
      %cells = memref.subview %B[1] [8] [1]
      lci.tick @A … inputs(%A : memref<9xi8>) target(%cells : …) {
        … lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] …
      }
      lci.refresh_halo %B low [1] high [0] [#lci.boundary<wrap>] : memref<9xi8>
      … the cells of %B are copied to %A …
    ```
  }];
  let options = [Option<"aliasBytes", "alias-bytes", "int64_t", /*default=*/"4096",
                         "Distance in bytes of addresses that share a cache set; 0: no spare elements.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def PersistLayoutsPass : Pass<"lci-persist-layouts", "::mlir::func::FuncOp"> {
  let summary = "Keep arrays in their layout between calls, converting on demand of the caller.";
  let description = [{
    `lci-assign-layouts` and `lci-split-colours` copy arrays into scratch arguments where a function
    begins, and back where it ends: of large arrays this takes as long as several epochs. A caller that
    runs epochs call after call does not need these copies in each. Here they depend on two further
    arguments of the roles `enter` and `leave`, and the scratch arguments become persistent arrays, of
    the role `storage`, which the caller keeps from call to call. With both flags set a call behaves as before.
    Without `enter` it continues with what the persistent arrays hold; without `leave` the array itself is out of date until a
    call, perhaps of no epochs, has the flag set.

    An array qualifies if only copies use it, and the copies' destinations are used in between only.
    Of ping-pong buffers that is the one to which the cells are brought home after the loop, since which
    of them holds the cells then depends on the number of epochs. Buffers without a home are left alone.

    ```mlir
    func.func @p(%U: memref<8x8xf32> {lci.role = "state", …}, %first: i64 {lci.role = "first"}, …,
                 %even: memref<8x4xf32> {lci.role = "scratch", …}, …) {
      linalg.copy ins(%evenOfU : …) outs(%even : …)
      scf.for … { lci.tick @U … target(%even : …) … }
      linalg.copy ins(%even : …) outs(%evenOfU : …)
    ```
    becomes
    ```mlir
    func.func @p(%U: memref<8x8xf32> {lci.role = "state", …}, %first: i64 {lci.role = "first"}, …,
                 %even: memref<8x4xf32> {lci.role = "storage", …}, …,
                 %enter: i1 {lci.role = "enter"}, %leave: i1 {lci.role = "leave"}) {
      scf.if %enter { linalg.copy ins(%evenOfU : …) outs(%even : …) }
      scf.for … { lci.tick @U … target(%even : …) … }
      scf.if %leave { linalg.copy ins(%even : …) outs(%evenOfU : …) }
    ```
  }];
  let statistics = [Statistic<"numKept", "kept", "Arrays that stay in their layout.">];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def OutlineTicksPass : Pass<"lci-outline-ticks", "::mlir::ModuleOp"> {
  let summary = "Outline each tick on memrefs, and each halo, fill and copy, to a private function.";
  let description = [{
    The buffers of the tick become arguments that are known not to alias. Of ping-pong buffers that a
    loop carries, nothing else says so, and the vectorizer would emit runtime checks.

    A tick that calls a model takes its phase as an argument too, even a constant one, so that all
    phases of a rule share one function and one copy of the model. Every `lci.varying` is an argument
    as well.

    Fills of a buffer before the first tick, copies between buffers where a rule is switched off or
    after the last tick, and loops that only move cells (between bytes and planes of bits) are outlined
    too: a function that is left with calls alone is lowered in a time that grows with their number.

    ```mlir
    func.func @p(%A: memref<8xi8> {llvm.noalias}, %t: i64) {
      lci.tick @A at %t, %t, %t target(%A : memref<8xi8>) class_stride 1 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
        %one = arith.constant 1 : i8
        %yes = arith.constant true
        lci.install %one if %yes : i8
      }
      return
    }
    ```
    becomes
    ```mlir
    func.func private @p.A(%A: memref<8xi8> {llvm.noalias}, %t: i64) { lci.tick … return }
    func.func @p(%A: memref<8xi8> {llvm.noalias}, %t: i64) {
      call @p.A(%A, %t) : (memref<8xi8>, i64) -> ()
      return
    }
    ```
  }];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that were moved.">,
                    Statistic<"numHalos", "halos", "Halos that were moved.">,
                    Statistic<"numCopies", "copies", "Fills and copies back that were moved.">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def HoistScratchPass : Pass<"lci-hoist-scratch", "::mlir::ModuleOp"> {
  let summary = "Let callers allocate the scratch buffers of private functions.";
  let description = [{
    Buffers of constant size that a private function allocates in its first block become `llvm.noalias`
    arguments; each caller allocates them once, for all of its callees. A function with other
    users than calls in the module keeps its buffers and frees them where it returns.

    ```mlir
    func.func private @tick() { %s = memref.alloc() : memref<64xf32> … memref.dealloc %s … }
    func.func @run() { scf.for … { call @tick() : () -> () } … }
    ```
    becomes
    ```mlir
    func.func private @tick(%s: memref<64xf32> {llvm.noalias}) { … }
    func.func @run() {
      %s = memref.alloc() : memref<64xf32>
      scf.for … { call @tick(%s) : (memref<64xf32>) -> () } … memref.dealloc %s …
    }
    ```
  }];
  let statistics = [Statistic<"numBuffers", "buffers", "Buffers that became arguments.">];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def RecordInterfacePass : Pass<"lci-record-interface", "::mlir::func::FuncOp"> {
  let summary = "Record the arguments of a function.";
  let description = [{
    In the llvm dialect every buffer is a pointer. So that code on that level can still be run by the roles
    of its arguments, each function with roles gets `lci.interface`: for each argument the attributes of this
    dialect, and its type.

    ```mlir
    func.func @p(%A: memref<8xi8> {lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64}) {
      return
    }
    ```
    becomes
    ```mlir
    func.func @p(%A: memref<8xi8> {lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64})
        attributes {lci.interface = [
          {lci.name = "A", lci.role = "state", lci.type = memref<8xi8>, lci.vocabulary = 2 : i64}
        ]} {
      return
    }
    ```
  }];
}

def StripInterfacePass : Pass<"lci-strip-interface", "::mlir::ModuleOp"> {
  let summary = "Drop attributes of arguments that LLVM IR cannot represent.";
  let description = [{
    Arguments in LLVM IR have no `lci.role` and the like; `lci-record-interface` has noted them on the function.
    Loop annotations, which upstream's conversions leave as a discardable attribute of the branch, are set as
    the branch's `loop_annotation`. Private functions with a body get internal linkage.

    ```mlir
    func.func @p(%A: i64 {lci.role = "seed"}) {
      return
    }
    ```
    becomes
    ```mlir
    func.func @p(%A: i64) {
      return
    }
    ```
  }];
}

#endif // LCI_TRANSFORMS_BUFFERIZE_PASSES_TD
