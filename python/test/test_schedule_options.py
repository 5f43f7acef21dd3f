"""Every strategy with every option, as text, in Python and as IR: what the table of docs/language.md
has is taken, and everything else is refused with a sentence that says what the strategy takes."""

import pathlib
import re

import lmpm
import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/language.md"
SECTION = PAGE.read_text().split("### Schedules")[1].split("\n## ")[0]
ROWS = [[cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in SECTION.splitlines() if line[:1] == "|"]
OPTIONS = [option.split("=")[0] for option in ROWS[0][1:]]
TAKEN = {row[0]: {option for option, cell in zip(OPTIONS, row[1:]) if cell} for row in ROWS[2:]}
CASES = [(strategy, option) for strategy in TAKEN for option in OPTIONS]

VALUES = {"axes": (1, 0), "reverse": (0, 1), "tile": (2, 2), "fraction": 0.5, "phase": 2, "legalize": "strict"}


def given(strategy, option):
    """The options of one case, by name: the fraction where there must be one, and the option."""
    names = {"fraction"} & TAKEN[strategy] | {option}
    return {name: VALUES[name] for name in OPTIONS if name in names}


def as_text(strategy, options):
    words = [str(value) if name == "fraction" else f"{name}={value}"
             for name, value in options.items()]
    lmpm.parse("value V : Token[2] shape Grid2D(W, H) init 0\n"
               f"schedule V[*] using {strategy}({', '.join(words)})").module


def as_python(strategy, options):
    named = dict(options)
    unnamed = [named.pop("fraction")] if "fraction" in named else []
    program = lmpm.Program("p")
    value = program.value("V", lmpm.Token(2), lmpm.Grid2D("W", "H"), init=0)
    program.schedule(value, strategy, *unnamed, **named)
    program.module


def as_ir(strategy, options):
    spelled = {"axes": "axes = array<i64: 1, 0>", "reverse": "axes = array<i64: -1, -2>",
               "tile": "tile = array<i64: 2, 2>", "fraction": "fraction = 0.5 : f32",
               "phase": "phase = 2 : i64", "legalize": 'legalize = "strict"'}
    attributes = ", ".join(spelled[name] for name in options)
    lmpm.parse('''lci.program @p sizes ["W", "H"] {
      lci.value @V token vocabulary affine_map<()[s0, s1] -> (2)>
        shape affine_map<()[s0, s1] -> (s0, s1)>
        boundary [#lci.boundary<open>, #lci.boundary<open>] {
      }
      "lci.schedule"() <{value = @V, strategy = #lci<strategy %s>, %s}> : () -> ()
    }''' % (strategy, attributes), "p.mlir")


def sentence(strategy):
    """What the strategy takes, as the messages say it."""
    names = [name for name in OPTIONS if name in TAKEN[strategy]]
    return f"'{strategy}' takes {', '.join(names[:-1])} and {names[-1]}"


@pytest.mark.parametrize("make", [as_text, as_python, as_ir])
@pytest.mark.parametrize("strategy, option", CASES)
def test_options(make, strategy, option):
    if option in TAKEN[strategy]:
        make(strategy, given(strategy, option))
        return
    with pytest.raises(lmpm.Error, match=re.escape(sentence(strategy))) as raised:
        make(strategy, given(strategy, option))
    said = f"'{option}', but" if make is as_ir else f"takes no option '{option}'"
    assert said in str(raised.value)


def test_table_has_every_strategy():
    with pytest.raises(lmpm.Error, match="strategies are") as raised:
        as_text("chess", {"phase": 2})
    named = str(raised.value).split("strategies are")[1].splitlines()[0]
    assert set(TAKEN) == set(re.findall(r"[a-z_]+", named.replace("(fraction)", ""))) - {"and"}
