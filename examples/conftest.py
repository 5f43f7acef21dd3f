"""What the tests of the examples may ask for beside the tools: a runner of their own programs."""

import importlib.util
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def load(path):
    """A module by its file, since folders of examples are no packages."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pytest_collectstart(collector):
    """Forgets what another example's test has imported: scripts of two examples may have one name,
    as `train` has."""
    if isinstance(collector, pytest.Module):
        for name, module in list(sys.modules.items()):
            place = pathlib.Path(getattr(module, "__file__", None) or "/")
            if place.parent.parent == HERE and place.parent != HERE / "kit":
                del sys.modules[name]


@pytest.fixture(scope="module")
def run(request, tools):
    """Runs the programs of the test's example; see kit/runs.py."""
    folder = pathlib.Path(request.path).resolve().parent.parent
    return load(HERE / "kit" / "runs.py").Runner(tools.path("lmpm-run"), folder)
