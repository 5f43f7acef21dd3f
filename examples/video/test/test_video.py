"""The compiled seed program against the same program in NumPy, token for token, and against the
baselines that a generated picture has to beat."""

import json
import pathlib
import re
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))
import evaluate  # noqa: E402
from evaluate import accuracies, figures, make_program, table  # noqa: E402
from photo import bindings  # noqa: E402


def load(name):
    return np.load(HERE / f"{name}.npy").astype(np.int64)


@pytest.fixture(scope="module")
def generate(tools, tmp_path_factory):
    """Runs the program with extra flags; returns Vid and the report."""

    def run(*flags):
        folder = tmp_path_factory.mktemp("video")
        tools.run("lmpm-run", HERE / "video.lmpm", "--bindings", HERE / "bindings.json",
                  "--output", f"Vid={folder / 'vid.npy'}", "--report", folder / "report.json",
                  *flags)
        return (np.load(folder / "vid.npy").astype(np.int64),
                json.loads((folder / "report.json").read_text()))

    return run


@pytest.fixture(scope="module")
def run(generate):
    """Vid and the report after the example's epochs."""
    return generate()


@pytest.fixture(scope="module")
def result(run):
    return run[0]


@pytest.fixture(scope="module")
def reference():
    """The NumPy program after the example's epochs, and how many cells it changed in all."""
    program = make_program()
    return program, sum(program.run(bindings()["epochs"]))


def test_tokens_equal_the_reference(result, reference):
    wanted = reference[0].state
    assert np.array_equal(result, wanted), f"{(result != wanted).sum()} of {wanted.size} differ"


def test_the_report_counts_what_the_reference_counts(run, reference):
    report, (program, changed) = run[1], reference
    assert report["commits"] == changed
    assert all(count["decisive"] > 0 for count in program.counts.values())
    for name, count in program.counts.items():
        assert report["constraints"][name] == {**count, "enabled": True}


@pytest.mark.parametrize("disabled", [["HardLock"], ["TextPaint"], ["HardLock", "TextPaint"]])
def test_rules_can_be_switched_off(generate, disabled):
    flags = [word for name in disabled for word in ("--disable", name)]
    got, _ = generate("--epochs", "2", *flags)
    program = make_program(disabled)
    program.run(2)
    assert np.array_equal(got, program.state)


def test_constraints_hold(result):
    program, given = make_program(), load("Vid")
    locked = program.lock & (given >= 0)
    assert locked.sum() > 10000 and np.array_equal(result[locked], given[locked])
    assert program.palette[result[program.sky & ~locked]].all()
    assert (result >= 0).all()


def test_clearly_better_than_the_baselines(result):
    share, *others = (share for _, share in accuracies(load("truth"), load("Vid"), result))
    assert share > 0.5
    assert all(share > other + 0.1 for other in others)


def test_readme_says_what_a_run_says(result):
    text = (HERE / "README.md").read_text()
    marked = re.search(r"(?s)<!-- figures -->\n(.*?)\n<!-- end of figures -->", text).group(1)
    assert marked == table(figures(load("truth"), load("Vid"), result))


def test_there_is_one_thing_to_evaluate(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["evaluate.py"])
    with pytest.raises(SystemExit):
        evaluate.main()
    assert "error: expected either RESULT.npy or --reference" in capsys.readouterr().err
