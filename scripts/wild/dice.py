"""Random choices that lean towards what a program is to have.

Everything that can be written has a name, its kind. `choose` takes one of several kinds, most often one that
is wanted and not yet there, and remembers it. KINDS lists all of them: a test counts in how many programs that
were accepted each stands.
"""

import random

KINDS = frozenset("""
Token I32 F32 Latent Scalar Seq Grid2D Grid3D Grid
wrap open clamp mixed-boundary input absent-input no-init clock odd-size one-cell-axis long-row sum-of-sizes
all red_black four_color recolor raster wavefront masked random confidence axes tile phase legalize no-schedule
accept satisfy count weighted sample metropolis quorum constraints-weighted
one-rule two-rules rule-condition read let emit-any emit-any-in emit-unbounded score
own-line neighbourhood named-set union-of-sets range-of-index whole-axis same-place constant-place scaled-place
gather epoch-place triangle mixed-rank
require forbid on-constraint change palette region range-constraint number-priority hard
param-number param-array param-formula param-literal param-special formula formula-of-cells set-of-events set-of-rules
literal index size epoch self cell candidate parameter element named pi
sum-of difference product-of quotient remainder power negation bits shift inversion extreme absolute popcount choice
truth-as-number integer-as-number randint uniform normal bernoulli bernoulli-bits drawn-chance
comparison chain in-range in-set and-or not xor any-all
reduction lifted-reduction nested-reduction computed-range position counting special-number function arc-tangent
general-power norm dot component matrix concat softmax vector-by-number vector-choice vector-function
observer observer-of-two observer-of-vector
""".split())


# What there must be for another kind to find its place.
NEEDS = {"computed-range": ["reduction", "neighbourhood"], "nested-reduction": ["neighbourhood"],
         "lifted-reduction": ["whole-axis"], "matrix": ["Latent"], "vector-choice": ["Latent"],
         "range-constraint": ["Token"], "palette": ["Token", "range-constraint"], "tile": ["red_black"],
         "axes": ["red_black"], "emit-any-in": ["Token"], "drawn-chance": ["rule-condition"]}


class Dice(random.Random):
    """A seeded die that knows which kinds it is to prefer."""

    def __init__(self, seed, wanted=()):
        super().__init__(seed)
        self.wanted = {need for kind in wanted for need in (kind, *NEEDS.get(kind, ()))}
        self.used = set()

    def note(self, *kinds):
        assert KINDS.issuperset(kinds), kinds
        self.used.update(kinds)

    def chance(self, percent):
        return self.random() * 100 < percent

    def some(self, kind, percent):
        """Whether to do what is of this kind."""
        if not self.chance(80 if kind in self.wanted - self.used else percent):
            return False
        self.note(kind)
        return True

    def choose(self, makers):
        """What one of the makers makes, by its kind; a maker that has nothing to make returns None."""
        left = dict(makers)
        while left:
            asked = [kind for kind in left if kind in self.wanted - self.used]
            kind = self.choice(asked if asked and self.chance(70) else list(left))
            made = left.pop(kind)()
            if made is not None:
                self.note(kind)
                return made
        return None
