// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-tabulate,canonicalize))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-tabulate{max-entries=4},canonicalize))' | FileCheck %s --check-prefix=SMALL
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-tabulate{min-saved=1 min-look-ups=0},canonicalize))' | FileCheck %s --check-prefix=ALL
// What few integers decide is looked up: once for all, once for each change of a parameter, or not.

#wrap = #lci.boundary<wrap>

// Five sums decide the chance: the table holds its thresholds, and stands where the parameter does.
// CHECK-LABEL: func.func @heat_bath(
// CHECK-SAME: %[[BETA:[a-z0-9]*]]: f32
// CHECK: scf.for %[[E:.*]] = %{{.*}} to
// CHECK: %[[NOW:.*]] = arith.mulf %{{.*}}, %[[BETA]]
// CHECK: %[[TABLE:.*]] = tensor.generate {
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK:   %[[SUM:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:   %[[FIELD:.*]] = arith.sitofp %[[SUM]] : i64 to f32
// CHECK:   %[[X:.*]] = arith.mulf %[[NOW]], %[[FIELD]]
// CHECK:   %[[P:.*]] = lci.elementary sigmoid %[[X]]
// CHECK:   %[[T:.*]] = lci.threshold %[[P]]
// CHECK:   tensor.yield %[[T]] : i64
// CHECK: } : tensor<3xi64>
// CHECK: lci.tick @S at %[[E]]
// CHECK: ^bb0({{.*}}, %[[THRESHOLDS:[a-z0-9]*]]: tensor<3xi64>):
// CHECK:   %[[HERE:.*]] = arith.addi
// CHECK:   %[[LIMIT:.*]] = lci.table %[[THRESHOLDS]][%[[HERE]]] : tensor<3xi64>[i64]
// CHECK:   lci.draw_below %[[LIMIT]] stream <3, 0>
// CHECK-NOT: lci.elementary
// SMALL-LABEL: func.func @heat_bath(
// SMALL: lci.table
func.func @heat_bath(%a: tensor<64x64xi8>, %beta: f32, %first: i64, %last: i64, %s: i64) -> tensor<64x64xi8> {
  %one = arith.constant 1 : i64
  %p = arith.constant 0 : i64
  %r = scf.for %e = %first to %last step %one iter_args(%x = %a) -> (tensor<64x64xi8>) : i64 {
    %float = arith.sitofp %e : i64 to f32
    %now = arith.mulf %float, %beta : f32
    %n = lci.tick @S at %e, %p, %s inputs(%x, %now : tensor<64x64xi8>, f32) target(%x : tensor<64x64xi8>) class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64x64xi8>, %b: f32):
      %up = lci.load %in[affine_map<(i, j) -> (i - 1, j)>](%i, %j) [#wrap, #wrap] : tensor<64x64xi8> -> i8
      %up1 = arith.trunci %up : i8 to i1
      %up64 = arith.extui %up1 : i1 to i64
      %down = lci.load %in[affine_map<(i, j) -> (i + 1, j)>](%i, %j) [#wrap, #wrap] : tensor<64x64xi8> -> i8
      %down1 = arith.trunci %down : i8 to i1
      %down64 = arith.extui %down1 : i1 to i64
      %sum = arith.addi %up64, %down64 : i64
      %field = arith.sitofp %sum : i64 to f32
      %u = arith.mulf %b, %field : f32
      %chance = lci.elementary sigmoid %u : f32
      %drawn = lci.bernoulli %chance stream <3, 0>
      %token = arith.extui %drawn : i1 to i8
      %yes = arith.constant true
      lci.install %token if %yes : i8
    } -> tensor<64x64xi8>
    scf.yield %n : tensor<64x64xi8>
  }
  return %r : tensor<64x64xi8>
}

// -----

// Nothing but the sum decides this one: its entries are known now, and stored in few bits.
// CHECK-LABEL: func.func @known(
// CHECK: arith.constant dense<[1, 3, 3]> : tensor<3xi8>
// CHECK: lci.tick
// CHECK: %[[ENTRY:.*]] = lci.table %{{.*}}[%{{.*}}] : tensor<3xi8>[i64]
// CHECK: arith.extui %[[ENTRY]] : i8 to i64
func.func @known(%a: tensor<8xi8>, %e: i64) -> tensor<8xi64> {
  %empty = arith.constant dense<0> : tensor<8xi64>
  %n = lci.tick @S at %e, %e, %e inputs(%a : tensor<8xi8>) target(%empty : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<8xi8> -> i8
    %bits = arith.trunci %v : i8 to i2
    %wide = arith.extui %bits : i2 to i64
    %two = arith.constant 2 : i64
    %few = arith.minui %wide, %two : i64
    %x = arith.sitofp %few : i64 to f32
    %y = lci.elementary exp %x : f32
    %z = arith.fptosi %y : f32 to i64
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %low = arith.maxsi %z, %zero : i64
    %odd = arith.andi %low, %three : i64
    %one = arith.constant 1 : i64
    %w = arith.ori %odd, %one : i64
    %yes = arith.constant true
    lci.install %w if %yes : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// -----

// Two integers make a table with two indices, each counted from its least value. One with more
// entries than allowed is not made, but one of a part may be.
// CHECK-LABEL: func.func @two_indices(
// CHECK: tensor.generate
// CHECK: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK: } : tensor<2x3xf32>
// CHECK: lci.tick
// CHECK: %[[LEVEL:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// CHECK: lci.table %{{.*}}[%{{.*}}, %[[LEVEL]]] : tensor<2x3xf32>[i1, i64]
// SMALL-LABEL: func.func @two_indices(
// SMALL: } : tensor<3xf32>
// SMALL: lci.table %{{.*}}[%{{.*}}] : tensor<3xf32>[i64]
// SMALL: arith.select
func.func @two_indices(%a: tensor<64xi8>, %t: f32, %e: i64) -> tensor<64xf32> {
  %empty = arith.constant dense<0.0> : tensor<64xf32>
  %n = lci.tick @S at %e, %e, %e inputs(%a, %t : tensor<64xi8>, f32) target(%empty : tensor<64xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64xi8>, %heat: f32):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<64xi8> -> i8
    %bits = arith.trunci %v : i8 to i2
    %wide = arith.extui %bits : i2 to i64
    %seven = arith.constant 7 : i64
    %most = arith.addi %wide, %seven : i64
    %nine = arith.constant 9 : i64
    %level = arith.minui %most, %nine : i64
    %w = lci.load %in[affine_map<(i) -> (i + 1)>](%i) [#lci.boundary<wrap>] : tensor<64xi8> -> i8
    %truth = arith.trunci %w : i8 to i1
    %x = arith.sitofp %level : i64 to f32
    %y = arith.divf %x, %heat : f32
    %z = lci.elementary exp %y : f32
    %r = arith.select %truth, %z, %heat : f32
    %yes = arith.constant true
    lci.install %r if %yes : f32
  } -> tensor<64xf32>
  return %n : tensor<64xf32>
}

// -----

// What no cell differs in is computed before the tick.
// CHECK-LABEL: func.func @uniform(
// CHECK-SAME: %[[T:[a-z0-9]*]]: f32
// CHECK: %[[Y:.*]] = lci.elementary exp %[[T]]
// CHECK: %[[LIMIT:.*]] = lci.threshold %[[Y]]
// CHECK: lci.tick @S {{.*}} inputs(%[[T]], %[[LIMIT]] : f32, i64)
// CHECK: ^bb0({{.*}}, %[[BELOW:[a-z0-9]*]]: i64):
// CHECK: lci.draw_below %[[BELOW]]
func.func @uniform(%a: tensor<8xi1>, %t: f32, %e: i64) -> tensor<8xi1> {
  %n = lci.tick @S at %e, %e, %e inputs(%t : f32) target(%a : tensor<8xi1>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %heat: f32):
    %chance = lci.elementary exp %heat : f32
    %drawn = lci.bernoulli %chance stream <1, 0>
    %yes = arith.constant true
    lci.install %drawn if %yes : i1
  } -> tensor<8xi1>
  return %n : tensor<8xi1>
}

// -----

// Indices of cells are few values, and so are the candidates of an agreement.
// CHECK-LABEL: func.func @indices_and_candidates(
// CHECK: tensor.generate
// CHECK: } : tensor<4x64xf32>
// CHECK: lci.agree
// CHECK: lci.table %{{.*}} : tensor<4x64xf32>[i64, index]
func.func @indices_and_candidates(%a: tensor<64x64xi64>, %t: f32, %e: i64) -> tensor<64x64xi64> {
  %n = lci.tick @S at %e, %e, %e inputs(%t : f32) target(%a : tensor<64x64xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %heat: f32):
    %none = arith.constant 0 : i64
    %four = arith.constant 4 : i64
    %winner, %found = lci.agree %none to %four {
    ^bb0(%k: i64):
      %x = arith.sitofp %k : i64 to f32
      %y = arith.divf %x, %heat : f32
      %z = lci.elementary exp %y : f32
      %place = arith.index_cast %i : index to i64
      %p = arith.sitofp %place : i64 to f32
      %q = arith.divf %p, %heat : f32
      %r = lci.elementary sin %q : f32
      %score = arith.addf %z, %r : f32
      %yes = arith.constant true
      lci.candidate %yes levels() score %score proposed %yes
    }
    lci.install %winner if %found : i64
  } -> tensor<64x64xi64>
  return %n : tensor<64x64xi64>
}

// -----

// Scores that are counts are subtracted as integers, a winner's too, which is 0 where there is none. The
// subtrahend of each iteration is folded into the base of the table.
// CHECK-LABEL: func.func @winners_score(
// CHECK: } : tensor<7xi1>
// CHECK: %{{.*}}, %{{.*}}, %[[SCORE:.*]] = lci.agree
// CHECK: %[[COUNT:.*]] = arith.fptosi %[[SCORE]] : f32 to i64
// CHECK: %[[MOST:.*]] = arith.maxsi %[[COUNT]], %c0_i64
// CHECK: %[[BEST:.*]] = arith.minsi %[[MOST]], %c3_i64
// CHECK: scf.for
// CHECK: %[[FROM:.*]] = arith.addi %[[BEST]], %c-3_i64{{.*}} : i64
// CHECK: %[[AWAY:.*]] = arith.subi %{{.*}}, %[[FROM]] : i64
// CHECK: lci.table %{{.*}}[%[[AWAY]]] : tensor<7xi1>[i64]
func.func @winners_score(%a: tensor<64xi64>, %t: f32, %e: i64) -> tensor<64xi64> {
  %n = lci.tick @S at %e, %e, %e inputs(%t : f32) target(%a : tensor<64xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %heat: f32):
    %none = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %seven = arith.constant 7 : i64
    %half = arith.constant 5.000000e-01 : f32
    %winner, %found, %best = lci.agree %none to %seven score f32 {
    ^bb0(%k: i64):
      %few = arith.andi %k, %three : i64
      %score = arith.sitofp %few : i64 to f32
      %yes = arith.constant true
      lci.candidate %yes levels() score %score proposed %yes
    }
    %one = arith.constant 1 : i64
    %new = scf.for %k = %none to %seven step %one iter_args(%last = %none) -> (i64) : i64 {
      %own = arith.andi %k, %three : i64
      %mine = arith.sitofp %own : i64 to f32
      %away = arith.subf %mine, %best : f32
      %x = arith.divf %away, %heat : f32
      %y = lci.elementary exp %x : f32
      %more = arith.cmpf ogt, %y, %half : f32
      %next = arith.select %more, %k, %last : i64
      scf.yield %next : i64
    }
    lci.install %new if %found : i64
  } -> tensor<64xi64>
  return %n : tensor<64xi64>
}

// -----

#wrap = #lci.boundary<wrap>

// A rule of sums and comparisons is cheaper than a look-up.
// CHECK-LABEL: func.func @negative_cheap(
// CHECK-NOT: lci.table
// ALL-LABEL: func.func @negative_cheap(
// ALL: arith.constant dense<[false, false, true]> : tensor<3xi1>
// ALL: lci.table
func.func @negative_cheap(%a: tensor<8xi8>, %e: i64) -> tensor<8xi8> {
  %n = lci.tick @S at %e, %e, %e inputs(%a : tensor<8xi8>) target(%a : tensor<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
    %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#wrap] : tensor<8xi8> -> i8
    %v1 = arith.trunci %v : i8 to i1
    %v64 = arith.extui %v1 : i1 to i64
    %w = lci.load %in[affine_map<(i) -> (i + 1)>](%i) [#wrap] : tensor<8xi8> -> i8
    %w1 = arith.trunci %w : i8 to i1
    %w64 = arith.extui %w1 : i1 to i64
    %sum = arith.addi %v64, %w64 : i64
    %two = arith.constant 2 : i64
    %x = arith.muli %sum, %sum : i64
    %y = arith.subi %x, %two : i64
    %z = arith.muli %y, %x : i64
    %u = arith.addi %z, %sum : i64
    %born = arith.cmpi sgt, %u, %two : i64
    %token = arith.extui %born : i1 to i8
    %yes = arith.constant true
    lci.install %token if %yes : i8
  } -> tensor<8xi8>
  return %n : tensor<8xi8>
}

// -----

// Nobody knows how many values these integers take; and what a state holds changes.
// CHECK-LABEL: func.func @negative_many(
// CHECK-NOT: lci.table
// CHECK: lci.tick
// CHECK: lci.elementary exp
// CHECK: lci.elementary log
func.func @negative_many(%a: tensor<8xi64>, %b: tensor<f32>, %e: i64) -> (tensor<8xi64>, tensor<f32>) {
  %n = lci.tick @S at %e, %e, %e inputs(%a, %b : tensor<8xi64>, tensor<f32>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>, %other: tensor<f32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %y = lci.elementary exp %x : f32
    %o = tensor.extract %other[] : tensor<f32>
    %p = lci.elementary log %o : f32
    %q = arith.addf %y, %p : f32
    %z = arith.fptosi %q : f32 to i64
    %yes = arith.constant true
    lci.install %z if %yes : i64
  } -> tensor<8xi64>
  %m = lci.tick @T at %e, %e, %e target(%b : tensor<f32>) class_stride 1 {
  ^bb0(%epoch: i64, %phase: i64, %seed: i64):
    %zero = arith.constant 0.0 : f32
    %yes = arith.constant true
    lci.install %zero if %yes : f32
  } -> tensor<f32>
  return %n, %m : tensor<8xi64>, tensor<f32>
}

// -----

// Four entries are too many for eight cells, unless these are computed in many phases.
// CHECK-LABEL: func.func @negative_few_cells(
// CHECK-NOT: lci.table
// CHECK: return
// ALL-LABEL: func.func @negative_few_cells(
// ALL: lci.table
func.func @negative_few_cells(%a: tensor<8xi8>, %t: f32, %e: i64) -> tensor<8xi8> {
  %n = lci.tick @S at %e, %e, %e inputs(%a, %t : tensor<8xi8>, f32) target(%a : tensor<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %heat: f32):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<8xi8> -> i8
    %bits = arith.trunci %v : i8 to i2
    %x = arith.uitofp %bits : i2 to f32
    %y = arith.mulf %x, %heat : f32
    %z = lci.elementary exp %y : f32
    %drawn = lci.bernoulli %z stream <1, 0>
    %token = arith.extui %drawn : i1 to i8
    %yes = arith.constant true
    lci.install %token if %yes : i8
  } -> tensor<8xi8>
  return %n : tensor<8xi8>
}

// CHECK-LABEL: func.func @many_phases(
// CHECK: tensor.generate
// CHECK: scf.for
// CHECK: lci.table
func.func @many_phases(%a: tensor<8xi8>, %t: f32, %e: i64) -> tensor<8xi8> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %r = scf.for %p = %zero to %eight step %one iter_args(%s = %a) -> (tensor<8xi8>) : i64 {
    %n = lci.tick @S at %e, %p, %e inputs(%s, %t : tensor<8xi8>, f32) target(%s : tensor<8xi8>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %heat: f32):
      %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<8xi8> -> i8
      %bits = arith.trunci %v : i8 to i2
      %x = arith.uitofp %bits : i2 to f32
      %y = arith.mulf %x, %heat : f32
      %z = lci.elementary exp %y : f32
      %drawn = lci.bernoulli %z stream <1, 0>
      %token = arith.extui %drawn : i1 to i8
      %yes = arith.constant true
      lci.install %token if %yes : i8
    } -> tensor<8xi8>
    scf.yield %n : tensor<8xi8>
  }
  return %r : tensor<8xi8>
}

