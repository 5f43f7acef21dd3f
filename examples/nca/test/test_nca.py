"""The automaton against a second implementation in NumPy, draws included; that it grows, stays and
heals; and that training knows its gradient."""

import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from flower import CHANNELS, SIDE, damage, distance, flower, seed  # noqa: E402
from grow import advance  # noqa: E402
from train import initial, iterate, slope, step  # noqa: E402
from kit.draws import cell_numbers, stream_key, threshold, threshold_draws  # noqa: E402
from kit.exact import load_weights, multiply_add  # noqa: E402

F32 = np.float32
KX = np.outer([-1, 0, 1], [1, 2, 1]).astype(F32) / 8
WAKE = 7  # the number of the rule among the declarations, which its draws depend on


@pytest.fixture(scope="module")
def weights():
    return load_weights(HERE / "weights.safetensors")


def in_order(terms):
    """The sum of an iterator's arrays, one after the other."""
    total = next(terms)
    for term in terms:
        total = total + term
    return total


def exact_slope(cells, kernel):
    width, height, _ = cells.shape
    padded = np.pad(cells, ((1, 1), (1, 1), (0, 0)))
    return in_order(kernel[dx, dy] * padded[dx : dx + width, dy : dy + height]
                    for dx in range(3) for dy in range(3))


def exact_step(weights, cells, awake):
    """An epoch of float32 operations in the order in which the program writes them."""
    seen = np.concatenate((cells, exact_slope(cells, KX), exact_slope(cells, KX.T)), -1)
    hidden = np.maximum(product(weights["W1"], seen) + weights["b1"], F32(0))
    return np.where(awake[..., None], cells + product(weights["W2"], hidden), cells)


def product(matrix, vectors):
    """A matrix times each vector: fused, in the order of the columns, from the first product on."""
    rows = vectors.reshape(-1, vectors.shape[-1])
    start = np.full((len(rows), len(matrix)), -0.0, F32)
    return multiply_add(rows, matrix.T, start).reshape(*vectors.shape[:-1], len(matrix))


def wake(shape, epoch, start):
    """Which cells are awake, by the language's draws."""
    key = stream_key(WAKE, 0, start)
    return threshold_draws(key, cell_numbers(shape), epoch, 0) < threshold(F32(0.5))


def test_bits_of_a_second_implementation(run, weights):
    cells = np.random.default_rng(1).normal(0, 0.3, (9, 7, CHANNELS)).astype(F32)
    got = advance(run, cells, 6, sets={"W": 9, "H": 7}, flags=("--seed", "5"))
    for number in range(6):
        cells = exact_step(weights, cells, wake((9, 7), number, 5))
    assert np.array_equal(got, cells)


def test_the_backends_agree(run):
    run.same_bits("nca.lmpm", ["S"], epochs=4, sets={"W": 5, "H": 4})


def test_the_seed_of_the_program_is_the_one_of_training(run):
    assert np.array_equal(run("nca.lmpm", "S", epochs=0), seed())


def test_it_grows_and_stays(run):
    """For other draws than the picture's: near the flower after 40 steps, and still after 100."""
    nothing = distance(np.zeros_like(seed()))
    grown = advance(run, seed(), 40, flags=("--seed", "31"))
    assert distance(grown) < nothing / 8
    assert distance(advance(run, grown, 60, flags=("--seed", "32"))) < nothing / 6


def test_it_heals(run):
    """A third is cut away; most of what was lost grows again."""
    grown = advance(run, seed(), 50, flags=("--seed", "41"))
    cut = damage(grown)
    healed = advance(run, cut, 50, flags=("--seed", "42"))
    assert distance(cut) > 3 * distance(grown)
    assert distance(healed) < distance(cut) / 2


def loss_of(weights, cells):
    """What four steps with fixed draws come to."""
    draws = np.random.default_rng(4)
    for _ in range(4):
        fires = (draws.random((1, SIDE, SIDE, 1)) < 0.5).astype(np.float32)
        cells = step(weights, cells, fires)[0]
    outside = np.maximum(np.abs(cells) - 2, 0)
    return ((cells[..., :4] - flower()) ** 2).sum() / 2 + 0.05 * (outside**2).sum() / 2


def test_training_knows_its_gradient():
    """The way back through four steps against differences of the loss, up to the common factor that
    makes each gradient as long as 1; and the slopes are the program's."""
    rng = np.random.default_rng(3)
    weights = {name: array.astype(float) for name, array in initial(rng).items()}
    weights["W2"] += rng.normal(0, 0.05, weights["W2"].shape)
    cells = rng.normal(0, 0.2, (1, SIDE, SIDE, CHANNELS))
    found, _, _ = iterate(np.random.default_rng(4), weights, cells, 4)
    for name, places in (("W1", [(3, 20), (40, 1), (11, 30)]), ("W2", [(2, 9), (0, 5), (7, 50)]),
                         ("b1", [(5,), (20,), (63,)])):
        factors = []
        for at in places:
            ends = []
            for move in (1e-4, -1e-4):
                moved = {key: array.copy() for key, array in weights.items()}
                moved[name][at] += move
                ends.append(loss_of(moved, cells))
            factors.append((ends[0] - ends[1]) / 2e-4 / found[name][at])
        assert factors == pytest.approx([factors[0]] * 3, rel=5e-3) and factors[0] > 0
    assert np.allclose(slope(cells, 1)[0], exact_slope(cells[0], KX), atol=1e-6)
    assert np.allclose(slope(cells, 2)[0], exact_slope(cells[0], KX.T), atol=1e-6)
