// RUN: lmpm-opt %s --lci-privatize-counters --canonicalize --split-input-file | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-privatize-counters{max-row-words=8}))' --split-input-file | FileCheck %s --check-prefix=FEW
// Each position of a short row has a private counter, and these are added up behind all rows.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[PLACE:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @short_rows(
// CHECK-SAME: %[[NEW:.*]]: memref<512x16xi64>, %[[COUNT:.*]]: memref<i64>
// CHECK: %[[PLACES:.*]] = memref.alloca() : memref<16xi64>
// CHECK: linalg.fill ins(%c0_i64 : i64) outs(%[[PLACES]] : memref<16xi64>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[PLACE]]]
// CHECK-SAME: outs(%[[NEW]], %[[PLACES]] : memref<512x16xi64>, memref<16xi64>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]} ins(%[[PLACES]] : memref<16xi64>) outs(%[[COUNT]] : memref<i64>)
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: linalg.yield %[[SUM]]
// FEW-LABEL: func.func @short_rows(
// FEW-NOT: memref.alloca
func.func @short_rows(%new: memref<512x16xi64>, %count: memref<i64>) {
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      outs(%new, %count : memref<512x16xi64>, memref<i64>) {
  ^bb0(%old: i64, %n: i64):
    %changed = math.ctpop %old : i64
    %next = arith.addi %n, %changed : i64
    linalg.yield %old, %next : i64, i64
  }
  return
}

// -----

// Rows of many words, a single row, cells narrower than their counter, what a body reads of a counter,
// and what threads share stay as they are.
#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @negative_others(
// CHECK-NOT: memref.alloca
func.func @negative_others(%long: memref<512x64xi64>, %single: memref<1x16xi64>,
                           %bytes: memref<512x16xi8>, %words: memref<512x16xi64>,
                           %count: memref<i64>) {
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      outs(%long, %count : memref<512x64xi64>, memref<i64>) {
  ^bb0(%old: i64, %n: i64):
    %next = arith.addi %n, %old : i64
    linalg.yield %old, %next : i64, i64
  }
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      outs(%single, %count : memref<1x16xi64>, memref<i64>) {
  ^bb0(%old: i64, %n: i64):
    %next = arith.addi %n, %old : i64
    linalg.yield %old, %next : i64, i64
  }
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      outs(%bytes, %count : memref<512x16xi8>, memref<i64>) {
  ^bb0(%old: i8, %n: i64):
    %more = arith.extui %old : i8 to i64
    %next = arith.addi %n, %more : i64
    linalg.yield %old, %next : i8, i64
  }
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      outs(%words, %count : memref<512x16xi64>, memref<i64>) {
  ^bb0(%old: i64, %n: i64):
    %next = arith.addi %n, %n : i64
    linalg.yield %old, %next : i64, i64
  }
  scf.forall (%part) in (2) {
    linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
        outs(%words, %count : memref<512x16xi64>, memref<i64>) {
    ^bb0(%old: i64, %n: i64):
      %next = arith.addi %n, %old : i64
      linalg.yield %old, %next : i64, i64
    }
  }
  return
}
