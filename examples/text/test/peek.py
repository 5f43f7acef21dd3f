"""Refused when it is bound: no line lets a token see the one after it."""

import lmpm
from lmpm import Seq, Token

t = lmpm.index("t")

program = lmpm.Program("peek")
txt = program.value("Txt", Token("V"), Seq("N"), indices="t")
txt.sees(past=txt[0:t].when(t > 0))


@program.rule("Next", on=txt)
def following():
    return txt[t + 1].or_else(0)


program.schedule(txt, "raster")
program.commit(txt, "accept")
