"""Runs: the same bits as lmpm-run on every back end, kept state, arrays that live on their own."""

import asyncio
import gc
import signal
import threading
import time

import numpy
import pytest

import lmpm
from common import Exported, source

SIZE = 24


@pytest.fixture(scope="module")
def program():
    return lmpm.load(source("life/life.lmpm"))


@pytest.fixture(scope="module")
def life(program):
    return program.compile(W=SIZE, H=SIZE)


@pytest.fixture(scope="module")
def ising():
    return lmpm.load(source("ising/ising.lmpm")).compile(W=16, H=16, beta=0.4)


def soup(seed=0):
    return (numpy.random.default_rng(seed).random((SIZE, SIZE)) < 0.3).astype(numpy.int8)


def lives(cells, epochs):
    """The game of life by NumPy."""
    for _ in range(epochs):
        around = sum(numpy.roll(cells, (dx, dy), (0, 1))
                     for dx in (-1, 0, 1) for dy in (-1, 0, 1)) - cells
        cells = ((around == 3) | ((around == 2) & (cells == 1))).astype(numpy.int8)
    return cells


@pytest.mark.parametrize("backend", ["cpu", "kernels", "interp"])
def test_every_back_end_gives_the_same(program, backend):
    compiled = program.compile(W=SIZE, H=SIZE, backend=backend)
    assert compiled.backend == backend
    run = compiled.run({"Cell": soup()}, epochs=5)
    assert numpy.array_equal(run["Cell"], lives(soup(), 5))


def test_threads_share_a_tick(program):
    run = program.compile(W=SIZE, H=SIZE, threads=2).run({"Cell": soup()}, epochs=5)
    assert numpy.array_equal(run["Cell"], lives(soup(), 5))


def test_a_run_is_that_of_the_tool(ising, tools, tmp_path):
    out = tmp_path / "Spin.npy"
    tools.run("lmpm-run", source("ising/ising.lmpm"), "--set", "W=16", "--set", "H=16", "--set",
              "beta=0.4", "--epochs", 7, "--seed", 3, "--output", f"Spin={out}")
    assert numpy.array_equal(ising.run(epochs=7, seed=3)["Spin"], numpy.load(out))


def test_a_run_goes_on(life):
    run = life.run({"Cell": soup()}, epochs=3)
    assert run.step(4) is run
    assert run.epoch == 7
    assert numpy.array_equal(run["Cell"], lives(soup(), 7))


def test_runs_of_one_program_take_turns(ising):
    one, other = ising.new(seed=1), ising.new(seed=2)
    for _ in range(3):
        one.step(2)
        other.step(2)
    assert numpy.array_equal(one["Spin"], ising.run(epochs=6, seed=1)["Spin"])
    assert numpy.array_equal(other["Spin"], ising.run(epochs=6, seed=2)["Spin"])
    assert (one.seed, other.seed) == (1, 2)


def test_a_parameter_of_a_run_compiles_nothing(ising):
    cold = ising.run(epochs=200, seed=1, params={"beta": numpy.float32(4)}, observe_every=200)
    hot = ising.run(epochs=200, seed=1, params={"beta": 0.0}, observe_every=200)
    assert cold.observations["bonds"][-1] > 0.9
    assert hot.observations["bonds"][-1] < 0.7


def test_bindings_from_a_dictionary_and_from_a_file(program, tmp_path):
    given = {"sizes": {"W": numpy.int64(SIZE), "H": SIZE}, "inputs": {"Cell": blinker()},
             "epochs": 3}
    run = program.compile(given).run()
    assert run.epoch == 3
    assert numpy.array_equal(run["Cell"], lives(blinker(), 3))
    path = tmp_path / "bindings.json"
    path.write_text('{"sizes": {"W": 4, "H": 4}, "epochs": 3}')
    assert program.compile(path).run().epoch == 3


# Arrays


def test_an_array_outlives_its_run(program):
    cells = program.compile(W=SIZE, H=SIZE).run({"Cell": soup()}, epochs=2)["Cell"]
    gc.collect()
    assert not cells.flags.owndata and cells.flags.writeable
    assert numpy.array_equal(cells, lives(soup(), 2))


def test_an_array_is_of_its_own(life):
    run = life.run({"Cell": soup()})
    run["Cell"][:] = 0
    assert numpy.array_equal(run["Cell"], lives(soup(), 1))


