"""Reads the programs of docs/language.md: each ```lmpm block must import, be exported and read back
as the same IR, and its canonical text must stay as it is; each ```refused block must be an error.
"""

import re

import pytest

from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
BLOCKS = re.findall(r"^```(lmpm|refused)\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
ACCEPTED = [text for kind, text in BLOCKS if kind == "lmpm"]
REFUSED = [text for kind, text in BLOCKS if kind == "refused"]


def test_the_page_has_programs():
    assert len(ACCEPTED) >= 5 and len(REFUSED) >= 3


@pytest.mark.parametrize("text", ACCEPTED)
def test_programs_survive_the_round_trip(tools, text):
    first = tools.run("lmpm-translate", "--import-lmpm", "-", stdin=text).stdout
    canonical = tools.run("lmpm-translate", "--export-lmpm", "-", stdin=first).stdout
    second = tools.run("lmpm-translate", "--import-lmpm", "-", stdin=canonical).stdout
    assert first == second
    again = tools.run("lmpm-translate", "--export-lmpm", "-", stdin=second).stdout
    assert canonical == again


@pytest.mark.parametrize("text", REFUSED)
def test_refused_programs_name_the_place(tools, text):
    result = tools.run("lmpm-translate", "--import-lmpm", "-", check=False, stdin=text)
    assert result.returncode != 0
    assert re.search(r"<stdin>:\d+:\d+: error: ", result.stderr)
