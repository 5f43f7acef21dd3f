"""Rules, constraints, schedules and commits in Python are those of the text; programs are IR."""

import functools
import threading

import numpy
import pytest
from traced import GRID, grid, same, same_rule

import lmpm
from lmpm import ANY, F32, I32, N4, N8, Grid3D, Moore, Seq, Token

d, i, j, t, x, y = lmpm.indices("d i j t x y")
W, H, N = lmpm.sizes("W H N")


# Rules ----------------------------------------------------------------------------------------------

def test_assignments_are_lets():
    def rule(self, near):
        n = near.sum()
        m = n = n + 1
        value = (rule := m * 2) + rule  # reserved words: they get other names
        unused = self + 7  # noqa: F841: what is not used is not in the program
        return value + n
    same_rule(rule, "value_2 + m", """
  let n = sum(near)
  let m = n + 1
  let rule_2 = m * 2
  let value_2 = rule_2 + rule_2""")


def test_reductions_over_indices_are_lets():
    program = lmpm.Program("test")
    weight = program.param("J", F32(N, N))
    spin = program.value("S", Token(2), Seq(N), init=0)
    spin.sees(spin[:])

    @program.rule("Step", on=spin)
    def step(i, self, candidate):
        field = (weight[i, j] * spin[j]).sum()
        most = weight[d, j].sum(when=d.isin(range(2)))
        return lmpm.propose(lmpm.where(field > most, 1, 0), score=field * candidate)
    program.commit(spin, "accept")
    same(program, """
param J : F32[N, N]
value S : Token[2] shape Seq(N) init 0
visible S[i] <- S[*]
rule Step:
  on S[i]
  let field = sum(J[i,j] * S[j])
  let most = sum(J[d,j] when d in 0..1)
  emit proposal S[i] := if field > most then 1 else 0
  score field * candidate
commit S[*] using accept
""")


def test_what_an_outer_reduction_ranges_over_is_no_let():
    program = lmpm.Program("test")
    cell = program.value("V", I32, Seq(N), boundary="wrap", init=0)
    cell.sees(cell[:])

    @program.rule("Step", on=cell)
    def step(self):
        inner = (cell[x + d] == cell[x]).count(when=d.isin({-1, 1}))
        return (inner * inner).sum(when=x.isin(lmpm.range(0, N)))
    program.commit(cell, "accept")
    assert "let inner" not in program.to_lmpm()


def test_names_of_lets_hide_nothing():
    def rule(self, near):
        x = near.count()  # an index of the rule
        near = near.sum()
        Cell = near + x
        return Cell + self
    same_rule(rule, "Cell_2 + self", """
  let x_2 = count(near)
  let near_2 = sum(near)
  let Cell_2 = near_2 + x_2""")


def test_loops_and_closures_are_constants():
    factors = {"a": 3, "b": 5}

    def rule(self):
        total = 0
        for number in range(3):
            if number != 1:
                total = total + number * self
        return total + factors["a"]
    same_rule(rule, "total_2 + 3", "let total = 0 + 0 * self let total_2 = total + 2 * self")


def test_functions_that_rules_call():
    def weighted(family, factor):
        number = family.count()
        return factor * number

    def rule(near, self):
        one = weighted(near == 1, 2)
        return one + weighted(near == 2, 3) + self
    same_rule(rule, "one + 3 * number_2 + self", """
  let number = count(near == 1)
  let one = 2 * number
  let number_2 = count(near == 2)""")


def test_defaults_and_partial_functions():
    program, cell = grid()

    def rule(self, near, factor, x=7):
        return self + factor * near.sum() + x
    program.rule("Step", on=cell)(functools.partial(rule, factor=3))
    program.commit(cell, "accept")
    same(program, GRID.format(kind="Token[8]", init="0", lets="", emit="self + 3 * sum(near) + 7"))


def test_methods():
    class Automaton:
        def step(this, self, near):
            return self + near.sum()
    same_rule(Automaton().step, "self + sum(near)")


def test_a_draw_in_a_variable_is_one_draw():
    def rule(self):
        u = lmpm.randint(4)
        return u + u
    same_rule(rule, "u + u", "let u = randint(4)")


def test_a_family_in_a_variable_is_no_let():
    program, cell = grid()

    @program.rule("Step", on=cell)
    def step(self):
        around = cell[N4]
        line = cell[x + d, y]
        return around.sum() + line.sum(when=d.isin({-1, 1}))
    program.commit(cell, "accept")
    same(program, GRID.format(kind="Token[8]", init="0", lets="", emit="""
  sum(Cell[x+dx,y+dy] when (dx,dy) in N4) + sum(Cell[x+d,y] when d in {-1, 1})"""))


