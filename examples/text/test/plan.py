"""Refused when it is bound: what may be seen leads to the future, by way of another value."""

import lmpm
from lmpm import Seq, Token

t = lmpm.index("t")

program = lmpm.Program("plan")
txt = program.value("Txt", Token("V"), Seq("N"), indices="t")
plan = program.value("Plan", Token("V"), Seq("N"), indices="t")
txt.sees(past=txt[0:t].when(t > 0))
txt.sees(plan)
plan.sees(txt[t + 1])


@program.rule("Next", on=txt)
def following():
    return plan[t].or_else(0)


@program.rule("Ahead", on=plan)
def ahead():
    return txt[t + 1].or_else(0)


program.forbid("Causal", lmpm.read_future(txt[t]), priority="hard")
program.schedule(txt, "raster")
program.commit(txt, "accept")
program.commit(plan, "accept")
