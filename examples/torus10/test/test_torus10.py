"""The compiled program against the same program in NumPy, token for token, and against what a torus
must do: what is moved in x and y before a run comes out moved after it."""

import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from evaluate import right  # noqa: E402
from reference import colours, run as reference  # noqa: E402
from torus import bindings, clip, contexts, example, network, sizes  # noqa: E402
from train import COMMENT  # noqa: E402
from kit.exact import load_weights  # noqa: E402
from kit.model import model_text  # noqa: E402

PROGRAM = "torus10.lmpm"
EPOCHS = bindings()["epochs"]


@pytest.fixture(scope="module")
def weights():
    return load_weights(HERE / "model.safetensors")


@pytest.fixture(scope="module")
def clip_of_the_example():
    """Kind, truth, given, and the cells at the start."""
    kind, truth, given = example()
    return kind, truth, given, np.where(given, truth, -1)


def complete(run, kind, given, cells, **options):
    inputs = {"Kind": np.int8(kind), "Given": given.astype(np.int8), "Cell": cells.astype(np.int8)}
    return run(PROGRAM, "Cell", inputs=inputs, **options)


def test_the_data_is_what_the_script_makes(clip_of_the_example):
    kind, _, given, cells = clip_of_the_example
    assert np.load(HERE / "Kind.npy") == kind
    assert np.array_equal(np.load(HERE / "Given.npy"), given)
    assert np.array_equal(np.load(HERE / "Cell.npy"), cells)
    assert cells.size == 4096 and contexts(cells, kind, 16).shape[-1] == 10
    assert (HERE / "model.mlir").read_text() == model_text(network(), "TorusNet", COMMENT)


def test_tokens_equal_the_reference(run, weights, clip_of_the_example):
    kind, _, given, cells = clip_of_the_example
    for epochs in (1, EPOCHS):
        got = complete(run, kind, given, cells, epochs=epochs)
        wanted = reference(cells, given, kind, weights, epochs, sizes()[1])
        assert np.array_equal(got, wanted), f"{(got != wanted).sum()} of {got.size} differ"


def test_the_torus_has_no_border(run, clip_of_the_example):
    """By even steps, which keep the four colours: odd ones change the order of the updates."""
    kind, _, given, cells = clip_of_the_example
    assert np.array_equal(colours(cells.shape), np.roll(colours(cells.shape), (4, 10), (1, 2)))
    still = complete(run, kind, given, cells)
    moved = complete(run, kind, *(np.roll(array, (4, 10), (1, 2)) for array in (given, cells)))
    assert np.array_equal(moved, np.roll(still, (4, 10), (1, 2)))
    later = complete(run, kind, *(np.roll(array, 4, 0) for array in (given, cells)))
    assert not np.array_equal(later, np.roll(still, 4, 0))  # time has a beginning


def test_far_better_than_a_constant_and_better_for_the_kind(run):
    """On new clips of three kinds: clearly more than half of what the levels allow; without the token
    for all cells clearly less."""
    shape, levels = sizes()
    rng, shares = np.random.default_rng(20), []
    for kind in (0, 1, 5):
        truth, given = clip(rng, kind, shape, levels), rng.random(shape) >= 0.7
        cells = np.where(given, truth, -1)
        shares.append([right(complete(run, shown, given, cells), truth, ~given)
                       for shown in (kind, -1)])
    (exact, near), (without, _) = np.mean(shares, 0)
    assert exact > 0.45 and near > 0.85
    assert without < exact - 0.08


def test_given_tokens_stay(run, clip_of_the_example):
    kind, truth, given, cells = clip_of_the_example
    got = complete(run, kind, given, cells)
    assert np.array_equal(got[given], truth[given]) and (got >= 0).all()


def test_the_backends_agree(run, clip_of_the_example):
    kind, _, given, cells = clip_of_the_example
    part = np.s_[:3, :6, :8]
    inputs = {"Kind": np.int8(kind), "Given": given[part].astype(np.int8),
              "Cell": cells[part].astype(np.int8)}
    run.same_bits(PROGRAM, "Cell", inputs=inputs, epochs=2, sets={"T": 3, "W": 6, "H": 8})
