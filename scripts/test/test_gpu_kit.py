"""The kit that tests GPUs elsewhere: what it compares and measures, tried on this machine's CPU code."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

GPU = pathlib.Path(__file__).resolve().parents[1] / "gpu"


@pytest.fixture(name="kit", scope="module")
def make_kit(build_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpu") / "kit"
    random = 3 if os.environ.get("LCI_ALL_WAYS") else 1
    made = subprocess.run([sys.executable, GPU / "make_kit.py", "--build", build_dir, f"--random={random}",
                           "--only=life,sor,open", folder], capture_output=True, text=True,
                          check=True)
    assert "programs and 0 benches" in made.stdout
    return folder


def run(kit, *flags):
    return subprocess.run([kit / "run.py", *flags], capture_output=True, text=True)


@contextlib.contextmanager
def changed(path, change):
    """A file of the kit with other bytes, for as long as one looks."""
    good = path.read_bytes()
    path.write_bytes(change(good))
    try:
        yield
    finally:
        path.write_bytes(good)


def with_facts(kit, **facts):
    """The kit, with other entries in its list of what there is."""
    return changed(kit / "kit.json", lambda text: json.dumps({**json.loads(text), **facts}).encode())


def test_equal_bits_are_seen(kit):
    done = run(kit, "--backend=cpu")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"(\d) of \1 programs end in the interpreter's bits on cpu", done.stdout)


def test_numbers_of_tensor_cores_are_within_bounds(kit):
    done = run(kit, "--backend=cpu", "--only=tf32-81-33")
    assert done.returncode == 0 and "tf32-81-33: all numbers are within their bound" in done.stdout
    bound = kit / "expected" / "tf32-81-33-bound.npy"
    with changed(bound, lambda good: good[:-4] + b"\0\0\x80\xbf"):  # less than nothing
        done = run(kit, "--backend=cpu", "--only=tf32-81-33")
    assert done.returncode == 1 and "1 of 11550 numbers are beyond their bound" in done.stdout


def test_groups_end_in_the_bits_of_runs(kit):
    done = run(kit, "--backend=cpu", "--only=groups-ising")
    assert done.returncode == 0 and "groups-ising: groups at once end in the bits of runs" in done.stdout
    with changed(kit / "expected" / "groups-ising-2.bin", lambda good: good[:-1] + bytes([1 - good[-1]])):
        done = run(kit, "--backend=cpu", "--only=groups-ising")
    assert done.returncode == 1 and "other bits than those of a run, with the seeds 2\n" in done.stdout


def test_a_driver_that_runs_ptx_is_enough(kit, build_dir, tmp_path, monkeypatch):
    """In place of NVIDIA's (unittests/PTXMachine): streams, graphs, groups, and PTX for an older chip."""
    (tmp_path / "libcuda.so.1").symlink_to(build_dir / "lib" / "libLCIPTXMachine.so")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run(kit, "--only=life,sor,groups-ising,tf32-81-33")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2 programs end in the interpreter's bits on cuda" in done.stdout
    assert "groups-ising: groups at once end in the bits of runs" in done.stdout


def test_groups_are_measured(kit):
    bench = {"name": "three", "bundle": "groups-ising", "epochs": 20, "seeds": [1, 2, 3], "work": 3 * 512,
             "unit": "flips"}
    with with_facts(kit, group_benches=[bench]):
        done = run(kit, "--backend=cpu", "--bench", "--repeat=1", "--only=three")
    assert done.returncode == 0 and re.search(r"three \| [\d.]+ flips \|", done.stdout)


def test_some_programs_are_chosen(kit):
    done = run(kit, "--backend=cpu", "--only=life,sor", "--jobs=1")
    assert done.returncode == 0 and "2 of 2 programs" in done.stdout
    done = run(kit, "--backend=cpu", "--only=life,death")
    assert done.returncode == 1 and "but got 'death'" in done.stderr and "open" in done.stderr


def test_other_bits_are_seen(kit):
    with changed(kit / "expected" / "life", lambda good: good[:-1] + bytes([good[-1] ^ 1])):
        done = run(kit, "--backend=cpu")
    assert done.returncode == 1 and "life: other bits than the interpreter's" in done.stdout


def test_a_run_that_fails_is_seen(kit):
    with changed(kit / "bundles" / "sor.bundle", lambda good: good[:-9]):
        done = run(kit, "--backend=cpu")
    assert done.returncode == 1 and "sor: lmpm-run-bundle: error: " in done.stdout


def test_no_gpu_is_a_sentence(kit):
    for flags in ([], ["--bench"]):
        bench = {"name": "life", "bundle": "life", "epochs": 2, "work": 9, "unit": "cells"}
        with with_facts(kit, benches=[bench]):
            done = run(kit, *flags)
        if "is not on this machine" not in done.stderr:
            pytest.skip("there is a driver")
        assert done.returncode == 3 and done.stderr.count("no GPU can be used") == 1
        assert "Traceback" not in done.stderr


def test_speeds_are_printed(kit):
    bench = {"name": "life", "bundle": "life", "epochs": 200, "work": 67 * 33, "unit": "cells"}
    with with_facts(kit, benches=[bench]):
        done = run(kit, "--bench", "--backend=cpu")
    assert done.returncode == 0 and re.search(r"\| life \| [0-9.e-]+ cells \| [0-9.e-]+ \| 0 \| 0 \|", done.stdout)


def tensors(build_dir, *flags):
    environment = dict(os.environ, PYTHONPATH=str(build_dir / "python"))
    return subprocess.run([sys.executable, GPU / "tensors.py", *flags], capture_output=True, text=True,
                          env=environment)


def test_tensors_go_in_and_out(build_dir):
    done = tensors(build_dir, "--backend=kernels", "--size=40")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"(\d+) of \1 checks of tensors are equal on kernels", done.stdout)


def test_tensors_without_a_gpu_are_a_sentence(build_dir):
    done = tensors(build_dir)
    assert done.returncode == 3 and "no GPU can be used" in done.stderr or done.returncode == 0
