"""
Attribute risk of one continuous variable under the model mixed with two classes, beside one variable that is synthesized and one that is
kept, by sums over every allocation: python mixed.py RUN TABLE CONFIG. The density of a class is a ratio of normalizing constants, which is the
product of Student's t of its values, each given those before (DeGroot 1970, section 9.6).
"""

import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
from run_files import rows_of

folder, table, config = sys.argv[1:]
settings = json.loads(Path(config).read_text(encoding="utf-8"))
declared = settings["variables"]["income"]
levels, groups = (settings["variables"][name]["categories"] for name in ("level", "group"))
model = settings["model"]
alpha = model["concentration"]["value"]
kappa, shape, rate = model["meanRecords"], model["variance"]["shape"], model["variance"]["rate"]
mass, cells = declared["masses"][0], declared["cells"]
# The range is scaled by its root, without the mass at its lower end.
low, high = math.sqrt(declared["range"][0] + 1), math.sqrt(declared["range"][1])


def to_unit(value):
    return (math.sqrt(value) - low) / (high - low)


def from_unit(unit):
    return (low + unit * (high - low)) ** 2


def counts_of(row):
    """
    What a row adds to its class: a value with it and its square, or the mass; its level; and its group where it is of the table itself.
    """
    level, group, value = row
    at_mass = value is None
    numbers = [0.0, 0.0, 0.0] if at_mass else [1.0, value, value * value]
    return [*numbers, float(not at_mass), float(at_mass), *(level == own for own in levels), *(group == own for own in groups)]


def read(path, is_released=False):
    """Rows as a level, a group (none in a dataset, which keeps it) and a number on the unit scale, or None for the mass."""
    rows = [(row["level"], None if is_released else row["group"], float(row["income"])) for row in rows_of(path)]
    return [(level, group, None if value == mass else to_unit(value)) for level, group, value in rows]


records = read(table)
datasets = [read(Path(folder) / "release" / f"synthetic-{l}.csv", True) for l in range(1, settings["synthesis"]["datasets"] + 1)]
total = len(records)
most = total * (1 + len(datasets))
# Every allocation to two classes, by who is in the first; a row of a dataset is in the class of its record.
first = (np.arange(1 << total)[:, None] >> np.arange(total) & 1).astype(float)
sizes = first.sum(axis=1).astype(int)
log_gammas = np.array([math.lgamma(1 + n) for n in range(most + 1)])
log_shapes = np.array([math.lgamma(shape + n / 2) for n in range(most + 1)])
log_weights = np.array([math.lgamma(1 + n) + math.lgamma(alpha + total - n) for n in range(total + 1)])[sizes]


def log_categories(counts):
    size = counts.shape[1]
    whole = counts.sum(axis=1).astype(int)
    log_sums = np.array([math.lgamma(size + n) for n in range(most + 1)])
    return math.lgamma(size) - log_sums[whole] + log_gammas[counts.astype(int)].sum(axis=1)


def log_class(sums):
    """Logarithms of the density of all rows of a class, its parameters integrated out; a row of `sums` is an allocation."""
    n, added, squares = sums[:, 0], sums[:, 1], sums[:, 2]
    mean = added / np.maximum(n, 1)
    rates = rate + (squares - added * mean) / 2 + kappa * n * (mean - 0.5) ** 2 / (2 * (kappa + n))
    normal = log_shapes[n.astype(int)] - log_shapes[0] + shape * math.log(rate) - (shape + n / 2) * np.log(rates)
    normal += np.log(kappa / (kappa + n)) / 2 - n / 2 * math.log(2 * math.pi)
    ends = [3, 5, 5 + len(levels), sums.shape[1]]
    return normal + sum(log_categories(sums[:, start:end]) for start, end in itertools.pairwise(ends))


def log_density(changed, below=None):
    """Logarithm of the density of the records, and of a dataset below them where there is one, summed over all allocations."""
    adds = np.array([counts_of(row) for row in changed])
    if below is not None:
        adds += np.array([counts_of(row) for row in below])
    of_first = first @ adds
    logs = log_weights + log_class(of_first) + log_class(adds.sum(axis=0) - of_first)
    largest = logs.max()
    return largest + math.log(np.exp(logs - largest).sum())


def weigh(index, value):
    """The density of the table with a value in the place of a record's own, and by each dataset its likelihood: logarithms."""
    changed = [(level, group, value if i == index else own) for i, (level, group, own) in enumerate(records)]
    alone = log_density(changed)
    return alone, [log_density(changed, dataset) - alone for dataset in datasets]


def figures_of(index, value, used):
    """Gain at the truth, and the probability near it before and after so many datasets."""
    log_truth, at_truth = weighed[index]["truth"]
    near = max(declared["within"]["share"] * value, 0.5)
    sums = [0.0, 0.0, 0.0, 0.0]
    for start, end, width, (log_prior, logs) in weighed[index]["candidates"]:
        overlap = max(0.0, min(end, value + near) - max(start, value - near))
        inside = overlap / (end - start) if end > start else float(abs(start - value) <= near)
        before = width * math.exp(log_prior - log_truth)
        after = before * math.exp(sum(logs[l] - at_truth[l] for l in range(used)))
        for place, own in enumerate((before, after, inside * before, inside * after)):
            sums[place] += own
    before, after, near_before, near_after = sums
    return {"gain_bits": math.log2(before / after), "within_before": near_before / before, "within_after": near_after / after}


weighed = []
for index, (_, _, own) in enumerate(records):
    candidates = [(mass, mass, 1.0, weigh(index, None))]
    for c in range(cells):
        candidates.append((from_unit(c / cells), from_unit((c + 1) / cells), 1 / cells, weigh(index, (c + 0.5) / cells)))
    weighed.append({"truth": weigh(index, own), "candidates": candidates})
values = [float(row["income"]) for row in rows_of(table)]
found = [[figures_of(index, value, used) for index, value in enumerate(values)] for used in range(len(datasets) + 1)]
print(json.dumps({"exact": found[-1], "fewer": found[-2]}))
