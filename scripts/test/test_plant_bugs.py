"""The bugs that plant_bugs.py plants still have the lines that they change."""

import pathlib
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts"))
import plant_bugs  # noqa: E402


def test_there_are_ten():
    assert len(plant_bugs.BUGS) == 10


@pytest.mark.parametrize("bug", plant_bugs.BUGS, ids=lambda bug: bug[3].replace(" ", "-"))
def test_bugs_can_be_planted(bug):
    name, old, new, _ = bug
    text = (SOURCE / name).read_text()
    assert text.count(old) == 1
    assert new not in text or new in old
