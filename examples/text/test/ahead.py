"""Refused when it is bound: what a line lets a token see is its future."""

import lmpm
from lmpm import Seq, Token

t = lmpm.index("t")

program = lmpm.Program("ahead")
txt = program.value("Txt", Token("V"), Seq("N"), indices="t")
txt.sees(past=txt[0:t].when(t > 0))
txt.sees(txt[t + 1])


@program.rule("Next", on=txt)
def following():
    return txt[t + 1].or_else(0)


program.forbid("Causal", lmpm.read_future(txt[t]), priority="hard")
program.schedule(txt, "raster")
program.commit(txt, "accept")
