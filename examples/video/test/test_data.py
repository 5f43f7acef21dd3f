"""What the example is made of is what it says it is: program, frames, caption, mask."""

import hashlib
import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))
from caption import BytePairs, describe  # noqa: E402
from photo import (COARSE, PAN, PATCH, TEST_ORIGIN, all_patches, box_filter, decode,  # noqa: E402
                   load_codebook, nearest, photograph)

SEED_PROGRAM = "404fd6794a7c68432ae435fd5981f53476cad56ac9ddf696aafc992dc4f6c36f"


def load(name):
    return np.load(HERE / f"{name}.npy").astype(np.int64)


def test_the_program_is_the_seed_to_the_letter():
    assert hashlib.sha256((HERE / "video.lmpm").read_bytes()).hexdigest() == SEED_PROGRAM


def test_the_frames_show_the_photograph():
    """Every true and coarse token is the nearest code to its patch of the photograph."""
    image, codebook = photograph(), load_codebook()
    truth, coarse, small = load("truth"), load("Coarse"), box_filter(image, COARSE)
    for t in (0, truth.shape[0] - 1):
        left = TEST_ORIGIN[0] + PAN * t
        for y in range(truth.shape[2]):
            row = nearest(codebook, all_patches(image, 1, TEST_ORIGIN[1] + PATCH * y))
            assert np.array_equal(row[left::PATCH][: truth.shape[1]], truth[t, :, y])
        for y in range(coarse.shape[2]):
            row = nearest(codebook, all_patches(small, COARSE, TEST_ORIGIN[1] + PATCH * COARSE * y))
            assert np.array_equal(row[left :: PATCH * COARSE][: coarse.shape[1]], coarse[t, :, y])
    frame = image[: PATCH * truth.shape[2], TEST_ORIGIN[0] :][:, : PATCH * truth.shape[1]]
    assert np.abs(decode(codebook, truth[0]) - frame).mean() < 12


def test_a_caption_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="expected at most 16 caption tokens, but got 17"):
        BytePairs().encode(" " * 17)


def test_the_caption_describes_the_frames():
    pairs, codebook = BytePairs(), load_codebook()
    text = describe(codebook, load("truth"))
    assert np.array_equal(pairs.encode(text), load("Txt")) and pairs.decode(load("Txt")) == text


def test_inputs_are_the_truth_under_a_mask():
    given, truth = load("Vid"), load("truth")
    assert 0.3 < (given < 0).mean() < 0.4
    assert np.array_equal(given[given >= 0], truth[given >= 0])
