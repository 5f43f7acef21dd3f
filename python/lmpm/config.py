"""What this build of the package is, and what it finds on this machine."""

import ctypes
import os
import platform

import numpy

from lmpm import _lmpm

__all__ = ["show_config"]


def _has_driver():
    """Whether this machine has NVIDIA's driver, which the back end `cuda` loads."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def _config():
    checked = " with assertions" if _lmpm.has_assertions else ""
    driver = "" if _has_driver() else " (this machine has no driver of NVIDIA)"
    return {"lmpm": _lmpm.version,
            "MLIR": _lmpm.llvm_version,
            "build": f"{_lmpm.build_type}{checked}",
            "back ends": f"cpu, kernels, interp, cuda{driver}",
            "CPU": _lmpm.cpu,
            "threads": str(os.cpu_count()),
            "Python": platform.python_version(),
            "NumPy": numpy.__version__,
            "files": os.path.dirname(_lmpm.__file__)}


def show_config(mode="stdout"):
    """Prints versions, how the package was built, its back ends and this machine's processor.

    With `mode="dict"` it returns them by name instead. Raises `ValueError` for other modes.
    """
    if mode not in ("stdout", "dict"):
        raise ValueError(f"expected 'stdout' or 'dict' for mode, but got {mode!r}")
    found = _config()
    if mode == "dict":
        return found
    for name, value in found.items():
        print(f"{name + ':':11}{value}")
    return None
