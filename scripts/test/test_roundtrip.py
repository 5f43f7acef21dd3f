"""What an example's text says is what its canonical text says."""

import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TEXTS = sorted((SOURCE / "examples").glob("*/*.lmpm"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.stem)
def test_examples_read_back_as_the_same_ir(text, build_dir):
    def translate(flag, given):
        return subprocess.run([build_dir / "bin/lmpm-translate", flag], input=given, check=True,
                              capture_output=True, text=True).stdout

    first = translate("--import-lmpm", text.read_text())
    canonical = translate("--export-lmpm", first)
    second = translate("--import-lmpm", canonical)
    assert second == first
    assert translate("--export-lmpm", second) == canonical
