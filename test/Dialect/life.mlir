// RUN: lmpm-opt %s --verify-roundtrip | lmpm-opt --mlir-print-op-generic | lmpm-opt | FileCheck %s
// Life in program form (level 1) and in tick form (level 3) survives custom, generic and bytecode form.

// CHECK: lci.program @life sizes ["W", "H"]
lci.program @life sizes ["W", "H"] {
  // CHECK: lci.value @Cell token vocabulary
  lci.value @Cell token vocabulary affine_map<()[s0, s1] -> (2)>
    shape affine_map<()[s0, s1] -> (s0, s1)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  ^bb0(%x: index, %y: index):
    %p = arith.constant 0.3 : f32
    %b = lci.bernoulli %p stream <0, 0>
    %t = arith.extui %b : i1 to i64
    lci.yield %t : i64
  }
  // CHECK: lci.visible @Cell sees @Cell
  lci.visible @Cell sees @Cell[affine_map<(x, y)[W, H] -> (x, y)>]
    where [affine_set<(x, y)[W, H] : (0 == 0)>]
  // CHECK: label "near"
  lci.visible @Cell sees @Cell[affine_map<(x, y, dx, dy)[W, H] -> (x + dx, y + dy)>]
    where [affine_set<(x, y, dx, dy)[W, H] : (dx + 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
           affine_set<(x, y, dx, dy)[W, H] : (dx - 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
           affine_set<(x, y, dx, dy)[W, H] : (dx == 0, dy + 1 == 0)>,
           affine_set<(x, y, dx, dy)[W, H] : (dx == 0, dy - 1 == 0)>] label "near"
  // CHECK: lci.rule @Life on @Cell
  lci.rule @Life on @Cell {
  ^bb0(%x: index, %y: index):
    // CHECK: lci.reduce sum
    %sum, %some = lci.reduce sum [
      affine_set<(x, y, dx, dy)[W, H] : (dx + 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
      affine_set<(x, y, dx, dy)[W, H] : (dx - 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
      affine_set<(x, y, dx, dy)[W, H] : (dx == 0, dy + 1 == 0)>,
      affine_set<(x, y, dx, dy)[W, H] : (dx == 0, dy - 1 == 0)>](%x, %y) : i64 {
    ^bb0(%dx: index, %dy: index, %rank: index):
      %v, %p = lci.read @Cell[affine_map<(x, y, dx, dy)[W, H] -> (x + dx, y + dy)>](%x, %y, %dx, %dy) : i64
      lci.yield %v present %p : i64
    }
    %n = lci.let "n" = %sum : i64
    %three = arith.constant 3 : i64
    %two = arith.constant 2 : i64
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %born = arith.cmpi eq, %n, %three : i64
    %stays = arith.cmpi eq, %n, %two : i64
    %self, %there = lci.read @Cell[affine_map<(x, y)[W, H] -> (x, y)>](%x, %y) : i64
    %token = lci.unwrap %self, %there : i64
    %alive = arith.cmpi eq, %token, %one : i64
    %both = arith.andi %stays, %alive : i1
    %next = arith.ori %born, %both : i1
    %result = arith.select %next, %one, %zero : i64
    // CHECK: lci.emit %{{.*}} : i64
    lci.emit %result : i64
  }
  // CHECK: lci.commit @Cell using accept
  lci.commit @Cell using accept {
  }
}

// CHECK: func.func @life_epoch
func.func @life_epoch(%cell: tensor<64x64xi64>, %e: i64, %seed: i64) -> tensor<64x64xi64> {
  %phase = arith.constant 0 : i64
  // CHECK: lci.tick @Cell at
  %next = lci.tick @Cell at %e, %phase, %seed inputs(%cell : tensor<64x64xi64>)
      target(%cell : tensor<64x64xi64>) box [0, 0] [64, 64] step [1, 1] class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %p: i64, %s: i64, %in: tensor<64x64xi64>):
    // CHECK: lci.load
    %left = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x64xi64> -> i64
    %yes = arith.constant true
    // CHECK: lci.install
    lci.install %left if %yes : i64
  } -> tensor<64x64xi64>
  return %next : tensor<64x64xi64>
}
