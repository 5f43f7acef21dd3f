"""Text that the compiled program writes against the same in NumPy, letter for letter; programs that
look ahead are refused; and nothing that stands later is ever asked for."""

import os
import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from letters import LETTERS, decode, encode, network, poem, prompt, surprise, window  # noqa: E402
from train import COMMENT  # noqa: E402
from kit.exact import load_weights  # noqa: E402
from kit.model import model_text  # noqa: E402

PROGRAM = "text.lmpm"
REFUSED = {
    "peek": ["rule 'Next' reads Txt[t+1], which is not visible", "add: visible Txt[t] <- Txt[t+1]"],
    "ahead": ["constraint 'Causal' forbids reading the future, but Txt[0] reads Txt[1]"],
    "plan": ["constraint 'Causal' forbids reading the future, but Txt[0] reads Txt[1]",
             "through visible Txt[t] <- Plan[t]", "through visible Plan[t] <- Txt[t+1]"],
}


@pytest.fixture(scope="module")
def weights():
    return load_weights(HERE / "model.safetensors")


def write(tokens, weights):
    """The most likely letter wherever there is none, from the left; the exact logits."""
    tokens = tokens.astype(np.int64)
    for place in np.flatnonzero(tokens < 0):
        tokens[place] = network().exact(weights, window(tokens[:place])[None])[0].argmax()
    return tokens


@pytest.mark.parametrize("text", ["beautiful ", "", "xqzz. -,"] +
                         (["in the face of "] if os.environ.get("LCI_ALL_WAYS") else []))
def test_letters_equal_the_reference(run, weights, text):
    """Also from nothing, and from what the model has never seen."""
    got = run(PROGRAM, "Txt", inputs={"Txt": prompt(text)})
    assert decode(got) == decode(write(prompt(text), weights))
    assert decode(got).startswith(text)


def test_it_knows_its_text_by_heart(run):
    start = poem()[:10]
    assert decode(run(PROGRAM, "Txt", inputs={"Txt": prompt(start)})) == poem()[:160]
    assert surprise(encode(poem()))[1:].mean() < 0.5  # bits a letter; 5 would be knowing nothing


def test_a_letter_is_committed_once_from_the_left(run):
    """What is there stays, also in the middle; what stands behind a letter does not change it."""
    given = prompt("now is ")
    given[80:90] = encode("than right")
    got = run(PROGRAM, "Txt", inputs={"Txt": given}, report=True)
    assert np.array_equal(got[given >= 0], given[given >= 0]) and (got >= 0).all()
    assert run.report["commits"] == (given < 0).sum()
    assert np.array_equal(got[:80], run(PROGRAM, "Txt", inputs={"Txt": prompt("now is ")})[:80])


@pytest.mark.parametrize("name", REFUSED)
def test_a_rule_that_peeks_is_refused(tools, tmp_path, name):
    program, given = HERE / "test" / f"{name}.lmpm", tmp_path / "given.npy"
    np.save(given, prompt("now "))
    result = tools.run("lmpm-run", program, "--bindings", HERE / "bindings.json",
                       "--input", f"Txt={given}", check=False)
    assert result.returncode == 1
    for line in REFUSED[name]:
        assert line in result.stderr


def test_the_model_is_what_the_script_writes():
    assert (HERE / "model.mlir").read_text() == model_text(network(), "NextLetter", COMMENT)
    assert len(LETTERS) == 33 and decode(encode(poem())) == poem()


def test_the_backends_agree(run):
    run.same_bits(PROGRAM, "Txt", inputs={"Txt": prompt("readability ")})
