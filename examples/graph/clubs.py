"""Zachary's karate club: a graph of 34 people whose club broke in two in 1972, from networkx.

    python clubs.py prepare                        writes the .npy files
    python clubs.py draw SIDE.npy LABEL.npy F.png      draws both results and says how good they are

Neighbours stand in `nbr` from `start[i]` up to `start[i+1]`, as the programs read them. What really
happened: each person's club afterwards, 0 for the instructor's and 1 for the officer's.
"""

import pathlib
import sys

import networkx
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

INSTRUCTOR, OFFICER = 0, 33
COLOURS = ["#35608f", "#b8442e", "#3c8a4c", "#8a5aa8", "#b98a1f"]


def club():
    return networkx.karate_club_graph()


def truth():
    """Which club each person joined."""
    return np.array([int(club().nodes[i]["club"] == "Officer") for i in sorted(club())])


def neighbours(graph):
    """The arrays `start` and `nbr`."""
    near = [sorted(graph[i]) for i in sorted(graph)]
    start = np.cumsum([0] + [len(others) for others in near])
    return start.astype(np.int32), np.concatenate(near).astype(np.int32)


def strengths(graph):
    """One for each friendship, in the order of `nbr`, and one for each friend that the two share."""
    return np.array([1 + len(set(graph[i]) & set(graph[j]))
                     for i in sorted(graph) for j in sorted(graph[i])], np.int32)


def sides():
    """The two leaders' sides, and nobody else's."""
    known = np.full(len(club()), -1, np.int8)
    known[[INSTRUCTOR, OFFICER]] = 0, 1
    return known


def agreement(labels, others):
    """Normalised mutual information: 1 if two divisions are the same, 0 if one tells nothing about
    the other."""
    from sklearn.metrics import normalized_mutual_info_score

    return normalized_mutual_info_score(labels, others)


def modularity(graph, labels):
    groups = [set(np.flatnonzero(labels == label)) for label in np.unique(labels)]
    return networkx.community.modularity(graph, groups)


def prepare():
    start, nbr = neighbours(club())
    for name, array in (("start", start), ("nbr", nbr), ("strength", strengths(club())),
                        ("Known", sides())):
        np.save(HERE / f"{name}.npy", array)


def draw_graph(canvas, left, labels):
    """People as dots, their colour what was found, their ring what happened."""
    from kit.curves import HEIGHT

    place = networkx.kamada_kawai_layout(club())
    at = {i: (left + 160 + 150 * p[0], HEIGHT / 2 + 160 * p[1]) for i, p in place.items()}
    for i, j in club().edges:
        canvas.line([at[i], at[j]], "#cccccc", 1)
    names = {label: number for number, label in enumerate(dict.fromkeys(labels.tolist()))}
    for i in at:
        canvas.dot(at[i], COLOURS[truth()[i]], 9)
        canvas.dot(at[i], COLOURS[names[labels[i]]], 6)


def main():
    from kit.curves import Canvas

    side, label = (np.load(path).astype(int) for path in sys.argv[2:4])
    wrong = np.flatnonzero(side != truth()).tolist()
    print(f"majority: {(side == truth()).sum()} of {len(side)} as it happened, all but {wrong}")
    print(f"label propagation: {len(set(label))} communities, agreement {agreement(label, truth()):.2f}"
          f", modularity {modularity(club(), label):.2f} (the clubs': "
          f"{modularity(club(), truth()):.2f})")
    canvas = Canvas()
    draw_graph(canvas, 0, side)
    draw_graph(canvas, 320, label)
    canvas.save(sys.argv[4])


if __name__ == "__main__":
    prepare() if sys.argv[1] == "prepare" else main()
