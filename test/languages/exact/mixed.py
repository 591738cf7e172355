"""
Exact risk of a run of a few records under the model mixed with two classes, by sums over every allocation: mixed.py FOLDER TABLE CONFIG, then
CONTROL, then the datasets where the run made none.

Prints as JSON, under `exact`, the figures that the tables of the run should have by the formulas of docs/explanation/estimators.md and
membership.md alone, with what the densities of each number are before the release and after it (of masses, then of cells). `fewer` has what
a program would find that leaves out the last dataset.
"""

import json
import math
import sys
from functools import lru_cache

import numpy as np
from normals import Allocated, Categories, Normals
from run_files import Run, rows_of

paths = sys.argv[1:]
run = Run(*paths[:3], paths[4:])
control = run.read(rows_of(paths[3])) if len(paths) > 3 else []
model = Normals(run)
rows = [model.row(record) for record in run.records]
nothing = model.row([None] * len(run.names))
datasets = []
for dataset in run.datasets:
    # What a partially synthetic row shows of the kept variables is the record's own.
    shown = [[value if k in run.synthesized else None for k, value in enumerate(row)] for row in dataset]
    datasets.append([model.row(row) for row in shown])
TABLES = ("attribute-risk", "variable-risk", "continuous-risk", "control-membership")


@lru_cache(maxsize=8)
def allocated(known, dataset):
    """All allocations of the known records, with a dataset (from 0) or with none."""
    if dataset is None:
        return Allocated(model, [rows[i] for i in known])
    if run.is_partial:
        return Allocated(model, [rows[i] + datasets[dataset][i] for i in known])
    return Allocated(model, [*(rows[i] for i in known), *datasets[dataset]])


def weigh(known, own, changes, place=None):
    """
    log p of a person's own values, and of each change of them, given the known records. Of each dataset how much larger its probability
    makes that of the own values and of the changes, and how much more probable it is with the person than without. `place` is that of the
    person among the rows of a partially synthetic dataset.
    """
    alone = allocated(known, None)
    log_own, log_changed = alone.log_with(own, changes)
    found = []
    for l, dataset in enumerate(datasets):
        given = nothing if place is None else dataset[place]
        both = allocated(known, l)
        log_with, log_changes = both.log_with(own + given, [(k, adds + given[model.blocks[k]]) for k, adds in changes])
        found.append((log_with - log_own, log_changes - log_changed, log_with - both.log_density - log_own + alone.log_density))
    return log_own, log_changed, found


def changes_of(k):
    """Every value of a variable, or mass and cell, and what a row with it adds."""
    one = model.variables[k]
    adds = [one.adds(code) for code in range(one.size)] if isinstance(one, Categories) else [adds for *_, adds in one.candidates()]
    return [(k, np.array(own)) for own in adds]


def shares(weights):
    return weights / weights.sum()


def add_figures(tables, place, record, weighed, power):
    """Adds the rows of a record to the tables, the logarithms of the likelihoods of datasets being added up times the power."""
    log_own, log_changed, found = weighed
    ratios = np.exp(power * sum((changed - own for own, changed, _ in found), np.zeros(len(log_changed))))
    relative = np.exp(log_changed - log_own)
    listed, start = [1.0], 0
    for k in guessed_of(record):
        one, value = model.variables[k], record[k]
        own = slice(start, start + len(changes_of(k)))
        start = own.stop
        at = {**place, "variable": run.names[k]}
        if isinstance(one, Categories):
            before, after = shares(relative[own]), shares(relative[own] * ratios[own])
            listed += [ratio for code, ratio in enumerate(ratios[own]) if code != value]
            tables["variable-risk"].append({**at, "probability_before": before[value], "probability_after": after[value]})
        else:
            weights = relative[own] * np.array([width for _, _, width, _ in one.candidates()])
            before, after = shares(weights), shares(weights * ratios[own])
            near = np.array(one.near(value))
            figures = {"within_before": near @ before, "within_after": near @ after, "gain_bits": -math.log2(before @ ratios[own])}
            tables["continuous-risk"].append({**at, **figures, "before": list(before), "after": list(after)})
    bits = {} if run.is_partial else {"membership_bits": power * sum(log_ratio for _, _, log_ratio in found) / math.log(2)}
    rank = 1 + len([ratio for ratio in listed if ratio > 1])
    tables["attribute-risk"].append({**place, "probability": 1 / sum(listed), "rank": rank, **bits})


def guessed_of(record):
    return [k for k in sorted(run.synthesized) if record[k] is not None]


def figures():
    exact, fewer = ({name: [] for name in TABLES} for _ in range(2))
    everybody = range(len(rows))
    for scenario in run.scenarios():
        knows = scenario.get("knows")
        known = run.known_places(scenario) if knows else everybody
        name = scenario.get("name")
        for i, record in enumerate(run.records):
            if knows and i in known:
                continue
            changes = [change for k in guessed_of(record) for change in changes_of(k)]
            *alone, found = weigh(tuple(j for j in known if j != i), rows[i], changes, i if run.is_partial else None)
            for tables, own in ((exact, found), (fewer, found[:-1])):
                power = 1 / max(1, len(own)) if knows else 1
                add_figures(tables, {"scenario": name, "record": i + 1}, record, (*alone, own), power)
        for number, person in enumerate(control, 1):
            found = [log_ratio / math.log(2) for _, _, log_ratio in weigh(tuple(known), model.row(person), [])[2]]
            for tables, own in ((exact, found), (fewer, found[:-1])):
                bits = sum(own) / (max(1, len(own)) if knows else 1)
                tables["control-membership"].append({"scenario": name, "row": number, "membership_bits": bits})
    return {"exact": exact, "fewer": fewer}


print(json.dumps(figures()))