def test_arrays_of_any_kind_come_in(life):
    wanted = lives(soup(), 1)
    for array in (Exported(soup()), soup().tolist(), soup().astype(bool), numpy.asfortranarray(soup()),
                  numpy.repeat(soup(), 2, 1)[:, ::2], soup().astype(numpy.uint64)):
        assert numpy.array_equal(life.run({"Cell": array})["Cell"], wanted)


def test_weights_come_from_dictionaries_modules_and_files(source_dir):
    program = lmpm.load(source("torus10/torus10.lmpm"))
    import json
    bindings = json.loads(source("torus10/bindings.json").read_text())
    file = str(source("torus10") / bindings["models"]["Model"].pop("weights"))
    bindings["models"]["Model"]["file"] = str(source("torus10/model.mlir"))
    bindings["inputs"] = {name: str(source("torus10") / path)
                          for name, path in bindings["inputs"].items()}
    compiled = program.compile(bindings)
    whole = program.compile(source("torus10/bindings.json")).run(epochs=2)
    from lmpm._lmpm import read_safetensors

    class Module:
        def state_dict(self):
            return read_safetensors(file)

    for weights in (file, read_safetensors(file), Module()):
        run = compiled.run(epochs=2, weights={"Model": weights})
        assert all(numpy.array_equal(run[name], whole[name]) for name in whole)
    with pytest.raises(lmpm.Error, match="the program has no model 'Modl'.*\n.*did you mean 'Model'?"):
        compiled.run(weights={"Modl": file})
    with pytest.raises(lmpm.Error, match="the model 'Model' asks for the weight '.*', but none is given"):
        compiled.run()
    name, array = next(iter(read_safetensors(file).items()))
    with pytest.raises(lmpm.Error, match=f"the program has no weight of the model 'Model' named '{name}_'.*\n.*'{name}'"):
        compiled.run(weights={"Model": {f"{name}_": array}})
    with pytest.raises(lmpm.Error, match=f"expected shape .* for the weight '{name}' of the model 'Model', but got"):
        compiled.run(weights={"Model": {name: array[None]}})


def test_a_file_without_the_weights_of_a_model_is_refused():
    program = lmpm.load(source("torus10/torus10.lmpm"))
    import json
    bindings = json.loads(source("torus10/bindings.json").read_text())
    bindings["models"]["Model"] |= {"file": str(source("torus10/model.mlir")),
                                    "weights": str(source("nca/weights.safetensors"))}
    bindings["inputs"] = {name: str(source("torus10") / path) for name, path in bindings["inputs"].items()}
    with pytest.raises(lmpm.Error, match="the model 'Model' asks for the weight '.*', but '.*nca/weights.safetensors' has "):
        program.compile(bindings).run()


# What is looked at


def test_counters_and_reports(program):
    run = program.compile(W=4, H=4, counters="full").run({"Cell": numpy.eye(4, dtype=int)}, epochs=1)
    changed = int((lives(numpy.eye(4, dtype=numpy.int8), 1) != numpy.eye(4)).sum())
    assert run.counters["Cell.changed"] == changed
    assert run.report["values"] == {"Cell": {"changed": changed, "invalid": 0}}
    assert run.report["program"] == "life"


def test_nothing_is_counted_where_nobody_asks(program):
    start = numpy.zeros((4, 4), dtype=int)  # nothing ever changes
    run = program.compile(W=4, H=4, counters="none").run({"Cell": start}, epochs=5)
    assert (run.counters, run.epoch, run.fixpoint) == ({}, 5, False)
    assert program.compile(W=4, H=4).run({"Cell": start}, epochs=5).fixpoint


def test_fixed_arguments_are_part_of_the_code(tmp_path):
    program = lmpm.load(source("ising/ising.lmpm"))
    fixed = program.compile(W=16, H=16, beta=0.4, fixed=True)
    run = fixed.run(epochs=3, seed=5, params={"beta": 0.4}, enable=["HeatBath"])  # as it is
    assert numpy.array_equal(run["Spin"], program.compile(W=16, H=16, beta=0.4).run(epochs=3, seed=5)["Spin"])
    says = "the program was compiled with its arguments fixed, but {}; compile it for that, or without fixing them"
    assert message_of(lambda: fixed.run(params={"beta": 0.5})) == (
        "compiled-in", says.format("the run gives another 'beta'"))
    assert message_of(lambda: fixed.run(disable=["HeatBath"])) == (
        "compiled-in", says.format("the run has 'HeatBath' switched off"))
    program.compile(W=16, H=16, beta=0.4).run(epochs=3, disable=["HeatBath"]).save(tmp_path / "off")
    assert message_of(lambda: fixed.resume(tmp_path / "off")) == (
        "compiled-in", says.format("the run has 'HeatBath' switched off"))


