"""Denoising against a second implementation in NumPy; energies under ICM; and Gibbs sampling against
the exact distribution of a lattice that is small enough to be enumerated."""

import itertools
import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from kit.series import mean_and_error  # noqa: E402
from photo import add_noise, bindings, levels, nearness, photograph  # noqa: E402

J = 1000
SLOWLY = ("--backend=interp",)  # `sample` is not lowered yet


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
    """Every label of the photograph, in each of the first epochs and at the end."""
    states = list(icm(noisy, level, 20))
    for epochs in (1, 2, 5, 20):
        assert np.array_equal(run("potts.lmpm", "Label", epochs=epochs), states[2 * epochs - 1])
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


def test_the_backends_agree(run, noisy):
    run.same_bits("potts.lmpm", "Label", inputs={"Image": noisy[90:117, 60:81]}, epochs=6,
                  sets={"W": 27, "H": 21})


def test_gibbs_draws_from_the_exact_distribution(run):
    """All states of a lattice of six cells and three labels, at two temperatures."""
    image, level = np.array([[90, 120], [100, 80], [135, 70]]), np.array([70, 100, 130])
    states = np.array(list(itertools.product(range(3), repeat=6))).reshape(-1, 3, 2)
    energies = np.array([energy(image, level, state) for state in states])
    misfits = ((image - level[states]) ** 2).sum((1, 2))
    for heat in (500.0, 2000.0):
        weights = np.exp(-(energies - energies.min()) / heat)
        weights /= weights.sum()
        run("gibbs.lmpm", flags=SLOWLY, inputs={"Image": image.astype(np.uint8)},
            epochs=8000, observe=1, sets={"W": 3, "H": 2, "Q": 3, "level": level.tolist(), "T": heat})
        for seen, exact in ((observed_energies(run), energies), (run.series["misfit"][1:], misfits)):
            mean, error = mean_and_error(seen)
            wanted = weights @ exact
            assert error < 0.03 * energies.std()
            assert abs(mean - wanted) < 4 * error, f"{mean} ± {error}, exactly {wanted}"


def test_gibbs_ends_lower_and_nearer(run, noisy, level):
    """Cooled down, it finds less energy than ICM does, and a picture nearer to the original."""
    part, ends = np.s_[80:130, 60:100], {}
    for program, flags in (("potts.lmpm", ()), ("gibbs.lmpm", SLOWLY)):
        labels = run(program, "Label", inputs={"Image": noisy[part]}, flags=flags,
                     sets={"W": 50, "H": 40})
        near = nearness(level[labels], photograph()[part])
        ends[program] = energy(noisy[part], level, labels), near
    assert ends["gibbs.lmpm"][0] < ends["potts.lmpm"][0]
    assert nearness(noisy[part], photograph()[part]) < ends["potts.lmpm"][1] < ends["gibbs.lmpm"][1]
