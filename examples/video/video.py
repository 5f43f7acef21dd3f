"""Tokens of a video, seen as the program of the paper has them: video.lmpm in Python."""

import lmpm
from lmpm import N8, Event, Grid3D, Palette, Rule, Seq, Set, Token, region

t, x, y = lmpm.indices("t x y")
T, W, H = lmpm.sizes("T W H")
x1, x2, y1, y2 = lmpm.sizes("x1 x2 y1 y2")

program = lmpm.Program("video")
txt = program.value("Txt", Token("BPE"), Seq("N"), clock="Lamport")
vid = program.value("Vid", Token("VQ"), Grid3D(T, W, H), clock="Lamport")
plan = program.value("MaskPlan", Event, Set(), clock="Lamport")  # the log of schedules, a CRDT
rules = program.value("RuleSet", Rule, Set(), clock="Lamport")  # the set of constraints, a CRDT

vid.sees(vid[N8])
vid.sees(vid[t - 1, x, y].when(t > 0))
vid.sees(txt[:])  # every cell sees the whole caption
coarse = program.value("Coarse", Token("VQ"), Grid3D(T, W // 8, H // 8), clock="Lamport")
vid.sees(coarse[t, x // 8, y // 8])


@program.rule("LocalGen", on=vid,
              read=[lmpm.neighbors.isin(N8), lmpm.prev_frame, txt[:], coarse.maybe()])
def local_gen(neighbors, prev_frame, txt, coarse):
    return lmpm.propose(lmpm.Model(neighbors, prev_frame, txt, coarse),
                        score=lmpm.ModelScore(...))


program.forbid("HardLock", lmpm.change(vid[t, x1:x2 + 1, y1:y2 + 1]), priority=100)
program.require("TextPaint", vid[t, region("sky")].isin(Palette("blue-ish")), priority=50)
program.forbid("Topology", lmpm.read_future(vid[t, x, y]), priority=1000)

program.commit(vid, "satisfy", "max_constraints_then_score")


@program.rule("Schedule", on=plan)
def schedule():
    return lmpm.SampleTiles("red-black")
