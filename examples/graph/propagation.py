"""Label propagation: everybody begins alone, then takes the label that is strongest among friends.

A friendship is the stronger the more friends two people share. Of equally strong labels one is
drawn. No two friends are asked at the same time: the phases are the colours of the graph.
"""

import lmpm
from lmpm import ANY, I32, Seq, Token

i, m = lmpm.indices("i m")
N, M = lmpm.sizes("N M")

program = lmpm.Program("propagation")
start = program.param("start", I32(N + 1))
nbr = program.param("nbr", I32(M))
strength = program.param("strength", I32(M))
label = program.value("Label", Token(N), Seq(N), init=i)
friends = m.isin(lmpm.range(start[i], start[i + 1]))
label.sees(label[nbr[m]].when(friends))


@program.rule("Propagate", on=label)
def propagate(candidate):
    return lmpm.propose(ANY, score=(strength[m] * (label[nbr[m]] == candidate)).sum(when=friends))


program.schedule(label, "recolor")
program.commit(label, "sample", temperature=0.05)
