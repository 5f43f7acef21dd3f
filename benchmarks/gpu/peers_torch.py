"""The programs in PyTorch, compiled. A step is a call of a compiled function, or a few; on a GPU, a
graph of many steps is captured once, so that one call launches all of them.

`contestants(program, size, device)` gives, for each form of a program, its name, what is to be
known of it, and a function that makes another one, which does a number of times `STEPS` steps.
"""

import functools

import peers_data as data

import torch

STEPS = 32
AUTOTUNE = False  # also the products, and by descent: a little faster, and minutes of compilation


def compiled(step):
    if AUTOTUNE:
        return torch.compile(step, mode="max-autotune-no-cudagraphs", dynamic=False)
    return torch.compile(step, options={"max_autotune_pointwise": True}, dynamic=False)


def life(size, device):
    """Bytes; a sum of rows, then of columns."""
    def step(cells):
        rows = cells + torch.roll(cells, 1, 0) + torch.roll(cells, -1, 0)
        total = rows + torch.roll(rows, 1, 1) + torch.roll(rows, -1, 1)
        return ((total == 3) | ((total == 4) & (cells == 1))).to(torch.int8)
    step = compiled(step)
    return lambda state: (step(*state),)


def neighbours(other, odd):
    """The sum over the four neighbours, all of the other colour; in rows that are `odd` the fourth
    is the next one of them, in others the one before."""
    side = torch.where(odd, torch.roll(other, -1, 1), torch.roll(other, 1, 1))
    return torch.roll(other, 1, 0) + torch.roll(other, -1, 0) + other + side


def odd_rows(size, device):
    """For each colour, the rows whose cells have their other neighbour on the right."""
    odd = (torch.arange(size, device=device) % 2 == 1)[:, None]
    return odd, ~odd


def ising(size, device):
    """Colours apart; a float of the library's own Philox for each spin, drawn where it is used."""
    def half_sweep(other, odd):
        field = 2 * neighbours(other, odd).to(torch.float32) - 4
        drawn = torch.rand(other.shape, device=other.device)
        return (drawn < torch.sigmoid(2 * data.BETA * field)).to(torch.int8)
    half_sweep, odd = compiled(half_sweep), odd_rows(size, device)

    def step(state):
        first = half_sweep(state[1], odd[0])
        return first, half_sweep(first, odd[1])
    return step


def sor(size, device):
    """Colours apart. Which cells are on the border is computed, not read."""
    source = [torch.from_numpy(part).to(device)
              for part in data.split(data.weights_of("sor", size)["source"])]

    def half_sweep(mine, other, source, odd):
        row = torch.arange(size, device=mine.device)[:, None]
        column = 2 * torch.arange(size // 2, device=mine.device)[None, :] + odd.to(torch.int64)
        inner = (row > 0) & (row < size - 1) & (column > 0) & (column < size - 1)
        moved = mine + data.OMEGA * ((neighbours(other, odd) - source) * 0.25 - mine)
        return torch.where(inner, moved, mine)
    half_sweep, odd = compiled(half_sweep), odd_rows(size, device)

    def step(state):
        first = half_sweep(state[0], state[1], source[0], odd[0])
        return first, half_sweep(state[1], first, source[1], odd[1])
    return step


def nca(size, device):
    """Slopes by shifted sums, the network as two products."""
    arrays = data.weights_of("nca", size)
    first, bias, second = (torch.from_numpy(arrays[name]).to(device) for name in ("W1", "b1", "W2"))
    filters = arrays["kx"].tolist(), arrays["ky"].tolist()

    def slope(cells, kernel):
        return sum(kernel[i][j] * torch.roll(cells, (1 - i, 1 - j), (0, 1))
                   for i in range(3) for j in range(3) if kernel[i][j] != 0)

    def step(cells):
        seen = torch.cat([cells, *(slope(cells, kernel) for kernel in filters)], dim=-1)
        hidden = torch.relu(torch.addmm(bias, seen.reshape(-1, 48), first.T))
        return cells + (hidden @ second.T).reshape(cells.shape)
    step = compiled(step)
    return lambda state: (step(*state),)


def tokens(size, device, pieces=1):
    """Embeddings are added as planes; then, for a piece of the cells at a time, logits and the best."""
    w = {name: torch.from_numpy(array).to(device)
         for name, array in data.weights_of("tokens", size).items()}

    def hidden_of(cells):
        near = w["embedding"][cells]
        rows = near + torch.roll(near, 1, 0) + torch.roll(near, -1, 0)
        total = rows + torch.roll(rows, 1, 1) + torch.roll(rows, -1, 1) - near
        context = total + w["own_embedding"][cells] + w["kind_embedding"][data.KIND] + w["start"]
        return torch.relu(context.reshape(-1, context.shape[-1]) @ w["w1"] + w["b1"])

    def best(hidden):
        return torch.argmax(torch.addmm(w["b2"], hidden, w["w2"]), dim=1).to(torch.int32)
    hidden_of, best = compiled(hidden_of), compiled(best)

    def step(state):
        cells, = state
        new = [best(part) for part in torch.chunk(hidden_of(cells), pieces)]
        return (torch.cat(new).reshape(cells.shape),)
    return step


def start(program, size, device):
    """The state at the start, as a step takes it."""
    cells = data.start_of(program, size)
    parts = data.split(cells) if program in ("ising", "sor") else [cells]
    return tuple(torch.from_numpy(part).to(device) for part in parts)


def repeat(step, state):
    for _ in range(STEPS):
        state = step(state)
    return state


def prepare(step, state, device):
    """A function that does STEPS steps and waits for them."""
    if device == "cpu":
        kept = [state]

        def run(count):
            for _ in range(count):
                kept[0] = repeat(step, kept[0])
        return run
    step(step(state))  # compiles, and lets libraries allocate, before the capture
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for old, new in zip(state, repeat(step, state)):
            old.copy_(new)

    def run(count):
        for _ in range(count):
            graph.replay()
        torch.cuda.synchronize()
    return run


SIXTEEN = functools.partial(tokens, pieces=16)
FORMS = {
    "life": [("", "highest", "int8 cells", life)],
    "ising": [("", "highest", "heat bath; floats of torch.rand, drawn in the kernel", ising)],
    "sor": [("", "highest", "colours apart", sor)],
    "nca": [("", "highest", "float32", nca), (", TF32", "high", "products in TF32", nca)],
    "tokens": [(", all logits at once", "highest", "float32", tokens),
               (", logits in 16 pieces", "highest", "float32", SIXTEEN),
               (", TF32, all logits at once", "high", "products in TF32", tokens)],
}


def contestants(program, size, device):
    for name, precision, note, make in FORMS[program]:
        def build(precision=precision, make=make):
            torch._dynamo.reset()
            torch.set_float32_matmul_precision(precision)
            return prepare(make(size, device), start(program, size, device), device)
        yield "torch.compile" + ", max-autotune" * AUTOTUNE + name, note, build
