"""The package of the build under test."""

import os
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LCI_BUILD_DIR", SOURCE / "build")).resolve()
sys.path.insert(0, str(BUILD / "python"))
sys.path.append(str(pathlib.Path(__file__).parent))  # for what tests share
