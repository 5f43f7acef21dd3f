"""The bugs that plant_bugs.py plants still have the lines that they change."""

import pathlib
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts"))
import plant_bugs  # noqa: E402


def test_there_are_more_than_ten():
    assert len(plant_bugs.BUGS) > 10


@pytest.mark.parametrize("bug", plant_bugs.BUGS, ids=lambda bug: bug[3].replace(" ", "-"))
def test_bugs_can_be_planted(bug):
    name, old, new, *_ = bug
    text = (SOURCE / name).read_text()
    assert text.count(old) == 1
    assert new not in text or new in old


def test_changes_of_the_copy_are_not_lost(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("one")
    for command in (["init", "-q"], ["add", "file"],
                    ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "one"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / "file").write_text("two")
    monkeypatch.setattr(sys, "argv", ["plant_bugs.py", "--tree", str(tmp_path)])
    with pytest.raises(SystemExit, match="the copy has changes of its own, which would be lost"):
        plant_bugs.main()
    assert (tmp_path / "file").read_text() == "two"
