"""Conway's Life on a torus; everybody's cells must be the same."""

from harness.rows import Contest

SIZES = (1024, 4096)


def make(size, quick):
    """The contest on a square."""
    shape = (str(size), str(size))
    sizes = ("--set", f"W={size}", "--set", f"H={size}")
    hand = {"hand, vectors": ("life.cpp", ("vectors", *shape)),
            "plain C++, bits": ("life.cpp", ("plain", *shape)),
            "plain C++, bytes": ("life.cpp", ("bytes", *shape))}
    peers = {name: (f"{name}_life.py", shape) for name in ("numba", "jax", "torch", "taichi")}
    return Contest(
        program="Life", size=f"{size}²", unit="cells/ns", work=size * size * 1e-9,
        epochs=max(16, (200 if quick else 1000) * 1024**2 // size**2),
        source="examples/life/life.lmpm", arguments=sizes, value="Cell", dtype="uint8",
        hand=hand, peers={} if quick else peers, exact=(*hand, *peers),
        check_arguments=("--set", "W=64", "--set", "H=64"),
        limits={"vector": 12 * size * size / 512},
        roofline="a boolean circuit of some 12 operations on 512 cells; one bit read and one "
                 "written per cell, so memory does not bind at 4096² either")