def test_scores_and_candidates():
    program, cell = grid()
    marked = cell[i, j] == 1

    @program.rule("All", on=cell, when=lambda x, y: (x + y) % 2 == 0)
    def everything(near, candidate):
        fits = (near == candidate).count()
        return lmpm.propose(ANY, score=2.0 * fits)

    @program.rule("Some", on=cell[i, j], when=marked)
    def some(i, j):
        return lmpm.any_of(range(1, 5))

    @program.rule(on=cell)
    def other(neighbors: N4, prev_frame, ring: Moore(1)):
        return neighbors.sum() + ring.count() + prev_frame.or_else(0)

    program.schedule(cell, "red_black", axes=(0, 1), phase=1)
    program.commit(cell, "sample", temperature=0.5, constraints="weighted")
    same(program, """
value Cell : Token[8] shape Grid2D(W, H) boundary wrap init 0
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
rule All:
  on Cell[x,y] when (x + y) % 2 == 0
  let fits = count(near == candidate)
  emit proposal Cell[x,y] := any
  score 2.0 * fits
rule Some:
  on Cell[i,j] when Cell[i,j] == 1
  emit proposal Cell[i,j] := any in 1..4
rule other:
  on Cell[x,y]
  emit proposal Cell[x,y] := sum(Cell[x+dx,y+dy] when (dx,dy) in N4)
    + count(Cell[x+dx,y+dy] when (dx,dy) in Moore(1)) + (prev_frame ?? 0)
schedule Cell[*] using red_black(axes=(0,1), phase=1)
commit Cell[*] using sample(temperature=0.5, constraints=weighted)
""")


@pytest.mark.parametrize("strategy, text", [
    (("all",), "all"), (("random", 0.25), "random(0.25)"), (("raster",), "raster"),
    (("confidence", 0.5), "confidence(0.5)"), (("wavefront",), "wavefront"),
    (("four_color",), "four_color"), (("masked",), "masked"),
    (("four_color", {"tile": (8, 8)}), "four_color(tile=(8,8))"),
    (("raster", {"axes": (1, 0)}), "raster(axes=(1,0))"),
    (("wavefront", {"axes": (0,)}), "wavefront(axes=(0))"),
    (("red_black", {"legalize": "snapshot"}), "red_black(legalize=snapshot)"),
])
@pytest.mark.parametrize("policy, commit", [
    (("accept",), "accept"), (("quorum", 2), "quorum(2)"),
    (("satisfy", "max_constraints_then_score"), "satisfy(max_constraints_then_score)"),
    (("metropolis", {"temperature": 1.0}), "metropolis(temperature=1.0)"),
])
def test_schedules_and_commits(strategy, text, policy, commit):
    def split(words):
        return ([one for one in words if not isinstance(one, dict)],
                next((one for one in words if isinstance(one, dict)), {}))
    program, cell = grid()
    program.rule("Step", on=cell)(lambda self: lmpm.propose(self, score=1.0))
    for add, words in [(program.schedule, strategy), (program.commit, policy)]:
        plain, named = split(words)
        add(cell, *plain, **named)
    same(program, GRID.format(kind="Token[8]", init="0", lets="", emit="self score 1.0").replace(
        "commit Cell[*] using accept",
        f"schedule Cell[*] using {text} commit Cell[*] using {commit}"))


def test_constraints():
    program, cell = grid()

    @program.require(on=cell, when=x > 0, priority="hard")
    def Calm(self, candidate):
        """Nothing jumps.

        Not even once."""
        step = candidate - self
        return (step < 2) & (candidate != 0)

    program.forbid("Alike", on=cell)(lambda candidate, near: (near == candidate).all())
    program.forbid("Lock", lmpm.change(cell[:, 2:5]), priority=100)
    program.require("Paint", cell[lmpm.region("sky")].isin(lmpm.Palette("blue")), priority=50)
    program.forbid("Order", lmpm.read_future(cell[x, y]))
    same(program, """
value Cell : Token[8] shape Grid2D(W, H) boundary wrap init 0
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
// Nothing jumps.
//
// Not even once.
constraint Calm:
  on Cell[x,y] when x > 0
  let step = candidate - self
  require step < 2 and candidate != 0
  priority hard
constraint Alike: on Cell[x,y] forbid all(near == candidate)
constraint Lock: forbid change(Cell[*, 2..4]) priority 100
constraint Paint: require Cell[region("sky")] in Palette("blue") priority 50
constraint Order: forbid read_future(Cell[x,y])
""")


