"""What a build folder says of itself."""

import pathlib
import re


def is_sanitized(build):
    """Whether sanitizers watch the programs of a build: they take memory and time of their own."""
    cache = pathlib.Path(build) / "CMakeCache.txt"
    return cache.exists() and bool(re.search(r"^LCI_SANITIZE:STRING=.+", cache.read_text(), re.MULTILINE))
