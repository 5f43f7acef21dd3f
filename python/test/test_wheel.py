"""What `pip install .` installs, out of the build under test; `make test-long` builds the wheel itself."""

import email
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ["lmpm-lsp-server", "lmpm-opt", "lmpm-reduce", "lmpm-run", "lmpm-run-bundle", "lmpm-smith",
         "lmpm-translate", "lmpm-tune"]


@pytest.fixture(scope="module")
def installed(build_dir, tmp_path_factory):
    """A folder with the package and the tools, as in an environment."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run(["cmake", "--install", build_dir, "--component", "python", "--prefix", folder],
                   check=True, capture_output=True)
    shutil.copytree(SOURCE / "python/lmpm", folder / "lmpm", dirs_exist_ok=True)
    return folder


def test_the_package_says_what_it_is(tmp_path, build_dir):
    script = ("import scikit_build_core.build as build, sys; "
              "print(build.prepare_metadata_for_build_wheel(sys.argv[1]))")
    subprocess.run([sys.executable, "-c", script, tmp_path], cwd=SOURCE, check=True, capture_output=True)
    with open(next(tmp_path.glob("*.dist-info/METADATA"))) as file:
        said = email.message_from_file(file)
    version = subprocess.check_output([build_dir / "bin/lmpm-opt", "--version"], text=True)
    assert said["Name"] == "lmpm"
    assert f"LMPM version {said['Version']}\n" in version
    assert said.get_all("Requires-Dist") == ["numpy>=2"]


def test_the_package_is_imported_from_where_it_is(installed):
    script = "import lmpm; print(lmpm.show_config('dict')['files'])"
    said = subprocess.check_output([sys.executable, "-c", script], cwd=installed, text=True,
                                   env={**os.environ, "PYTHONPATH": str(installed)})
    assert said.strip() == str(installed / "lmpm")
    assert (installed / "lmpm/py.typed").exists()


def test_the_tools_come_along(installed):
    assert sorted(path.name for path in (installed / "bin").iterdir()) == TOOLS
    for tool in TOOLS:
        ran = subprocess.run([installed / "bin" / tool, "--help"], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
