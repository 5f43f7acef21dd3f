"""The language server on texts that end too early, have typing errors, or are too much."""

import pathlib
import random
import subprocess
import sys
import time

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
from test_language_server import EXAMPLES, LIFE, URI, Editor, errors  # noqa: E402


@pytest.fixture(scope="module")
def editor(tools):
    editor = Editor([tools.path("lmpm-lsp-server")])
    yield editor
    editor.close()


def broken(text, draw):
    """A text that ends too early, or into which somebody mistyped."""
    at, behind = sorted(draw.randrange(len(text) + 1) for _ in range(2))
    typed = draw.choice("abzA019_.,:;!?#'\"()[]{}<>=+-*/%^&|~@$\\\n\t\0é≤🙂")
    return draw.choice([text[:at], text[at:], text[:at] + text[behind:], text[:at] + typed + text[at:],
                        text[:at] + typed + text[at + 1:],
                        text[:at] + text[at:behind] * 3 + text[behind:]])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_broken_examples_have_errors_with_places(path, editor):
    """Of each text the server says what is wrong, at a place in it, at once; or nothing is."""
    text, draw = path.read_text(), random.Random(path.stem)
    for number in range(16):
        written = broken(text, draw)
        start = time.monotonic()
        found = editor.open(written, path.as_uri() if number == 0 else URI)
        assert time.monotonic() - start < 10, written  # a tenth of one, but for what else a machine does
        lines = written.split("\n")
        for one in found:
            assert one.range.start.line < len(lines) and one.message, written


DEEP = {
    "parentheses": LIFE.replace("sum(near)", "(" * 100000),
    "brackets": LIFE.replace("sum(near)", "[" * 100000),
    "indices": LIFE.replace("sum(near)", "Cell[" * 100000),
    "digits": LIFE.replace("sum(near)", "1." + "0" * 35000),
    "digits of an integer": LIFE.replace("sum(near)", "9" * 35000),
    "a name": LIFE.replace("sum(near)", "a" * 200000),
    "names alike": LIFE.replace("sum(near)", "a" * 99999) + "def " + "a" * 100000 + "[x,y] = 1\n",
    "a string": LIFE.replace("sum(near)", '"' + "a" * 200000 + '"'),
    "formulas that double": "def g0[x] = x\n" + "".join(
        f"def g{k}[x] = (g{k - 1}[x] + g{k - 1}[x+1]) % 2\n" for k in range(1, 60)),
    "indices that double": "def g0[x] = x\n" + "".join(
        f"def g{k}[x] = g{k - 1}[x + x - x]\n" for k in range(1, 60)),
    "lets that double": LIFE.replace("sum(near)", "near\n" + "\n".join(
        f"  let n{k} = n{k - 1 if k > 1 else ''} + n{k - 1 if k > 1 else ''}" for k in range(1, 60))
        + "\n  let m = sum(n59)"),
}

# Nested, and of no great size: what stands in several comparisons is computed once.
NESTED = {
    "chains in chains": LIFE.replace("sum(near)", "if " + "0 < (if " * 60 + "self == 1"
                                     + " then 1 else 0) < 2" * 60 + " then 1 else 0"),
    "sets in sets": LIFE.replace("sum(near)", "if " + "(if " * 60 + "self == 1"
                                 + " then 1 else 0) in {0, 1}" * 60 + " then 1 else 0"),
}


@pytest.mark.parametrize("name", DEEP)
def test_no_text_is_too_much(name, editor):
    start = time.monotonic()
    assert len(errors(editor.open(DEEP[name]))) == 1
    assert time.monotonic() - start < 10
    assert errors(editor.open(LIFE)) == []


@pytest.mark.parametrize("name", NESTED)
def test_no_nested_comparison_is_too_much(name, editor):
    start = time.monotonic()
    assert errors(editor.open(NESTED[name])) == []
    assert time.monotonic() - start < 10


def test_a_message_that_is_nested_without_end_is_left_out(tools):
    server = subprocess.Popen([tools.path("lmpm-lsp-server")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def framed(text):
        return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
    deep = b'{"jsonrpc":"2.0","method":"m","params":' + b"[" * 100000 + b"]" * 100000 + b"}"
    said, log = server.communicate(b"".join(map(framed, [
        deep, b"[" * 100000, b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}',
        b'{"jsonrpc":"2.0","method":"exit"}'])), timeout=60)
    assert server.returncode == 0 and b'"id":1' in said
    assert log.count(b"a message is nested more than 100 levels deep") == 2
