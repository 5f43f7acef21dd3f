"""The package as such: it says what it is, comes up fast, and documents every name truthfully."""

import doctest
import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import lmpm

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def load_script(name):
    spec = importlib.util.spec_from_file_location(name, SOURCE / f"scripts/{name}.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


REFERENCE = load_script("python_reference")


def public_things():
    for module in REFERENCE.modules():
        for name, thing in REFERENCE.public_names(module):
            yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                for member, what in REFERENCE.members(thing):
                    if not member.startswith("__"):
                        yield f"{module.__name__}.{name}.{member}", what


def test_show_config_says_what_this_is(capsys):
    found = lmpm.show_config("dict")
    assert found["lmpm"] == lmpm.__version__ and found["MLIR"].startswith("22.1.")
    assert "cpu" in found["back ends"] and int(found["threads"]) >= 1
    assert found["build"].split()[0] in {"Debug", "Release", "RelWithDebInfo", "MinSizeRel"}
    lmpm.show_config()
    printed = capsys.readouterr().out
    assert all(value in printed for value in [found["CPU"], lmpm.__version__])
    with pytest.raises(ValueError, match="expected 'stdout' or 'dict' for mode, but got 'json'"):
        lmpm.show_config("json")


@pytest.mark.usefixtures("unsanitized")
def test_the_import_takes_less_than_half_a_second(build_dir):
    command = [sys.executable, "-c", "import time; t = time.process_time(); import lmpm; "
                                     "print(time.process_time() - t)"]
    taken = min(float(subprocess.check_output(command, env={"PYTHONPATH": str(build_dir / "python")}))
                for _ in range(3))
    assert taken < 0.5


def test_every_public_name_is_documented():
    missing = [name for name, thing in public_things() if len(REFERENCE.docstring(thing)) < 8]
    assert not missing


def test_stubs_are_up_to_date(build_dir):
    ran = subprocess.run([sys.executable, SOURCE / "scripts/stubs.py", "--check", "--build",
                          build_dir], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_the_reference_is_up_to_date():
    assert REFERENCE.PAGE.read_text() == REFERENCE.generate()


def test_examples_in_docstrings_run():
    attempted = 0
    for module in [module for name, module in sorted(sys.modules.items())
                   if re.fullmatch(r"lmpm(\.\w+)*", name) and module]:
        result = doctest.testmod(module, extraglobs={"lmpm": lmpm})
        assert result.failed == 0, module.__name__
        attempted += result.attempted
    assert attempted >= 6


@pytest.mark.usefixtures("unsanitized")
def test_memory_stays_flat_over_runs(build_dir):
    """What benchmarks/python_overhead.py measures, shorter."""
    ran = subprocess.run([sys.executable, SOURCE / "benchmarks/python_overhead.py", "--runs", "1000"],
                         cwd=SOURCE, env={"PYTHONPATH": str(build_dir / "python")},
                         capture_output=True, text=True, check=True)
    assert int(re.search(r"memory: ([+-]\d+) KiB", ran.stdout)[1]) < 2048
    assert float(re.search(r"Compiled.run\(epochs=1\): ([\d.]+) us", ran.stdout)[1]) < 1000
