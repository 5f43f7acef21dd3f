"""The default schedule of a pipeline, applied, is the pipeline byte for byte: of two examples, or of all."""

import os
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from small_examples import EXAMPLES, PROGRAMS  # noqa: E402

SAMPLE = PROGRAMS if os.environ.get("LCI_ALL_WAYS") else PROGRAMS[3::8]


def ticks_of(build, program):
    """The ticks of an example with the bindings that are beside it."""
    sys.path.append(str(build / "python"))
    import lmpm
    path = EXAMPLES / program
    beside = [path.with_suffix(".json"), path.with_name("bindings.json")]
    return lmpm.load(path).levels(next((one for one in beside if one.exists()), None))["ticks"].text


@pytest.mark.parametrize("program", SAMPLE, ids=lambda program: program.stem)
def test_the_default_is_the_pipeline(tools, build_dir, tmp_path, program):
    (tmp_path / "ticks.mlir").write_text(ticks_of(build_dir, program))
    for pipeline in ("lci-to-llvm-pipeline", "lci-to-nvvm-pipeline"):
        schedule = tmp_path / f"{pipeline}.mlir"
        tools.run("lmpm-opt", f"--lci-print-schedule={pipeline}", "-o", schedule)
        direct = tools.run("lmpm-opt", tmp_path / "ticks.mlir", f"--{pipeline}").stdout
        assert tools.run("lmpm-opt", tmp_path / "ticks.mlir", f"--lci-apply-schedule={schedule}").stdout == direct
