"""A random program that loses a `visible` line says which lines are missing, and they suffice."""

import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "test" / "Driver" / "Inputs"))
import paste  # noqa: E402

PROGRAMS = 100 if os.environ.get("LCI_ALL_WAYS") else 10


def cut_lines(text):
    """The program without each of its `visible` lines that no name depends on."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if re.match(r"visible \w+\[?[^:]*<-", line):
            yield "\n".join(lines[:number] + lines[number + 1:])


def test_missing_lines_can_be_pasted(build_dir, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{build_dir / 'bin'}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    mended = 0
    for seed in range(PROGRAMS):
        folder = tmp_path / str(seed)
        subprocess.run(["lmpm-smith", f"--seed={seed}", f"--output-dir={folder}"], check=True)
        bindings = ["--bindings", folder / "bindings.json"]
        if paste.compile_error(folder / "program.lmpm", bindings):
            continue  # its constraints never hold
        for text in cut_lines((folder / "program.lmpm").read_text()):
            path = folder / "cut.lmpm"
            path.write_text(text)
            lines, message = paste.paste(path, bindings)
            # A value that is named without its indices is known by its line only.
            assert lines is not None or "is seen by no 'visible' line" in message, text + message
            mended += bool(lines)
    assert mended >= PROGRAMS // 2
