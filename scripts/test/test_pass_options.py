"""Each number that a pass or a pipeline takes as an option has a least and a largest value, and it takes both.

`lmpm-opt --help` says which options there are, so that a new one is tested as well.
"""

import itertools
import os
import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import hostile_ir  # noqa: E402

EMPTY = "module {\n}\n"
EVERY_NUMBER = {("lci-bind", "hard-priority")}
HUGE = 1 << 62
ALL = bool(os.environ.get("LCI_ALL_WAYS"))


@pytest.fixture(scope="module")
def opt(build_dir):
    return hostile_ir.Tools(build_dir)


@pytest.fixture(scope="module")
def numbers(opt):
    """(pass, option) of all numbers."""
    found = [(flag.removeprefix("--"), name) for flag, options in opt.options.items()
             for name, kind in options if kind == "long"]
    assert len(found) > 70
    return [option for option in found if option not in EVERY_NUMBER]


@pytest.fixture(scope="module")
def programs(opt):
    """A program with draws at each level of the ladder, one after the other."""
    texts = [text for _, _, text in opt.levels(["examples/ising/ising.lmpm"])]
    out, said, code = opt.opt(["--lci-to-linalg-pipeline=bitslice=false"], texts[2], 60)
    assert code == 0, said
    return [*texts[1:], out]


def give(opt, option, value, text=EMPTY):
    """What comes out, what is said, and how it ends."""
    return opt.opt([f"--{option[0]}={option[1]}={value}"], text, 60)


def test_numbers_out_of_range_are_refused(opt, numbers):
    """Each at one end of its range, in turn, or in `make test-long` at both."""
    wrong = []
    for number, option in enumerate(numbers):
        for value in (-HUGE, HUGE) if ALL else ((-HUGE, HUGE)[number % 2],):
            _, said, code = give(opt, option, value)
            if code != 1 or not re.search(r"error: expected .*\[pass-option\]", said):
                wrong.append((*option, value, code, said[:200]))
    assert wrong == []


def test_the_ends_of_ranges_are_taken(opt, numbers, programs):
    """On IR of every level nothing crashes, and what comes out is valid; of a few options here at every
    second of these pairs, of more in `make test-long` at all."""
    wrong = []
    for option in numbers[::4 if ALL else 24]:
        ends = re.search(r"from (-?\d+) to (\d+), but got", give(opt, option, -HUGE)[1])
        for (end, value), (level, text) in itertools.product(enumerate(ends.groups() if ends else ()),
                                                             enumerate(programs)):
            if not ALL and (end + level) % 2:
                continue
            out, said, code = give(opt, option, value, text)
            is_valid = code == 0 and opt.opt([], out, 60)[2] == 0
            if not is_valid and not (code == 1 and re.search(r"error: .*\[[a-z-]+\]", said)):
                wrong.append((*option, value, code, said[:200]))
    assert wrong == []


def test_an_unknown_option_is_refused(opt):
    for flag in ("--lci-unroll-jam-rows", "--lci-to-llvm-pipeline"):
        _, said, code = opt.opt([f"{flag}=no-such-option=1"], EMPTY, 60)
        assert code == 1 and "no such option no-such-option" in said, said


def test_every_pass_has_its_levels(opt):
    names = [flag.removeprefix("--") for flag in opt.passes if not flag.endswith("-pipeline")]
    assert len(names) > 60
    asked = ",".join(f"lci-check-level{{before={name}}}" for name in names if name != "lci-check-level")
    _, said, code = opt.opt([f"--pass-pipeline=builtin.module({asked})"], EMPTY, 60)
    assert (said, code) == ("", 0)
