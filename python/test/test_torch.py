"""PyTorch: tensors in and out without copies, weights of modules, two libraries of threads."""

import gc
import threading
import warnings

import numpy
import pytest
import torch

import lmpm
from lmpm import _arrays

# Debian's PyTorch is made for an older NumPy: it has DLPack and says that it has nothing else.
warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
torch.set_num_threads(2)
SIZE = 24


@pytest.fixture(scope="module")
def life(source_dir):
    return lmpm.load(source_dir / "examples/life/life.lmpm").compile(W=SIZE, H=SIZE)


@pytest.fixture(scope="module")
def nca(source_dir):
    return lmpm.load(source_dir / "examples/nca/nca.lmpm").compile(source_dir / "examples/nca/bindings.json")


@pytest.fixture(scope="module")
def weights(source_dir):
    from lmpm._lmpm import read_safetensors
    return read_safetensors(str(source_dir / "examples/nca/weights.safetensors"))


class Growing(torch.nn.Module):
    """A module whose parameters are those of nca.lmpm."""

    def __init__(self, weights):
        super().__init__()
        for name, array in weights.items():
            self.register_parameter(name, torch.nn.Parameter(torch.from_dlpack(array)))


def soup():
    return torch.rand((SIZE, SIZE), generator=torch.Generator().manual_seed(3)) < 0.3


