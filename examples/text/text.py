"""Left to right: each token is proposed from all before it, and committed once."""

import lmpm
from lmpm import Seq, Token

t = lmpm.index("t")

program = lmpm.Program("text")
txt = program.value("Txt", Token("V"), Seq("N"), indices="t")
txt.sees(past=txt[0:t].when(t > 0))


@program.rule("Next", on=txt)
def following(past):
    return lmpm.Model(past)


program.forbid("Once", lmpm.change(txt[t]), priority="hard")
program.forbid("Causal", lmpm.read_future(txt[t]), priority="hard")

program.schedule(txt, "raster")
program.commit(txt, "accept")
program.observe("written", txt[t].count())