def test_tensor_cores_are_asked_for_by_name():
    program = lmpm.parse("""param M : F32[16, 32]
value X : Latent[32] shape Grid2D(W, H)
value Y : Latent[16] shape Grid2D(W, H)
visible Y[i,j] <- X[i,j]
rule Layer:
  on Y[i,j]
  emit proposal Y[i,j] := M @ X[i,j]
commit Y[*] using accept
""")
    random = numpy.random.default_rng(1)
    matrix, vectors = (random.normal(size=shape).astype("f4") for shape in ((16, 32), (4, 4, 32)))
    inputs = {"X": vectors, "Y": numpy.zeros((4, 4, 16), "f4")}
    exact, rounded = (program.compile(W=4, H=4, M=matrix, backend="kernels", tf32=tf32).run(inputs, epochs=1)["Y"]
                      for tf32 in (False, True))
    bound = 2**-9 * (abs(vectors) @ abs(matrix.T))
    assert not numpy.array_equal(exact, rounded) and (abs(exact - rounded) <= bound).all()


def test_observers_are_arrays(life):
    run = life.run({"Cell": soup()}, epochs=6, observe_every=2)
    run.step(2, observe_every=2)
    assert run.observed_epochs.tolist() == [0, 2, 4, 6, 8]
    assert run.observations["population"].tolist() == [int(lives(soup(), n).sum()) for n in (0, 2, 4, 6, 8)]


def test_nothing_seen_is_masked():
    from lmpm._arrays import column
    assert column([1, None, 3]).mask.tolist() == [False, True, False]
    assert column([1.5, None]).dtype == numpy.float64


def test_a_cell_is_explained(life):
    assert life.new({"Cell": soup()}).step(2).explain("Cell[2,5]").startswith(
        "Cell[2,5] at epoch 2, phase 0: policy accept")
    run = life.new({"Cell": soup()}).step(2)
    assert run.explain("Cell[2,5]@e=2") == run.explain("Cell[2,5]")
    for epoch in 0, 1, 3:
        with pytest.raises(lmpm.Error) as caught:
            run.explain(f"Cell[2,5]@e={epoch}")
        assert (caught.value.id, caught.value.message) == (
            "outside-value", f"expected the next epoch, which is 2, to explain a cell in, but got '@e={epoch}'")


def test_phases_before_that_of_an_explained_cell_are_run(tmp_path):
    text = tmp_path / "vote.lmpm"
    text.write_text("""
value Cell : Token[2] shape Grid2D(128, 128) boundary wrap init bernoulli(0.5)
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N4
rule Vote:
  on Cell[x,y]
  emit proposal Cell[x,y] := any
  score count(near == candidate) + 2.5 * uniform()
commit Cell[*] using accept
schedule Cell[*] using red_black
""", encoding="utf-8")
    program = lmpm.load(text)
    compiled, interpreted = (program.compile(backend=backend).run(epochs=1).explain("Cell[3,4]")
                             for backend in ("cpu", "interp"))
    assert compiled.startswith("Cell[3,4] at epoch 1, phase 1")
    assert compiled.strip() == interpreted.split(", stamp")[0]


def test_a_fixpoint_ends_a_run(life):
    run = life.run({"Cell": numpy.zeros((SIZE, SIZE), int)}, epochs=100)
    assert (run.epoch, run.fixpoint) == (1, True)


# Checkpoints


def test_a_checkpoint_goes_on(ising, tmp_path):
    path = tmp_path / "run.checkpoint"
    ising.run(epochs=3, seed=5).save(path)
    run = ising.resume(path)
    assert (run.epoch, run.seed) == (3, 5)
    assert numpy.array_equal(run.step(4)["Spin"], ising.run(epochs=7, seed=5)["Spin"])
    assert run.counters == ising.run(epochs=7, seed=5).counters


