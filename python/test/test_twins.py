"""Every program under examples/ is there in Python too, and both are the same IR."""

import importlib.util
import pathlib
import re

import pytest

import lmpm

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = sorted(EXAMPLES.rglob("*.lmpm"))


def twin_of(path):
    """The program of the Python file beside a text."""
    spec = importlib.util.spec_from_file_location("twin_" + path.stem, path.with_suffix(".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


def ir_of(program):
    """The IR without comments, which are attributes, and which only the text has all of."""
    text = str(program.module)
    string = r'"(?:[^"\\]|\\.)*"'
    comments = rf'lci\.comments = \{{(?:{string}|[^"}}])*\}}'
    text = re.sub(rf", {comments}|{comments}, |{comments}", "", text)
    return re.sub(r" attributes \{\}| \{\}(?=\n)", "", text)


def lines_of(text):
    """Text of the language without its comments."""
    return [line for line in re.sub(r" *//.*", "", text).splitlines() if line.strip()]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_text_and_python_are_the_same_ir(path):
    text, twin = lmpm.load(path), twin_of(path)
    assert ir_of(twin) == ir_of(text)
    assert lines_of(twin.to_lmpm()) == lines_of(text.to_lmpm())


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_is_written_is_read_again(path):
    for program in [lmpm.load(path), twin_of(path)]:
        again = lmpm.parse(program.to_lmpm())
        assert ir_of(again) == ir_of(program)


def test_the_comparison_sees_a_difference():
    path = EXAMPLES / "life/life.lmpm"
    other = lmpm.parse(path.read_text().replace("n == 3", "n == 4"))
    assert ir_of(other) != ir_of(lmpm.load(path))
    assert "comments" not in ir_of(other) and "comments" in str(other.module)
