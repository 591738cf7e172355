"""Tests of who is in the table, from its files alone: membership.py SPLIT TABLE CONTROL DATASET...

SPLIT holds the records of the control (from 0) in the order in which they are drawn: the first half is the reference. Prints
AUC, its standard error and the shares found, of the distance to the closest row and of the ratio of densities.
"""

import csv
import json
import sys

import numpy as np


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


split, table_path, control_path, *dataset_paths = sys.argv[1:]
order = json.load(open(split, encoding="utf-8"))
table, control = rows_of(table_path), rows_of(control_path)
synthetic = [row for path in dataset_paths for row in rows_of(path)]
names = list(table[0])
numeric = [all(row[name].lstrip("-").replace(".", "", 1).isdigit() for row in table) for name in names]
categories = [len({row[name] for row in table}) for name in names]
half = len(control) // 2
reference, others = ([control[i] for i in part] for part in (order[:half], order[half:]))


def column(rows, k):
    return np.array([float(row[names[k]]) if numeric[k] else row[names[k]] for row in rows])


def closest(people):
    distance = np.zeros((len(people), len(synthetic)))
    for k in range(len(names)):
        own, rows = column(people, k)[:, None], column(synthetic, k)[None, :]
        distance += np.abs(own - rows) / np.ptp(rows) if numeric[k] else own != rows
    return -distance.min(axis=1)


def log_density(sample, people):
    n, q = len(sample), sum(numeric)
    kernel = np.ones((len(people), n))
    for k in range(len(names)):
        own, rows = column(people, k)[:, None], column(sample, k)[None, :]
        if numeric[k]:
            h = column(synthetic + reference, k).std(ddof=1) * (4 / ((q + 2) * n)) ** (1 / (q + 4))
            kernel *= np.exp(-(((own - rows) / h) ** 2) / 2) / (h * np.sqrt(2 * np.pi))
        else:
            c = categories[k]
            b = (c - 1) / c * n ** (-2 / (q + 4))
            kernel *= np.where(own == rows, 1 - b, b / (c - 1))
    return np.log(kernel.mean(axis=1))


def ratio(people):
    return log_density(synthetic, people) - log_density(reference, people)


def outcome(members, outside):
    wins = (members[:, None] > outside) + 0.5 * (members[:, None] == outside)
    variance = wins.mean(axis=1).var(ddof=1) / len(members) + wins.mean(axis=0).var(ddof=1) / len(outside)
    thresholds = np.unique(np.concatenate([members, outside]))[::-1]
    false_alarms = np.concatenate([[0], (outside >= thresholds[:, None]).mean(axis=1)])
    found = np.concatenate([[0], (members >= thresholds[:, None]).mean(axis=1)])
    at = []
    for told in (0.01, 0.1):
        after = np.argmax(false_alarms > told + 1e-12)
        x, y = false_alarms[after - 1 : after + 1], found[after - 1 : after + 1]
        at.append(y[0] + (y[1] - y[0]) * (told - x[0]) / (x[1] - x[0]))
    return {"auc": wins.mean(), "aucSe": np.sqrt(variance), "foundAt1Percent": at[0], "foundAt10Percent": at[1]}


# Scores that are equal but for rounding are equal.
scores = {"closestRecord": closest, "domias": ratio}
print(json.dumps({test: outcome(*(np.round(score(people), 9) for people in (table, others))) for test, score in scores.items()}))
