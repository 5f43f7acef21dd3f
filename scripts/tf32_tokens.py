"""A program that asks a model for tokens, where tensor cores make no other bits: small integers are exact."""

import enum
import json
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "examples"))
from kit.exact import save_weights  # noqa: E402

PROGRAM = """value Cell : Token[V] shape Grid2D(A, B) boundary wrap init randint(V)
visible near: Cell[i,j] <- Cell[i+di,j+dj] when di in -1..1 and dj in -1..1
rule Choose:
  on Cell[i,j] when epoch >= 0
  emit proposal Cell[i,j] := Model(near)
{choice}
"""


class Policy(enum.Enum):
    """How a cell chooses: by the logits alone, or by what holds first."""

    FREELY = "commit Cell[*] using accept"
    BOUND = """constraint Small: on Cell[i,j] require candidate < self or candidate == 3 priority 2
constraint Odd: on Cell[i,j] require candidate % 2 == 1 or candidate > V / 2 priority 1
commit Cell[*] using satisfy(max_constraints_then_score)"""


MODEL = """#member = affine_map<(v, k) -> (k)>
#weight = affine_map<(v, k) -> (v, k)>
#token = affine_map<(v, k) -> (v)>
#one = affine_map<(k) -> (k)>
func.func @Logits(%near: tensor<9xi32>, %present: tensor<9xi1>,
    %w: tensor<{tokens}x9xf32> {{lci.weight = "w"}}) -> tensor<{tokens}xf32> {{
  %none = tensor.empty() : tensor<9xf32>
  %numbers = linalg.generic {{indexing_maps = [#one, #one], iterator_types = ["parallel"]}}
      ins(%near : tensor<9xi32>) outs(%none : tensor<9xf32>) {{
  ^bb0(%token: i32, %unused: f32):
    %eight = arith.constant 8 : i32
    %small = arith.remui %token, %eight : i32
    %number = arith.sitofp %small : i32 to f32
    linalg.yield %number : f32
  }} -> tensor<9xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{tokens}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<{tokens}xf32>) -> tensor<{tokens}xf32>
  %logits = linalg.generic {{indexing_maps = [#weight, #member, #token],
                            iterator_types = ["parallel", "reduction"]}}
      ins(%w, %numbers : tensor<{tokens}x9xf32>, tensor<9xf32>) outs(%zeros : tensor<{tokens}xf32>) {{
  ^bb0(%weight: f32, %number: f32, %sum: f32):
    %next = math.fma %weight, %number, %sum : f32
    linalg.yield %next : f32
  }} -> tensor<{tokens}xf32>
  return %logits : tensor<{tokens}xf32>
}}
"""


class Choice:
    """Tokens whose logits are sums of small integers, so that many of them are equal."""

    def __init__(self, folder, tokens, sides, policy=Policy.FREELY):
        random = np.random.default_rng(tokens)
        self.folder = folder
        save_weights(folder / "model.safetensors",
                     {"w": random.integers(-1, 2, (tokens, 9)).astype(np.float32)})
        (folder / "model.mlir").write_text(MODEL.format(tokens=tokens))
        (folder / "choice.lmpm").write_text(PROGRAM.format(choice=policy.value))
        (folder / "bindings.json").write_text(json.dumps({
            "sizes": {"A": sides[0], "B": sides[1], "V": tokens},
            "models": {"Model": {"file": "model.mlir", "function": "Logits",
                                 "weights": "model.safetensors"}}}))
        self.words = [folder / "choice.lmpm", "--bindings", folder / "bindings.json"]