def lives(cells):
    """A step of life by PyTorch."""
    around = sum(torch.roll(cells.int(), (dx, dy), (0, 1)) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
    return (around == 3) | ((around == 4) & cells)


def same(array, tensor):
    return array.tolist() == tensor.tolist()


def message_of(call):
    with pytest.raises(lmpm.Error) as caught:
        call()
    return caught.value.id, caught.value.message


# In and out


@pytest.mark.parametrize("kind", [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64])
def test_tensors_of_any_kind_are_tokens(life, kind):
    assert same(life.run({"Cell": soup().to(kind)})["Cell"], lives(soup()).int())


def test_views_are_what_they_show(life):
    wide = soup().int().repeat_interleave(2, 1)
    for view in (wide[:, ::2], wide[:, 1::2], soup().int().t().contiguous().t(),
                 soup().int()[:1].expand(SIZE, SIZE)):
        assert same(life.run({"Cell": view})["Cell"], lives(view.bool()).int())


def test_tensors_come_in_without_copies():
    for tensor in (torch.zeros(4, 6), torch.nn.Parameter(torch.zeros(4, 6)), torch.zeros(4, 6).t()):
        array = _arrays.to_numpy(tensor, "input")
        assert array.ctypes.data == tensor.data_ptr() and array.shape == tuple(tensor.shape)


def test_arrays_go_out_without_copies(life):
    array = life.run({"Cell": soup()})["Cell"]
    tensor = torch.from_dlpack(array)
    assert tensor.data_ptr() == array.ctypes.data and tensor.dtype == torch.int8
    tensor[0, 0] = 1 - tensor[0, 0]
    assert array[0, 0] == tensor[0, 0].item()


def test_a_tensor_outlives_its_run(source_dir):
    compiled = lmpm.load(source_dir / "examples/life/life.lmpm").compile(W=SIZE, H=SIZE)
    tensor = torch.from_dlpack(compiled.run({"Cell": soup()})["Cell"])
    del compiled
    gc.collect()
    assert same(tensor, lives(soup()).int())


def test_a_run_leaves_its_tensors_as_they_are(life):
    given = soup().to(torch.int8)
    life.run({"Cell": given}, epochs=3)
    assert same(given, soup().int())


@pytest.fixture(scope="module")
def there(source_dir):
    """Runs on a device, which is this machine in place of a GPU."""
    return lmpm.load(source_dir / "examples/life/life.lmpm").compile(W=SIZE, H=SIZE, backend="kernels")


def test_a_tensor_is_made_where_the_run_is(there, life):
    run = there.run({"Cell": soup()}, epochs=2)
    tensor = torch.from_dlpack(run.tensor("Cell"))
    assert tensor.dtype == torch.int8 and same(tensor, torch.from_dlpack(run["Cell"]))
    tensor[:] = 0  # it is the tensor's own
    assert same(torch.from_dlpack(run["Cell"]), torch.from_dlpack(life.run({"Cell": soup()}, epochs=2)["Cell"]))


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64])
def test_a_tensor_is_read_where_the_run_is(there, life, dtype):
    expected = life.run({"Cell": soup()}, epochs=2)["Cell"]
    given = soup().to(dtype)
    for tensor in (given, given.t().contiguous().t(), given.repeat_interleave(2, 1)[:, ::2]):
        assert numpy.array_equal(there.run({"Cell": tensor}, epochs=2)["Cell"], expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_numbers_of_any_width_are_read_there(dtype):
    compiled = lmpm.parse("value A : F32 shape Seq(N)").compile(N=5, backend="kernels")
    numbers = torch.tensor([0.1, -3, 65504, 1e-7, float("nan")]).to(dtype)
    expected = numpy.from_dlpack(numbers.to(torch.float32))
    tensor = torch.nn.Parameter(numbers)
    assert numpy.array_equal(compiled.new({"A": tensor})["A"], expected, equal_nan=True)


# Weights


def test_parameters_come_from_modules_and_files(nca, weights, source_dir):
    whole = nca.run(epochs=2, seed=1)["S"]
    zeros = {name: numpy.zeros_like(array) for name, array in weights.items()}
    assert not numpy.array_equal(nca.run(epochs=2, seed=1, params=zeros)["S"], whole)
    module = Growing(weights)
    for params in (module, module.state_dict(), dict(module.named_parameters()),
                   source_dir / "examples/nca/weights.safetensors"):
        assert numpy.array_equal(nca.run(epochs=2, seed=1, params=params)["S"], whole)


def test_a_module_in_bfloat16_is_its_numbers(nca, weights):
    module = Growing(weights).to(torch.bfloat16)
    rounded = {name: numpy.from_dlpack(array.float()) for name, array in module.state_dict().items()}
    assert numpy.array_equal(nca.run(epochs=2, seed=1, params=module)["S"],
                             nca.run(epochs=2, seed=1, params=rounded)["S"])


def test_a_module_gives_the_weights_of_a_model(source_dir):
    import json
    folder = source_dir / "examples/torus10"
    bindings = json.loads((folder / "bindings.json").read_text())
    model = bindings["models"]["Model"]
    file = folder / model.pop("weights")
    model["file"] = str(folder / model["file"])
    bindings["inputs"] = {name: str(folder / path) for name, path in bindings["inputs"].items()}
    compiled = lmpm.load(folder / "torus10.lmpm").compile(bindings)
    from lmpm._lmpm import read_safetensors
    of_file = compiled.run(epochs=2, weights={"Model": file})
    of_module = compiled.run(epochs=2, weights={"Model": Growing(read_safetensors(str(file)))})
    assert all(numpy.array_equal(of_file[name], of_module[name]) for name in of_file)


# What is wrong


@pytest.mark.parametrize("make, said", [
    (lambda: soup().int().to_sparse(), "strided"),
    (lambda: torch.zeros(SIZE, SIZE, device="meta"), "meta"),
    (lambda: torch.zeros(SIZE, SIZE, dtype=torch.complex64).conj(), "conjugate"),
])
def test_tensors_without_a_memory_of_numbers_are_refused(life, make, said):
    id, message = message_of(lambda: life.run({"Cell": make()}))
    assert id == "wrong-elements"
    assert message.startswith("input 'Cell': expected an array that NumPy can take, but got ") and said in message


def test_nor_are_they_taken_on_a_device(there):
    for make, expected, said in (
            (lambda: soup().int().to_sparse(), "an array with DLPack", "strided"),
            (lambda: torch.zeros(SIZE, SIZE, device="meta"), "an array that NumPy can take", "meta")):
        id, message = message_of(lambda: there.run({"Cell": make()}))
        assert id == "wrong-elements" and said in message
        assert message.startswith(f"input 'Cell': expected {expected}, but got ")


def test_a_wrong_tensor_is_a_sentence(life, nca, weights):
    assert message_of(lambda: life.run({"Cell": torch.zeros(SIZE, SIZE, dtype=torch.complex64)})) == (
        "wrong-elements",
        "input 'Cell': expected an array of bool, integers or floats of at most 64 bits, but got "
     "elements of complex64")
    module = Growing({**weights, "W3": weights["W2"]})
    assert message_of(lambda: nca.run(params=module)) == (
        "no-such-name", "the program has no parameter 'W3'")
    module = Growing({**weights, "b1": numpy.zeros(3, numpy.float32)})
    assert message_of(lambda: nca.run(params=module))[0] == "wrong-shape"
    assert message_of(lambda: nca.run(params="nowhere.safetensors"))[0] == "file-access"


# Threads: PyTorch brings libgomp, compiled programs use libomp


def trained(epochs):
    """What a small network has learned; the same each time."""
    torch.manual_seed(1)
    network = torch.nn.Conv2d(8, 8, 3)
    images = torch.rand(8, 8, 40, 40)
    for _ in range(epochs):
        network.zero_grad()
        network(images).square().mean().backward()
        for parameter in network.parameters():
            parameter.data -= 0.1 * parameter.grad
    return network.bias.tolist()


def test_both_libraries_of_threads_work_in_one_process(source_dir):
    program = lmpm.load(source_dir / "examples/life/life.lmpm")
    one, two = (program.compile(W=512, H=512, threads=threads) for threads in (1, 2))
    wanted, learned = one.run(epochs=6_000, seed=1)["Cell"], trained(3)
    for _ in range(3):
        assert numpy.array_equal(two.run(epochs=6_000, seed=1)["Cell"], wanted)
        assert trained(3) == pytest.approx(learned)
    handle = two.start(epochs=6_000, seed=1)
    meanwhile = []
    thread = threading.Thread(target=lambda: meanwhile.append(trained(3)))
    thread.start()
    thread.join(timeout=60)
    assert meanwhile == [pytest.approx(learned)]
    assert numpy.array_equal(handle.result(timeout=60)["Cell"], wanted)
