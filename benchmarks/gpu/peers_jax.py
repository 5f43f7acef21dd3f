"""The programs in JAX: the steps of a call are one loop of the compiler's own, of a length that it
knows, so that the host is not asked after each. The loop has two forms, and the faster one counts:
one step a turn, or two with a barrier between, which need no copy from one turn to the next.

`contestants(program, size, device)` gives, for each form of a program, its name, what is to be
known of it, and a function that makes another one, which does a number of times `STEPS` steps.
"""

import functools
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import peers_data as data  # noqa: E402

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

STEPS = 32


def life(size):
    """Bytes; a sum of rows, then of columns."""
    def step(state):
        cells, = state
        padded = jnp.pad(cells, 1, "wrap")
        rows = padded[:-2] + padded[1:-1] + padded[2:]
        total = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
        return (((total == 3) | ((total == 4) & (cells == 1))).astype(cells.dtype),)
    return step


def odd_rows(size, colour):
    """The rows whose cells of a colour have their other neighbour on the right."""
    return (jnp.arange(size) % 2 != colour)[:, None]


def neighbours(other, colour):
    """The sum over the four neighbours of a colour's cells, all of the other colour."""
    odd = odd_rows(other.shape[0], colour)
    side = jnp.where(odd, jnp.roll(other, -1, 1), jnp.roll(other, 1, 1))
    return jnp.roll(other, 1, 0) + jnp.roll(other, -1, 0) + other + side


def ising(size):
    """Colours apart; a float of the library's fastest generator for each spin."""
    def half_sweep(other, colour, key):
        field = 2 * neighbours(other, colour).astype(jnp.float32) - 4
        drawn = jax.random.uniform(key, other.shape)
        return (drawn < jax.nn.sigmoid(2 * data.BETA * field)).astype(other.dtype)

    def step(state):
        red, black, key = state
        key, first, second = jax.random.split(key, 3)
        red = half_sweep(black, 0, first)
        return red, half_sweep(red, 1, second), key
    return step


def sor(size):
    """Colours apart. Which cells are on the border is computed, not read."""
    source = data.split(data.weights_of("sor", size)["source"])

    def half_sweep(mine, other, colour, source):
        row = jnp.arange(size)[:, None]
        column = 2 * jnp.arange(size // 2)[None, :] + odd_rows(size, colour)
        inner = (row > 0) & (row < size - 1) & (column > 0) & (column < size - 1)
        moved = mine + data.OMEGA * ((neighbours(other, colour) - source) * 0.25 - mine)
        return jnp.where(inner, moved, mine)

    def step(state):
        red, black, *parts = state
        red = half_sweep(red, black, 0, parts[0])
        return (red, half_sweep(black, red, 1, parts[1]), *parts)
    step.constants = tuple(map(jnp.asarray, source))
    return step


def nca(size):
    """Slopes by shifted sums, the network as two products."""
    w = {name: jnp.asarray(array) for name, array in data.weights_of("nca", size).items()}
    filters = [data.weights_of("nca", size)[name].tolist() for name in ("kx", "ky")]

    def slope(cells, kernel):
        return sum(kernel[i][j] * jnp.roll(cells, (1 - i, 1 - j), (0, 1))
                   for i in range(3) for j in range(3) if kernel[i][j] != 0)

    def step(state):
        cells, = state
        seen = jnp.concatenate([cells, *(slope(cells, kernel) for kernel in filters)], axis=-1)
        hidden = jax.nn.relu(seen.reshape(-1, 48) @ w["W1"].T + w["b1"])
        return (cells + (hidden @ w["W2"].T).reshape(cells.shape),)
    return step


def tokens(size, pieces=1):
    """Embeddings are added as planes; then, for a piece of the cells at a time, logits and the best."""
    w = {name: jnp.asarray(array) for name, array in data.weights_of("tokens", size).items()}

    def best(hidden):
        return jnp.argmax(hidden @ w["w2"] + w["b2"], axis=1).astype(jnp.int32)

    def step(state):
        cells, = state
        near = w["embedding"][cells]
        rows = near + jnp.roll(near, 1, 0) + jnp.roll(near, -1, 0)
        total = rows + jnp.roll(rows, 1, 1) + jnp.roll(rows, -1, 1) - near
        context = total + w["own_embedding"][cells] + w["kind_embedding"][data.KIND] + w["start"]
        hidden = jnp.maximum(context.reshape(-1, context.shape[-1]) @ w["w1"] + w["b1"], 0)
        new = [best(part) for part in jnp.array_split(hidden, pieces)]
        return (jnp.concatenate(new).reshape(cells.shape),)
    return step


def start(program, size, step):
    """The state at the start, as a step takes it, with the arrays that stay as they are."""
    cells = data.start_of(program, size)
    parts = data.split(cells) if program in ("ising", "sor") else [cells]
    key = (jax.random.key(1, impl="unsafe_rbg"),) if program == "ising" else ()
    return (*map(jnp.asarray, parts), *getattr(step, "constants", ()), *key)


def prepare(step, state, paired):
    """A function that does STEPS steps and waits for them."""
    def turn(_, state):
        return step(jax.lax.optimization_barrier(step(state))) if paired else step(state)

    @functools.partial(jax.jit, donate_argnums=0)
    def steps(state):
        return jax.lax.fori_loop(0, STEPS // 2 if paired else STEPS, turn, state)
    kept = [state]

    def run(count):
        for _ in range(count):
            kept[0] = steps(kept[0])
        jax.block_until_ready(kept[0])
    return run


SIXTEEN = functools.partial(tokens, pieces=16)
FORMS = {
    "life": [("", "float32", "int8 cells", life)],
    "ising": [("", "float32", "heat bath; floats of the generator unsafe_rbg", ising)],
    "sor": [("", "float32", "colours apart", sor)],
    "nca": [("", "float32", "float32", nca), (", TF32", "tensorfloat32", "products in TF32", nca)],
    "tokens": [(", all logits at once", "float32", "float32", tokens),
               (", logits in 16 pieces", "float32", "float32", SIXTEEN),
               (", TF32, all logits at once", "tensorfloat32", "products in TF32", tokens)],
}


def contestants(program, size, device):
    jax.config.update("jax_platforms", "cpu" if device == "cpu" else "cuda")
    # What a copy of the cells costs is nothing beside products of matrices.
    for name, precision, note, make in FORMS[program]:
        for paired in (False, True) if program in ("life", "ising", "sor") else (False,):
            def build(precision=precision, make=make, paired=paired):
                jax.config.update("jax_default_matmul_precision", precision)
                step = make(size)
                return prepare(step, start(program, size, step), paired)
            yield "JAX" + name, note + (", two steps a turn" if paired else ""), build
