"""What the contestants need: compiled programs, an environment with peers, and the machine's name."""

import os
import pathlib
import subprocess
import sys

CLANG = "clang++-22"
FLAGS = ["-std=c++17", "-O3", "-march=native", "-mprefer-vector-width=512", "-ffp-contract=off"]

# What each peer is installed as. Torch brings gigabytes of packages for GPUs along.
PACKAGES = {"numba": ["numba"], "jax": ["jax"], "torch": ["torch", "numpy"], "taichi": ["taichi"],
            "thrml": ["thrml"]}


def compile_hand(source, folder):
    """The program of a C++ file, compiled anew if the file or a header of its folder is newer."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / source.stem
    newest = max(path.stat().st_mtime for path in [source, *source.parent.glob("*.h")])
    if not program.exists() or program.stat().st_mtime < newest:
        subprocess.run([CLANG, *FLAGS, str(source), "-o", str(program)], check=True)
    return program


def install(peers, folder):
    """The Python of an environment in which these peers are."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    for peer in peers:
        mark = folder / f"{peer}.installed"
        if mark.exists():
            continue
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES[peer]], check=True)
        mark.touch()
    return python


def peer_environment():
    """One thread for each library that asks the environment."""
    names = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "TI_CPU_MAX_NUM_THREADS"]
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    return {**os.environ, **{name: "1" for name in names}, "XLA_FLAGS": flags, "CXX": "g++"}


def describe_machine():
    """The processor, by what the system says of it."""
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    facts = dict(line.split(":", 1) for line in lines if ":" in line)
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    return {"processor": facts.get("model name", "unknown"),
            "cores": len(os.sched_getaffinity(0)),
            "avx512": "avx512f" in facts.get("flags", "").split()}
