"""What observers saw: the columns of their table, and the mean of a series with its error."""

import csv
import math

import numpy as np


def read_series(path, skip=0):
    """The columns of an observers' CSV by name, without the first `skip` rows; what was absent is
    NaN."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))[skip:]
    return {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}


def mean_and_error(series):
    """The mean of a correlated series, and its standard error by blocking: neighbours are averaged
    in pairs again and again; the naive error grows until the blocks are independent."""
    series = np.asarray(series, float)
    mean, errors = series.mean(), []
    while len(series) >= 32:
        errors.append(series.std(ddof=1) / math.sqrt(len(series)))
        series = series[: len(series) // 2 * 2].reshape(-1, 2).mean(1)
    return mean, max(errors)
