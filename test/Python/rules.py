# RUN: %python %s | FileCheck %s
"""Rules: lets of local variables, families, scores; constants are folded by Python alone."""

import lmpm
from lmpm import ANY, N8, Grid2D, Token

program = lmpm.Program()
cell = program.value("Cell", Token(4), Grid2D("W", "H"), boundary="wrap", init=0)

# CHECK: lci.visible @Cell sees @Cell{{.*}} where [{{.*}}] {lci.names = ["x", "y"]}
# CHECK: lci.visible @Cell sees @Cell{{.*}} label "near" {lci.names = ["x", "y", "dx", "dy"]}
cell.sees(cell, near=cell[N8])


# CHECK: lci.rule @step on @Cell attributes {lci.comments = {above = ["// Counts."]}
# CHECK-COUNT-1: lci.reduce sum
# CHECK: %[[N:.*]] = lci.let "n"
# CHECK-NOT: lci.reduce
# CHECK: arith.cmpi eq, %[[N]]
# CHECK: arith.cmpi eq, %[[N]]
# CHECK-NOT: lci.let
# CHECK: %[[NEW:.*]] = arith.select
# CHECK: lci.emit %[[NEW]] : i64
@program.rule(on=cell)
def step(self, near):
    """Counts."""
    n = near.sum()
    unused = n + 2 * 3  # noqa: F841
    births = [3]
    return lmpm.where((n == births[0]) | ((n == 2) & (self == 1)), 1, 0)


# CHECK: lci.rule @vote
# CHECK: lci.emit any score
# CHECK: ^bb0(%[[CANDIDATE:.*]]: i64):
# CHECK: lci.reduce count
# CHECK: arith.cmpi eq, %{{.*}}, %[[CANDIDATE]]
@program.rule(on=cell)
def vote(near, candidate):
    return lmpm.propose(ANY, score=(near == candidate).count())


# CHECK: lci.commit @Cell using sample
program.commit(cell, "sample", temperature=1.0)
print(program.module)
