// RUN: lmpm-opt %s --lci-bind="sizes=N=8,V=4 models=Logits=logits,Token=token,Sure=sure,Number=number" \
// RUN:   --mlir-print-local-scope | FileCheck %s
// What a model's function returns decides what the rule proposes and how it is scored.

func.func private @logits(tensor<3xi32>, tensor<3xi1>, tensor<4x3xf32> {lci.weight = "w"}) -> tensor<4xf32>
func.func private @token(tensor<3xi64>, tensor<3xi1>) -> i32
func.func private @sure(tensor<3xi32>, tensor<3xi1>) -> (i32, f32)
func.func private @number(tensor<3xi32>, tensor<3xi1>) -> f32

lci.program @p sizes ["N", "V"] {
  lci.value @A token vocabulary affine_map<()[N, V] -> (V)> shape affine_map<()[N, V] -> (N)>
    boundary [#lci.boundary<wrap>] {
  }
  // CHECK: lci.model "Logits" is "logits"
  lci.model "Logits"
  lci.model "Token"
  lci.model "Sure"
  lci.model "Number"
  lci.model "Score"
  lci.commit @A using accept {
  }
  // The answer is the logits: any candidate, scored by its logit.
  // CHECK-LABEL: lci.rule @PlainLogits
  lci.rule @PlainLogits on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i, d)[N, V] : (d + 1 >= 0, 1 - d >= 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%d: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, d)[N, V] -> (i + d)>](%i, %d) : i64
      lci.yield %w present %q : i64
    }
    // CHECK: %[[L:.*]] = lci.evaluate "Logits"(%{{.*}}, %{{.*}}) : (tensor<3xi64>, tensor<3xi1>) -> tensor<4xf32>
    %a = lci.evaluate "Logits"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    // CHECK: lci.emit any score {
    // CHECK-NEXT: ^bb0(%[[K:.*]]: i64):
    // CHECK-NEXT: %[[INDEX:.*]] = arith.index_cast %[[K]] : i64 to index
    // CHECK-NEXT: %[[S:.*]] = tensor.extract %[[L]][%[[INDEX]]]
    // CHECK-NEXT: lci.yield %[[S]] : f32
    lci.emit %a : !lci.answer
  }
  // A score model without a function is the logits, evaluated once.
  // CHECK-LABEL: lci.rule @ScoredLogits
  // CHECK-COUNT-1: lci.evaluate
  // CHECK: lci.emit any score {
  // CHECK-NOT: lci.evaluate
  // CHECK: tensor.extract
  lci.rule @ScoredLogits on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i, d)[N, V] : (d + 1 >= 0, 1 - d >= 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%d: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, d)[N, V] -> (i + d)>](%i, %d) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "Logits"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    %n = lci.let "answer" = %a : !lci.answer
    lci.emit %n : !lci.answer score {
    ^bb0(%k: i64):
      %s = lci.evaluate "Score"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
      lci.yield %s : !lci.answer
    }
  }
  // CHECK-LABEL: lci.rule @PlainToken
  // CHECK: %[[T:.*]] = lci.evaluate "Token"({{.*}}) : (tensor<3xi64>, tensor<3xi1>) -> i64
  // CHECK: lci.emit %[[T]] : i64{{$}}
  lci.rule @PlainToken on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i, d)[N, V] : (d + 1 >= 0, 1 - d >= 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%d: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, d)[N, V] -> (i + d)>](%i, %d) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "Token"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
  // CHECK-LABEL: lci.rule @SureToken
  // CHECK: %[[T:.*]]:2 = lci.evaluate "Sure"({{.*}}) : (tensor<3xi64>, tensor<3xi1>) -> (i64, f32)
  // CHECK: lci.emit %[[T]]#0 : i64 sureness %[[T]]#1{{$}}
  lci.rule @SureToken on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i, d)[N, V] : (d + 1 >= 0, 1 - d >= 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%d: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, d)[N, V] -> (i + d)>](%i, %d) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "Sure"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer score {
    ^bb0(%k: i64):
      %s = lci.evaluate "Score"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
      lci.yield %s : !lci.answer
    }
  }
  // A number that does not know the candidate belongs to the proposal alone.
  // CHECK-LABEL: lci.rule @Judged
  // CHECK-DAG: %[[T:.*]] = lci.evaluate "Token"({{.*}}) : (tensor<3xi64>, tensor<3xi1>) -> i64
  // CHECK-DAG: %[[S:.*]] = lci.evaluate "Number"({{.*}}) : (tensor<3xi64>, tensor<3xi1>) -> f32
  // CHECK: lci.emit %[[T]] : i64 sureness %[[S]]{{$}}
  lci.rule @Judged on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i, d)[N, V] : (d + 1 >= 0, 1 - d >= 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%d: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, d)[N, V] -> (i + d)>](%i, %d) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "Token"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer score {
    ^bb0(%k: i64):
      %s = lci.evaluate "Number"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
      lci.yield %s : !lci.answer
    }
  }
}

// The length of a collected family is its largest size at any cell.
// CHECK-LABEL: lci.program @lengths
lci.program @lengths sizes ["N"] {
  lci.value @A f32 shape affine_map<()[N] -> (N)> boundary [#lci.boundary<open>] {
  }
  lci.model "Number"
  lci.commit @A using accept {
  }
  lci.rule @R on @A where [affine_set<(i)[N] : (5 - i >= 0)>] {
  ^bb0(%i: index):
    // CHECK: tensor<5xf32>, tensor<5xi1>
    %past:2 = lci.collect [affine_set<(i, j)[N] : (j >= 0, i - 1 - j >= 0)>](%i) : tensor<?xf32>, tensor<?xi1> {
    ^bb0(%j: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, j)[N] -> (j)>](%i, %j) : f32
      lci.yield %w present %q : f32
    }
    // Overlapping sets hold their common members once; -2 -1 1 2 and a 0 for even cells.
    // CHECK: tensor<5xf32>, tensor<5xi1>
    %near:2 = lci.collect [affine_set<(i, j)[N] : (j + 2 >= 0, -1 - j >= 0)>,
                           affine_set<(i, j)[N] : (j - 1 >= 0, 2 - j >= 0)>,
                           affine_set<(i, j)[N] : (j >= 0, i mod 2 - j >= 0, 1 - j >= 0)>](%i)
        : tensor<?xf32>, tensor<?xi1> {
    ^bb0(%j: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, j)[N] -> (i + j)>](%i, %j) : f32
      lci.yield %w present %q : f32
    }
    // CHECK: tensor<1xf32>, tensor<1xi1>
    %self:2 = lci.collect [affine_set<(i)[N] : (0 == 0)>](%i) : tensor<?xf32>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i)[N] -> (i)>](%i) : f32
      lci.yield %w present %q : f32
    }
    %zero = arith.constant 0 : index
    %a = tensor.extract %past#0[%zero] : tensor<?xf32>
    %b = tensor.extract %near#0[%zero] : tensor<?xf32>
    %c = tensor.extract %self#0[%zero] : tensor<?xf32>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    lci.emit %abc : f32
  }
}
