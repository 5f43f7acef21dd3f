"""A noisy photograph becomes 8 levels of grey, by Gibbs sampling while it cools.

Each cell draws its label, those that fit its pixel and its neighbours better more often.
"""

import lmpm
from lmpm import ANY, F32, I32, N4, Grid2D, Token

x, y = lmpm.indices("x y")
W, H, Q = lmpm.sizes("W H Q")

program = lmpm.Program("gibbs")
J = program.param("J", I32, 1000)
T = program.param("T", F32, lmpm.max(30.0, 1000.0 * lmpm.exp(-0.06 * lmpm.epoch)))
level = program.param("level", I32(Q))
image = program.value("Image", Token(256), Grid2D(W, H))
label = program.value("Label", Token(Q), Grid2D(W, H))
label.sees(near=label[N4])
label.sees(image)


@program.rule("Denoise", on=label)
def denoise(near, candidate):
    d = image[x, y] - level[candidate]
    return lmpm.propose(ANY, score=J * (near == candidate).count() - d * d)


program.schedule(label, "red_black")
program.commit(label, "sample", temperature=T)
program.observe("misfit", (lmpm.clamp(image[x, y] - level[label[x, y]], -255, 255)**2).sum())
program.observe("down", (label[x, y] == label[x, y + 1]).sum())
program.observe("right", (label[x, y] == label[x + 1, y]).sum())
