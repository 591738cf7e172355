"""Exact attribute risk of the release of a run of a few records: exact_risk.py FOLDER TABLE CONFIG, the config as JSON.

Prints as JSON the figures that `attribute-risk.csv` and `variable-risk.csv` should have, found from the table, the release and
the formulas of docs/explanation/estimators.md and trees.md alone. Of several records that are the same the first is looked at.
Under `mistaken` are probabilities of the truth that a mistaken program would find.
"""

import itertools
import json
import math
import sys
from functools import lru_cache

from mixture import Mixture
from run_files import Run
from trees import TreeRisk, replaced

# Gauss and Legendre's rule by the number of parameters: nodes of each, and fewer, which tell how far to trust them.
NODES = {3: (40, 32), 5: (16, 12)}


def candidates_of(run, record, asked):
    """The candidates of a record, its truth first, and the sets of values of which single variables are guessed."""
    # Of trees the default is one change, as of data that keep nothing.
    if asked is None and run.is_partial and run.config["model"].get("name") != "cart":
        asked = {"unknown": [run.names[k] for k in run.synthesized]}
    if asked is None or asked == "one-change":
        places = sorted(run.synthesized)
        changed = [(k, replaced(record, [k], [code])) for k in places for code in range(run.sizes[k]) if code != record[k]]
        changed = [(k, cell) for k, cell in changed if run.is_possible(cell)]
        listed = [record, *(cell for _, cell in changed)]
        sets = {
            run.names[k]: {x: [x] for x in range(len(listed)) if x == 0 or changed[x - 1][0] == k} for k in places
        }
    else:
        places = sorted(run.names.index(name) for name in asked["unknown"])
        cells = [replaced(record, places, codes) for codes in itertools.product(*(range(run.sizes[k]) for k in places))]
        listed = [record, *(cell for cell in cells if cell != record and run.is_possible(cell))]
        sets = {}
        for k in places:
            # The truth's value comes first, since it is the first candidate's.
            values = dict.fromkeys(cell[k] for cell in listed)
            sets[run.names[k]] = {value: [x for x, cell in enumerate(listed) if cell[k] == value] for value in values}
        if len(places) > 1:
            sets["; ".join(run.names[k] for k in places)] = {x: [x] for x in range(len(listed))}
    return listed, {name: list(values.values()) for name, values in sets.items() if len(values) > 1}


def shares(weights):
    total = sum(weights)
    return [weight / total for weight in weights]


def likelihoods(logs):
    return [math.exp(value - max(logs)) for value in logs]


def figures_of(likelihood, prior):
    """The columns of a row, from L and the prior of each candidate, the truth first."""
    before = shares(prior)
    after = shares([own * weight for own, weight in zip(likelihood, before, strict=True)])
    rest = sum(own * weight for own, weight in zip(likelihood[1:], before[1:], strict=True)) / (1 - before[0])
    guess = max(after)
    logs = [math.log(own / likelihood[0]) if own > 0 else -math.inf for own in likelihood]
    loss = max(abs(value) for value in logs)
    return {
        "candidates": len(likelihood),
        "prior_probability": float(before[0]),
        "probability": float(after[0]),
        "first_guess_probability": float(guess),
        "rank": 1 + sum(p > after[0] for p in after[1:]) + sum(p == after[0] for p in after[1:]) / 2,
        # Where no other candidate is possible it is infinite, which the table leaves empty.
        "bayes_factor": float(likelihood[0] / rest) if rest > 0 else None,
        "privacy_loss": loss if math.isfinite(loss) else None,
        "information_bits": sum(float(p) * math.log2(p / own) for p, own in zip(after, before, strict=True) if p > 0),
    }


def value_rows(sets, likelihood, prior):
    """Of each set of values the probability of the true one, before the release and after it; by the model's prior."""
    before = shares(prior)
    after = shares([own * weight for own, weight in zip(likelihood, before, strict=True)])
    rows = []
    for name, values in sets.items():
        p = shares([sum(before[x] for x in value) for value in values])
        q = shares([sum(after[x] for x in value) for value in values])
        row = {"variable": name, "categories": len(values), "probability_before": float(p[0]), "probability_after": float(q[0])}
        rows.append({**row, "gain_bits": math.log2(q[0] / p[0])})
    return rows


