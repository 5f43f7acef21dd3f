# RUN: %python %s | FileCheck %s
"""Values: kinds, shapes, boundaries, what they begin with; parameters and formulas."""

import lmpm
from lmpm import F32, I32, Grid2D, Latent, Scalar, Seq, Set, Token

W, N = lmpm.sizes("W N")
program = lmpm.Program()

# CHECK-DAG: #[[V:.*]] = affine_map<()[s0, s1, s2] -> (s0 * 2)>
# CHECK-DAG: #[[SHAPE:.*]] = affine_map<()[s0, s1, s2] -> (s1 floordiv 8, s0 + 1)>

# CHECK: lci.program @program sizes ["N", "W", "D"]
# CHECK: lci.value @Grid token vocabulary #[[V]] shape #[[SHAPE]]
# CHECK-SAME: boundary [#lci.boundary<open>, #lci.boundary<wrap>]
program.value("Grid", Token(2 * N), Grid2D(W // 8, N + 1), boundary=("open", "wrap"))

# CHECK: lci.value @Line i32
# CHECK: ^bb0(%[[I:.*]]: index):
# CHECK: %[[N:.*]] = arith.index_cast %[[I]]
# CHECK: %[[R:.*]] = lci.floormod %[[N]]
# CHECK: lci.yield %[[R]] : i64
program.value("Line", I32, Seq(N), init=lambda i: i % 7)

# CHECK: lci.value @State latent
program.value("State", Latent("D"), Scalar)
# CHECK: lci.value @Plan event
program.value("Plan", lmpm.Event, Set())

# CHECK: lci.param @beta f32
# CHECK: lci.epoch
beta = program.param("beta", F32, 0.5 * lmpm.epoch)


# CHECK: lci.def @wave
# CHECK: lci.param_value @beta
@program.formula
def wave(x):
    return lmpm.sin(beta * x)


# CHECK: lci.observe @top
# CHECK: lci.elementary sin
program.observe("top", wave[3])
print(program.module)
