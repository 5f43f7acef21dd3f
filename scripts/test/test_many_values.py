"""Programs of many values compile in seconds, for every back end. A pass whose time grows with the
cube of their number takes minutes for these, so that a limit of CPU time far above what they need
tells. Grids are large enough for passes that fuse, jam and tile."""

import itertools
import os
import resource
import subprocess

import pytest

VALUES = 40
LIMIT_SECONDS = 60  # they take 2 to 10

EXPRESSIONS = {"Token[16]": "(A{i}[x-1,y] + A{j}[x,y+1]) & 15", "F32": "0.5 * (A{i}[x-1,y] + A{j}[x,y+1])"}
INITIAL = {"Token[16]": "randint(16)", "F32": "uniform()"}


def program(tokens, reads_others):
    """Values that read a neighbour of their own, and one of the next value or of their own."""
    lines = [f"value A{i} : {tokens} shape Grid2D(64, 96) boundary wrap init {INITIAL[tokens]}"
             for i in range(VALUES)]
    for i in range(VALUES):
        j = (i + 1) % VALUES if reads_others else i
        lines += [f"visible A{i}[x,y] <- A{read}[x+dx,y+dy] when (dx,dy) in N4" for read in sorted({i, j})]
        lines += [f"rule R{i}:", f"  on A{i}[x,y]",
                  f"  emit proposal A{i}[x,y] := {EXPRESSIONS[tokens].format(i=i, j=j)}",
                  f"commit A{i}[*] using accept"]
    return "\n".join(lines) + "\n"


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))


CASES = list(itertools.product(["llvm", "ptx"], EXPRESSIONS, ["apart", "chained"]))


# Half of them, with each pair of two in one at least, or all.
@pytest.mark.parametrize("target, tokens, reads", CASES if os.environ.get("LCI_ALL_WAYS") else
                         [CASES[0], CASES[3], CASES[5], CASES[6]])
def test_they_compile_in_seconds(tools, tmp_path, unsanitized, target, tokens, reads):
    text = tmp_path / "many.lmpm"
    text.write_text(program(tokens, reads == "chained"))
    imported = tools.run("lmpm-translate", "--import-lmpm", text).stdout
    pipeline = f"builtin.module(lci-bind,lci-lower-rules,lci-to-{target}-pipeline)"
    done = subprocess.run([tools.path("lmpm-opt"), "-", "--pass-pipeline=" + pipeline, "-o", "/dev/null"],
                          input=imported, text=True, capture_output=True, preexec_fn=limit_time)
    assert done.returncode == 0, f"-9 or -24 is more than {LIMIT_SECONDS} s\n{done.stderr}"
