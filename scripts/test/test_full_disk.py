"""Disks that are full, folders that cannot be written: a sentence, and what was there before stays.

/dev/full is a file on a full disk. A limit on the size of files stands for a disk that fills up while
one is written.
"""

import resource
import subprocess

import pytest

LIFE = "examples/life/life.lmpm"
SIZES = ["--set", "W=256", "--set", "H=256", "--seed", "1", "--quiet"]
# Flags of lmpm-run that write, and what is put before the file's name.
WRITERS = {
    "checkpoint": "",
    "output": "Cell=",
    "picture": "Cell=",
    "report": "",
    "stamps": "Cell=",
}
FULL = "No space left on device [file-access]"


@pytest.fixture
def run(tools, source_dir):
    """Runs Life; `limit` is the most bytes a file may have."""
    def run(*flags, limit=resource.RLIM_INFINITY, program=LIFE, tool="lmpm-run", cwd=None):
        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        where = [str(source_dir / program)] if program else []
        return subprocess.run([tools.path(tool), *where, *flags], cwd=cwd, capture_output=True,
                              text=True, preexec_fn=limit_files, check=False)
    return run


def expect(said, message):
    assert said.returncode == 1, said.stderr
    assert message in said.stderr and said.stderr.count("error: ") == 1, said.stderr


@pytest.mark.parametrize("flag", WRITERS)
def test_a_full_disk(run, flag):
    said = run(*SIZES, "--epochs", "2", f"--{flag}={WRITERS[flag]}/dev/full")
    expect(said, f"lmpm-run: error: cannot write '/dev/full': {FULL}")


def test_a_full_disk_of_observers(run):
    said = run("--set", "W=32", "--set", "H=32", "--epochs", "2", "--quiet", "--observe=/dev/full",
               program="examples/ising/ising.lmpm")
    expect(said, f"lmpm-run: error: cannot write '/dev/full': {FULL}")


@pytest.mark.parametrize("flag", ["checkpoint", "output", "picture", "stamps"])
def test_a_disk_that_fills_up(run, tmp_path, flag):
    """The file that was there is as it was, and no half of a new one lies beside it."""
    file = tmp_path / "kept"
    asked = f"--{flag}={WRITERS[flag]}{file}"
    assert run(*SIZES, "--epochs", "2", asked).returncode == 0
    before = file.read_bytes()
    said = run(*SIZES, "--epochs", "3", asked, limit=1000)
    expect(said, f"lmpm-run: error: cannot write '{file}': File too large [file-access]")
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]


def test_the_last_checkpoint_is_the_one_to_go_on_from(run, tmp_path):
    """A run whose disk fills up ends; it goes on from its last checkpoint to the same bits."""
    state, whole = tmp_path / "state", tmp_path / "whole"
    more = ["--checkpoint", str(state), "--checkpoint-every", "2"]
    assert run(*SIZES, "--epochs", "4", *more).returncode == 0
    said = run(*SIZES, "--epochs", "8", "--resume", str(state), *more, limit=1000)
    expect(said, f"cannot write '{state}': File too large")
    assert run(*SIZES, "--epochs", "8", "--resume", str(state), *more).returncode == 0
    assert run(*SIZES, "--epochs", "8", "--checkpoint", str(whole)).returncode == 0
    assert state.read_bytes() == whole.read_bytes()


def test_tools_that_translate(run, tmp_path):
    for what in ["--import-lmpm", "--lci-to-object", "--lci-to-bundle", "--lci-to-ptx"]:
        sizes = [] if what == "--import-lmpm" else SIZES[:4]
        said = run(what, *sizes, "-o", "/dev/full", tool="lmpm-translate")
        assert said.returncode == 1 and "No space left on device" in said.stderr, (what, said.stderr)
        file = tmp_path / "kept"
        file.write_text("what was there")
        said = run(what, *sizes, "-o", str(file), limit=100, tool="lmpm-translate")
        assert said.returncode == 1 and "File too large" in said.stderr, (what, said.stderr)


def test_a_bundle_runs_on_a_full_disk(run, tmp_path):
    bundle = str(tmp_path / "life.bundle")
    assert run("--lci-to-bundle", *SIZES[:4], "-o", bundle, tool="lmpm-translate").returncode == 0
    flags = [bundle, "--epochs", "2", "--quiet", "--checkpoint"]
    said = run(*flags, "/dev/full", program=None, tool="lmpm-run-bundle")
    expect(said, f"lmpm-run-bundle: error: cannot write '/dev/full': {FULL}")
    said = run(*flags, str(tmp_path / "c"), program=None, tool="lmpm-run-bundle", limit=1000)
    expect(said, "File too large [")  # already the code that is kept in memory
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("flag", WRITERS)
def test_folders_that_cannot_be_written(run, flag):
    """/proc is such a folder, whoever one is. It is asked before the run, not after it."""
    said = run(*SIZES, "--epochs", "1000000000", f"--{flag}={WRITERS[flag]}/proc/none")
    expect(said, "lmpm-run: error: cannot create '/proc/none': ")
