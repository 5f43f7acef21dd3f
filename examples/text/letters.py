"""The text that the example's model knows, and its letters as tokens.

The text is the Zen of Python, which every Python prints when it imports `this`: small letters, one
line. A token is the place of a letter in LETTERS.
"""

import codecs
import contextlib
import io
import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from kit.curves import Curve, draw as draw_curves  # noqa: E402
from kit.exact import load_weights  # noqa: E402
from kit.network import Network, Read  # noqa: E402

LETTERS = " abcdefghijklmnopqrstuvwxyz.,!'*-"
OTHER = "the quick brown fox jumps over the lazy dog. better pack my box with five dozen jugs now."
WINDOW = 24  # letters that the model looks back


def bindings():
    return json.loads((HERE / "bindings.json").read_text())


def poem():
    """The text, in the letters there are."""
    with contextlib.redirect_stdout(io.StringIO()):
        import this
    text = codecs.decode(this.s, "rot13").lower().split("\n", 2)[2]
    return " ".join("".join(c if c in LETTERS else " " for c in text).split())


def encode(text):
    return np.array([LETTERS.index(letter) for letter in text])


def decode(tokens):
    """Text; what is absent is an underscore."""
    return "".join(LETTERS[token] if token >= 0 else "_" for token in tokens)


def network():
    """The last WINDOW letters of what is there."""
    shown = bindings()["sizes"]["N"] - 1
    read = Read("past", WINDOW, len(LETTERS), shown=shown)
    return Network([read], len(LETTERS), embedding=10, hidden=96)


def window(tokens):
    """The ids that the model looks at after these tokens, absent ones before their beginning."""
    padded = np.concatenate([np.full(WINDOW, len(LETTERS)), tokens])
    return padded[len(padded) - WINDOW :]


def prompt(text):
    """The program's input: the text, and nothing after it."""
    tokens = np.full(bindings()["sizes"]["N"], -1, np.int8)
    tokens[: len(text)] = encode(text)
    return tokens


def surprise(tokens):
    """How many bits each letter is worth to the model, after those before it."""
    weights = load_weights(HERE / "model.safetensors")
    ids = np.array([window(tokens[:end]) for end in range(len(tokens))])
    logits = network().logits(weights, ids).astype(float)
    logits -= logits.max(1, keepdims=True)
    share = np.exp(logits[np.arange(len(tokens)), tokens]) / np.exp(logits).sum(1)
    return -np.log2(share)


def draw(tokens, path):
    """The surprises of the text's beginning as a curve, and of another text's."""
    curves = [Curve(name, range(len(OTHER)), surprise(text[: len(OTHER)]))
              for name, text in (("its own text", tokens), ("another text", encode(OTHER)))]
    draw_curves(path, "letter", "bits", curves)


if __name__ == "__main__":
    if sys.argv[1] == "prompt":  # letters.py prompt TEXT F.npy
        np.save(sys.argv[3], prompt(sys.argv[2]))
    else:  # letters.py show F.npy [F.png]
        print(decode(np.load(sys.argv[2])))
        if len(sys.argv) > 3:
            draw(np.load(sys.argv[2]), sys.argv[3])
