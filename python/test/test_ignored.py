"""Nothing that a program or a call says is ignored: each option, clause and argument that would do
nothing is refused, as text and in Python. One row for each place in the grammar where something can be
given a name or be given twice."""

import lmpm
import pytest

HEAD = "value V : Token[4] shape Grid2D(8, 8) init 0\nvisible V[x,y] <- V[x,y]\n"
RULE = HEAD + "commit V[*] using accept\nrule R: on V[x,y] emit proposal V[x,y] := "

# What is written, and what is said of it.
TEXTS = {
    HEAD + "schedule V[*] using red_black(phase=1, phase=2)": "the option 'phase' is given twice",
    HEAD + "schedule V[*] using random(0.5, 0.5)": "an option without a name stands here already",
    HEAD + "schedule V[*] using raster(axes=(0, 0))": "axis 0 stands here already",
    HEAD + "schedule V[*] using all(speed=1)": "'all' takes no option 'speed'",
    HEAD + "commit V[*] using accept(temperature=1.0)": "'accept' takes no option 'temperature'",
    HEAD + "commit V[*] using sample(temperature=1.0, temperature=2.0)":
        "the option 'temperature' is given twice",
    HEAD + "commit V[*] using quorum(1, 2)": "an option without a name stands here already",
    HEAD + "commit V[*] using quorum(2, constraints=weighted)": "'quorum' counts rules and no scores",
    HEAD + "commit V[*] using metropolis(temperature=1.0, constraints=heavy)":
        "expected 'constraints=weighted', but got the name 'heavy'",
    HEAD + "commit V[*] using satisfy(max_constraints_then_score, constraints=weighted)":
        "expected 'satisfy' with an order of agreement",
    RULE + "abs(x=self)": "'abs' takes no argument called 'x'",
    RULE + "min(self, b=2)": "'min' takes no argument called 'b'",
    RULE + "clamp(self, 0, high=3)": "'clamp' takes no argument called 'high'",
    RULE + "sum(f=V[x,y])": "'sum' takes no argument called 'f'",
    RULE + "sum(V[x,y], 3)": "'sum' takes 1 argument, but got 2",
    RULE + "randint(n=3)": "'randint' takes no argument called 'n'",
    RULE + "randint(3, bits=8)": "'randint' takes no argument called 'bits'",
    RULE + "if bernoulli(0.5, bits=8, bits=9) then 1 else 0": "takes no argument called 'bits'",
    RULE + "if bernoulli(p=0.5) then 1 else 0": "'bernoulli' takes no argument called 'p'",
    RULE + "if uniform(seed=3) > 0.5 then 1 else 0": "'uniform' takes no argument called 'seed'",
    RULE + 'if self in Palette(name="p") then 1 else 0': "'Palette' takes no argument called 'name'",
    RULE + "Model(near=V[x,y])": "models take no named arguments, but got 'near'",
    RULE + "abs(self when x > 0)": "'when' inside parentheses belongs to a reduction",
    RULE + "sum(V[x+dx,y+dy] when (dx,dy) in N8(2))": "'N8' takes no argument",
    RULE + "sum(V[x+dx,y+dy] when (dx,dy) in Moore(r=2))": "expected a radius, as in 'Moore(2)'",
    HEAD + 'constraint C: forbid change(V[region(name="r")])': "'region' takes no argument called",
    HEAD + "constraint C: forbid change(V[x,y], V[x,y])": "one reference to a value",
    HEAD + "constraint C: forbid change(cell=V[x,y])": "'change' takes no argument called 'cell'",
    "value S : I32 shape Scalar boundary wrap init 0": "'S' is one cell, which has no boundary",
    "value S : Token[2] shape Seq(4) boundary (wrap, open)": "expected one boundary for each of 1 axis",
    "value S : Token[2] shape Seq(4) clock Vector": "unknown clock 'Vector'",
    "value S : Token[2] shape Seq(4) shape Seq(5)": "a value has one 'shape' clause",
    "value L : Event shape Set() boundary wrap": "a set has no boundary",
    "value L : Event shape Set()\nrule S: on L emit proposal L := "
    'SampleTiles(strategy="all", strategy="all", epoch=e)': "the option 'strategy' is given twice",
    "value L : Event shape Set()\nrule S: on L emit proposal L := "
    'SampleTiles(strategy="all", epoch=e, phase=2)': "expected 'strategy=\"…\"' or 'epoch=…'",
}


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_text(text):
    with pytest.raises(lmpm.Error) as raised:
        lmpm.parse(text).module
    assert TEXTS[text] in str(raised.value)


