"""Configuring a build folder again leaves its compiler as it is."""

import json
import pathlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def test_compilers_are_whole_paths():
    """CMake takes `clang++-22` for another compiler than the path that it found the first time,
    drops what it knows, and may come back with another compiler."""
    presets = json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]
    compilers = [value for preset in presets for name, value in preset["cacheVariables"].items()
                 if name.endswith("_COMPILER")]
    assert len(compilers) == 2 and all(pathlib.Path(path).is_absolute() for path in compilers)
