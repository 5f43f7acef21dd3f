"""The files of a run: what is written over what, where, and how it is said before the run begins.

Each kind of path (links, modes, several names, devices, FIFOs, streams) is tried with each flag that
writes, and what cannot be written is said before an epoch has run: a run of a thousand million epochs
ends at once.
"""

import contextlib
import os
import signal
import stat
import subprocess
import time

import numpy as np
import pytest

PROGRAM = """
value A : I32 shape Seq(4) init 0
value T : Token[2] shape Seq(4) init 0
visible A[i] <- A[i]
rule R: on A[i] emit proposal A[i] := (A[i] + 1) % 1000
commit A[*] using accept
observe first := A[0]
"""
# Flags that write, and what is put before the file's name.
WRITERS = {"checkpoint": "", "output": "A=", "picture": "A=", "report": "", "stamps": "A=",
           "observe": ""}
LONG = ["--epochs", "1000000000"]


@pytest.fixture
def run(tools, tmp_path):
    (tmp_path / "p.lmpm").write_text(PROGRAM)

    def run(*words, program="p.lmpm", timeout=60, tool="lmpm-run", **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        words = [tools.path(tool), *([program] if program else []), *map(str, words)]
        return subprocess.run(words, cwd=tmp_path, text=True, check=False, timeout=timeout, **how)

    return run


def writes(flag, file):
    return f"--{flag}={WRITERS[flag]}{file}"


def expect(said, *messages):
    assert said.returncode == 1, said.stderr
    for message in messages:
        assert message in said.stderr, said.stderr
    assert said.stderr.count("error: ") == 1, said.stderr


@pytest.mark.parametrize("flag", WRITERS)
def test_what_is_read_is_not_written_over(run, tmp_path, flag):
    np.save(tmp_path / "in.npy", np.zeros(4, np.int32))
    (tmp_path / "b.json").write_text('{"epochs": 1000000000}')
    os.link(tmp_path / "in.npy", tmp_path / "same.npy")
    (tmp_path / "link").symlink_to("p.lmpm")
    for name, what in {"p.lmpm": "the program", "./p.lmpm": "the program", "link": "the program",
                       "b.json": "the bindings", "in.npy": "the file of input 'A'",
                       "same.npy": "the file of input 'A'"}.items():
        before = (tmp_path / name).read_bytes()
        asked = f"--{flag} A" if WRITERS[flag] else f"--{flag}"
        expect(run("--bindings", "b.json", "--input", "A=in.npy", writes(flag, name)),
               f"expected a file of its own for {asked}, but '{name}' is {what} [command-line]")
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("flag", WRITERS)
def test_no_file_is_written_twice(run, tmp_path, flag):
    (tmp_path / "folder").mkdir()
    other = "output" if flag != "output" else "report"
    expect(run(*LONG, writes(flag, "x"), writes(other, "folder/../x")),
           "expected a file of its own for ", "x' is the file of --")


def test_a_checkpoint_takes_the_place_of_the_one_that_is_gone_on_from_and_nothing_else_does(run):
    assert run("--epochs", "2", "--checkpoint", "c").returncode == 0
    assert run("--epochs", "4", "--checkpoint", "c", "--resume", "./c").returncode == 0
    expect(run("--epochs", "6", "--output", "A=c", "--resume", "c"),
           "expected a file of its own for --output A, but 'c' is the file of --resume")
    assert run("--epochs", "5", "--resume", "c").returncode == 0


@pytest.mark.parametrize("flag", WRITERS)
def test_a_bundle_has_the_same_rules(run, tmp_path, flag):
    if flag == "stamps":
        pytest.skip("a bundle has no stamps")
    assert run("--lci-to-bundle", "--bundle-for=cpu", "-o", "b", tool="lmpm-translate").returncode == 0
    for name, what in {"b": "the bundle", "in.npy": "the file of --input A"}.items():
        np.save(tmp_path / "in.npy", np.zeros(4, np.int32))
        expect(run(*LONG, "--input", "A=in.npy", writes(flag, name), program="b",
                   tool="lmpm-run-bundle"), f"but '{name}' is {what} [command-line]")


@pytest.mark.parametrize("flag", WRITERS)
def test_what_cannot_be_written_is_said_before_the_run(run, tmp_path, flag):
    (tmp_path / "folder").mkdir()
    kept = tmp_path / "kept"
    kept.write_text("kept")
    kept.chmod(0o444)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("none/such")
    for name, why in {"folder": "Is a directory", "kept": "Permission denied", "none/x": "No such file",
                      "loop": "Too many levels of symbolic links", "nowhere": "No such file",
                      "/proc/none": ""}.items():
        expect(run(*LONG, writes(flag, name)), f" '{name}': {why}", "[file-access]")
    assert kept.read_text() == "kept" and stat.S_IMODE(kept.stat().st_mode) == 0o444
    assert (tmp_path / "loop").is_symlink() and (tmp_path / "nowhere").is_symlink()


@pytest.mark.parametrize("flag", WRITERS)
def test_what_is_replaced_keeps_its_mode_and_its_links(run, tmp_path, flag):
    (tmp_path / "there").mkdir()
    file, link, new = tmp_path / "there/file", tmp_path / "link", tmp_path / "new"
    file.write_text("old" * 1000)
    file.chmod(0o600)
    link.symlink_to("again")
    (tmp_path / "again").symlink_to("there/file")
    assert run("--epochs", "2", writes(flag, "link")).returncode == 0
    assert link.is_symlink() and not file.is_symlink()
    assert b"old" not in file.read_bytes() and stat.S_IMODE(file.stat().st_mode) == 0o600
    new.symlink_to("there/born")  # where a link leads nothing need be yet
    assert run("--epochs", "2", writes(flag, "new")).returncode == 0
    assert new.is_symlink() and (tmp_path / "there/born").stat().st_size > 0
    assert sorted(os.listdir(tmp_path / "there")) == ["born", "file"]


@pytest.mark.parametrize("flag", WRITERS)
def test_a_file_with_several_names_keeps_them(run, tmp_path, flag):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("old" * 10000)
    os.link(one, two)
    assert run("--epochs", "2", writes(flag, "one")).returncode == 0
    assert one.samefile(two) and b"old" not in two.read_bytes()


def test_devices_and_streams_are_written_through(run, tmp_path):
    (tmp_path / "out").symlink_to("/dev/stdout")
    plain = run("--epochs", "2", "--quiet", "--output", "A=a.npy")
    assert plain.returncode == 0
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out"):
        with open(tmp_path / "caught", "wb") as caught:
            said = run("--epochs", "2", "--quiet", "--output", f"A={name}", stdout=caught)
        assert said.returncode == 0, said.stderr
        assert (tmp_path / "caught").read_bytes() == (tmp_path / "a.npy").read_bytes(), name
    assert os.path.islink("/dev/stdout")
    with open(tmp_path / "caught", "wb") as caught:  # rows alone: the summary is elsewhere
        said = run("--epochs", "2", "--observe", "/dev/stdout", stdout=caught)
    assert (tmp_path / "caught").read_text() == "epoch,first\n0,0\n1,1\n2,2\n"
    assert said.stderr.startswith("p: 2 epochs")
    expect(run("--epochs", "2", "--output", "A=/dev/stdout", stdout=None, preexec_fn=lambda: os.close(1)),
           "cannot write '/dev/stdout': Bad file descriptor [file-access]")


def test_fifos_are_given_and_taken(run, tools, tmp_path):
    os.mkfifo(tmp_path / "in")
    os.mkfifo(tmp_path / "out")
    np.save(tmp_path / "a.npy", np.arange(4, dtype=np.int32))
    with subprocess.Popen(["sh", "-c", "sleep 0.3; cat a.npy > in"], cwd=tmp_path) as giver, \
            subprocess.Popen(["sh", "-c", "sleep 0.6; cat out > taken"], cwd=tmp_path) as taker:
        (tmp_path / "in.npy").symlink_to("in")
        assert run("--epochs", "2", "--input", "A=in.npy", "--output", "A=out").returncode == 0
        assert giver.wait() == 0 and taker.wait() == 0
    assert np.load(tmp_path / "taken").tolist() == [2, 3, 4, 5]
    assert stat.S_ISFIFO(os.stat(tmp_path / "out").st_mode)


WAITING = {
    "lmpm-run p.lmpm --input A=given.npy": "cannot read 'given.npy': nobody has written to it for 10 seconds",
    "lmpm-run p.lmpm --output A=taken.npy": "cannot write 'taken.npy': nobody has read from it for 10 seconds",
    "lmpm-opt given": "cannot read 'given': nobody has written to it for 10 seconds",
}


@pytest.mark.usefixtures("run")
def test_a_fifo_that_leads_nowhere_is_an_error(tools, tmp_path):
    """Whoever reads or writes it, tools as well; all wait at the same time."""
    for name in ("given.npy", "taken.npy", "given"):
        os.mkfifo(tmp_path / name)
    with contextlib.ExitStack() as stack:
        waiting = [stack.enter_context(subprocess.Popen(
            [tools.path(tool), *words], cwd=tmp_path, text=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)) for tool, *words in map(str.split, WAITING)]
        for said, message in zip(waiting, WAITING.values()):
            errors = said.communicate(timeout=60)[1]
            assert said.returncode == 1 and errors.count("error: ") == 1, errors
            assert f"{message} [file-access]" in errors


@pytest.mark.parametrize("tool, words", [("lmpm-opt", []), ("lmpm-translate", ["--import-lmpm"])])
def test_tools_read_fifos_that_somebody_writes_to(run, tools, tmp_path, tool, words):
    os.mkfifo(tmp_path / "fifo")
    assert run("--import-lmpm", "-o", "p.mlir", tool="lmpm-translate").returncode == 0
    source = "p.mlir" if tool == "lmpm-opt" else "p.lmpm"
    with subprocess.Popen(["sh", "-c", f"sleep 0.3; cat {source} > fifo"], cwd=tmp_path) as giver:
        said = run(*words, "fifo", program=None, tool=tool)
        assert giver.wait() == 0
    assert said.returncode == 0 and "lci.program" in said.stdout, said.stderr


def test_a_codebook_is_read_twice(run, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    expect(run(*LONG, "--picture", "A=a.png", "--codebook", "A=fifo"), "expected a file for --codebook A, which is "
           "read again after the run, but 'fifo' can be read only once [file-access]")


def interrupt(tools, folder, *words, program="p.lmpm", tool="lmpm-run"):
    """What a run says that gets Ctrl-C once it has begun, which its table shows."""
    table = folder / "table.csv"
    table.unlink(missing_ok=True)
    words = [tools.path(tool), program, *LONG, "--observe", "table.csv", "--observe-every", "1", *words]
    with subprocess.Popen(words, cwd=folder, text=True, stderr=subprocess.PIPE) as running:
        while not table.exists() or table.stat().st_size < 100:
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        said = running.communicate()[1]
    assert running.returncode == 130, said
    return said


@pytest.mark.parametrize("tool", ["lmpm-run", "lmpm-run-bundle"])
def test_ctrl_c_leaves_no_checkpoint_over_another(run, tools, tmp_path, tool):
    program = "p.lmpm"
    if tool == "lmpm-run-bundle":
        program = "p.bundle"
        assert run("--lci-to-bundle", "--bundle-for=cpu", "-o", program,
                   tool="lmpm-translate").returncode == 0
    more = {"program": program, "tool": tool}
    other = tmp_path / "p.checkpoint"
    other.write_text("another run's")
    assert "go on with --resume p.2.checkpoint" in interrupt(tools, tmp_path, **more)
    assert other.read_text() == "another run's"
    other.unlink()
    assert "--resume p.checkpoint" in interrupt(tools, tmp_path, "--resume", "p.2.checkpoint", **more)
    before = other.read_bytes()  # a run's own is replaced
    assert "--resume p.checkpoint" in interrupt(tools, tmp_path, "--resume", "p.checkpoint", **more)
    assert other.read_bytes() != before
    assert sorted(tmp_path.glob("*.checkpoint")) == [tmp_path / "p.2.checkpoint", other]


def test_where_ctrl_c_could_leave_nothing_is_said_before(run, tmp_path):
    said = run(str(tmp_path / "p.lmpm"), program=None, preexec_fn=lambda: os.chdir("/proc"))
    assert said.returncode == 0
    assert "warning: Ctrl-C would leave no checkpoint (cannot create 'p.checkpoint': " in said.stderr
    assert "); --checkpoint F says where it can" in said.stderr
    said = run(str(tmp_path / "p.lmpm"), "--checkpoint", str(tmp_path / "c"), program=None,
               preexec_fn=lambda: os.chdir("/proc"))
    assert said.returncode == 0 and not said.stderr


TOOLS = {
    "lmpm-run": ["p.lmpm"],
    "lmpm-run --help": ["--help"],
    "lmpm-run --explain-cell": ["p.lmpm", "--quiet", "--explain-cell", "A[0]@e=0"],
    "lmpm-run-bundle": ["p.bundle"],
    "lmpm-run-bundle --help": ["--help"],
    "lmpm-translate": ["--import-lmpm", "p.lmpm"],
    "lmpm-opt": ["p.mlir"],
    "lmpm-reduce": ["p.lmpm", "--test=./keep.sh"],
    "lmpm-smith": ["--seed=1"],
    "lmpm-smith --coverage": ["--coverage=1"],
    "lmpm-lsp-server --help": ["--help"],
}


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("how", ["full", "closed"])
def test_what_cannot_be_printed_is_an_error(run, tmp_path, name, how):
    for file, made in {"p.bundle": ["--lci-to-bundle", "--bundle-for=cpu"], "p.mlir": ["--import-lmpm"]}.items():
        assert file not in TOOLS[name] or run(*made, "-o", file, tool="lmpm-translate").returncode == 0
    (tmp_path / "keep.sh").write_text('#!/bin/sh\ngrep -q shape "$1"\n')
    (tmp_path / "keep.sh").chmod(0o755)
    with open("/dev/full", "wb") as full:
        stream = {"stdout": full} if how == "full" else {"stdout": None, "preexec_fn": lambda: os.close(1)}
        said = run(*TOOLS[name], program=None, tool=name.split()[0], **stream)
    why = "No space left on device" if how == "full" else "Bad file descriptor"
    assert said.returncode == 1
    assert said.stderr.splitlines()[-1] == f"{name.split()[0]}: error: cannot write the output: {why} [file-access]"


def test_a_file_does_not_take_the_place_of_a_closed_stream(run, tmp_path):
    def close():
        for stream in (0, 1, 2):
            os.close(stream)
    said = run("--epochs", "2", "--output", "A=a.npy", stdin=None, stdout=None, stderr=None,
               preexec_fn=close)
    assert said.returncode == 1  # of the summary
    assert np.load(tmp_path / "a.npy").tolist() == [2, 2, 2, 2]


@pytest.fixture
def huge(tmp_path):
    """Files of four terabytes that take no room."""
    def huge(name):
        try:
            with open(tmp_path / name, "wb") as file:
                file.truncate(4 << 40)
        except OSError:
            pytest.skip("this file system has no such files")
        return name
    return huge


READERS = {
    "a program": ("lmpm-run", ["huge.lmpm"]),
    "IR": ("lmpm-run", ["huge.mlir"]),
    "bindings": ("lmpm-run", ["p.lmpm", "--bindings", "huge.json"]),
    "an input": ("lmpm-run", ["p.lmpm", "--input", "A=huge.npy"]),
    "tensors": ("lmpm-run", ["p.lmpm", "--input", "A=huge.safetensors#a"]),
    "an archive": ("lmpm-run", ["p.lmpm", "--input", "A=huge.npz#a"]),
    "a checkpoint": ("lmpm-run", ["p.lmpm", "--resume", "huge.ck"]),
    "a checkpoint that is joined": ("lmpm-run", ["p.lmpm", "--merge", "huge.ck", "huge.ck"]),
    "a codebook": ("lmpm-run", ["p.lmpm", "--picture", "T=a.png", "--codebook", "T=huge.npy"]),
    "a bundle": ("lmpm-run-bundle", ["huge.bundle"]),
    "a text that is translated": ("lmpm-translate", ["--import-lmpm", "huge.lmpm"]),
    "bindings of what is translated": ("lmpm-translate",
                                       ["--lci-to-object", "p.lmpm", "--bindings=huge.json"]),
    "IR for passes": ("lmpm-opt", ["huge.mlir"]),
    "a text that is reduced": ("lmpm-reduce", ["huge.lmpm", "--test=true"]),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("limit", [[], ["--limit-memory", "1G"]])
def test_a_file_that_does_not_fit_into_memory_is_a_sentence(run, huge, name, limit, sanitized):
    tool, words = READERS[name]
    if limit and sanitized:
        pytest.skip("sanitizers take memory of their own")
    if limit and tool == "lmpm-reduce":
        pytest.skip("it has no such flag")
    file = huge(next(word for word in " ".join(words).replace("=", " ").split()
                     if word.startswith("huge")).split("#")[0])
    expect(run(*words, *limit, program=None, tool=tool),
           f"'{file}' is too large for memory: it needs ", "[no-memory]")


@pytest.mark.parametrize("tool, words", [
    ("lmpm-opt", ["p.mlir", "-o", "p.mlir"]),
    ("lmpm-opt", ["p.mlir", "-o=./p.mlir"]),
    ("lmpm-translate", ["--import-lmpm", "p.lmpm", "-o", "p.lmpm"]),
    ("lmpm-translate", ["--lci-to-object", "p.lmpm", "--bindings=b.json", "-o", "b.json"]),
    ("lmpm-translate", ["--lci-to-bundle", "p.lmpm", "--bindings", "b.json", "-o", "in.npy"]),
    ("lmpm-reduce", ["p.lmpm", "--test=true", "-o", "p.lmpm"]),
])
def test_tools_do_not_write_over_what_they_read(run, tmp_path, tool, words):
    assert run("--import-lmpm", "-o", "p.mlir", tool="lmpm-translate").returncode == 0
    (tmp_path / "b.json").write_text('{"inputs": {"A": "in.npy"}}')
    np.save(tmp_path / "in.npy", np.zeros(4, np.int32))
    name = words[-1].removeprefix("-o=")
    before = (tmp_path / name).read_bytes()
    what = {"in.npy": "the file of input 'A'", "b.json": "the bindings"}.get(name, "read")
    expect(run(*words, program=None, tool=tool),
           f"{tool}: error: expected a file of its own for -o, but '{name}' is {what} [command-line]")
    assert (tmp_path / name).read_bytes() == before