// -----

// A comparison of an operand that indexes the table anyway is no further index.
// CHECK-LABEL: func.func @compared(
// CHECK: } : tensor<4x4xf32>
// CHECK: lci.table %{{.*}}[%{{.*}}, %{{.*}}] : tensor<4x4xf32>[i2, i2]
func.func @compared(%a: tensor<64xi8>, %t: f32, %e: i64) -> tensor<64xf32> {
  %empty = arith.constant dense<0.0> : tensor<64xf32>
  %n = lci.tick @S at %e, %e, %e inputs(%a, %t : tensor<64xi8>, f32) target(%empty : tensor<64xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64xi8>, %heat: f32):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<64xi8> -> i8
    %w = lci.load %in[affine_map<(i) -> (i + 1)>](%i) [#lci.boundary<wrap>] : tensor<64xi8> -> i8
    %x = arith.trunci %v : i8 to i2
    %y = arith.trunci %w : i8 to i2
    %same = arith.cmpi eq, %x, %y : i2
    %xf = arith.uitofp %x : i2 to f32
    %yf = arith.uitofp %y : i2 to f32
    %d = arith.subf %xf, %yf : f32
    %q = arith.divf %d, %heat : f32
    %z = lci.elementary exp %q : f32
    %one = arith.constant 1.0 : f32
    %r = arith.select %same, %one, %z : f32
    %yes = arith.constant true
    lci.install %r if %yes : f32
  } -> tensor<64xf32>
  return %n : tensor<64xf32>
}

