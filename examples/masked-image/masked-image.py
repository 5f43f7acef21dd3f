"""B masked images are completed, the surest tokens first: masked-image.lmpm in Python.

In each epoch a fraction of those that are missing is committed, and what is committed stays.
"""

import lmpm
from lmpm import Grid2D, Grid3D, Moore, Seq, Token

b, x, y = lmpm.indices("b x y")
B = lmpm.size("B")

program = lmpm.Program("masked-image")
digit = program.value("Digit", Token(10), Seq(B), indices="b")
place = program.value("Place", Token(64), Grid2D(8, 8), init=8 * x + y)
image = program.value("Image", Token("V"), Grid3D(B, 8, 8), indices="b x y")

near, = image.sees(near=image[b, Moore(3)])
image.sees(digit[b], place[x, y])


@program.rule("Complete", on=image)
def complete():
    return lmpm.Model(near, place, digit)


program.forbid("Once", lmpm.change(image[b, x, y]), priority="hard")

program.schedule(image, "confidence", 0.25)
program.commit(image, "satisfy", "max_constraints_then_score")
program.observe("missing", 64 * B - image[b, x, y].count())
