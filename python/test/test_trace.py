"""Values, what they see and expressions in Python are those of the text."""

import builtins
import inspect
import math

import numpy
import pytest
from traced import same, same_rule

import lmpm
from lmpm import (F32, I32, N8, Diagonal, Grid, Grid2D, Grid3D, Latent, Moore, Scalar, Seq, Token,
                  VonNeumann, _lmpm)

d, dx, dy, i, j, m, t, x, y = lmpm.indices("d dx dy i j m t x y")
W, H, N = lmpm.sizes("W H N")


# Values ---------------------------------------------------------------------------------------------

def test_values_of_every_kind():
    program = lmpm.Program()
    program.value("A", Token("V"), Scalar)
    program.value("B", I32, Seq(N), clock="Lamport", init=lambda i: (i * i - 3) % 7)
    program.value("C", F32, Grid2D(W, H), boundary=("open", "wrap"), init=1)
    program.value("D", Latent("L"), Grid3D("T", W // 8, H))
    program.value("E", Token[2 * W], Grid(2, 3, 4, N + 1), boundary="clamp", init=i % 2)
    program.value("P", lmpm.Event, lmpm.Set())
    same(program, """
value A : Token[V] shape Scalar
value B : I32 shape Seq(N) clock Lamport init[i] (i * i - 3) % 7
value C : F32 shape Grid2D(W, H) boundary (open, wrap) init 1
value D : Latent[L] shape Grid3D(T, W/8, H)
value E : Token[2*W] shape Grid(2, 3, 4, N+1) boundary clamp init[i,j,k,l] i % 2
value P : Event shape Set()
""")


def test_params_and_formulas():
    program = lmpm.Program()
    beta = program.param("beta", F32, lmpm.min(0.4406868, 0.001 * lmpm.epoch))
    level = program.param("level", I32("Q"))
    program.param("matrix", F32("Q", N + 1))

    @program.formula
    def wave(x, y):
        return lmpm.sin(lmpm.pi * x / (W - 1)) + beta * level[y]

    cell = program.value("Cell", F32, Grid2D(W, H), init=wave[x, y + 1] - wave(x, y))
    program.observe("top", level.max())
    program.observe("far", abs(cell[x, y] - wave[x, y]).max())
    same(program, """
param beta : F32 = min(0.4406868, 0.001 * epoch)
param level : I32[Q]
param matrix : F32[Q, N+1]
def wave[x,y] = sin(pi * x / (W-1)) + beta * level[y]
value Cell : F32 shape Grid2D(W, H) init[x,y] wave[x,y+1] - wave[x,y]
observe top := max(level)
observe far := max(abs(Cell[x,y] - wave[x,y]))
""")


def test_what_a_cell_sees():
    program = lmpm.Program()
    start, nbr = program.param("start", I32(N + 1)), program.param("nbr", I32("M"))
    v = program.value("V", Token(9), Grid3D("T", W, H), boundary=("open", "wrap", "clamp"), init=0)
    g = program.value("G", Token(9), Seq(N), init=0)
    s = program.value("S", Token(9), Scalar)
    v.sees(v, s, past=v[0:t, x, y].when(t > 0), last=v[t - 1, x, y].when(t > 0))
    v.sees(ring=v[t, x + dx, y + dy].when(lmpm.isin((dx, dy), Moore(2)) &
                                          ~lmpm.isin((dx, dy), N8)))
    v.sees(cross=v[t, x + d, y], when=d.isin({-3, 3} | lmpm.range(-1, 2)))
    v.sees(corners=v[Diagonal], block=v[Moore(1)], steps=v[VonNeumann(2)], side=v[{(0, 1), (0, 2)}])
    v[t, x, j].sees(g[x * j % N], mean=g[:])
    g.sees(near=g[nbr[m]].when(m.isin(lmpm.range(start[i], start[i + 1]))))
    g[i].sees(g[{-1, 1}])
    same(program, """
param start : I32[N+1]
param nbr : I32[M]
value V : Token[9] shape Grid3D(T, W, H) boundary (open, wrap, clamp) init 0
value G : Token[9] shape Seq(N) init 0
value S : Token[9] shape Scalar
visible V[t,x,y] <- V[t,x,y]
visible V[t,x,y] <- S
visible past: V[t,x,y] <- V[0..t-1,x,y] when t > 0
visible last: V[t,x,y] <- V[t-1,x,y] when t > 0
visible ring: V[t,x,y] <- V[t,x+dx,y+dy] when (dx,dy) in Moore(2) and not (dx,dy) in N8
visible cross: V[t,x,y] <- V[t,x+d,y] when d in {-3, 3} | (-1..1)
visible corners: V[t,x,y] <- V[t,x+dx,y+dy] when (dx,dy) in Diagonal
visible block: V[t,x,y] <- V[t+dt,x+dx,y+dy] when (dt,dx,dy) in Moore(1)
visible steps: V[t,x,y] <- V[t+dt,x+dx,y+dy] when (dt,dx,dy) in VonNeumann(2)
visible side: V[t,x,y] <- V[t,x+dx,y+dy] when (dx,dy) in {(0,1), (0,2)}
visible V[t,x,j] <- G[x * j % N]
visible mean: V[t,x,j] <- G[*]
visible near: G[i] <- G[nbr[m]] when m in start[i]..start[i+1]-1
visible G[i] <- G[i+di] when di in {-1, 1}
""")


def test_slices_end_before_their_end():
    program = lmpm.Program()
    v = program.value("V", Token(9), Seq(N), init=0)
    v.sees(v[1:3], a=v[:i], b=v[i + 1:], c=v[i:i + 3])
    same(program, """
value V : Token[9] shape Seq(N) init 0
visible V[i] <- V[1..2]
visible a: V[i] <- V[0..i-1]
visible b: V[i] <- V[i+1..N-1]
visible c: V[i] <- V[i..i+2]
""")


# Expressions ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("function, emit", [
    (lambda self: self + 1, "self + 1"),
    (lambda self: 7 - self, "7 - self"),
    (lambda self: 2 * self // 3 % 5, "2 * self / 3 % 5"),
    (lambda self: 9 // (self + 1) + 9 % (self + 1), "9 / (self + 1) + 9 % (self + 1)"),
    (lambda self: -self + (+self), "-self + self"),
    (lambda self: self**2 - (-self)**3, "self^2 - (-self)^3"),
    (lambda self: self << 1 | 3, "self << 1 | 3"),
    (lambda self: 5 & self ^ ~self >> 1, "(5 & self) xor (~self >> 1)"),
    (lambda self: 1 << self | 1 ^ self, "1 << self | (1 xor self)"),
    (lambda self: abs(self - 3), "abs(self - 3)"),
    (lambda self: lmpm.abs(self - 3), "abs(self - 3)"),
    (lambda self: lmpm.min(self, 3) + lmpm.max(1, self, 2), "min(self, 3) + max(1, self, 2)"),
    (lambda self: lmpm.clamp(self, 0, 3) + lmpm.popcount(self), "clamp(self, 0, 3) + popcount(self)"),
    (lambda self: lmpm.where(self == 1, 2, 3), "if self == 1 then 2 else 3"),
    (lambda self: (self == 1) & (self != 2) | (self < 3), "(self == 1 and self != 2) or self < 3"),
    (lambda self: ~((self <= 3) ^ (2 >= self)), "not ((self <= 3) xor (2 >= self))"),
    (lambda self: (0 < self) & (self < 5), "0 < self and self < 5"),
    (lambda self: 3 > self, "3 > self"),
    (lambda self: 3 >= self, "3 >= self"),
    (lambda self: 3 <= self, "3 <= self"),
    (lambda self: 3 == self, "self == 3"),
    (lambda self: (self > 0) & True, "self > 0 and 1 == 1"),
    (lambda self: (self > 0) | False, "self > 0 or 1 == 0"),
    (lambda self: self.isin(range(1, 4)), "self in 1..3"),
    (lambda self: self.isin({1, 3} ), "self in {1, 3}"),
    (lambda self: self.isin([3, 1]), "self in {3, 1}"),
    (lambda self: self.isin(range(0, 8, 2)), "self in {0, 2, 4, 6}"),
    (lambda self: self.isin(lmpm.range(self)), "self in 0..self-1"),
    (lambda self: self.isin(lmpm.Palette("warm")), 'self in Palette("warm")'),
    (lambda near: near.sum() + near.product(), "sum(near) + product(near)"),
    (lambda near: near.min().or_else(0), "min(near) ?? 0"),
    (lambda near: near.argmin().or_else(0) + near.argmax().or_else(-1),
     "(argmin(near) ?? 0) + (argmax(near) ?? -1)"),
    (lambda near: (near == 1).any() & (near < 5).all(), "any(near == 1) and all(near < 5)"),
    (lambda near: (near > 1).count() + near.count(), "count(near > 1) + count(near)"),
    (lambda near: lmpm.sum(near) + lmpm.max(near).or_else(0), "sum(near) + (max(near) ?? 0)"),
    (lambda near: near.sum(when=near > 1), "sum(near when near > 1)"),
    (lambda near: near.when(near > 1).sum(), "sum(near when near > 1)"),
    (lambda near, self: abs(near - self).sum(), "sum(abs(near - self))"),
    (lambda x, y: (x + 2 * y) % 8, "(x + 2*y) % 8"),
    (lambda epoch: epoch % 8, "epoch % 8"),
    (lambda self: self + numpy.int32(1), "self + 1"),
    (lambda self: numpy.int64(7) - self, "7 - self"),
    (lambda self: lmpm.where(numpy.int64(7) < self, numpy.int8(1), 0), "if 7 < self then 1 else 0"),
    (lambda self: lmpm.where(self >= numpy.int64(7), 1, 0), "if self >= 7 then 1 else 0"),
    (lambda self: numpy.int64(7) % (self + 1), "7 % (self + 1)"),
    (lambda self: numpy.int64(7) & self | numpy.int64(1), "7 & self | 1"),
    (lambda self: numpy.int64(1) << self, "1 << self"),
    (lambda self: divmod(self, 3)[0] + divmod(self, 3)[1] + divmod(7, self + 1)[1],
     "self / 3 + self % 3 + 7 % (self + 1)"),
    (lambda self: lmpm.randint(8), "randint(8)"),
    (lambda self: lmpm.bernoulli(0.5), "bernoulli(0.5)"),
    (lambda self: lmpm.bernoulli(0.5, bits=8), "bernoulli(0.5, bits=8)"),
])
def test_expressions_of_integers(function, emit):
    same_rule(function, emit)


@pytest.mark.parametrize("function, emit", [
    (lambda self: self / 3 + 1.5, "self / 3 + 1.5"),
    (lambda self: 0.1 * self - 1e-3, "0.1 * self - 1e-3"),
    (lambda self: -0.5 * self, "-0.5 * self"),
    (lambda self: numpy.float32(0.5) * self, "0.5 * self"),
    (lambda self: self * numpy.array(2.0), "self * 2.0"),
    (lambda self: numpy.array(2.0) / self, "2.0 / self"),
    (lambda self: numpy.float64(2.0) ** self, "2.0 ^ self"),
    (lambda self: lmpm.uniform() + lmpm.normal(), "uniform() + normal()"),
    (lambda self: lmpm.exp(self) + lmpm.exp2(self) + lmpm.log(self) + lmpm.log2(self),
     "exp(self) + exp2(self) + log(self) + log2(self)"),
    (lambda self: lmpm.sin(self) + lmpm.cos(self) + lmpm.tan(self) + lmpm.atan(self),
     "sin(self) + cos(self) + tan(self) + atan(self)"),
    (lambda self: lmpm.sqrt(self) + lmpm.rsqrt(self) + lmpm.tanh(self) + lmpm.sigmoid(self),
     "sqrt(self) + rsqrt(self) + tanh(self) + sigmoid(self)"),
    (lambda self: lmpm.erf(self) + lmpm.relu(self) + lmpm.atan2(self, 1.0) + lmpm.pow(self, 0.5),
     "erf(self) + relu(self) + atan2(self, 1.0) + pow(self, 0.5)"),
    (lambda self: round(self) + math.floor(self) + math.ceil(self),
     "round(self) + floor(self) + ceil(self)"),
    (lambda self: lmpm.round(self) + lmpm.floor(self) + lmpm.ceil(self),
     "round(self) + floor(self) + ceil(self)"),
    (lambda near: near.mean().or_else(0.0), "mean(near) ?? 0.0"),
    (lambda near: lmpm.mean(near).or_else(lmpm.pi), "mean(near) ?? pi"),
])
def test_expressions_of_numbers(function, emit):
    same_rule(function, emit, kind="F32", init="0.0")


def test_vectors():
    program = lmpm.Program()
    weights = program.param("Weights", F32(4, 12))
    kernel = program.param("kernel", F32(3, 3))
    state = program.value("S", Latent(4), Grid2D(W, H), boundary="wrap",
                          init=lmpm.concat(lmpm.uniform(), 0.0, 0.0, 1.0))
    state.sees(near=state[x + dx, y + dy].when(dx.isin(range(-1, 2)) & dy.isin(range(-1, 2))))

    @program.rule("Grow", on=state)
    def grow(self, near):
        slope = (kernel[dx + 1, dy + 1] * state[x + dx, y + dy]).sum(
            when=dx.isin(range(-1, 2)) & dy.isin(range(-1, 2)))
        alive = near[3].max().or_else(0.0) > 0.1
        change = weights @ lmpm.concat(self, slope, lmpm.softmax(self))
        return lmpm.where(alive & (self > 0.5), self + change * lmpm.dot(self, change), self @ self)

    program.commit(state, "accept")
    program.observe("length", lmpm.norm(state[x, y]).mean())
    same(program, """
param Weights : F32[4, 12]
param kernel : F32[3, 3]
value S : Latent[4] shape Grid2D(W, H) boundary wrap init concat(uniform(), 0.0, 0.0, 1.0)
visible near: S[x,y] <- S[x+dx,y+dy] when dx in -1..1 and dy in -1..1
rule Grow:
  on S[x,y]
  let slope = sum(kernel[dx+1,dy+1] * S[x+dx,y+dy] when dx in -1..1 and dy in -1..1)
  let alive = (max(near[3]) ?? 0.0) > 0.1
  let change = Weights @ concat(self, slope, softmax(self))
  emit proposal S[x,y] := if alive and self > 0.5 then self + change * dot(self, change) else self @ self
commit S[*] using accept
observe length := mean(norm(S[x,y]))
""")


def test_expressions_can_be_printed():
    program = lmpm.Program()
    cell = program.value("Cell", Token(2), Grid2D(W, H))
    kernel = program.param("kernel", F32(3))
    shown = {
        -cell[x + 1, y] % 2: "(- Cell[(x + 1), y] % 2)",
        lmpm.where(~(cell[x, y] == 1), 1, cell.maybe()): "(if not (Cell[x, y] == 1) then 1 else Cell?)",
        (kernel[d] * cell[x + d, y]).sum(when=d.isin({-1, 1})):
            "sum((kernel[d] * Cell[(x + d), y]) when (d in {-1, 1}))",
        cell[N8]: "Cell[(x + dx), (y + dy)] when ((dx, dy) in N8)",
        cell[:, lmpm.region("sky")]: 'Cell[*, region("sky")]',
        lmpm.Model(cell[N8]): "Model(neighbors in N8)",
        lmpm.Model(...): "Model(...)", lmpm.ANY: "any",
        1 + (1 + (1 + (1 + (1 + (1 + (1 + x)))))): "(1 + (1 + (1 + (1 + (1 + (1 + …))))))",
    }
    assert [repr(one) for one in shown] == [f"<traced {text}>" for text in shown.values()]
    assert [repr(one) for one in (cell, x, W, kernel)] == \
        ["<value Cell>", "<index x>", "<size W>", "<param kernel>"]


def test_a_star_hides_nothing_of_python():
    namespace = {}
    exec("from lmpm import *", namespace)
    assert namespace["Token"] is Token and "sqrt" in namespace
    assert not [name for name in dir(builtins) if name in namespace and name[0] != "_"]
    assert str(inspect.signature(lmpm.clamp)) == "(x, low, high, /)"
    assert str(inspect.signature(lmpm.concat)) == "(*parts)"


def test_every_function_of_the_language_is_there():
    assert [name for name in _lmpm.FUNCTIONS if not callable(getattr(lmpm, name, None))] == []


def test_a_neighbourhood_takes_the_names_of_its_declaration():
    program = lmpm.Program()
    cell = program.value("Cell", I32, Grid2D(W, H), init=0)
    cell[i, j].sees(cell[N8])

    @program.rule("R", on=cell[i, j])
    def rule(near: N8, i):
        return near.sum() + i

    program.commit(cell, "accept")
    same(program, """
value Cell : I32 shape Grid2D(W, H) init 0
visible Cell[i,j] <- Cell[i+di,j+dj] when (di,dj) in N8
rule R:
  on Cell[i,j]
  emit proposal Cell[i,j] := sum(Cell[i+di,j+dj] when (di,dj) in N8) + i
commit Cell[*] using accept
""")