def test_checkpoints_are_those_of_the_tool(ising, tools, tmp_path):
    path, out = tmp_path / "run.checkpoint", tmp_path / "Spin.npy"
    ising.run(epochs=3, seed=5).save(path)
    tools.run("lmpm-run", source("ising/ising.lmpm"), "--set", "W=16", "--set", "H=16", "--set",
              "beta=0.4", "--epochs", 7, "--resume", path, "--output", f"Spin={out}")
    assert numpy.array_equal(ising.run(epochs=7, seed=5)["Spin"], numpy.load(out))


def test_a_checkpoint_of_another_program_is_refused(ising, life, tmp_path):
    ising.run().save(tmp_path / "c")
    with pytest.raises(lmpm.Error, match="the checkpoint belongs to another program"):
        life.resume(tmp_path / "c")
    assert numpy.array_equal(life.run({"Cell": soup()})["Cell"], lives(soup(), 1))


def test_without_counts_there_is_no_checkpoint(program, tmp_path):
    silent = program.compile(W=4, H=4, counters="none")
    start = {"Cell": numpy.zeros((4, 4), dtype=int)}
    for call, name in ((lambda: silent.run(start).save(tmp_path / "c"), "save"),
                       (lambda: silent.resume(tmp_path / "c"), "resume")):
        assert message_of(call) == ("command-line", f"counters='none' goes without {name}: a checkpoint says how "
                                    "much was committed")
    assert not (tmp_path / "c").exists()


# What is wrong


def message_of(call):
    with pytest.raises(lmpm.Error) as caught:
        call()
    return caught.value.id, caught.value.message


class OnGPU:
    def __dlpack_device__(self):
        return (2, 0)


@pytest.mark.parametrize("given, id, message", [
    ({"Cel": [[0]]}, "no-such-name", "the program has no value 'Cel'"),
    ({"Cell": [[0]]}, "wrong-shape", "input 'Cell': expected shape (24, 24) for 'Cell', but got (1, 1)"),
    ({"Cell": soup() + 5}, "outside-vocabulary",
     "input 'Cell': expected tokens of 'Cell' in -1 .. 1, but got 5 at [0, 0]"),
    ({"Cell": soup() * 0.5 + 0.5}, "outside-vocabulary",
     f"input 'Cell': expected tokens of 'Cell' in -1 .. 1, but got {soup()[0, 0] * 0.5 + 0.5} at [0, 0]"),
    ({"Cell": "glider.rle"}, "wrong-elements",
     "input 'Cell': expected an array, but got 'glider.rle'; files are named by bindings, as in "
     "compile({'inputs': {'Cell': 'start.npy'}}), or read by numpy.load"),
    ({"Cell": [[0, None], [1, 2]]}, "wrong-elements",
     "input 'Cell': expected numbers that 64 bits hold, but got None at [0, 1]; -1 is an absent token"),
    ({"Cell": soup() - 1}, "missing-token",
     "input 'Cell': expected a token in every cell, because the value has an 'init', but the array "
     "has -1 at [0, 0]"),
    ({"Cell": numpy.array([["a"]])}, "wrong-elements",
     "input 'Cell': expected an array of bool, integers or floats of at most 64 bits, but got "
     "elements of str32"),
    ({"Cell": OnGPU()}, "wrong-machine",
     "input 'Cell': expected an array in the machine's memory, but got one on a CUDA device; copy it "
     "first, in PyTorch with .cpu()"),
])
def test_a_wrong_array_is_a_sentence(life, given, id, message):
    assert message_of(lambda: life.run(given)) == (id, message)


def test_nested_lists_are_rectangles(life):
    id, message = message_of(lambda: life.run({"Cell": [[1], [2, 3]]}))
    assert id == "wrong-elements"
    assert message == "input 'Cell': expected an array, but got a list of 1 at [0] and a list of 2 at [1]"
    assert message_of(lambda: life.run({"Cell": [[[1], [2]], [[1], 3]]}))[1] == (
        "input 'Cell': expected an array, but got a list of 1 at [1, 0] and a number at [1, 1]")
    round = []
    round.append(round)
    assert message_of(lambda: life.run({"Cell": [[1], round]})) == (
        "wrong-elements", "input 'Cell': expected an array, but got a list that holds itself at [1, 0]")


