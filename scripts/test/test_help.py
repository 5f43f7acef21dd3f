"""What `--help` shows: few options, and commands that work as they stand."""

import json
import re
import shlex
import subprocess

import pytest


def commands_of(tools, tool):
    """The commands in the overview, in order, each without what is said beside it."""
    overview = tools.run(tool, "--help").stdout.split("USAGE:")[0]
    lines = re.findall(r"^  (lmpm-[a-z-]+ .*)$", overview, re.MULTILINE)
    return [re.split(r"   *", line)[0] for line in lines]


@pytest.mark.parametrize("tool", ["lmpm-opt", "lmpm-translate", "lmpm-smith"])
def test_commands_of_the_overview_run(tools, source_dir, tmp_path, tool):
    (tmp_path / "P.lmpm").write_text((source_dir / "examples/life/life.lmpm").read_text())
    (tmp_path / "P.mlir").write_text(
        tools.run("lmpm-translate", "--import-lmpm", tmp_path / "P.lmpm").stdout)
    (tmp_path / "B.json").write_text(json.dumps({"sizes": {"W": 16, "H": 16}}))
    (tmp_path / "R.rule").write_text("@RULE R\n@TABLE\nn_states:2\nneighborhood:Moore\n"
                                     "symmetries:none\n0,1,0,0,0,0,0,0,0,1\n")
    commands = commands_of(tools, tool)
    assert len(commands) >= 2
    for command in commands:
        said = None
        for part in command.replace("ID", "not-visible").split(" | "):
            name, *arguments = shlex.split(part)
            said = tools.run(name, *arguments, cwd=tmp_path, stdin=said).stdout


@pytest.mark.parametrize("tool", ["lmpm-opt", "lmpm-translate"])
def test_options_of_llvm_are_asked_for(tools, tool):
    shown, hidden = (tools.run(tool, flag).stdout for flag in ("--help", "--help-hidden"))
    assert "--dwarf-version" not in shown and "--dwarf-version" in hidden
    for flag in ("--explain=", "--limit-memory=", "--help-hidden"):
        assert flag in shown
    assert "--version" in shown.split("Generic Options:")[1]
