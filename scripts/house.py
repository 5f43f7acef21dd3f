#!/usr/bin/python3
"""The house in figures: what the redesign of docs/architecture.md set out to end, counted.

    scripts/house.py                    a Markdown table of the working tree
    scripts/house.py --at 21f16b2d^     of the commit before the redesign

Each row is a search: `git grep` for words and patterns, a list of files for the rest.
"""

import argparse
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CODE = ("lib", "include", "tools")
SOURCES = (".cpp", ".h", ".td", ".def")
ERASES_TICK = r"(tick(\.|->)erase\(|eraseOp\(tick)"
# Files that erase a tick because they made other ticks of it.
TICK_TO_TICK = re.compile(r"/(SplitDomain|TickPartitioning|UnrollJamRows)\.cpp$|Layout/Bitslice/")
ROLE = r"[rR]ole[^;]*\"[a-z-]+\"|\{\"[a-z-]+\", \"an? "
TARGET_OPTION = r"Option<\"(atomicCounters|vectorBits|threads|chip|tf32)\""
SCHEDULING = r"Pass<\"lci-([a-z-]*-)?(fuse|join|tile|strip|jam|block)-[a-z-]*\""
WORDS = (r"turns?", r"ask|asks|asked", r"own", r"apart", r"what", r"iterations?", r"stencils?", r"trip counts?",
         r"induction variables?", r"halos?", r"time.til(e|es|ed|ing)")


class Tree:
    """The files of a revision, or of the working tree."""

    def __init__(self, revision=None):
        self.revision = revision

    def git(self, *arguments):
        done = subprocess.run(["git", *arguments], cwd=SOURCE, capture_output=True, text=True)
        if done.returncode > 1:
            raise SystemExit(done.stderr)
        return done.stdout.splitlines()

    def files(self, *folders):
        if self.revision:
            return self.git("ls-tree", "-r", "--name-only", self.revision, *folders)
        return [name for name in self.git("ls-files", "-co", "--exclude-standard", *folders)
                if (SOURCE / name).is_file()]

    def found(self, pattern, *folders, whole=False):
        """Every match of a pattern in sources, as `file:match`; with `whole`, as words of any case."""
        flags = ["-oiwE"] if whole else ["-oE"]
        where = [self.revision] if self.revision else ["--untracked"]
        lines = self.git("grep", *flags, "-e", pattern, *where, "--", *folders)
        lines = [line.removeprefix(f"{self.revision}:") for line in lines]
        return [line for line in lines if line.split(":")[0].endswith(SOURCES)]


def files_of(lines):
    return sorted({line.split(":")[0] for line in lines})


def loose(tree):
    return [name for name in tree.files("lib/Transforms", "lib/Conversion")
            if name.count("/") == 2 and name.endswith(SOURCES)]


def lowerings(tree):
    return [name for name in files_of(tree.found(ERASES_TICK, "lib")) if not TICK_TO_TICK.search(name)]


# (what, how to find it, in which folders).
ROWS = [
    ("files in `lib/Transforms` and `lib/Conversion` outside of a room", loose),
    ("lowerings of a tick", lowerings),
    ("alias analyses (before: six tests in passes)", lambda t: t.found(r"^class \w+AliasAnalysis\b", "include/LCI")),
    ("passes that fuse, tile, strip-mine, jam or block", lambda t: t.found(SCHEDULING, "include")),
    ("own tests for element-wise operations", lambda t: t.found(r"static bool isElementwise", "lib")),
    ("roles written as strings in C++", lambda t: t.found(ROLE, "lib")),
    ("options of passes that mean a target", lambda t: t.found(TARGET_OPTION, "include/LCI")),
]


def counts(tree):
    """(what, how often) of each row."""
    yield from ((what, len(find(tree))) for what, find in ROWS)
    for word in WORDS:
        shown = word.replace("s?", "").replace("til(e|es|ed|ing)", "tiling").replace(".", " ").split("|")[0]
        yield f"the word “{shown}”", len(tree.found(word, *CODE, whole=True))


def table(tree):
    rows = [f"| {what} | {count} |" for what, count in counts(tree)]
    return "\n".join(["| what | how often |", "|---|---|", *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at", metavar="REVISION", help="count in this commit instead of the working tree")
    print(table(Tree(parser.parse_args().at)))


if __name__ == "__main__":
    main()
