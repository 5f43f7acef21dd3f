"""Ways to run one program, each in a process of its own, and what must be the same.

The reference interpreter says what is right: all values by their bytes, what observers saw, and the counts of
the report. A way ends with the exit status 0 and the same, or something is wrong.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys

import builds

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WAYS = ("text", "check", "kernels", "ptx", "bundle", "python", "lowered", "threads", "stamps")
LOWERED = ["bitslice=false", "narrow=false", "split-colours=false", "split-domain=false", "tabulate=false",
           "vectorize=false", "fuse-ticks=false", "fused-epochs=1",
           "fused-epochs=2 min-fused=0 tile-rows=1", "fused-epochs=4 min-fused=0 tile-rows=3 alias-bytes=16",
           "min-joined=0", "eager-blocks=0 strip-words=1", "eager-blocks=1", "eager-blocks=0",
           "table-entries=2", "table-saved=-100 table-look-ups=0", "table-look-ups=0", "jam-groups=1", "vector-bits=128",
           "vector-bits=256", "vector-bits=512", "min-network=1"]


class Wrong(Exception):
    """Something is not as it must be."""


class Refused(Exception):
    """The tools refuse the program with a sentence."""


def limit(seconds, memory):
    """What a process may take."""
    def limiting():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return limiting


class Runner:
    """Runs tools on the program of one folder, and remembers the commands."""

    def __init__(self, build, folder, seconds, bindings):
        self.build, self.folder, self.seconds = build, folder, seconds
        self.memory = None if builds.is_sanitized(build) else 8 << 30
        self.epochs = bindings.epochs
        self.names, self.sets = [value.name for value in bindings.maker.values], bindings.maker.sets
        self.observes = "observe " in bindings.maker.text()
        self.commands = []

    def call(self, *words, **variables):
        environment = {**os.environ, "LMPM_VERIFY_PASSES": "1", "LMPM_POISON_SCRATCH": "1",
                       "OMP_WAIT_POLICY": "passive", **variables}
        shown = [f"{name}={value}" for name, value in variables.items()]
        self.commands.append(" ".join(shown + [f"'{word}'" if set(str(word)) & set(" *&|") else str(word)
                                               for word in words]))
        try:
            done = subprocess.run([str(word) for word in words], cwd=self.folder, capture_output=True, text=True,
                                  errors="surrogateescape", env=environment, timeout=20 * self.seconds,
                                  preexec_fn=limit(self.seconds, self.memory))
        except subprocess.TimeoutExpired:
            raise Wrong("hang: no end after much time") from None
        said = done.stderr.replace("\udc00", "?")
        if done.returncode not in (0, 1) or "check-failed" in said:
            why = "too slow" if done.returncode in (-24, -9) else f"exit status {done.returncode}"
            raise Wrong(f"{why}: {said[-1500:]}")
        if done.returncode == 1:
            if "error:" not in said:
                raise Wrong(f"exit status 1 without a sentence: {said[-500:]}")
            raise Refused(said)
        return done

    def tool(self, name, *words, **variables):
        return self.call(self.build / "bin" / name, *words, **variables)

    def run(self, way, *words, report=True, program="p.lmpm", **variables):
        """What a run of lmpm-run ends with."""
        flags = ["--report", f"{way}.json"] if report else []
        self.tool("lmpm-run", program, "--bindings", "bindings.json", "--epochs", self.epochs, "--quiet", *flags,
                  *self.outputs(way), *words, **variables)
        return self.ended(way, report)

    def outputs(self, way):
        words = ["--observe", f"{way}.csv"] if self.observes else []
        for name in self.names:
            words += ["--output", f"{name}={way}-{name}.npy"]
        for name in self.sets:
            words += ["--output", f"{name}={way}-{name}.json"]
        return words

    def ended(self, way, report=True):
        """All that a run has written."""
        files = [f"{way}-{name}.npy" for name in self.names] + [f"{way}-{name}.json" for name in self.sets]
        files.append(f"{way}.csv")
        found = {name.removeprefix(way): (self.folder / name).read_bytes() for name in files
                 if (self.folder / name).exists()}
        if report:
            said = json.loads((self.folder / f"{way}.json").read_text())
            for key in ("commits", "values", "constraints", "observations", "fixpoint", "epochs"):
                if key in said:
                    found[key] = json.dumps(said[key], sort_keys=True)
        return found

    # The ways

    def reference(self):
        self.right = self.run("interp", "--backend=interp")

    def compare(self, found):
        for name, right in self.right.items():
            if name in found and found[name] != right:
                raise Wrong(f"'{name}' differs:\n  expected {shown(right)}\n  but got  {shown(found[name])}")

    def text(self, dice):
        """What an imported program is exported as is the same program, as IR, or where its operations stand in
        another order, by what it does; and that is exported as itself."""
        texts = {}
        for before, after, flag in (("p.lmpm", "first.mlir", "--import-lmpm"),
                                    ("first.mlir", "canonical.lmpm", "--export-lmpm"),
                                    ("canonical.lmpm", "second.mlir", "--import-lmpm"),
                                    ("second.mlir", "again.lmpm", "--export-lmpm")):
            try:
                texts[after] = self.tool("lmpm-translate", flag, before).stdout
            except Refused as refused:
                # A draw left of a range has one stream and two places in the text.
                if "a draw whose stream is not the one its place implies" in str(refused):
                    return
                raise
            (self.folder / after).write_text(texts[after])
        if texts["again.lmpm"] != texts["canonical.lmpm"]:
            raise Wrong("what is exported is exported as another text once it is imported")
        if without_name(texts["first.mlir"]) != without_name(texts["second.mlir"]):
            self.compare(self.run("text", "--backend=interp", program="canonical.lmpm"))

    def check(self, dice):
        self.compare(self.run("check", "--check"))

    def kernels(self, dice):
        self.compare(self.run("kernels", "--backend=kernels", report=dice.chance(50)))

    def ptx(self, dice):
        machine = self.build / "lib" / "libLCIPTXMachine.so"
        self.compare(self.run("ptx", "--backend=cuda", f"--cuda-driver={machine}", report=dice.chance(50),
                              PTX_MACHINE_CHIP=dice.choice(["75", "90", "100"])))

    def bundle(self, dice):
        fixed = ["--fixed"] if dice.chance(30) else []
        self.tool("lmpm-translate", "--lci-to-bundle", "--bundle-for=cpu", *fixed, "p.lmpm", "--bindings",
                  "bindings.json", "-o", "p.bundle")
        self.sets = []  # a bundle has none
        self.tool("lmpm-run-bundle", "p.bundle", "--epochs", self.epochs, "--quiet", *self.outputs("bundle"),
                  "--report", "bundle.json")
        said = json.loads((self.folder / "bundle.json").read_text())
        broken = {name.removesuffix(".broken"): number for name, number in said["broken"].items()}
        expected = {name: counts["broken"] for name, counts in json.loads(self.right["constraints"]).items()
                    if counts.get("broken")}
        if {name: number for name, number in broken.items() if number} != expected:
            raise Wrong(f"constraints are broken: expected {expected}, but got {broken}")
        self.compare({**self.ended("bundle", report=False), "commits": str(said["commits"])})

    def python(self, dice):
        backend = dice.choice(["cpu", "cpu", "kernels", "interp"])
        counters = dice.choice(["changed", "full", "none"])
        options = {"backend": backend, "counters": "full" if (backend, counters) == ("interp", "none") else counters,
                   "fixed": dice.chance(30), "threads": dice.choice([1, 2]) if backend == "cpu" else 1}
        script = SOURCE / "scripts/wild/run_in_python.py"
        self.call(sys.executable, script, json.dumps(options), self.epochs, *self.names,
                  PYTHONPATH=str(self.build / "python"))
        self.compare(self.ended("python", report=False))

    def lowered(self, dice):
        chosen = dice.sample(LOWERED, dice.choice([1, 2, 4]))
        words = {word.split("=")[0]: word for text in chosen for word in text.split()}
        self.compare(self.run("lowered", "--lowering", " ".join(words.values()), report=dice.chance(50)))

    def threads(self, dice):
        lowering = "grain=0 " + dice.choice(LOWERED)
        self.compare(self.run("threads", "--threads", dice.choice([2, 3, 7]), "--lowering", lowering,
                              report=dice.chance(30)))

    def stamps(self, dice):
        """When each cell was committed, beside the interpreter."""
        words = [word for name in self.names for word in ("--stamps", f"{name}={{}}-{name}.stamps")]
        found = []
        for way in ("interp", dice.choice(["cpu", "cpu", "kernels"])):
            self.run(f"stamps-{way}", f"--backend={way}", *(word.format(way) for word in words), report=False)
            found.append([(self.folder / f"{way}-{name}.stamps").read_bytes() for name in self.names])
        if found[0] != found[1]:
            raise Wrong("stamps differ")
        self.compare(self.ended(f"stamps-{way}", report=False))


def without_name(text):
    """A module without its program's name, which is that of the file."""
    return "\n".join(line for line in text.splitlines() if "lci.program" not in line)


def shown(what):
    """Some of what was written."""
    if isinstance(what, bytes) and what.startswith(b"\x93NUMPY"):
        return what[128:128 + 64].hex(" ", 4) + " …"
    return str(what)[:400]
