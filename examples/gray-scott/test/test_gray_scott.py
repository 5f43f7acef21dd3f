"""Gray-Scott against a second implementation in NumPy, and against what the equations say."""

import numpy as np
import pytest

PROGRAM = "gray-scott.lmpm"
F32 = np.float32
N4 = [(-1, 0), (0, -1), (0, 1), (1, 0)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def total(cells, offsets):
    """The sum over neighbours on the torus, one after the other in row-major order."""
    first, *rest = (np.roll(cells, (-dx, -dy), (0, 1)) for dx, dy in offsets)
    for other in rest:
        first = first + other
    return first


def laplacian(cells):
    return F32(0.2) * total(cells, N4) + F32(0.05) * total(cells, DIAGONAL) - cells


def step(a, b, f, k):
    """One epoch of float32 operations in the order in which the program writes them."""
    eaten = a * (b * b)
    fed = a + laplacian(a) - eaten + f * (F32(1.0) - a)
    return fed, b + F32(0.5) * laplacian(b) + eaten - (k + f) * b


@pytest.fixture
def cells():
    rng = np.random.default_rng(9)
    return tuple(rng.uniform(0, 0.6, (23, 18)).astype(F32) for _ in "AB")


def sizes(array, **more):
    return {"W": array.shape[0], "H": array.shape[1], **more}


def test_bits_of_a_second_implementation(run, cells):
    a, b = cells
    got = run.same_bits(PROGRAM, ["A", "B"], inputs={"A": a, "B": b}, epochs=12, sets=sizes(a))
    for _ in range(12):
        a, b = step(a, b, F32(0.037), F32(0.06))
    assert got[0].tobytes() == a.tobytes() and got[1].tobytes() == b.tobytes()


def test_nothing_is_lost(run, cells):
    """Neither fed nor taken away, A and B together stay the same, while A turns into B."""
    a, b = cells
    after = run(PROGRAM, ["A", "B"], inputs={"A": a, "B": b}, epochs=40,
                sets=sizes(a, f=0, k=0))
    before = a.sum(dtype=float) + b.sum(dtype=float)
    assert sum(array.sum(dtype=float) for array in after) == pytest.approx(before, rel=1e-5)
    assert after[0].sum() < 0.9 * a.sum()


def test_a_uniform_state_stays(run):
    """Where f > 4 (f + k)^2 there are states with B in which feeding and killing balance."""
    f, k = 0.04, 0.02
    b = (1 + (1 - 4 * (f + k) ** 2 / f) ** 0.5) * f / (f + k) / 2
    a = (f + k) / b
    start = [np.full((8, 8), number, F32) for number in (a, b)]
    after = run(PROGRAM, ["A", "B"], inputs=dict(zip("AB", start)), epochs=50,
                sets=sizes(start[0], f=f, k=k))
    for got, wanted in zip(after, (a, b)):
        assert got == pytest.approx(wanted, abs=1e-5)


def test_patterns_live_where_no_uniform_state_does(run):
    """At the program's rates B has no uniform state, and yet it spreads from its spot over the whole
    torus and stays; taken away a little faster, it dies out."""
    assert 0.037 < 4 * (0.037 + 0.06) ** 2
    shares = {}
    for k in (0.06, 0.07):
        run(PROGRAM, epochs=3000, observe=3000, sets={"W": 96, "H": 96, "k": k})
        shares[k] = run.series["grown"]
    assert shares[0.06][0] < 0.05 and 0.5 < shares[0.06][-1] < 0.8
    assert shares[0.07][-1] == 0


def test_a_run_that_fails_shows_what_the_tool_said(run):
    said = "exited 1\n.*error: expected --epochs of at least 0, but got -1"
    with pytest.raises(RuntimeError, match=said):
        run(PROGRAM, epochs=-1)
