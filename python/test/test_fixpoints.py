"""S-FIXPOINT: however a run is split, in steps or by checkpoints, it ends where the whole one does."""

import random

import pytest

import lmpm

EPOCHS = 12


def random_program(seed):
    """Values whose tokens rise, fall or spread until they do not, some of them by what others hold."""
    draw = random.Random(seed)
    lines, names = [], ["A", "B", "C"][:draw.randint(1, 3)]
    for name in names:
        most = draw.randint(1, 5)
        other = draw.choice(names)
        step, around = draw.randint(1, 2), f"{name}[i-1]"
        rule = draw.choice([f"min(self + {step}, {most})", f"max(self - {step}, 0)", f"max(self, {around})",
                            f"where({other}[i] > 0, min(self + 1, {most}), self)", "self"])
        lines += [f"value {name} : Token[{most + 1}] shape Seq(9) boundary wrap init[i] i * {draw.randint(1, 4)} % {most + 1}",
                  f"visible {name}[i] <- {name}[i]", f"visible {name}[i] <- {around}"]
        lines += [f"visible {name}[i] <- {other}[i]"] if other != name else []
        lines += [f"rule R{name}: on {name}[i] emit proposal {name}[i] := {rule}", f"commit {name}[*] using accept"]
    return "\n".join(lines) + "\n"


def end_of(run, path):
    run.save(path)
    return run.epoch, run.fixpoint, run.counters, path.read_bytes()


@pytest.mark.parametrize("backend", ["cpu", "interp", "kernels"])
@pytest.mark.parametrize("seed", range(4))
def test_runs_that_are_split_end_where_whole_ones_do(backend, seed, tmp_path):
    compiled = lmpm.parse(random_program(seed)).compile(backend=backend)
    whole, path = compiled.run(epochs=EPOCHS), tmp_path / "run.checkpoint"
    expected = end_of(whole, tmp_path / "whole.checkpoint")
    assert expected[1] and 0 < whole.epoch < EPOCHS
    for split in range(EPOCHS + 1):
        run = compiled.run(epochs=split)
        reached = min(split, whole.epoch)
        assert (run.epoch, run.fixpoint) == (reached, split >= whole.epoch)
        run.save(path)
        assert end_of(compiled.resume(path).step(EPOCHS - reached), path) == expected, split
        assert end_of(run.step(EPOCHS - reached), path) == expected, split
        assert end_of(run.step(3), path) == expected
    run = compiled.new()
    for _ in range(EPOCHS):
        run.step()
    assert end_of(run, path) == expected


def test_a_run_at_its_end_goes_on_where_it_is_switched(tmp_path):
    compiled = lmpm.parse("value A : Token[4] shape Seq(8) init 0\nvisible A[i] <- A[i]\n"
                          "rule R: on A[i] emit proposal A[i] := min(self + 1, 3)\n"
                          "commit A[*] using accept\n").compile()
    path = tmp_path / "run.checkpoint"
    run = compiled.run(epochs=9, disable=["R"])
    assert (run.epoch, run.fixpoint) == (1, True)
    run.save(path)
    assert compiled.resume(path).step(8).epoch == 1
    resumed = compiled.resume(path, enable=["R"]).step(8)
    assert (resumed.epoch, resumed.fixpoint, list(resumed["A"])) == (5, True, [3] * 8)


def test_runs_at_their_ends_take_turns():
    compiled = lmpm.parse(random_program(0)).compile()
    one = compiled.run(epochs=EPOCHS)
    end, other = one.epoch, compiled.run(epochs=EPOCHS, seed=1)
    assert [one.step(2).epoch, other.step(2).epoch, one.step().epoch] == [end] * 3
    assert len(one.animate("A", 4)) == 2
