#!/usr/bin/python3
"""Finds ptxas, NVIDIA's assembler for PTX: of an installed CUDA toolkit, else of PyPI's package.

Used by the lit configuration (feature `ptxas`) and by the set-up, which installs the PyPI package
only where this finds nothing. Run as a program it prints the path, or nothing and exits 1.
"""

import glob
import os
import shutil
import sys


def find_ptxas(source_dir):
    """The path of an executable ptxas, or None."""
    patterns = [
        os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin/ptxas",
        "/usr/local/cuda*/bin/ptxas",
        os.path.join(source_dir, ".venv/lib/python3*/site-packages/nvidia/**/bin/ptxas"),
    ]
    for pattern in patterns:
        for path in sorted(glob.glob(pattern, recursive=True), reverse=True):
            if os.access(path, os.X_OK):
                return path
    return shutil.which("ptxas")


if __name__ == "__main__":
    found = find_ptxas(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if not found:
        sys.exit(1)
    print(found)