// -----

// Floats of whole numbers are subtracted and compared as these: the difference alone decides.
// CHECK-LABEL: func.func @difference(
// CHECK: } : tensor<7xf32>
// CHECK: %[[DIFFERENCE:.*]] = arith.subi
// CHECK: %[[PLACE:.*]] = arith.subi %[[DIFFERENCE]], %{{.*}} : i64
// CHECK: lci.table %{{.*}}[%[[PLACE]]] : tensor<7xf32>[i64]
func.func @difference(%a: tensor<64xi8>, %t: f32, %e: i64) -> tensor<64xf32> {
  %empty = arith.constant dense<0.0> : tensor<64xf32>
  %n = lci.tick @S at %e, %e, %e inputs(%a, %t : tensor<64xi8>, f32) target(%empty : tensor<64xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64xi8>, %heat: f32):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<64xi8> -> i8
    %w = lci.load %in[affine_map<(i) -> (i + 1)>](%i) [#lci.boundary<wrap>] : tensor<64xi8> -> i8
    %short = arith.trunci %v : i8 to i2
    %other = arith.trunci %w : i8 to i2
    %x = arith.extui %short : i2 to i64
    %y = arith.extui %other : i2 to i64
    %xf = arith.sitofp %x : i64 to f32
    %yf = arith.sitofp %y : i64 to f32
    %d = arith.subf %xf, %yf : f32
    %same = arith.cmpf oeq, %xf, %yf : f32
    %q = arith.divf %d, %heat : f32
    %z = lci.elementary exp %q : f32
    %one = arith.constant 1.0 : f32
    %r = arith.select %same, %one, %z : f32
    %yes = arith.constant true
    lci.install %r if %yes : f32
  } -> tensor<64xf32>
  return %n : tensor<64xf32>
}

