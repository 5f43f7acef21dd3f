"""The compiled program against the same in NumPy, pixel for pixel; and what the schedule is worth."""

import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from digits import bindings, digits, example, network  # noqa: E402
from reference import complete  # noqa: E402
from schedules import accuracy, with_schedule  # noqa: E402
from train import COMMENT  # noqa: E402
from kit.draws import cell_numbers, stream_key, threshold, threshold_draws  # noqa: E402
from kit.model import model_text  # noqa: E402

PROGRAM = "masked-image.lmpm"


@pytest.fixture(scope="module")
def given():
    """Images with missing pixels, and their digits."""
    truth, digit, known = example()
    return np.where(known, truth, -1), digit


def test_the_data_is_what_the_scripts_make(given):
    assert np.array_equal(np.load(HERE / "Image.npy"), given[0])
    assert np.array_equal(np.load(HERE / "Digit.npy"), given[1])
    assert (HERE / "model.mlir").read_text() == model_text(network(), "Pixel", COMMENT)


def test_pixels_equal_the_reference(run, given):
    """Of some images, after the first epochs, which are the largest, and at the end."""
    images, digit = (array[:3] for array in given)
    for epochs in (2, 60):
        got = run(PROGRAM, "Image", epochs=epochs, sets={"B": 3}, report=True,
                  inputs={"Image": images.astype(np.int8), "Digit": digit.astype(np.int8)})
        wanted = complete(images, digit, 0.25, epochs)
        assert np.array_equal(got, wanted), f"{(got != wanted).sum()} of {got.size} differ"
    assert run.report["fixpoint"] and (got >= 0).all()


def test_random_order_draws_what_the_language_says(run, given, tmp_path):
    """Which pixels are committed in the first epoch: the schedule is the ninth declaration."""
    got = run(with_schedule("random(0.3)", tmp_path), "Image", epochs=1)
    key, numbers = stream_key(8, 0, 0), cell_numbers(got.shape)
    up = threshold_draws(key, numbers, 0, 0) < threshold(np.float32(0.3))
    assert np.array_equal(got >= 0, (given[0] >= 0) | up)


def test_the_surest_first_is_better(run):
    """Than all at once, and all at once is better than in random order."""
    surest, once, random = (accuracy(run, schedule)
                            for schedule in ("confidence(0.2)", "confidence(1.0)", "random(0.2)"))
    assert surest > once + 0.002 and once > random + 0.002 and random > 0.7


def test_better_than_the_mean_image(run):
    """Each pixel's most frequent level among the training images of the same digit."""
    truth, digit, known = example()
    tokens, labels = digits()
    trained = tokens[: len(tokens) - len(truth)], labels[: len(tokens) - len(truth)]
    mode = np.stack([[np.bincount(column, minlength=4).argmax()
                      for column in trained[0][trained[1] == d].reshape(-1, 64).T]
                     for d in range(10)]).reshape(10, 8, 8)
    baseline = (mode[digit] == truth)[~known].mean()
    assert accuracy(run, "confidence(0.25)") > baseline + 0.005


def test_the_backends_agree(run, given):
    """On one image, of which little is missing: the interpreter takes its time over a network."""
    image, digit = example()[0][:1].astype(np.int8), given[1][:1].astype(np.int8)
    image[0, 2:5, 3:6] = -1
    got = run.same_bits(PROGRAM, "Image", epochs=3, sets={"B": 1},
                        inputs={"Image": image, "Digit": digit})
    assert (got < 0).sum() == 3  # 9, 6, 4, 3
    assert bindings()["sizes"]["B"] == len(given[0])
