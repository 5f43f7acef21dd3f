"""What a program is bound to: sizes, numbers, arrays with what is rare in them, palettes and regions."""

import json
import random

import numpy as np

RARE = np.array([0x7fc00000, 0xffc12345, 0x7f800001, 0x7f800000, 0xff800000, 0x80000000, 1, 0x80000001, 0x7f7fffff,
                 0x3f800000, 0xbf000000], np.uint32).view(np.float32)


class Bindings:
    """The bindings of a program that a Maker made, which `write` puts into a folder."""

    def __init__(self, maker):
        self.dice, self.maker = maker.dice, maker
        self.numpy = np.random.default_rng(self.dice.getrandbits(64))
        self.epochs = self.dice.choice([1, 1, 2, 3, 4])
        self.seed = self.dice.choice([0, 1, self.dice.getrandbits(40)])
        self.arrays, self.params = {}, {}
        self.inputs = {value.name: self.input(value) for value in maker.values if self.gives(value)}
        for param in maker.params:
            self.param(param)
        self.palettes = {name: self.palette() for name in maker.palettes}

    def gives(self, value):
        """Values without rules are inputs; a number or what has an `init` need not be given."""
        return not value.ruled or self.dice.chance(15)

    def input(self, value):
        shape = value.extents
        if value.type.name == "token":
            array = self.numpy.integers(0, value.type.size, shape)
            if not value.present:
                array = np.where(self.numpy.random(shape) < 0.3, -1, array)
            return self.stored(array, value.type.size)
        if value.type.name == "i32":
            return self.numpy.integers(-2**31, 2**31, shape).astype(np.int32)
        return self.floats(shape + ([value.type.size] if value.type.name == "latent" else []))

    def stored(self, array, size):
        """In any type that holds it."""
        kinds = [kind for kind in (np.int8, np.int16, np.int32, np.int64, ">i4")
                 if np.iinfo(kind).max >= size]
        return array.astype(self.dice.choice(kinds)) if size < 2**20 else array

    def floats(self, shape):
        array = self.numpy.normal(size=shape).astype(np.float32)
        if self.dice.some("param-special", 40):
            rare = self.numpy.choice(RARE, shape)
            array = np.where(self.numpy.random(shape) < 0.3, rare, array).astype(np.float32)
        return np.asfortranarray(array) if self.dice.chance(15) else array

    def param(self, param):
        if any(line.startswith(f"param {param.name} :") and "=" in line for line in self.maker.lines):
            return
        if param.type == "I32":
            array = self.numpy.integers(param.low, param.high + 1, param.sizes).astype(np.int32)
            self.params[param.name] = array.tolist() if self.dice.chance(60) else array
        elif param.sizes:
            self.params[param.name] = self.floats(param.sizes)
        else:
            self.params[param.name] = self.dice.choice([0.0, -0.0, 1.0, 0.3, 2.5, -7.25, 1e30, 1e-40])

    def palette(self):
        if self.dice.chance(50):
            return sorted(self.dice.sample(range(0, 9), 3))
        return [[0, self.dice.randint(0, 5)]]

    def write(self, folder):
        bound = {"sizes": self.maker.sizes, "params": {}, "inputs": {}, "epochs": self.epochs, "seed": self.seed,
                 "palettes": self.palettes,
                 "regions": {name: {"rect": box} for name, box in self.maker.regions.items()}}
        for part, arrays in (("params", self.params), ("inputs", self.inputs)):
            for name, array in arrays.items():
                if isinstance(array, np.ndarray):
                    np.save(folder / f"{name}.npy", array)
                    array = f"{name}.npy"
                bound[part][name] = array
        (folder / "bindings.json").write_text(json.dumps(bound))
