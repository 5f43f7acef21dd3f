"""Both programs against a second implementation in NumPy, draws included, and against what happened
to the club."""

import os
import pathlib
import sys

import networkx
import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from clubs import agreement, club, modularity, neighbours, sides, strengths, truth  # noqa: E402
from kit.draws import cell_numbers, stream_key, threshold, threshold_draws  # noqa: E402
from kit.network import rounded  # noqa: E402

F32 = np.float32


def graph_inputs(graph):
    """Sizes and parameters of a graph, as flags."""
    start, nbr = neighbours(graph)
    return {"N": len(graph), "M": len(nbr)}, {"start": start, "nbr": nbr}


def majority(graph, known):
    """Everybody at once takes the side of most friends, the lower on a tie unless it has the other."""
    near, now = networkx.to_numpy_array(graph, weight=None), known.astype(int)
    for _ in range(100):
        votes = np.stack([2 * near @ (now == side) + (now == side) for side in (0, 1)], 1)
        heard = near @ (now >= 0) > 0
        then = np.where(heard & (known < 0), votes.argmax(1), now)
        if np.array_equal(then, now):
            break
        now = then
    return now


def colours(graph):
    """The smallest that no earlier friend has, person by person."""
    order = networkx.greedy_color(graph, lambda graph, _: sorted(graph))
    return np.array([order[i] for i in sorted(graph)])


def propagate(graph, epochs, declaration, seed):
    """One colour after the other takes the strongest label, drawn among equals with the language's
    draws; no friend of anybody changes meanwhile."""
    start, nbr = neighbours(graph)
    strong, labels = strengths(graph), np.arange(len(graph))
    key, numbers = stream_key(declaration, 0, seed), cell_numbers(labels.shape)
    colour = colours(graph)
    for epoch in range(epochs):
        for phase in range(colour.max() + 1):
            for i in np.flatnonzero(colour == phase):
                friends = slice(start[i], start[i + 1])
                score = np.bincount(labels[nbr[friends]], strong[friends], len(graph)).astype(F32)
                sums = np.cumsum(rounded(np.exp, (score - score.max()) / F32(0.05)), dtype=F32)
                draw = threshold_draws(key, numbers[i : i + 1], epoch, phase)
                labels[i] = (draw < threshold(sums / sums[-1])).argmax()
    return labels


def test_the_data_is_the_club():
    start, nbr = neighbours(club())
    for name, array in (("start", start), ("nbr", nbr), ("strength", strengths(club())),
                        ("Known", sides())):
        assert np.array_equal(np.load(HERE / f"{name}.npy"), array)
    assert len(nbr) == 2 * 78 and truth().sum() == 17


def test_majority_is_the_second_implementation(run):
    """On the club and on a random graph, some of whose people have no friends."""
    assert np.array_equal(run("majority.lmpm", "Side"), majority(club(), sides()))
    graph = networkx.gnm_random_graph(60, 70, seed=4)
    known = np.full(60, -1, np.int8)
    known[[3, 11, 20, 40]] = 0, 1, 1, 0
    sets, inputs = graph_inputs(graph)
    got = run("majority.lmpm", "Side", sets=sets, epochs=100, inputs={**inputs, "Known": known})
    assert np.array_equal(got, majority(graph, known)) and (got < 0).any() and (got >= 0).sum() > 30


def test_majority_finds_the_clubs(run):
    """All but number 8, who joined against his friends because his examination was close: Zachary
    tells so."""
    assert np.flatnonzero(run("majority.lmpm", "Side") != truth()).tolist() == [8]


def test_propagation_is_the_second_implementation(run):
    for seed in (1977, 3):
        got = run("propagation.lmpm", "Label", flags=("--seed", str(seed)), epochs=5)
        assert np.array_equal(got, propagate(club(), 5, declaration=7, seed=seed))


def test_propagation_finds_communities(run):
    """For each of some seeds: two, much like the clubs, and at least as well separated."""
    for seed in range(4 if os.environ.get("LCI_ALL_WAYS") else 2):
        labels = run("propagation.lmpm", "Label", flags=("--seed", str(seed)))
        assert len(set(labels.tolist())) == 2
        assert agreement(labels, truth()) > 0.6
        assert modularity(club(), labels) > modularity(club(), truth())


def test_no_two_friends_are_asked_at_once(run):
    """The phases are the graph's colours, and another graph has others."""
    for graph, number in ((club(), 6), (networkx.cycle_graph(7), 3), (networkx.cycle_graph(8), 2)):
        sets, inputs = graph_inputs(graph)
        inputs["strength"] = strengths(graph)
        run("propagation.lmpm", sets=sets, inputs=inputs, epochs=1, report=True)
        assert run.report["ticks"] == number == colours(graph).max() + 1


@pytest.mark.parametrize("program, value", [("majority.lmpm", "Side"), ("propagation.lmpm", "Label")])
def test_the_backends_agree(run, program, value):
    run.same_bits(program, value, epochs=3)
