"""What the house says when something is missing: packages, another MLIR, an unknown check."""

import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def stub(folder, name, script):
    """Puts a program of that name first on the path."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_missing_packages_without_rights_are_one_line(tmp_path):
    stub(tmp_path, "dpkg-query", 'case "$*" in *libmlir-22-dev*) exit 1;; esac; echo installed')
    stub(tmp_path, "id", "echo 1000")
    stub(tmp_path, "sudo", "exit 1")
    result = subprocess.run([SOURCE / "scripts/setup.sh"], capture_output=True, text=True,
                            env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
    assert result.returncode != 0
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].endswith("sudo apt-get install -y --no-install-recommends libmlir-22-dev")


def test_an_unknown_option_is_named():
    result = subprocess.run([SOURCE / "scripts/setup.sh", "--test"], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr == "setup: expected --sanitizers or --tests, but got '--test'\n"


def configure(folder, config):
    """Configures the project against an MLIR that consists of the given MLIRConfig.cmake."""
    (folder / "MLIRConfig.cmake").write_text(config)
    return subprocess.run(["cmake", "--preset", "dev", "-S", SOURCE, "-B", folder / "build",
                           f"-DMLIR_DIR={folder}"], cwd=SOURCE, capture_output=True, text=True)


@pytest.mark.parametrize("config, message", [
    ('set(LLVM_PACKAGE_VERSION "21.1.0")', "is written against MLIR 22.1, but"),
    ('set(LLVM_PACKAGE_VERSION "22.1.8")', "has no libMLIR.so"),
], ids=["other_version", "static_only"])
def test_another_mlir_is_refused(tmp_path, config, message):
    result = configure(tmp_path, config)
    assert result.returncode != 0
    said = " ".join(result.stderr.split())
    assert message in said
    assert "apt-get install libmlir-22-dev" in said


def test_a_machine_without_the_compiler_says_how_to_get_it(tmp_path):
    result = subprocess.run(["cmake", "-S", SOURCE, "-B", tmp_path, "-DCMAKE_CXX_COMPILER=clang++-0"],
                            capture_output=True, text=True)
    assert result.returncode != 0
    said = " ".join(result.stderr.split())
    assert "clang++-0 was not found. `make setup` installs the compiler" in said


def test_help_names_every_target():
    makefile = (SOURCE / "Makefile").read_text()
    phony = [word for line in makefile.splitlines() if line.startswith(".PHONY:")
             for word in line.split()[1:]]
    assert "test" in phony and "test-gpu" in phony
    said = subprocess.run(["make", "-s"], cwd=SOURCE, check=True, capture_output=True,
                          text=True).stdout
    for target in phony:
        assert target in ("help", "all") or f"make {target} " in said, target


def test_of_debians_python_the_environment_sees_torch_alone():
    said = subprocess.run([SOURCE / ".venv/bin/python3", "-c",
                           "import importlib.util, numpy, torch; print(numpy.__file__, torch.__file__,"
                           " importlib.util.find_spec('hypothesis'))"],
                          check=True, capture_output=True, text=True).stdout.split()
    assert f"{SOURCE}/.venv/lib" in said[0] and f"{SOURCE}/.venv/debian" in said[1]
    assert said[2] == "None"