def test_models_and_reads():
    program = lmpm.Program()
    txt = program.value("Txt", Token("V"), Seq(N))
    vid = program.value("Vid", Token("Q"), Grid3D("T", W, H))
    vid.sees(vid[N8], txt[:])
    vid.sees(vid[t - 1, x, y].when(t > 0))

    @program.rule("Make", on=vid, read=[lmpm.neighbors.isin(N8), lmpm.prev_frame, txt[:]])
    def make(neighbors, prev_frame, txt):
        return lmpm.propose(lmpm.Model(neighbors, prev_frame, txt), score=lmpm.ModelScore(...))

    program.commit(vid, "satisfy", "max_constraints_then_score")
    same(program, """
value Txt : Token[V] shape Seq(N)
value Vid : Token[Q] shape Grid3D(T, W, H)
visible Vid[t,x,y] <- Vid[t,x+dx,y+dy] when (dx,dy) in N8
visible Vid[t,x,y] <- Txt[*]
visible Vid[t,x,y] <- Vid[t-1,x,y] when t > 0
rule Make:
  on Vid[t,x,y]
  read {neighbors in N8, prev_frame, Txt[*]}
  emit proposal Vid[t,x,y] := Model(neighbors, prev_frame, Txt)
  score ModelScore(...)
commit Vid[*] using satisfy(max_constraints_then_score)
""")


def test_models_take_neighbours():
    program, cell = grid(Token(2), init=1)

    @program.rule("Ask", on=cell)
    def ask(near, ring: N4):
        return lmpm.Model(ring, cell[Moore(1)], near, cell[{(0, 1)}])
    program.commit(cell, "satisfy", "max_constraints_then_score")
    same(program, """
value Cell : Token[2] shape Grid2D(W, H) boundary wrap init 1
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
rule Ask:
  on Cell[x,y]
  emit proposal Cell[x,y] := Model(neighbors in N4, neighbors in Moore(1), near, neighbors in {(0,1)})
commit Cell[*] using satisfy(max_constraints_then_score)
""")


def test_nested_reductions():
    program = lmpm.Program()
    v = program.value("V", I32, Seq(N), init=0)
    equal = (v[x + d] == v[x]).count(when=d.isin({-1, 1}))
    program.observe("pairs", equal.mean(when=x.isin(lmpm.range(N))))
    same(program, """
value V : I32 shape Seq(N) init 0
observe pairs := mean(count(V[x+d] == V[x] when d in {-1, 1}) when x in 0..N-1)
""")


# Programs -------------------------------------------------------------------------------------------

def test_a_traced_program_runs():
    program, cell = grid(Token(2))

    @program.rule(on=cell)
    def life(self, near):
        n = near.sum()
        return lmpm.where((n == 3) | ((n == 2) & (self == 1)), 1, 0)
    program.commit(cell, "accept")
    program.observe("population", cell.sum())
    glider = numpy.zeros((12, 12), dtype=numpy.int8)
    glider[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    program_run = program.compile(W=12, H=12).run({"Cell": glider}, epochs=48)
    assert (program_run["Cell"] == glider).all()


def test_declarations_may_go_on():
    program, cell = grid()
    before = str(program.module)
    program.observe("total", cell.sum())
    assert "observe" not in before and "lci.observe @total" in str(program.module)


def test_locations_are_of_the_python_file():
    program, cell = grid()
    program.rule("Step", on=cell)(lambda: cell[x + 5, y])  # here
    program.commit(cell, "accept")
    with pytest.raises(lmpm.Error) as caught:
        program.compile(W=16, H=16)
    assert caught.value.file == __file__
    assert lines_of_this_file()[caught.value.line - 1].endswith("# here\n")


def test_programs_are_traced_in_threads():
    made = []

    def make():
        program, cell = grid()
        program.rule("Step", on=cell)(lambda self, near: near.sum() % 8)
        program.commit(cell, "accept")
        made.append(program.to_lmpm())
    threads = [threading.Thread(target=make) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(made) == 4 and len(set(made)) == 1


def test_code_without_a_file_is_placed_by_its_line():
    code = "import lmpm\nprogram = lmpm.Program()\n\nprogram.observe('o', lmpm.size('N') + None)\n"
    with pytest.raises(lmpm.Error) as caught:
        exec(compile(code, "<cell 1>", "exec"), {})
    assert (caught.value.file, caught.value.line) == ("<cell 1>", 4)


def lines_of_this_file():
    return open(__file__, encoding="utf-8").readlines()
