"""Loads the extension module, and says in one sentence what is missing if it cannot be."""

try:
    from lmpm import _lmpm
except ImportError as error:
    if "libMLIR" in str(error) or "libLLVM" in str(error):
        raise ImportError(
            "lmpm needs MLIR 22.1 from Debian's packages, which this machine lacks; install it "
            "with: apt-get install libmlir-22 libllvm22") from error
    raise

__version__ = _lmpm.version
