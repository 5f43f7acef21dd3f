"""What fuzzing starts from is there for every target, and holds."""

import os
import pathlib
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "fuzz"))

from seeds import SEEDS, quote, write_dictionary, write_seeds  # noqa: E402


@pytest.mark.parametrize("target", SEEDS)
def test_seeds_hold(target, build_dir, tmp_path):
    seeds, words = tmp_path / target, tmp_path / "words"
    write_seeds(build_dir.resolve(), target, seeds, smiths=4)
    assert any(seeds.iterdir())
    write_dictionary(target, seeds, words)
    if target == "ir":  # each goes down the ladder, as lit's tests of the passes do: some of them here
        step = 4 if os.environ.get("LCI_ALL_WAYS") else 12
        for number, seed in enumerate(sorted(seeds.iterdir())):
            number % step == 0 or seed.unlink()
    fuzz = build_dir.resolve() / "fuzz/lci-fuzz"
    done = subprocess.run([fuzz, f"--target={target}", "-runs=0", seeds, SOURCE / "fuzz/corpus" / target],
                          capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    if target == "program":
        assert {'"rule"', '"??"'} <= set(words.read_text().split())


def test_every_target_is_listed_once(build_dir):
    done = subprocess.run([build_dir / "fuzz/lci-fuzz", "--target=none"], capture_output=True, text=True,
                          check=False)
    assert done.returncode != 0
    assert done.stderr.strip() == (f"lci-fuzz: error: expected --target=NAME, a name of {' '.join(SEEDS)}, "
                                   "but got 'none'")
    assert sorted(SEEDS) == sorted(path.name for path in (SOURCE / "fuzz/corpus").iterdir())


def test_words_are_quoted_for_libfuzzer():
    assert quote(b'a"\\\n') == r'"a\x22\x5c\x0a"'