def test_a_wrong_name_is_a_sentence(life, program):
    assert message_of(lambda: life.run(params={"b": 1})) == (
        "no-such-name", "the program has no parameter 'b'")
    assert message_of(lambda: life.run()["Cel"]) == ("no-such-name", "the program has no value 'Cel'")
    assert message_of(lambda: life.run(disable=["Lif"])) == (
        "no-such-name", "disable 'Lif': the program has no rule or constraint of that name")
    assert message_of(lambda: program.compile(W=4, H=4, backend="gpu")) == (
        "command-line", "expected 'cpu', 'kernels', 'interp' or 'cuda' for the back end, but got 'gpu'; "
        "did you mean 'cuda'?")
    assert message_of(lambda: program.compile(W=4, H=4, counters="all")) == (
        "command-line", "expected 'none', 'changed' or 'full' for counters, but got 'all'")


def test_what_is_not_bound_says_how(program):
    with pytest.raises(lmpm.Error) as caught:
        program.compile(W=4)
    assert (caught.value.id, caught.value.line) == ("unbound-size", 2)
    assert caught.value.__notes__ == ["in Python, keywords of compile give sizes: compile(H=512)"]


# Time, threads, memory


@pytest.fixture
def ctrl_c_raises():
    """Ctrl-C as a terminal has it: what runs in the background of a script is born ignoring it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_run_and_keeps_its_state(program, ctrl_c_raises):
    compiled = program.compile(W=SIZE, H=SIZE, backend="interp")
    run = compiled.new({"Cell": blinker()})
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run.step(10_000_000)
    assert time.monotonic() - start < 20
    assert numpy.array_equal(run["Cell"], lives(blinker(), run.epoch % 2))
    epoch = run.epoch
    assert run.step(1).epoch == epoch + 1


@pytest.mark.parametrize("backend, size", [("cpu", 1000), ("interp", 80)])
def test_ctrl_c_ends_a_long_epoch(backend, size, ctrl_c_raises):
    program = lmpm.parse("""value Cell : Token[4] shape Grid2D(W, H) boundary wrap init[x, y] (x + y) % 4
visible n: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in Moore(1)
rule R:
  on Cell[x,y]
  emit proposal Cell[x,y] := (sum(n) + epoch) % 4
schedule Cell[*] using raster
commit Cell[*] using accept
""")
    run = program.compile(W=size, H=size, backend=backend).new()
    before = run["Cell"].copy()
    timer = threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run.step(1)
    assert run.epoch == 0 and numpy.array_equal(run["Cell"], before)


def blinker():
    cells = numpy.zeros((SIZE, SIZE), numpy.int8)
    cells[4, 4:7] = 1
    return cells


def test_other_threads_run_meanwhile(life):
    handle = life.start({"Cell": blinker()}, epochs=2**32)
    for count in range(20):
        time.sleep(0.005)
    assert not handle.done()
    handle.cancel()
    run = handle.result(timeout=5)
    assert 0 < run.epoch < 2**32
    assert numpy.array_equal(run["Cell"], lives(blinker(), run.epoch % 2))


def test_a_run_is_awaited(life):
    async def both():
        return await asyncio.gather(*(life.start({"Cell": soup(n)}, epochs=3) for n in (1, 2)))

    for n, run in zip((1, 2), asyncio.run(both())):
        assert numpy.array_equal(run["Cell"], lives(soup(n), 3))


def test_what_a_handle_runs_into_is_raised(life):
    def fails(done, epochs):
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        life.start({"Cell": soup()}, epochs=3, progress=fails).result(timeout=5)


def test_progress_is_told(life):
    told = []
    life.run({"Cell": blinker()}, epochs=50, progress=lambda done, epochs: told.append((done, epochs)))
    assert told[-1] == (50, 50) and told == sorted(told)


def test_a_notebook_has_a_bar(life, monkeypatch):
    from lmpm import _progress
    monkeypatch.setattr(_progress, "in_notebook", lambda: True)
    with _progress.choose(None, 0, 5) as (shows_bar, tell):
        assert not shows_bar
    assert numpy.array_equal(life.run({"Cell": soup()}, epochs=2)["Cell"], lives(soup(), 2))


@pytest.mark.usefixtures("unsanitized")
def test_memory_is_flat():
    compiled = lmpm.load(source("life/life.lmpm")).compile(W=64, H=64)
    cells = numpy.zeros((64, 64), numpy.int8)
    cells[4, 4:7] = 1

    def work(count):
        for _ in range(count):
            run = compiled.run({"Cell": cells}, epochs=2)
            run["Cell"]

    work(500)
    before = resident()
    work(10_000)
    assert resident() - before < 2 << 20


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
