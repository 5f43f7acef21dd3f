"""What the tests of the examples may ask for beside the tools: a runner of their own programs."""

import importlib.util
import pathlib

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def load(path):
    """A module by its file, since folders of examples are no packages."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def run(request, tools):
    """Runs the programs of the test's example; see kit/runs.py."""
    folder = pathlib.Path(request.path).resolve().parent.parent
    return load(HERE / "kit" / "runs.py").Runner(tools.path("lmpm-run"), folder)
