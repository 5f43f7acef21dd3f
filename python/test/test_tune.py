"""Searches for schedules from Python: what is found is replayed, and the same bits come out."""

import numpy
import pytest

import lmpm

LIFE = """value Cell : Token[2] shape Grid2D(W, H) boundary wrap init bernoulli(0.3)
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
visible Cell[x,y] <- Cell[x,y]
rule Life:
  on Cell[x,y]
  let n = sum(near)
  emit proposal Cell[x,y] := if n == 3 or (self == 1 and n == 2) then 1 else 0
schedule Cell[*] using all
commit Cell[*] using accept
"""
KNOB = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %planes = transform.tune.knob<"planes"> = true from options = [true, false] -> !transform.any_param
    %linalg = transform.apply_registered_pass "lci-to-linalg-pipeline" with options = { "bitslice" = %planes } to %module
      : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}
"""


@pytest.fixture(scope="module")
def program():
    return lmpm.parse(LIFE)


def cells(compiled):
    return numpy.asarray(compiled.run(epochs=20, seed=3)["Cell"])


def test_what_is_found_is_replayed(program, tmp_path):
    found = program.tune(W=48, H=64, schedule=KNOB, epochs=30)
    assert [one["candidate"] for one in found.candidates] == ["default", "planes=false"]
    assert all(one["outcome"] in ("measured", "hopeless") for one in found.candidates)
    assert found.receipt["measured"] and found.receipt["epochs"] == 30
    assert found.receipt["interpreter"].startswith("the same cells after")
    assert found.best in ("default", "planes=false") and found.best in str(found)
    assert "<svg" in found.svg and found.trace.startswith("candidate,")
    found.save(tmp_path / "found.mlir")
    plain = cells(program.compile(W=48, H=64))
    for schedule in (found, found.text, tmp_path / "found.mlir", str(tmp_path / "found.mlir")):
        assert numpy.array_equal(cells(program.compile(W=48, H=64, schedule=schedule)), plain)


def test_the_model_alone_decides(program):
    found = program.tune(W=512, H=1024, schedule=KNOB, measure=0)
    assert not found.receipt["measured"]
    assert found.receipt["unmeasured"] == "nothing was to be measured"
    assert all("estimate" in one and "seconds" not in one for one in found.candidates)
    kernels = program.tune(W=64, H=64, backend="kernels", candidates=2)
    assert "emulated" in kernels.receipt["unmeasured"]


def test_values_may_be_arrays(program):
    start = numpy.zeros((48, 64), numpy.int8)
    found = program.tune({"inputs": {"Cell": start}}, W=48, H=64, schedule=KNOB, epochs=10, measure=1)
    assert found.best == "default" and len(found.candidates[0]["seconds"]) > 1


def test_progress_is_told_and_may_end_it(program):
    told = []

    def tell(*what):
        told.append(what)
        if len(told) == 5:
            raise KeyboardInterrupt

    found = program.tune(W=48, H=64, candidates=4, epochs=10, progress=tell)
    assert found.receipt["interrupted"] and found.best == "default"
    assert found.receipt["unmeasured"] == "the search was interrupted"
    assert told[0][0] == "ranking" and told[0][2] >= told[0][1]

    def fail(*_):
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        program.tune(W=48, H=64, candidates=4, progress=fail)


def test_the_cache(program, tmp_path, monkeypatch):
    monkeypatch.setenv("LMPM_CACHE", str(tmp_path))
    assert numpy.array_equal(cells(program.compile(W=48, H=64, schedule="auto")), cells(program.compile(W=48, H=64)))


@pytest.mark.parametrize("options, words", [
    ({"schedule": "absent.mlir"}, "cannot open 'absent.mlir'"),
    ({"schedule": 3}, "expected text for schedule, but got 3; give a path, text of transform IR, or what tune returned"),
    ({"schedule": "module {\n}"}, "could not find a nested named sequence"),
    ({"schedule": KNOB, "lowering": "grain=0"}, "expected no options beside a schedule for lowering, but got 'grain=0'"),
    ({"schedule": KNOB, "backend": "interp"}, "expected compiled code for schedule, but got 'interp'"),
    ({"schedule": KNOB.replace("linalg", "no-such"), "backend": "kernels"}, "unknown pass or pass pipeline")])
def test_wrong_schedules(program, options, words):
    with pytest.raises(lmpm.Error) as caught:
        program.compile(W=48, H=64, **options)
    assert words in str(caught.value)


@pytest.mark.parametrize("options, words", [
    ({"backend": "interp"}, "the back end"), ({"candidates": 0}, "a whole number of at least 1 for candidates"),
    ({"measure": -1}, "a whole number of at least 0 for measure"), ({"epochs": 0}, "at least 1 for epochs"),
    ({"seconds": 0}, "at least 1 for seconds"), ({"threads": 0}, "at least 1 for threads")])
def test_wrong_arguments(program, options, words):
    with pytest.raises(lmpm.Error) as caught:
        program.tune(W=48, H=64, **options)
    assert words in str(caught.value)