class Chained:
    """P(records) by the formulas of models that are fitted by chains, and what follows for the candidates of a record."""

    def __init__(self, run):
        self.run = run
        model = run.config["model"]
        classes, concentration = model["classes"], model["concentration"]["value"]
        columns = list(range(len(run.sizes)))
        self.alone = Mixture(run.sizes, classes, concentration, columns)
        # Beside its own values a partially synthetic record has those that it was given, from the same class.
        self.beside = Mixture(run.sizes, classes, concentration, [*columns, *run.synthesized])
        # Records of the same intruder share what stands before the candidate.
        self.allocations = lru_cache(maxsize=16)(lambda records: self.alone.extended(self.alone.nothing(), records))
        self.quadrature = []
        if run.impossible:
            from truncated import Truncated

            parameters = classes - 1 + classes * len(run.sizes)
            self.quadrature = [Truncated(run, classes, concentration, nodes) for nodes in NODES[parameters]]

    def joint(self, others, candidates, dataset, rule=0):
        """P(others, candidate, dataset) of each candidate; the dataset may be none."""
        if self.quadrature:
            integrals = self.quadrature[rule]
            return [integrals.probability([*others, candidate, *(dataset or [])]) for candidate in candidates]
        allocations = self.allocations((*(dataset or []), *others))
        return [self.alone.probability(allocations, candidate) for candidate in candidates]

    def joint_beside(self, index, candidates, dataset):
        """The same where a row of the dataset belongs to each record of the table."""
        given = [tuple(row[k] for k in self.run.synthesized) for row in dataset]
        pairs = [(*record, *own) for record, own in zip(self.run.records, given, strict=True)]
        allocations = self.beside.extended(self.beside.nothing(), pairs[:index] + pairs[index + 1 :])
        return [self.beside.probability(allocations, (*candidate, *given[index])) for candidate in candidates]

    def logs(self, index, candidates, datasets, rule=0):
        """log P(Z(l) | D_i^x) of each dataset and candidate, and P(x | D_-i) up to a constant."""
        others = self.run.records[:index] + self.run.records[index + 1 :]
        table = self.joint(others, candidates, None, rule)
        both = [
            self.joint_beside(index, candidates, dataset) if self.run.is_partial else self.joint(others, candidates, dataset, rule)
            for dataset in datasets
        ]
        return [[math.log(p / own) for p, own in zip(of_dataset, table, strict=True)] for of_dataset in both], table

    def logs_of_known(self, known, candidates):
        """log P(Z(l) | D_A, X_i = x) of each dataset and candidate, and P(x | D_A) up to a constant."""
        prior = self.joint(known, candidates, None)
        both = [self.joint(known, candidates, dataset) for dataset in self.run.datasets]
        return [[math.log(p / own) for p, own in zip(of_dataset, prior, strict=True)] for of_dataset in both], prior


def releases(logs):
    """The datasets with one of them in the place of each other, and each left out."""
    repeated = [[*logs[:to], own, *logs[to + 1 :]] for own in logs for to in range(len(logs)) if logs[to] is not own]
    without = [logs[:l] + logs[l + 1 :] for l in range(len(logs))] if len(logs) > 1 else []
    return repeated + without


def summed(logs, power=1):
    return likelihoods([power * sum(values) for values in zip(*logs, strict=True)])


