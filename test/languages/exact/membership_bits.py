"""Exact likelihood ratios of being in the table, of a run of a few records: membership_bits.py FOLDER TABLE CONFIG CONTROL.

Prints as JSON, in bits, log2 P(Z | D_-i, x_i) / P(Z | D_-i) of every distinct record and log2 P(Z | D, y) / P(Z | D) of every row of the
control, from every allocation of records to classes (docs/explanation/membership.md). `absent` has what a program would find of records
that takes the table to have each of them once more.
"""

import json
import math
import sys

from mixture import Mixture
from run_files import Run, rows_of

run = Run(*sys.argv[1:4])
control = run.read(rows_of(sys.argv[4]))
model = run.config["model"]
mixture = Mixture(run.sizes, model["classes"], model["concentration"]["value"], list(range(len(run.sizes))))


def probability(records):
    return sum(mixture.extended(mixture.nothing(), records).values())


def log_release(table):
    """log2 P(Z | table): every dataset is drawn from the table by itself."""
    return sum(math.log2(probability([*table, *dataset]) / probability(table)) for dataset in run.datasets)


def bits(others, person):
    return log_release([*others, person]) - log_release(others)


records = run.records
distinct = list(dict.fromkeys(records))
others = {record: [*records[: records.index(record)], *records[records.index(record) + 1 :]] for record in distinct}
print(
    json.dumps(
        {
            "members": [bits(others[record], record) for record in distinct],
            "control": [bits(records, person) for person in control],
            "absent": [bits(records, record) for record in distinct],
        }
    )
)
