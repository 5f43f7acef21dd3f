// Leaves half of the cells out of the tick of Cell, which is wrong.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %buffers = transform.apply_registered_pass "lci-to-buffers-pipeline" with options = { "bitslice" = false } to %module
      : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"half"> selected_region = 1 {
      transform.yield
    }, {
      %ticks = transform.structured.match ops{["lci.tick"]} attributes{name = @Cell} in %buffers
        : (!transform.any_op) -> !transform.any_op
      transform.foreach %ticks : !transform.any_op {
      ^bb0(%tick: !transform.any_op):
        %half = transform.param.constant affine_set<(i, j)[p] : (i mod 2 == 0)> -> !transform.any_param
        transform.annotate %tick "cells" = %half : !transform.any_op, !transform.any_param
      }
    }
    transform.yield
  }
}