def of_chains(run):
    chained = Chained(run)
    attribute, variable = [], []
    mistaken = {}
    doubt = 0.0

    def note(name, number, likelihood, prior):
        mistaken.setdefault(name, {})[number] = figures_of(likelihood, prior)["probability"]

    distinct = list(dict.fromkeys(run.records))
    for scenario in run.scenarios():
        knows = scenario.get("knows")
        known = run.known_records(scenario) if knows else None
        for number, record in enumerate(run.records if run.is_partial else distinct, 1):
            index = number - 1 if run.is_partial else run.records.index(record)
            count = 1 if run.is_partial else run.records.count(record) - (known.count(record) if knows else 0)
            if count == 0:
                continue
            candidates, sets = candidates_of(run, record, scenario.get("candidates"))
            key = f"{scenario.get('name')} {number}"
            uniform = [1] * len(candidates)
            if knows:
                logs, of_model = chained.logs_of_known(known, candidates)
                power = 1 / len(logs)
                # Who has other records than these: none, all, or all but this one.
                for name, others in {"none known": [], "all known": run.records}.items():
                    if others != known:
                        note(name, key, summed(chained.logs_of_known(others, candidates)[0], power), uniform)
                if known:
                    note("all but one known", key, summed(chained.logs(index, candidates, run.datasets)[0], power), uniform)
            else:
                logs, of_model = chained.logs(index, candidates, run.datasets)
                power = 1
            prior = of_model if scenario.get("prior") == "model" else uniform
            likelihood = summed(logs, power)
            place = {"scenario": scenario.get("name"), "number": number, "count": count}
            figures = figures_of(likelihood, prior)
            separately = [figures_of(likelihoods(own), prior)["probability"] for own in logs]
            attribute.append({**place, **figures, "separately": separately})
            variable += [{**place, **row} for row in value_rows(sets, likelihood, of_model)]
            note("no release", key, uniform, prior)
            if prior is of_model:
                note("another prior", key, likelihood, uniform)
            for release, mistake in enumerate(releases(logs)):
                note(f"another release, {release + 1}", key, summed(mistake, 1 / len(mistake) if knows else 1), prior)
            if run.is_partial:
                turned = [[*dataset[1:], dataset[0]] for dataset in run.datasets]
                note("rows of others", key, summed(chained.logs(index, candidates, turned)[0]), prior)
            if run.impossible:
                fewer, prior_by_fewer = chained.logs(index, candidates, run.datasets, 1)
                weights = prior_by_fewer if prior is of_model else prior
                doubt = max(doubt, abs(figures_of(summed(fewer), weights)["probability"] - figures["probability"]))
                chained.quadrature, whole = [], chained.quadrature
                note("all cells possible", key, summed(chained.logs(index, candidates, run.datasets)[0]), prior)
                chained.quadrature = whole
    return {
        "attribute": attribute,
        "variable": variable,
        "mistaken": {name: list(rows.items()) for name, rows in mistaken.items()},
        "quadratureError": doubt,
    }


def of_trees(run):
    risk = TreeRisk(run)
    attribute, variable = [], []
    [scenario] = run.scenarios()
    for number, record in enumerate(run.records, 1):
        candidates, sets = candidates_of(run, record, scenario.get("candidates"))
        ways = {
            "exact": ([risk.likelihood(number - 1, x) for x in candidates], [risk.prior(number - 1, x) for x in candidates]),
            "fixed": ([risk.fixed_likelihood(number - 1, x) for x in candidates], [risk.fixed_prior(number - 1, x) for x in candidates]),
        }
        figures, values = {}, {}
        for way, (likelihood, of_model) in ways.items():
            prior = of_model if scenario.get("prior") == "model" else [1] * len(candidates)
            figures[way] = figures_of(likelihood, prior)
            values[way] = value_rows(sets, likelihood, of_model)
        place = {"scenario": scenario.get("name"), "number": number, "count": 1}
        proven = {name: not any(ways["exact"][0][x] for value in others for x in value) for name, (_, *others) in sets.items()}
        of_row = {"probability_fixed": figures["fixed"]["probability"], "proven": str(any(proven.values())).lower()}
        attribute.append({**place, **figures["exact"], **of_row})
        for exact, fixed in zip(values["exact"], values["fixed"], strict=True):
            of_row = {"probability_fixed": fixed["probability_after"], "proven": str(proven[exact["variable"]]).lower()}
            variable.append({**place, **exact, **of_row})
    return {"attribute": attribute, "variable": variable}


if __name__ == "__main__":
    run = Run(*sys.argv[1:])
    print(json.dumps(of_trees(run) if run.config["model"].get("name") == "cart" else of_chains(run)))