def program():
    made = lmpm.Program("p")
    return made, made.value("V", lmpm.Token(4), lmpm.Grid2D(8, 8), init=0)


# The same in Python, where a name that a function does not have is Python's own error.
CALLS = {
    lambda p, v: p.schedule(v, "red_black", speed=1): "'red_black' takes no option 'speed'",
    lambda p, v: p.schedule(v, "random", 0.5, 0.5): "an option without a name stands here already",
    lambda p, v: p.schedule(v, "raster", axes=(0, 0)): "axis 0 stands here already",
    lambda p, v: p.commit(v, "accept", temperature=1.0): "'accept' takes no option 'temperature'",
    lambda p, v: p.commit(v, "quorum", 2, constraints="weighted"): "'quorum' counts rules",
    lambda p, v: p.value("S", lmpm.I32, boundary="wrap", init=0): "has no boundary",
    lambda p, v: p.value("W", lmpm.Token(2), lmpm.Seq(4), clock="Vector"): "unknown clock 'Vector'",
    lambda p, v: p.value("W", lmpm.Token(2), lmpm.Seq(4), indices="i j"): "names of indices",
    lambda p, v: p.forbid("C", lmpm.change(v[lmpm.region("r")]), priority="soft"):
        "expected a traced value or a number, but got str 'soft'",
}


@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_python(call):
    made, value = program()
    with pytest.raises(lmpm.Error) as raised:
        call(made, value)
        made.module
    assert CALLS[call] in str(raised.value)


@pytest.mark.parametrize("call", [
    lambda: lmpm.abs(1, x=2), lambda: lmpm.sum(1, of=2), lambda: lmpm.min(1, 2, key=3),
    lambda: lmpm.bernoulli(0.5, size=3), lambda: lmpm.uniform(seed=1), lambda: lmpm.Model(near=1),
    lambda: program()[0].rule("R", on=program()[1], unless=1),
    lambda: program()[0].forbid("C", on=program()[1], weight=2),
    lambda: program()[0].value("W", lmpm.Token(2), lmpm.Seq(4), border="wrap"),
])
def test_python_refuses_names(call):
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        call()


@pytest.mark.parametrize("options", [
    {"backend": "interp", "threads": 2}, {"backend": "kernels", "threads": 2},
    {"backend": "interp", "lowering": "planes=false"}, {"backend": "interp", "tf32": True},
])
def test_compile_refuses_what_the_back_end_has_not(options):
    made, value = program()
    value.sees(value)
    made.rule("R", on=value)(lambda self: self)
    made.commit(value, "accept")
    with pytest.raises(lmpm.Error, match="expected the back end"):
        made.compile(**options)


def test_threads_are_given_once():
    made, value = program()
    with pytest.raises(lmpm.Error) as caught:
        made.compile(threads=2, lowering="threads=3")
    assert caught.value.message == "expected no 'threads' beside threads=2 for lowering, but got 'threads=3'"


def test_the_interpreter_counts():
    made, value = program()
    with pytest.raises(lmpm.Error) as caught:
        made.compile(backend="interp", counters="none")
    assert caught.value.message == (
        "expected 'changed' or 'full' for counters, but got 'none'; the interpreter counts")


def test_switched_twice():
    made, value = program()
    value.sees(value)
    made.rule("R", on=value)(lambda self: self)
    made.commit(value, "accept")
    with pytest.raises(lmpm.Error, match="'R': it is switched twice"):
        made.compile().run(enable=["R"], disable=["R"])
