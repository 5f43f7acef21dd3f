"""A noisy photograph becomes 8 levels of grey, by iterated conditional modes.

Each cell takes the label that fits its pixel and its neighbours best. All numbers are whole, so
energies are exact.
"""

import lmpm
from lmpm import ANY, I32, N4, Grid2D, Token

x, y = lmpm.indices("x y")
W, H, Q = lmpm.sizes("W H Q")

program = lmpm.Program("potts")
J = program.param("J", I32, 1000)
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
program.commit(label, "satisfy", "max_constraints_then_score")
program.observe("misfit", (lmpm.clamp(image[x, y] - level[label[x, y]], -255, 255)**2).sum())
program.observe("down", (label[x, y] == label[x, y + 1]).sum())
program.observe("right", (label[x, y] == label[x + 1, y]).sum())
