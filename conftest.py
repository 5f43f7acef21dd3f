"""What every Python test may ask for: the tools of the build under test.

The build directory is $LCI_BUILD_DIR, else build/.
"""

import os
import pathlib
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(SOURCE / "scripts"))
import builds  # noqa: E402

# Tools verify IR after each pass, whatever the build, and poison scratch memory that is not needed.
os.environ["LMPM_VERIFY_PASSES"] = "1"
os.environ["LMPM_POISON_SCRATCH"] = "1"


class Tools:
    """Runs the tools of one build."""

    def __init__(self, build):
        self.build = pathlib.Path(build)

    def path(self, name):
        """The path of a built tool, as a string."""
        return str(self.build / "bin" / name)

    def run(self, name, *arguments, check=True, cwd=None, stdin=None):
        """Runs a tool and returns its CompletedProcess; with check, a failure is a test failure
        that shows what the tool said."""
        result = subprocess.run([self.path(name), *map(str, arguments)], cwd=cwd, input=stdin,
                                capture_output=True, text=True)
        if check and result.returncode != 0:
            pytest.fail(f"{name} {' '.join(map(str, arguments))}\nexited {result.returncode}\n"
                        f"{result.stdout}{result.stderr}")
        return result


@pytest.fixture(scope="session")
def source_dir():
    """The root of the source tree."""
    return SOURCE


@pytest.fixture(scope="session")
def build_dir():
    """The build under test."""
    return pathlib.Path(os.environ.get("LCI_BUILD_DIR", SOURCE / "build")).resolve()


@pytest.fixture(scope="session")
def sanitized(build_dir):
    """Whether sanitizers watch the build under test."""
    return builds.is_sanitized(build_dir)


@pytest.fixture
def unsanitized(sanitized):
    """For what measures time or memory, of which sanitizers take much."""
    if sanitized:
        pytest.skip("sanitizers take time and memory of their own")


@pytest.fixture(scope="session")
def tools(build_dir):
    """The tools of the build under test."""
    return Tools(build_dir)
