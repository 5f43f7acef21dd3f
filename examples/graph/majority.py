"""Who follows whom: the sides of some are known; everybody else takes the side that most friends
have."""

import lmpm
from lmpm import ANY, I32, Seq, Token

i, m = lmpm.indices("i m")
K, N = lmpm.sizes("K N")

program = lmpm.Program("majority")
start = program.param("start", I32(N + 1))
nbr = program.param("nbr", I32("M"))
known = program.value("Known", Token(K), Seq(N))
side = program.value("Side", Token(K), Seq(N))
near, = side.sees(near=side[nbr[m]].when(m.isin(lmpm.range(start[i], start[i + 1]))))
side.sees(side, known)


@program.rule("Majority", on=side, when=(near.count() > 0) | (known[i].or_else(K) < K))
def majority(candidate):
    return lmpm.propose(ANY, score=2 * (near == candidate).count()
                        + (side[i].or_else(K) == candidate))


@program.require("Loyal", on=side, priority="hard")
def loyal(candidate):
    return known[i].or_else(candidate) == candidate


program.commit(side, "satisfy", "max_constraints_then_score")
program.observe("undecided", N - side[i].count())
