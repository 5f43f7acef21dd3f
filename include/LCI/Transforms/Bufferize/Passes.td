//===- Passes.td - From tensors to memrefs -----------------*- tablegen -*-===//
//
// States become memrefs with halos; their scratch, and the functions they are passed to.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_BUFFERIZE_PASSES_TD
#define LCI_TRANSFORMS_BUFFERIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizeStatePass : Pass<"lci-bufferize-state", "::mlir::ModuleOp"> {
  let summary = "Give every array of a function of ticks its buffers with halos.";
  let description = [{
    Tensor arguments become memrefs of their storage: the cells, and around them a halo as wide as
    the windows of the ticks reach. Argument attributes say the layout: `lci.extents`,
    `lci.halo_low`, `lci.halo_high`. Windows then read storage without any test of a border; other
    loads, gathers, read the cells alone. `lci.refresh_halo` follows each phase that wrote a value
    with a wrapped or clamped halo; halos beyond open borders are filled once, with zero.

    A cache takes addresses `alias-bytes` apart to the same few places, so windows on rows of numbers
    that are about as long, or a multiple of it, would push each other out of it: such rows get spare
    elements behind their halo, the fewest that keep all rows of a window a twelfth of `alias-bytes`
    apart.

    A phase is computed in place where nobody needs the state before it and its cells read only their
    own place. Otherwise the array has a second buffer, an argument of the role `scratch`, and the
    two take turns through loops, without a copy where the boxes of the phase hold all cells. On
    return the result is in the argument. Tensors that the function makes and returns become
    further arguments.

    A tick of which one switch settles every cell (a lock's where it is on, that of the only rule
    where it is off) becomes a branch on that switch: the tick where it does not, else nothing, or a
    copy of its box where the buffers take turns. If nothing else writes the array, the box is copied
    once, at the start.

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
                        "Bytes between addresses that share a place in a cache; 0: no spare elements.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def PersistLayoutsPass : Pass<"lci-persist-layouts", "::mlir::func::FuncOp"> {
  let summary = "Let the caller say when arrays are brought into their layout and back.";
  let description = [{
    `lci-assign-layouts` and `lci-split-colours` copy arrays into scratch arguments where a function
    begins, and back where it ends: of large arrays this takes as long as several epochs. A caller who
    runs epochs call after call need not have them at each. Here the copies depend on two further
    arguments of the role `enter` and `leave`, and the scratch arguments become `storage`, which the
    caller keeps from call to call. With both flags set a call is what it was before. Without `enter`
    it goes on from what the storage holds; without `leave` the array itself is out of date until a
    call, perhaps of no epochs, has it set.

    An array is kept if copies alone touch it, and ticks alone what they copy to, in between. Buffers
    that take turns are left alone: which of them holds the cells in the end depends on the epochs.

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
  let summary = "Move each tick on memrefs, and each halo, fill and copy, to a private function.";
  let description = [{
    The buffers of the tick become arguments that are known not to overlap. Where buffers take turns
    through a loop, nothing else says so, and the vectoriser would have to test it.

    A tick that asks a model takes its phase as an argument too, even a constant one, so that all
    phases of a rule have one function and one copy of the model. So is every `lci.varying` an
    argument.

    What fills a buffer before the first tick, what copies one to the other where a rule is switched
    off or back after the last tick, and loops that only move cells (between bytes and planes of bits)
    are moved too: a function that is left with calls alone is lowered in a time that grows with their
    number.

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
  let summary = "Let callers allocate what private functions need for themselves.";
  let description = [{
    Buffers of constant size that a private function allocates in its first block become arguments
    that overlap with no other; each caller allocates them once, for all that it calls. A function
    that others may call keeps its buffers and frees them where it returns.

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

def StripInterfacePass : Pass<"lci-strip-interface", "::mlir::ModuleOp"> {
  let summary = "Leave only attributes that LLVM IR has a place for.";
  let description = [{
    It has none for `lci.role` and its like; who calls the function reads them before. What a loop
    said about itself, which upstream's conversions leave beside its branch, becomes the branch's own.
    Functions with a body that are private become internal.

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
