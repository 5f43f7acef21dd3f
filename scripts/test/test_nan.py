"""What is no number, as score and as content: in every policy, on every back end and in every way of
lowering (S-NAN-SCORE, S-NAN).

Each of the 512 cells has another keep and two proposals out of eight tokens, among whose scores are
NaNs of either sign, both infinities and both zeros; so every combination occurs.
"""

import itertools

import numpy as np
import pytest

W = np.array([np.nan, -np.inf, np.inf, 0.0, -0.0, 1.0, -np.nan, 2.0], np.float32)
TRIPLES = list(itertools.product(range(8), repeat=3))  # keep, the second proposal, the first
POLICIES = ("satisfy(max_constraints_then_score)", "satisfy(count_constraints_then_score)",
            "satisfy(weighted_constraints_then_score)", "accept", "sample(temperature=0.5)",
            "metropolis(temperature=0.5)", "quorum(2)")
PROGRAM = """
param w : F32[8]
value V : Token[8] shape Seq(N)
visible V[i] <- V[i]
rule First:
  on V[i]
  emit proposal V[i] := i % 8
  score w[candidate]
rule Second:
  on V[i]
  emit proposal V[i] := i / 8 % 8
  score w[candidate]
constraint Any:
  on V[i]
  require candidate != 9
  priority 1
commit V[*] using {policy}
{schedule}
"""


def rank(token):
    """A token by its score: NaNs are alike, and worse than every number."""
    return (0, 0.0) if np.isnan(W[token]) else (1, float(W[token]))


def satisfied(keep, proposals):
    """S-POLICY-SATISFY: the best score, then proposal before keep, then the lowest token."""
    return max({keep, *proposals}, key=lambda token: (rank(token), token in proposals, -token))


def accepted(keep, proposals):
    """S-POLICY-ACCEPT: of the proposals the best score, then the first rule (every rule scores keep),
    then the lowest token."""
    return max(proposals, key=lambda token: (rank(token), token in (keep, proposals[0]), -token))


EXPECTED = {"satisfy": satisfied, "accept": accepted,
            "quorum": lambda keep, proposals: proposals[0] if len(set(proposals)) == 1 else keep}


@pytest.fixture
def run(tools, tmp_path):
    """Runs the program, and returns its cells."""
    np.save(tmp_path / "w.npy", W)
    np.save(tmp_path / "start.npy", np.array([keep for keep, _, _ in TRIPLES], np.int8))

    def run(policy, *words, schedule=""):
        (tmp_path / "p.lmpm").write_text(PROGRAM.format(policy=policy, schedule=schedule))
        tools.run("lmpm-run", "p.lmpm", "--set", f"N={len(TRIPLES)}", "--set", "w=w.npy", "--quiet",
                  "--input", "V=start.npy", "--output", "V=out.npy", *words, cwd=tmp_path)
        return np.load(tmp_path / "out.npy").tolist()

    return run


@pytest.mark.parametrize("policy", POLICIES)
def test_every_back_end_and_way_agrees(run, policy):
    found = run(policy, "--backend=interp")
    name = policy.split("(")[0]
    if name in EXPECTED:
        assert found == [EXPECTED[name](keep, (first, second)) for keep, second, first in TRIPLES]
    assert run(policy, "--backend=kernels") == found
    for way in ("bitslice=true", "bitslice=false narrow=false", "vector-bits=512 threads=2 grain=0"):
        assert run(policy, "--lowering", way) == found, way


@pytest.mark.parametrize("seed", range(8))
def test_a_draw_takes_no_nan_while_there_are_numbers(run, seed):
    drawn = run("sample(temperature=0.5)", "--seed", str(seed))
    for token, (keep, second, first) in zip(drawn, TRIPLES):
        assert token in (first, second)
        assert not np.isnan(W[token]) or (np.isnan(W[first]) and np.isnan(W[second]))


def test_the_surest_are_numbers(run):
    """S-SELECT: a NaN is the worst."""
    schedule = "schedule V[*] using confidence(0.5)"
    found = run("accept", "--backend=interp", schedule=schedule)
    assert run("accept", schedule=schedule) == found
    winners = [accepted(keep, (first, second)) for keep, second, first in TRIPLES]
    moving = [cell for cell, winner in enumerate(winners) if winner != TRIPLES[cell][0]]
    moving.sort(key=lambda cell: rank(winners[cell]), reverse=True)  # of equals the first stays first
    chosen = set(moving[:(len(moving) + 1) // 2])
    assert found == [winners[cell] if cell in chosen else TRIPLES[cell][0]
                     for cell in range(len(TRIPLES))]


FIELDS = """
value U : F32 shape Seq(N)
value M : F32 shape Seq(N)
visible U[i] <- M[i]
visible U[i] <- U[i]
rule Choose:
  on U[i]
  emit proposal U[i] := if M[i] > 0.0 then self else M[i]
commit U[*] using accept
"""


@pytest.mark.parametrize("way", ["--backend=interp", "--backend=cpu", "--backend=kernels",
                                 "--lowering=vector-bits=512"])
def test_what_is_put_in_has_one_nan(tools, tmp_path, way):
    """S-NAN: quiet, signalling and negative ones, with any payload, are the canonical one."""
    bits = np.array([0x7fc12345, 0x7f800001, 0xffc00000, 0x3f800000, 0x80000000, 0xff800000, 0xffffffff],
                    np.uint32)
    (tmp_path / "p.lmpm").write_text(FIELDS)
    np.save(tmp_path / "u.npy", np.tile(bits, len(bits)).view(np.float32))
    np.save(tmp_path / "m.npy", np.repeat(bits, len(bits)).view(np.float32))
    canonical = np.where(np.isnan(bits.view(np.float32)), 0x7fc00000, bits)
    fields = {0: np.tile(canonical, len(bits)),
              1: [u if m == 0x3f800000 else m for m in canonical for u in canonical]}
    for epochs, expected in fields.items():
        tools.run("lmpm-run", "p.lmpm", "--set", f"N={len(bits) ** 2}", "--input", "U=u.npy",
                  "--input", "M=m.npy", "--epochs", str(epochs), "--quiet", way, "--output",
                  "U=out.npy", cwd=tmp_path)
        assert np.array_equal(np.load(tmp_path / "out.npy").view(np.uint32), expected)