// -----

// A sum and a difference have three values each; the same two bits decide both.
// CHECK-LABEL: func.func @shared(
// CHECK: } : tensor<2x2xf32>
// CHECK: lci.table %{{.*}}[%{{.*}}, %{{.*}}] : tensor<2x2xf32>[i1, i1]
func.func @shared(%a: tensor<64xi8>, %t: f32, %e: i64) -> tensor<64xf32> {
  %empty = arith.constant dense<0.0> : tensor<64xf32>
  %n = lci.tick @S at %e, %e, %e inputs(%a, %t : tensor<64xi8>, f32) target(%empty : tensor<64xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64xi8>, %heat: f32):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : tensor<64xi8> -> i8
    %w = lci.load %in[affine_map<(i) -> (i + 1)>](%i) [#lci.boundary<wrap>] : tensor<64xi8> -> i8
    %x1 = arith.trunci %v : i8 to i1
    %y1 = arith.trunci %w : i8 to i1
    %x = arith.extui %x1 : i1 to i64
    %y = arith.extui %y1 : i1 to i64
    %p = arith.addi %x, %y : i64
    %q = arith.subi %x, %y : i64
    %pf = arith.sitofp %p : i64 to f32
    %qf = arith.sitofp %q : i64 to f32
    %d = arith.subf %pf, %qf : f32
    %h = arith.divf %d, %heat : f32
    %z = lci.elementary exp %h : f32
    %yes = arith.constant true
    lci.install %z if %yes : f32
  } -> tensor<64xf32>
  return %n : tensor<64xf32>
}

