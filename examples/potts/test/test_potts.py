"""Denoising against a second implementation in NumPy; energies under ICM; and Gibbs sampling against
the exact distribution of a lattice that is small enough to be enumerated."""

import itertools
import os
import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from kit.draws import (cell_numbers, philox, stream_key, threshold,  # noqa: E402
                       threshold_draws)
from kit.network import rounded  # noqa: E402
from kit.series import mean_and_error  # noqa: E402
from photo import add_noise, bindings, levels, nearness, photograph  # noqa: E402

F32 = np.float32
J = 1000


def fit(image, level, labels):
    """The score of each label for each cell; beyond the border and where a label is absent (-1)
    nobody agrees."""
    padded = np.pad(labels, 1, constant_values=-1)
    width, height = labels.shape
    near = [padded[1 + dx : 1 + dx + width, 1 + dy : 1 + dy + height]
            for dx, dy in [(-1, 0), (0, -1), (0, 1), (1, 0)]]
    equal = sum(cells[..., None] == np.arange(len(level)) for cells in near)
    return J * equal - (image[..., None].astype(int) - level) ** 2


def energy(image, level, labels):
    """Whole numbers: what does not fit, less what agrees."""
    agree = (labels[1:] == labels[:-1]).sum() + (labels[:, 1:] == labels[:, :-1]).sum()
    return ((image.astype(int) - level[labels]) ** 2).sum() - J * agree


def icm(image, level, epochs):
    """The states after each half sweep, from nothing."""
    labels = np.full(image.shape, -1)
    parity = np.add.outer(*map(np.arange, image.shape)) % 2
    for phase in range(2 * epochs):
        best = fit(image, level, labels).argmax(-1)
        labels = np.where(parity == phase % 2, best, labels)
        yield labels


@pytest.fixture(scope="module")
def noisy():
    return np.load(HERE / "Image.npy")


@pytest.fixture(scope="module")
def level():
    return np.array(bindings()["params"]["level"])


def observed_energies(run):
    """The energy before each epoch but the first, in which labels are still absent, and at the end."""
    seen = run.series
    return (seen["misfit"] - J * (seen["down"] + seen["right"]))[1:]


def test_the_data_is_the_photograph_with_noise(noisy, level):
    assert np.array_equal(noisy, add_noise(photograph()))
    assert levels(photograph(), 8) == level.tolist()


def test_icm_is_the_second_implementation(run, noisy, level):
    """Every label of the photograph, in one of the first epochs, or some, and at the end."""
    states = list(icm(noisy, level, 20))
    for epochs in (1, 2, 5, 20) if os.environ.get("LCI_ALL_WAYS") else (2, 20):
        assert np.array_equal(run("potts.lmpm", "Label", epochs=epochs, report=True),
                              states[2 * epochs - 1])
    assert run.report["fixpoint"]


def test_energy_never_rises(run, noisy, level):
    """Nor does it for labels that start at random; at the end no cell could fit better."""
    rng = np.random.default_rng(6)
    image = rng.integers(0, 256, (37, 26), dtype=np.uint8)
    start = rng.integers(0, 8, image.shape).astype(np.int8)
    sets = {"W": 37, "H": 26}
    for inputs, options in [({"Image": noisy}, {}),
                            ({"Image": image, "Label": start}, {"sets": sets})]:
        labels = run("potts.lmpm", "Label", inputs=inputs, epochs=60, observe=1, **options)
        energies = observed_energies(run)
        assert len(energies) > 3 and (np.diff(energies) <= 0).all() and energies[0] > energies[-1]
        score = fit(inputs["Image"], level, labels)
        assert np.array_equal(score.argmax(-1), labels)
        assert energies[-1] == energy(inputs["Image"], level, labels)


@pytest.mark.parametrize("program", ["potts.lmpm", "gibbs.lmpm"])
def test_the_backends_agree(run, noisy, program):
    run.same_bits(program, "Label", inputs={"Image": noisy[90:117, 60:81]}, epochs=6,
                  sets={"W": 27, "H": 21})


def gibbs(image, level, epochs, declaration, seed):
    """Gibbs sampling with the language's own draws, in float32, from nothing."""
    labels, numbers = np.full(image.shape, -1), cell_numbers(image.shape, halved=True)
    key, parity = stream_key(declaration, 0, seed), np.add.outer(*map(np.arange, image.shape)) % 2
    for epoch, phase in itertools.product(range(epochs), (0, 1)):
        heat = F32(1000) * rounded(np.exp, F32(-0.06) * F32(epoch))
        score = fit(image, level, labels).astype(F32)
        weight = rounded(np.exp, (score - score.max(-1, keepdims=True)) / max(F32(30), heat))
        sums = np.cumsum(weight, -1, dtype=F32)
        draws = threshold_draws(key, numbers, epoch, phase)
        drawn = (draws[..., None] < threshold(sums / sums[..., -1:])).argmax(-1)
        labels = np.where(parity == phase, drawn, labels)
    return labels


def test_philox_gives_the_published_words():
    """The first line of Random123's known answers."""
    words = philox((0, 0, 0, 0), (0, 0))
    assert [f"{int(word):08x}" for word in words] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]


def test_gibbs_is_the_second_implementation(run, noisy, level):
    """Every label, draws included: the commit is the tenth declaration, number 9."""
    part = noisy[80:113, 60:101]
    got = run("gibbs.lmpm", "Label", inputs={"Image": part}, epochs=8,
              sets={"W": 33, "H": 41})
    wanted = gibbs(part, level, 8, declaration=9, seed=bindings()["seed"])
    assert np.array_equal(got, wanted), f"{(got != wanted).sum()} of {got.size} differ"


def test_gibbs_draws_from_the_exact_distribution(run):
    """All states of a lattice of six cells and three labels, at two temperatures."""
    image, level = np.array([[90, 120], [100, 80], [135, 70]]), np.array([70, 100, 130])
    states = np.array(list(itertools.product(range(3), repeat=6))).reshape(-1, 3, 2)
    energies = np.array([energy(image, level, state) for state in states])
    misfits = ((image - level[states]) ** 2).sum((1, 2))
    for heat in (500.0, 2000.0):
        weights = np.exp(-(energies - energies.min()) / heat)
        weights /= weights.sum()
        run("gibbs.lmpm", inputs={"Image": image.astype(np.uint8)},
            epochs=8000, observe=1, sets={"W": 3, "H": 2, "Q": 3, "level": level.tolist(), "T": heat})
        for seen, exact in ((observed_energies(run), energies), (run.series["misfit"][1:], misfits)):
            mean, error = mean_and_error(seen)
            wanted = weights @ exact
            assert error < 0.03 * energies.std()
            assert abs(mean - wanted) < 4 * error, f"{mean} ± {error}, exactly {wanted}"


def test_gibbs_ends_lower_and_nearer(run, noisy, level):
    """Cooled down, it finds less energy than ICM does, and a picture nearer to the original."""
    original, ends = photograph(), {}
    for program in ("potts.lmpm", "gibbs.lmpm"):
        labels = run(program, "Label")
        ends[program] = energy(noisy, level, labels), nearness(level[labels], original)
    assert ends["gibbs.lmpm"][0] < ends["potts.lmpm"][0]
    assert nearness(noisy, original) + 2 < ends["potts.lmpm"][1]
    assert ends["potts.lmpm"][1] + 1 < ends["gibbs.lmpm"][1]