// -----

// Floats that are counts are compared as integers, which distinguishes numbers from NaN; other floats are
// not, and neither are integers that a float does not hold.
// CHECK-LABEL: func.func @counts(
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[A:.*]], %{{.*}} : i64
// CHECK: %[[WIDE:.*]] = arith.cmpf olt
// CHECK: arith.andi %[[LESS]], %[[WIDE]]
// CHECK-NOT: cmpf ord
func.func @counts(%s: tensor<8xi8>, %e: i64) -> tensor<8xi8> {
  %n = lci.tick @A at %e, %e, %e inputs(%s, %e : tensor<8xi8>, i64) target(%s : tensor<8xi8>)
      class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %any: i64):
    %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<8xi8> -> i8
    %a = arith.extui %v : i8 to i64
    %w = lci.load %in[affine_map<(d0) -> (d0 + 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %b = arith.extui %w : i8 to i64
    %f = arith.sitofp %a : i64 to f32
    %g = arith.sitofp %b : i64 to f32
    %h = arith.sitofp %any : i64 to f32
    %less = arith.cmpf olt, %f, %g : f32
    %wide = arith.cmpf olt, %f, %h : f32
    %known = arith.cmpf ord, %f, %g : f32
    %both = arith.andi %less, %wide : i1
    %all = arith.andi %both, %known : i1
    lci.install %v if %all : i8
  } -> tensor<8xi8>
  return %n : tensor<8xi8>
}
